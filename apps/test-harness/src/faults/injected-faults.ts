import { join } from 'node:path';
import { runCliJson } from '../cli/built-cli.ts';
import { failCalls, type InjectedError, straceProblem } from '../crash/strace.ts';
import { DISPATCH, type Subject } from '../crash/subject.ts';
import { startTracedDispatch } from '../crash/traced-dispatch.ts';
import type { Fault } from './fault.ts';
import { awaitAll, type Ended, endOf, ends, standing } from './steps.ts';

/** A system call that fails, by a path that is known before the run. */
interface FailingCall {
  readonly who: 'command' | 'supervisor';
  readonly calls: readonly string[];
  /** Below the run's folder; `*` stands for the name of the attempt's files. */
  readonly path: string;
  readonly during: string;
  readonly status: string | readonly string[];
}

/** Calls that replace a document. */
const REPLACE = ['rename', 'renameat', 'renameat2'] as const;
const PUBLISH = ['link', 'linkat'] as const;
const OPEN = ['openat', 'open'] as const;

/** Where an error of the operating system is brought about, and what the attempt comes to once nothing fails any more. */
const FAILING: readonly FailingCall[] = [
  { who: 'command', calls: OPEN, path: 'locks/run.lock', during: 'the run lock is taken', status: 'unclaimed' },
  { who: 'command', calls: OPEN, path: 'open/*', during: 'the marker is made', status: 'unclaimed' },
  { who: 'command', calls: PUBLISH, path: 'dispatches/*.json', during: 'the attempt is claimed', status: 'unclaimed' },
  { who: 'command', calls: ['fsync'], path: 'dispatches', during: 'the claim is flushed', status: 'error' },
  {
    who: 'command',
    calls: OPEN,
    path: 'lead-events.jsonl',
    during: 'the start is told',
    status: ['error', 'completed'],
  },
  { who: 'command', calls: ['fsync'], path: 'results/*', during: 'a result is copied', status: 'completed' },
  { who: 'command', calls: REPLACE, path: 'dispatches/*.json', during: 'the attempt is settled', status: 'completed' },
  { who: 'command', calls: ['unlink'], path: 'open/*', during: 'the marker is removed', status: 'completed' },
  { who: 'supervisor', calls: OPEN, path: 'logs/*.log', during: 'the log is opened', status: 'error' },
  { who: 'supervisor', calls: ['write'], path: 'logs/*.log', during: 'the log is written', status: 'completed' },
  { who: 'supervisor', calls: REPLACE, path: 'sidecars/*.json', during: 'the sidecar is written', status: 'error' },
  { who: 'supervisor', calls: ['fsync'], path: 'sidecars', during: 'the sidecar is flushed', status: 'error' },
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
  const wanted = [failing.status].flat().join(' or ');
  return {
    name: `${error} in the ${failing.who} as ${failing.during}`,
    outcome: `a coded error or none; awaited, the attempt is ${wanted}, and everything agrees`,
    obstacle: straceProblem,
    run: async (subject) => {
      await subject.restore();
      const args = failCalls(failing.calls, error, [await pathOf(subject, failing.path)]);
      const running = await startTracedDispatch(
        subject,
        failing.who === 'command' ? { command: args } : { supervisor: { round: 'every', args } },
      );
      const ended = endOf(await running.ended);
      const awaited = await awaitAll(subject);
      return [
        ...ends(ended, { exitCodes: [0, 1, 2] }),
        ...saysWhy(ended),
        ...ends(awaited, { exitCodes: [0, 1] }),
        ...awaited.codes.map((code) => `awaited without a fault, it says ${code}: ${awaited.printed}`),
        ...(await standing(subject, { status: failing.status })),
      ];
    },
  };
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
