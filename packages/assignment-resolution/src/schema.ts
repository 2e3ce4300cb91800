export { jsonSchemas } from './wire/json-schemas.ts';
export { BindingV1, ModelAliasesV1, ModelPoolEntryV1, ModelShorthandV1 } from './wire/v1.ts';
