import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCliJson } from '../cli/built-cli.ts';
import { readEvidence } from '../crash/read-evidence.ts';
import { failCalls, type InjectedError, straceProblem } from '../crash/strace.ts';
import { DISPATCH, type Subject } from '../crash/subject.ts';
import { untilGone } from '../crash/supervisors.ts';
import { startTraced, supervisorPids, tracePathOf, type Victim } from '../crash/traced-command.ts';
import type { Fault } from './fault.ts';
import { awaitAll, dispatchUnsettled, type Ended, endOf, ends, standing } from './steps.ts';

/** System calls that fail in one process while a fault lasts. */
interface FailingCall {
  /** `await` settles an attempt whose dispatch didn't wait for it. */
  readonly who: 'dispatch' | 'supervisor' | 'await';
  readonly calls: readonly string[];
  /** Below the run's folder, `*` being the name of the attempt's files; absent: wherever they are made. */
  readonly path?: string;
  readonly during: string;
  readonly status: string | readonly string[];
}

const RENAME = ['rename', 'renameat', 'renameat2'] as const;
const LINK = ['link', 'linkat'] as const;
const OPEN = ['openat', 'open'] as const;

/**
 * Where an error of the operating system is brought about, and what the attempt comes to once nothing fails any more. A rename is
 * known by its source alone, which has a random name: it fails wherever it is made.
 */
const FAILING: readonly FailingCall[] = [
  { who: 'dispatch', calls: OPEN, path: 'locks/run.lock', during: 'the run lock is taken', status: 'unclaimed' },
  { who: 'dispatch', calls: OPEN, path: 'open/*', during: 'the marker is made', status: 'unclaimed' },
  { who: 'dispatch', calls: LINK, path: 'dispatches/*.json', during: 'the attempt is claimed', status: 'unclaimed' },
  { who: 'dispatch', calls: ['fsync'], path: 'dispatches', during: 'the claim is flushed', status: 'error' },
  { who: 'dispatch', calls: OPEN, path: 'lead-events.jsonl', during: 'the start is told', status: 'error' },
  { who: 'supervisor', calls: OPEN, path: 'logs/*.log', during: 'the log is opened', status: 'error' },
  { who: 'supervisor', calls: ['write'], path: 'logs/*.log', during: 'the log is written', status: 'completed' },
  { who: 'supervisor', calls: RENAME, during: 'the sidecar is written', status: 'error' },
  { who: 'supervisor', calls: ['fsync'], path: 'sidecars', during: 'the sidecar is flushed', status: 'error' },
  { who: 'await', calls: OPEN, path: 'dispatches/*.json', during: 'the record is read', status: 'completed' },
  { who: 'await', calls: OPEN, path: 'sidecars/*.json', during: 'the sidecar is read', status: 'completed' },
  { who: 'await', calls: ['fsync'], path: 'results/*', during: 'a result is copied', status: 'completed' },
  { who: 'await', calls: RENAME, during: 'documents are replaced', status: 'completed' },
  { who: 'await', calls: ['fsync'], path: 'dispatches', during: 'the end is flushed', status: 'completed' },
  { who: 'await', calls: OPEN, path: 'lead-events.jsonl', during: 'the end is told', status: 'completed' },
  { who: 'await', calls: ['unlink'], path: 'open/*', during: 'the marker is removed', status: 'completed' },
];

/** What each call can fail with. */
const ERRORS = ['EIO', 'EMFILE', 'EACCES'] as const satisfies readonly InjectedError[];

export function injectedFaults(): readonly Fault[] {
  return FAILING.flatMap((failing) => errorsOf(failing).map((error) => injectedFault(failing, error)));
}

/** Only what opens a file can run out of descriptors or be forbidden to. */
function errorsOf({ calls }: FailingCall): readonly InjectedError[] {
  return calls === OPEN ? ERRORS : ['EIO'];
}

function injectedFault(failing: FailingCall, error: InjectedError): Fault {
  return {
    name: `${error} in the ${failing.who} as ${failing.during}`,
    outcome: `a coded error or none; then the attempt is ${[failing.status].flat().join(' or ')}, and everything agrees`,
    obstacle: straceProblem,
    run: async (subject) => {
      await subject.restore();
      const path = failing.path === undefined ? [] : [await pathOf(subject, failing.path)];
      const failed = await runFailing(subject, failing.who, failCalls(failing.calls, error, path));
      const awaited = await awaitAll(subject);
      return [
        ...failed,
        ...ends(awaited, { exitCodes: [0, 1] }),
        ...awaited.codes.map((code) => `awaited without a fault, it says ${code}: ${awaited.printed}`),
        ...(await standing(subject, { status: failing.status })),
      ];
    },
  };
}

/** Gives what is wrong with how the command ended, and whether anything failed at all. */
async function runFailing(
  subject: Subject,
  who: FailingCall['who'],
  args: readonly string[],
): Promise<readonly string[]> {
  if (who === 'await') await dispatchUnsettled(subject);
  const running = await startTraced(subject, {
    ...(who === 'await' ? { args: ['team', 'await', '--json'] } : {}),
    ...(who === 'supervisor' ? { supervisor: { round: 'every', args } } : { command: args }),
  });
  const ended = endOf(await running.ended);
  await untilGone(await supervisorPids(subject));
  const victim: Victim = who === 'supervisor' ? { kind: 'supervisor', round: 1 } : { kind: 'command' };
  const trace = await readFile(tracePathOf(subject, victim), 'utf8');
  return [
    ...ends(ended, { exitCodes: [0, 1, 2] }),
    ...saysWhy(ended),
    ...(trace.includes('(INJECTED)') ? [] : ['no such call was made, so nothing failed']),
    ...(who === 'dispatch' ? await leftLaunching(subject) : []),
  ];
}

/** A launch that breaks off settles by itself what it has claimed (BA-3). */
async function leftLaunching(subject: Subject): Promise<readonly string[]> {
  const { records } = await readEvidence(subject, []);
  return records.filter(({ status }) => status === 'launching').map((record) => `left launching: ${record.dispatchId}`);
}

/** A command that failed names a code, or the attempt that failed. */
function saysWhy({ exitCode, codes, printed }: Ended): readonly string[] {
  const isSaid = exitCode === 0 || codes.length > 0 || printed.includes('"status"');
  return isSaid ? [] : [`it failed without a word: ${printed}`];
}

async function pathOf(subject: Subject, path: string): Promise<string> {
  return join(subject.runDirectory, path.replace('*', await fileNameOfAttempt(subject)));
}

/** The name that the files of the attempt will have: its dispatch id, with what isn't safe in a name percent-encoded. */
async function fileNameOfAttempt({ project, runId }: Subject): Promise<string> {
  const args = [...DISPATCH.filter((word) => word !== '--json'), '--dry-run', '--run', runId];
  const { document } = await runCliJson<{ readonly jobs: readonly { readonly dispatchId: string }[] }>(project, args);
  const [job] = document.jobs;
  return (job?.dispatchId ?? '').replaceAll(/[^\w.-]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
