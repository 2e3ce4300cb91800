export { type CliWrapperOptions, createCliWrapperBackend, DEFAULT_LAUNCH_TIMEOUT_MS } from './cli-wrapper-backend.ts';
export { SUPERVISOR_ENVIRONMENT } from './supervisor-program.ts';
