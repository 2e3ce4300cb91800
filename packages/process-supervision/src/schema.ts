export { jsonSchemas } from './wire/json-schemas.ts';
export { LaunchLineV1 } from './wire/launch-line.ts';
export { StageMessageV1, StopMessageV1 } from './wire/socket-messages.ts';
