import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FakeCmux, startFakeCmux } from '@bailiwick/agent-fakes';
import { backendConformance } from '@bailiwick/backend-contract';
import { socketPathFor } from '@bailiwick/process-supervision';
import { programPath } from '@bailiwick/tooling/program-path';
import { afterAll, describe, expect, it } from 'vitest';
import { CMUX_VERSIONS } from '../src/backends/backend-trial.ts';
import { type BackendRecipe, makeBackend } from '../src/conformance/make-backend.ts';
import { builtCliPath } from '../src/index.ts';

interface Stage {
  readonly version: string;
  readonly runtimeFolder: string;
  readonly fake: FakeCmux;
}

async function stageOf(version: string): Promise<Stage> {
  const runtimeFolder = mkdtempSync(join(tmpdir(), 'conf-'));
  return { version, runtimeFolder, fake: await startFakeCmux({ socketPath: join(runtimeFolder, 'cmux'), version }) };
}

/** `bailiwick-harness conformance` tries the newest too; what differs between them has tests of its own. */
const stages = await Promise.all(CMUX_VERSIONS.slice(0, 1).map(stageOf));

describe.each(stages)('the promises of a backend, kept in panes of cmux $version', ({ runtimeFolder, fake }) => {
  afterAll(async () => {
    await fake.close();
    rmSync(runtimeFolder, { recursive: true, force: true });
  });

  const recipe: BackendRecipe = { backend: 'cmux-pane', runtimeFolder, environment: fake.environment() };
  const checks = backendConformance({
    makeBackend: () => makeBackend(recipe),
    socketPathOf: (batch) => socketPathFor({ runtimeFolder, ...batch }),
    commandProgram: [process.execPath, programPath('launch-order-program'), builtCliPath(), JSON.stringify(recipe)],
  });
  for (const check of checks) {
    it(check.name, async () => {
      const result = await check.run();
      expect(result.holds, result.why).toBe(true);
    });
  }

  it('by a client that behaves', () => {
    const { unknownIds, implicitTargets, focusTaken, foreignTouched } = fake.conduct();
    expect([unknownIds, implicitTargets, focusTaken, foreignTouched].flat()).toEqual([]);
  });
});
