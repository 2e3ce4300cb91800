import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DISPATCH, type Subject } from '../crash/subject.ts';
import { untilGone } from '../crash/supervisors.ts';
import { endProcess, findFencedProcesses, findSupervisors, waitUntil } from '../project/process-table.ts';
import type { Fault } from './fault.ts';
import { awaitAll, dispatch, type Ended, ends, standing } from './steps.ts';

/** The part of a sidecar that is forged. */
interface Sidecar {
  readonly process: { readonly pid: number; readonly startTicks: string; readonly hostId: string };
}

const HANGING = { agents: { implementer: { as: 'hang' } } } as const;
/** Bounded, so that a harness that is killed leaves nothing behind for ever. */
const BYSTANDER_SECONDS = 300;

/** Owners that died, ids that were given away, and commands that come at once. */
export const processFaults: readonly Fault[] = [
  {
    name: 'two dispatchers on one run',
    outcome: 'one dispatches; the others are refused with ATTEMPT_ALREADY_CLAIMED; the agent runs once',
    run: async (subject) => {
      const all = await Promise.all([1, 2, 3].map(() => dispatch(subject)));
      const accepted = all.filter(({ exitCode }) => exitCode === 0);
      const refused = all.filter(({ exitCode }) => exitCode !== 0);
      return [
        ...(accepted.length === 1 ? [] : [`${accepted.length} of three dispatched`]),
        ...refused.flatMap((one) => ends(one, { exitCodes: [2], codes: ['ATTEMPT_ALREADY_CLAIMED'] })),
        ...(await standing(subject, { status: 'completed' })),
      ];
    },
  },
  {
    name: 'a lock holder that died',
    outcome: 'a command waits for the run lock while its holder lives, and goes on when it is killed',
    run: withDyingHolder,
  },
  {
    name: 'a pid that was reused',
    outcome: 'the attempt is settled as lost; the stranger that has its pid now is left alone',
    project: HANGING,
    run: (subject) =>
      withBystander(subject, async (pid) => {
        const forged = await forgeDeadSupervisor(subject, (identity) => ({ ...identity, pid }));
        const ended = await awaitAll(subject);
        return [
          ...forged,
          ...ends(ended, { exitCodes: [1] }),
          ...(isThere(pid) ? [] : ['the process that has the pid now was ended']),
          ...(await standing(subject, { status: 'error' })),
        ];
      }),
  },
  {
    name: 'a worker on another machine',
    outcome: 'its process is unknown from here: it keeps running as far as anybody knows, and is never settled as lost',
    project: HANGING,
    run: async (subject) => {
      const forged = await forgeDeadSupervisor(subject, (identity) => ({ ...identity, hostId: 'another-machine' }));
      const ended = await awaitAll(subject, ['--timeout', '2s']);
      const record = await readFirst<{ readonly status: string; readonly reason: string }>(subject, 'dispatches');
      return [
        ...forged,
        ...ends(ended, { exitCodes: [124] }),
        ...(record.status === 'launching' ? [] : [`it was settled as "${record.status}" (${record.reason})`]),
      ];
    },
  },
];

/** Holds the run lock in a process of its own while a dispatch comes, then kills the holder. */
async function withDyingHolder(subject: Subject): Promise<readonly string[]> {
  const locks = join(subject.runDirectory, 'locks');
  const holder = spawn(process.execPath, ['-e', HOLDER, join(locks, 'run.lock')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    if (holder.stdout !== null) await once(holder.stdout, 'data');
    let ended: Ended | undefined;
    const dispatching = dispatch(subject).then((end) => {
      ended = end;
    });
    await waitUntil('a batch has its launch lock', async () =>
      (await readdir(locks)).some((name) => name.endsWith('.launch')),
    );
    const hasWaited = ended === undefined;
    holder.kill('SIGKILL');
    await dispatching;
    return [
      ...(hasWaited ? [] : ['the dispatch did not wait for the lock']),
      ...(ended === undefined ? ['the dispatch never ended'] : ends(ended, { exitCodes: [0] })),
      ...(await standing(subject, { status: 'completed' })),
    ];
  } finally {
    holder.kill('SIGKILL');
  }
}

/** Takes a lock as the product does: an exclusive transaction on an empty SQLite database. */
const HOLDER = `const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1]);
database.exec('PRAGMA journal_mode=MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version=1');
console.log('held');
setTimeout(() => database.close(), 60_000);`;

/** Starts a worker, kills it with its supervisor, and changes what the sidecar says of its process. */
async function forgeDeadSupervisor(
  subject: Subject,
  forge: (identity: Sidecar['process']) => Sidecar['process'],
): Promise<readonly string[]> {
  const started = await dispatch(subject, [...DISPATCH, '--no-wait']);
  await waitUntil('the agent runs', async () => (await findFencedProcesses(subject.runId)).length > 0);
  const supervisors = (await findSupervisors(subject.project.root)).map(({ pid }) => pid);
  for (const pid of supervisors) endProcess(pid);
  for (const { pid } of await findFencedProcesses(subject.runId)) endProcess(pid);
  await untilGone(supervisors);
  await waitUntil('the agent has gone', async () => (await findFencedProcesses(subject.runId)).length === 0);
  const sidecar = await readFirst<Sidecar>(subject, 'sidecars');
  const path = await firstPath(subject, 'sidecars');
  await writeFile(path, JSON.stringify({ ...sidecar, process: forge(sidecar.process) }, undefined, 2));
  return ends(started, { exitCodes: [0] });
}

/** A process that has nothing to do with the run, and leads a session of its own as a worker does. */
async function withBystander(
  subject: Subject,
  use: (pid: number) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const bystander = spawn('sleep', [String(BYSTANDER_SECONDS)], {
    cwd: subject.project.root,
    detached: true,
    stdio: 'ignore',
  });
  await once(bystander, 'spawn');
  try {
    return await use(bystander.pid ?? 0);
  } finally {
    bystander.kill('SIGKILL');
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function readFirst<T>(subject: Subject, folder: string): Promise<T> {
  // the caller names what the product writes there
  return JSON.parse(await readFile(await firstPath(subject, folder), 'utf8')) as T;
}

async function firstPath({ runDirectory }: Subject, folder: string): Promise<string> {
  const name = (await readdir(join(runDirectory, folder))).find((entry) => entry.endsWith('.json'));
  return join(runDirectory, folder, name ?? 'nothing is there');
}
