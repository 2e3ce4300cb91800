export { jsonSchemas } from './wire/json-schemas.ts';
export { WriteEnforcementV1, WritePolicyV1 } from './wire/v1.ts';
