import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FakeCmux, startFakeCmux } from '@bailiwick/agent-fakes';
import { runCliJson } from '../cli/built-cli.ts';
import { seededRandom } from '../crash/random.ts';
import { findFencedProcesses } from '../project/process-table.ts';
import { makeTempProject, type TempProject } from '../project/temp-project.ts';
import { disturb } from './disturb.ts';
import { PANES_USAGE, type PanesArguments, parsePanesArguments } from './panes-arguments.ts';

/** What the dispatches came to; `holds` only where something was dispatched, in panes too, and nothing is wrong. */
interface PanesResult {
  readonly dispatches: number;
  /** Attempts that ran in a pane; the others ran as children of a supervisor, with the reason on record. */
  readonly inPanes: number;
  readonly lost: number;
  readonly doubled: number;
  readonly foreignTouched: number;
  readonly focusTaken: number;
  readonly leftProcesses: number;
  /** Panes that are still open and bear the name that they were given. */
  readonly leftPanes: number;
  /** Most connections that one command had open at a time. */
  readonly mostOpenConnections: number;
  readonly disturbances: Readonly<Record<string, number>>;
  readonly droppedReplies: number;
  readonly holds: boolean;
  readonly why: readonly string[];
}

interface RunDocument {
  readonly runId: string;
  readonly state: string;
  readonly runDirectory: string;
  readonly attempts: readonly { readonly dispatchId: string; readonly status: string; readonly reason: string }[];
}

/** The command of that name: runs in panes while a person and the app are in the way; prints the result as JSON. */
export async function panes(args: readonly string[]): Promise<number> {
  const parsed = parsePanesArguments(args);
  if (parsed === undefined) {
    process.stderr.write(`usage: bailiwick-harness ${PANES_USAGE}\n`);
    return 2;
  }
  const result = await runPanes(parsed, (words) => process.stderr.write(`${words}\n`));
  process.stdout.write(`${JSON.stringify(result)}\n`);
  return result.holds ? 0 : 1;
}

/** Drives runs through the built command line until enough was dispatched; a person, relaunches and lost replies come at random. */
async function runPanes(o: PanesArguments, onRun: (words: string) => void): Promise<PanesResult> {
  const project = await makeTempProject({ content: 'tiny' });
  const fake = await startFakeCmux({
    socketPath: join(project.root, '..', 'cmux'),
    version: o.version,
    seed: o.seed,
    environment: { PATH: project.environment['PATH'] ?? '', HOME: project.home, LANG: 'C.UTF-8' },
    faults: { dropPercent: o.dropPercent },
  });
  try {
    return await driveRuns(o, { project, fake, onRun });
  } finally {
    await fake.close();
    await project.remove();
  }
}

interface Stage {
  readonly project: TempProject;
  readonly fake: FakeCmux;
  readonly onRun: (words: string) => void;
}

async function driveRuns(o: PanesArguments, { project, fake, onRun }: Stage): Promise<PanesResult> {
  const disturbing = disturb(fake, seededRandom(o.seed));
  const documents: RunDocument[] = [];
  let count = 0;
  while (count < o.dispatches) {
    const environment = { ...project.environment, ...fake.environment() };
    const seen = { ...project, environment, backend: 'cmux-pane' };
    const { document } = await runCliJson<RunDocument>(seen, ['run', 'start', '../TASK.md']);
    documents.push(document);
    count += document.attempts.length;
    onRun(`${count}/${o.dispatches} ${document.runId} ${document.state}`);
    if (document.attempts.length === 0) break;
  }
  const disturbances = await disturbing.stop();
  return judge({ documents, disturbances }, { project, fake });
}

async function judge(
  { documents, disturbances }: Pick<PanesResult, 'disturbances'> & { readonly documents: readonly RunDocument[] },
  { project, fake }: Pick<Stage, 'project' | 'fake'>,
): Promise<PanesResult> {
  const attempts = documents.flatMap((document) => document.attempts);
  const ledger = (await readFile(project.ledgerPath, 'utf8')).split('\n').filter((line) => line !== '');
  const started = ledger.map((line) => line.split(' ')[0] ?? '');
  const lost = attempts.filter(({ status, dispatchId }) => status !== 'completed' || !started.includes(dispatchId));
  const doubled = started.filter((id, at) => started.indexOf(id) !== at);
  const left = (await Promise.all(documents.map(({ runId }) => findFencedProcesses(runId)))).flat();
  const conduct = fake.conduct();
  const inPanes = (await Promise.all(documents.map(panesOf))).flat().filter((id) => id !== null).length;
  const why = [
    ...lost.map(({ dispatchId, status, reason }) => `lost ${dispatchId}: ${status}: ${reason}`),
    ...doubled.map((id) => `doubled ${id}`),
    ...conduct.foreignTouched.map((row) => `foreign: ${row}`),
    ...conduct.focusTaken.map((row) => `focus: ${row}`),
    ...conduct.unknownIds.map((row) => `unknown id: ${row}`),
    ...conduct.implicitTargets.map((row) => `no target: ${row}`),
    ...left.map((row) => `left alive: ${row.pid} ${row.command}`),
  ];
  return {
    dispatches: attempts.length,
    inPanes,
    lost: lost.length,
    doubled: doubled.length,
    foreignTouched: conduct.foreignTouched.length,
    focusTaken: conduct.focusTaken.length,
    leftProcesses: left.length,
    leftPanes: conduct.leftOpen.length,
    mostOpenConnections: conduct.mostOpenConnections,
    disturbances,
    droppedReplies: fake.requests().filter(({ outcome }) => outcome === 'dropped').length,
    holds: why.length === 0 && inPanes > 0,
    why,
  };
}

/** In which pane each attempt of a run was placed; null for those that ran elsewhere. */
async function panesOf({ runDirectory, attempts }: RunDocument): Promise<readonly (string | null)[]> {
  const folder = join(runDirectory, 'dispatches');
  const names = await readdir(folder);
  const records = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const ids = new Set(attempts.map(({ dispatchId }) => dispatchId));
  return records
    .map((text): { dispatchId: string; paneId: string | null } => JSON.parse(text))
    .filter(({ dispatchId }) => ids.has(dispatchId))
    .map(({ paneId }) => paneId);
}
