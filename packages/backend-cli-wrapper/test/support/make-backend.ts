import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerBackend } from '@bailiwick/backend-contract';
import { createCliWrapperBackend } from '../../src/index.ts';

const SUPERVISOR_PATH = fileURLToPath(new URL('../../../process-supervision/src/supervisor-main.ts', import.meta.url));
export const FROM_SOURCES = '--conditions=@bailiwick/source';

/** The backend over the supervisor's sources; their compiled form is kept between the many starts of these tests. */
export function makeBackend(): WorkerBackend {
  const cache = join(tmpdir(), 'process-supervision-tests-compile-cache');
  const nodeArguments = [
    FROM_SOURCES,
    '--import',
    `data:text/javascript,import{enableCompileCache}from"node:module";enableCompileCache(${JSON.stringify(cache)})`,
  ];
  return createCliWrapperBackend({ supervisorPath: SUPERVISOR_PATH, nodeArguments });
}
