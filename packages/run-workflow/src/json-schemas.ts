import { z } from 'zod';
import { RunContextV1 } from './create/run-context-v1.ts';
import { JobsFileV1 } from './phases/jobs-file-v1.ts';
import { ConfigV1 } from './project/config-v1.ts';

/** The published JSON Schemas (draft 2020-12) by file name, generated from the schemas that decode. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    'config-v1.json': published('Config of a project', ConfigV1),
    'jobs-file-v1.json': published('Jobs file', JobsFileV1),
    'run-context-v1.json': published('Run context', RunContextV1),
  };
}

function published(title: string, schema: z.ZodType): object {
  return z.toJSONSchema(schema.meta({ title }), { io: 'input' });
}
