export {
  assignmentRefField,
  attemptField,
  audienceField,
  batchIdField,
  dispatchIdField,
  dispatchKindField,
  dutyIdField,
  executionLabelField,
  identityFields,
  inputDigestField,
  invocationIdField,
  invocationRefField,
  participantRefField,
  pathField,
  roleExecutionRefField,
  roleField,
  runIdField,
  sessionIdField,
  taskKeyField,
  workerIdField,
} from './wire/fields.ts';
export { jsonSchemas } from './wire/json-schemas.ts';
export { PromptMetadataV1Document, PromptMetadataV2Document } from './wire/prompt-metadata.ts';
export { ReservationV2Document } from './wire/reservation.ts';
