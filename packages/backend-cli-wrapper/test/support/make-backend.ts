import type { WorkerBackend } from '@bailiwick/backend-contract';
import { createCliWrapperBackend } from '../../src/index.ts';

/** The backend over the supervisor's real program. */
export function makeBackend(supervisorPath: string): WorkerBackend {
  return createCliWrapperBackend({ supervisorPath });
}
