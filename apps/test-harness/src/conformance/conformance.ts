import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeCmux } from '@bailiwick/agent-fakes';
import { backendConformance, type ConformanceCheck } from '@bailiwick/backend-contract';
import { socketPathFor } from '@bailiwick/process-supervision';
import { CMUX_VERSIONS } from '../backends/backend-trial.ts';
import { type BackendRecipe, makeBackend } from './make-backend.ts';

interface ConformanceRow {
  readonly backend: string;
  readonly check: string;
  readonly holds: boolean;
  readonly why: string;
}

/** The suite for one backend, with what it needs around it; the caller ends it. */
interface ConformanceStage {
  readonly name: string;
  readonly checks: readonly ConformanceCheck[];
  /** What a client of cmux did that it shouldn't have. */
  readonly end: () => Promise<readonly string[]>;
}

/** The command of that name: `--backend B` or all; prints a row for each promise as JSON. */
export async function conformance(args: readonly string[]): Promise<number> {
  const wanted = args[0] === '--backend' ? args[1] : undefined;
  const rows: ConformanceRow[] = [];
  for (const open of stagesOf(wanted)) {
    const stage = await open();
    for (const check of stage.checks) rows.push(told(stage.name, { check: check.name, ...(await check.run()) }));
    for (const why of await stage.end()) rows.push(told(stage.name, { check: 'CX the conduct', holds: false, why }));
  }
  process.stdout.write(`${JSON.stringify(rows)}\n`);
  return rows.length > 0 && rows.every(({ holds }) => holds) ? 0 : 1;
}

function told(backend: string, { check, holds, why }: Omit<ConformanceRow, 'backend'>): ConformanceRow {
  process.stderr.write(`${holds ? '✓' : '✗'} ${backend}: ${check}${holds ? '' : `: ${why}`}\n`);
  return { backend, check, holds, why };
}

function stagesOf(backend: string | undefined): readonly (() => Promise<ConformanceStage>)[] {
  const stages = [
    { of: 'cli-wrapper', open: () => cliWrapperStage() },
    ...CMUX_VERSIONS.map((version) => ({ of: 'cmux-pane', open: () => cmuxStage(version) })),
  ];
  return stages.filter((stage) => backend === undefined || stage.of === backend).map(({ open }) => open);
}

async function cliWrapperStage(): Promise<ConformanceStage> {
  const runtimeFolder = await mkdtemp(join(tmpdir(), 'conf-'));
  const checks = checksOf({ backend: 'cli-wrapper', runtimeFolder, environment: {} });
  const end = async (): Promise<readonly string[]> => {
    await rm(runtimeFolder, { recursive: true, force: true });
    return [];
  };
  return { name: 'cli-wrapper', checks, end };
}

/** Workers in panes of a fake cmux of that version. */
async function cmuxStage(version: string): Promise<ConformanceStage> {
  const runtimeFolder = await mkdtemp(join(tmpdir(), 'conf-'));
  const fake = await startFakeCmux({ socketPath: join(runtimeFolder, 'cmux'), version });
  const checks = checksOf({ backend: 'cmux-pane', runtimeFolder, environment: fake.environment() });
  const end = async (): Promise<readonly string[]> => {
    // What a killed command had opened is closed by whoever settles its attempts; here nobody does.
    const { unknownIds, implicitTargets, focusTaken, foreignTouched } = fake.conduct();
    await fake.close();
    await rm(runtimeFolder, { recursive: true, force: true });
    return [...unknownIds, ...implicitTargets, ...focusTaken, ...foreignTouched];
  };
  return { name: `cmux-pane ${version}`, checks, end };
}

function checksOf(recipe: BackendRecipe): readonly ConformanceCheck[] {
  const main = process.argv[1] ?? '';
  return backendConformance({
    makeBackend: () => makeBackend(recipe),
    socketPathOf: (batch) => socketPathFor({ runtimeFolder: recipe.runtimeFolder, ...batch }),
    commandProgram: [process.execPath, main, 'launch-order', JSON.stringify(recipe)],
  });
}
