import { join } from 'node:path';
import { type FakeCmux, type FakeCmuxOptions, startFakeCmux } from '@bailiwick/agent-fakes';
import { onTestFinished } from 'vitest';
import type { ProjectOptions, TempProject } from '../src/index.ts';
import { project } from './support.ts';

/** A project whose command line is started in a terminal of a fake cmux; both go when the test ends. */
export async function inCmux(
  options: Partial<FakeCmuxOptions> = {},
  projectOptions: ProjectOptions = {},
): Promise<{ at: TempProject; fake: FakeCmux }> {
  const at = await project(projectOptions);
  const fake = await startFakeCmux({
    socketPath: join(at.root, '..', 'cmux'),
    environment: { PATH: process.env['PATH'] ?? '', HOME: at.home },
    ...options,
  });
  onTestFinished(() => fake.close());
  return { at: { ...at, environment: { ...at.environment, ...fake.environment() } }, fake };
}
