export { jsonSchemas } from './wire/json-schemas.ts';
export { SealEnvelopeV1, SealStatementV1 } from './wire/v1.ts';
