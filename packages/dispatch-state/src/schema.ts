export { DispatchRecordV1, UnauditedErrorRowV1, UnauditedEventV1 } from './wire/dispatch-record-v1.ts';
export { DispatchRecordV2 } from './wire/dispatch-record-v2.ts';
export { InvocationV1 } from './wire/invocation-v1.ts';
export { jsonSchemas } from './wire/json-schemas.ts';
export { ErrorRowV1, LeadEventV1 } from './wire/lead-event-v1.ts';
export { RunManifestV2 } from './wire/run-manifest-v2.ts';
export { StatusSidecarV1 } from './wire/status-sidecar-v1.ts';
export { SupervisionOrderV1 } from './wire/supervision-order-v1.ts';
export { SelectionV1, StopIntentV1, TeamStateV1 } from './wire/team-state-v1.ts';
