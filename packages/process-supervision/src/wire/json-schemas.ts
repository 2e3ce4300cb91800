import { z } from 'zod';
import { LaunchLineV1 } from './launch-line.ts';
import { StageMessageV1, StopMessageV1 } from './socket-messages.ts';

/** The published JSON Schemas (draft 2020-12) by file name, generated from the schemas that decode. Each is one line of its stream. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    'launch-line-v1.json': published('Line that a supervisor prints while it launches', LaunchLineV1),
    'stage-message-v1.json': published('Line from the socket of a supervisor', StageMessageV1),
    'stop-message-v1.json': published('Line to the socket of a supervisor', StopMessageV1),
  };
}

function published(title: string, schema: z.ZodType): object {
  return z.toJSONSchema(schema.meta({ title }), { io: 'input' });
}
