export { jsonSchemas } from './plan/json-schemas.ts';
export { SchemaExcerptV1 } from './plan/schema-excerpt-v1.ts';
