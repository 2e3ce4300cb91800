export { jsonSchemas } from './wire/json-schemas.ts';
export { MutationAuditV1 } from './wire/v1.ts';
