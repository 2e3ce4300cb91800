import { z } from 'zod';
import { DispatchRecordV1, UnauditedErrorRowV1, UnauditedEventV1 } from './dispatch-record-v1.ts';
import { DispatchRecordV2 } from './dispatch-record-v2.ts';
import { InvocationV1 } from './invocation-v1.ts';
import { ErrorRowV1, LeadEventV1 } from './lead-event-v1.ts';
import { RunManifestV2 } from './run-manifest-v2.ts';
import { SettledAttemptV1 } from './settled-attempt-v1.ts';
import { StatusSidecarV1 } from './status-sidecar-v1.ts';
import { SupervisionOrderV1 } from './supervision-order-v1.ts';
import { SelectionV1, StopIntentV1, TeamStateV1 } from './team-state-v1.ts';

/**
 * The published JSON Schemas (draft 2020-12) by file name, generated from the schemas that decode. Rules across fields
 * (`manifestIssues`, `invocationIssues`, `recordIssues`) are beyond them.
 */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return {
    'dispatch-record-v1.json': published('Dispatch record of a v1 job', DispatchRecordV1),
    'dispatch-record-v2.json': published('Dispatch record', DispatchRecordV2),
    'error-row-v1.json': published('Line of the error log', ErrorRowV1),
    'invocation-v1.json': published('Invocation', InvocationV1),
    'lead-event-v1.json': published('Line of the event log', LeadEventV1),
    'run-manifest-v2.json': published('Run manifest', RunManifestV2),
    'selection-v1.json': published('Line of the selections log', SelectionV1),
    'settled-attempt-v1.json': published('Line of the log of settled attempts', SettledAttemptV1),
    'status-sidecar-v1.json': published('Status sidecar', StatusSidecarV1),
    'stop-intent-v1.json': published('Stop intent', StopIntentV1),
    'supervision-order-v1.json': published('Supervision order', SupervisionOrderV1),
    'unaudited-error-row-v1.json': published('Line of the error log about a v1 job', UnauditedErrorRowV1),
    'unaudited-event-v1.json': published('Line of the event log about a v1 job', UnauditedEventV1),
    'team-state-v1.json': published('Team state', TeamStateV1),
  };
}

function published(title: string, schema: z.ZodType): object {
  return z.toJSONSchema(schema.meta({ title }), { io: 'input' });
}
