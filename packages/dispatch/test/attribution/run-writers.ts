import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LayerMeans, LayerOrder } from '@bailiwick/dispatch-state';
import type { JobContract } from '@bailiwick/mutation-audit';
import {
  bwrapArguments,
  LayerFolder,
  lookAtPaths,
  type MountRequest,
  pathsToLookAt,
  planMounts,
} from '@bailiwick/process-supervision';
import { compileBoundary } from '@bailiwick/write-policy';
import { boxOf, orchestratorOf, type Places } from './contracts.ts';
import { type Schedule, WRITERS, type Writer } from './schedule.ts';

const SCRIPT = fileURLToPath(new URL('writer.sh', import.meta.url));

/** What holds writers that are to be held. */
export interface Holding {
  /** bubblewrap; absent where there is none. */
  readonly program?: string;
  /** How layers are mounted; absent where they can't be. */
  readonly means?: LayerMeans;
}

/** What each writer says that it did, by its own ledger: absolute paths. What a layer took is none of it. */
export type Ledgers = readonly ReadonlySet<string>[];

/** Lets the writers of a schedule run at once, each in its boundary if it has one, to their end. */
export async function runWriters(
  places: Places & { readonly ledgers: string },
  schedule: Schedule,
  o: { readonly jobs: readonly JobContract[]; readonly holding: Holding },
): Promise<Ledgers> {
  await rm(places.ledgers, { recursive: true, force: true });
  const started = schedule.map(async (writer, at) => {
    const job = o.jobs[at];
    if (job === undefined) throw new Error('each writer has a contract');
    const folder = join(places.ledgers, String(at));
    await mkdir(folder, { recursive: true });
    const layer = await layerOf(places, job, { at, means: o.holding.means });
    const prefix = writer.isConfined ? await confine(places, job, { jobs: o.jobs, folder, layer, ...o.holding }) : [];
    const ledger = join(folder, 'ledger');
    await run([...prefix, '/bin/sh', SCRIPT, ledger, ...argumentsOf(places, writer, at)], places.root);
    const said = await readFile(ledger, 'utf8').catch(() => '');
    const paths = said.split('\n').filter((line) => line !== '');
    const box = boxOf(places, at);
    return new Set(layer === undefined ? paths : paths.filter((path) => path.startsWith(`${box}/`)));
  });
  return Promise.all(started);
}

function argumentsOf(places: Places, { steps }: Writer, at: number): readonly string[] {
  const absolute = (path: string): string =>
    path
      .replace(/^@box/, boxOf(places, at))
      .replace(/^@other-box/, boxOf(places, (at + 1) % WRITERS))
      .replace(/^(?!\/)/, `${places.root}/`);
  return steps.flatMap(({ op, path, other }) => [op, absolute(path), absolute(other)]);
}

/** As a supervisor confines a worker, with a place for its ledger besides. */
async function confine(
  places: Places,
  job: JobContract,
  o: {
    readonly jobs: readonly JobContract[];
    readonly folder: string;
    readonly layer: LayerOrder | undefined;
    readonly program?: string;
  },
): Promise<readonly string[]> {
  if (o.program === undefined) throw new Error('nothing can confine a writer here');
  const others = o.jobs.filter((other) => other !== job).map(({ contract }) => contract.policy);
  const orchestrator = orchestratorOf(places);
  const compiled = compileBoundary(job.contract.policy, { others, orchestrator, layer: o.layer !== undefined });
  const { writable, readOnly } = compiled;
  const request: MountRequest = { writable, readOnly, ...(o.layer === undefined ? {} : { layer: places.root }) };
  const plan = planMounts(request, await lookAtPaths(pathsToLookAt(request)));
  if (plan.kind === 'refused') throw new Error(plan.reason);
  return bwrapArguments({
    program: o.program,
    mounts: plan.mounts,
    extraBinds: [{ source: o.folder, destination: o.folder, isWritable: true }],
    hidden: [],
    userId: process.getuid?.() ?? 0,
    groupId: process.getgid?.() ?? 0,
    ...(o.layer === undefined ? {} : { layer: o.layer }),
  });
}

async function layerOf(
  { root, ledgers }: Places & { readonly ledgers: string },
  { contract }: JobContract,
  { at, means }: { readonly at: number; readonly means: LayerMeans | undefined },
): Promise<LayerOrder | undefined> {
  if (contract.enforcement.layer === undefined || means === undefined) return undefined;
  const folder = join(ledgers, `${at}.layer`);
  for (const name of Object.values(LayerFolder)) await mkdir(join(folder, name), { recursive: true });
  return { worktree: root, folder, means };
}

async function run([program = '', ...args]: readonly string[], cwd: string): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`a writer ended with ${code}: ${errors}`);
}
