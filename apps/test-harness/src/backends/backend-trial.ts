import { join } from 'node:path';
import { startFakeCmux } from '@bailiwick/agent-fakes';
import type { TempProject } from '../project/temp-project.ts';

/** Where the workers of a scenario run. */
export interface BackendTrial {
  /** As it stands in results: `cli-wrapper`, `cmux-pane 0.64.7`. */
  readonly name: string;
  /** The project as the command line is to see it; `leave` gives what wasn't as it should be, and ends what was started. */
  readonly enter: (
    project: TempProject,
  ) => Promise<{ readonly project: TempProject; readonly leave: () => Promise<readonly string[]> }>;
}

/** Workers as children of a detached supervisor: nothing to prepare. */
export const CLI_WRAPPER: BackendTrial = {
  name: 'cli-wrapper',
  enter: async (project) => ({ project, leave: async () => [] }),
};

/** The oldest version that workers run in, and the newest that anything is known of. */
export const CMUX_VERSIONS = ['0.64.7', 'new'] as const;

/** Workers in panes of a fake cmux, whose client has to behave: everything it opened closed, nothing foreign touched, no focus taken. */
function cmuxPane(version: string): BackendTrial {
  return {
    name: `cmux-pane ${version}`,
    enter: async (project) => {
      const fake = await startFakeCmux({
        socketPath: join(project.root, '..', 'cmux'),
        version,
        environment: { PATH: project.environment['PATH'] ?? '', HOME: project.home, LANG: 'C.UTF-8' },
      });
      const environment = { ...project.environment, ...fake.environment() };
      return {
        project: { ...project, environment, backend: 'cmux-pane' },
        leave: async () => {
          const { unknownIds, implicitTargets, focusTaken, foreignTouched, leftOpen } = fake.conduct();
          await fake.close();
          const rows = { unknownIds, implicitTargets, focusTaken, foreignTouched, leftOpen };
          return Object.entries(rows).flatMap(([what, found]) => found.map((row) => `${what}: ${row}`));
        },
      };
    },
  };
}

/** The trials of a backend by its name; undefined for one that isn't known. */
export function trialsOf(backend: string): readonly BackendTrial[] | undefined {
  if (backend === 'cli-wrapper') return [CLI_WRAPPER];
  return backend === 'cmux-pane' ? CMUX_VERSIONS.map(cmuxPane) : undefined;
}
