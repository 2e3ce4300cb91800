import { fileURLToPath } from 'node:url';
import { type CliWrapperOptions, createCliWrapperBackend } from '../../src/index.ts';

const supervisorPath = fileURLToPath(new URL('./odd-supervisor.mjs', import.meta.url));

/** A backend whose supervisor behaves as named; `--title` is a flag of Node that changes nothing else. */
export function odd(behaviour: string, more: Partial<CliWrapperOptions> = {}) {
  return createCliWrapperBackend({ supervisorPath, nodeArguments: [`--title=${behaviour}`], ...more });
}
