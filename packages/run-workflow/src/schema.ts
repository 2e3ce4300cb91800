export { RunContextV1 } from './create/run-context-v1.ts';
export { jsonSchemas } from './json-schemas.ts';
export { JobsFileV1 } from './phases/jobs-file-v1.ts';
export { ConfigV1 } from './project/config-v1.ts';
