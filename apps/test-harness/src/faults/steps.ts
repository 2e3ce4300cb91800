import { runCli } from '../cli/built-cli.ts';
import { judgeEvidence, wordsOf } from '../crash/judge-evidence.ts';
import { readEvidence } from '../crash/read-evidence.ts';
import { DISPATCH, type Subject } from '../crash/subject.ts';
import { untilGone } from '../crash/supervisors.ts';
import { findSupervisors, waitUntil } from '../project/process-table.ts';

/** How a command ended: with which code of an error, if any. */
export interface Ended {
  readonly exitCode: number | null;
  /** Codes of its error and of what it couldn't settle. */
  readonly codes: readonly string[];
  /** Everything that it printed, for a person. */
  readonly printed: string;
}

interface PrintedError {
  readonly code: string;
}

/** `team dispatch` of the implementer, or with other arguments instead. */
export async function dispatch(subject: Subject, args: readonly string[] = DISPATCH): Promise<Ended> {
  return endOf(await runCli(subject.project, [...args, '--run', subject.runId]));
}

/** The arguments that dispatch one worker. */
export function dispatchOf(worker: string): readonly string[] {
  return DISPATCH.map((word) => (word === 'implementer' ? worker : word));
}

/** `team await`, to its end. */
export async function awaitAll(subject: Subject, flags: readonly string[] = []): Promise<Ended> {
  return endOf(await runCli(subject.project, ['team', 'await', '--run', subject.runId, '--json', ...flags]));
}

/** Reads what a command printed with `--json`. */
export function endOf(result: {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}): Ended {
  const printed = `${result.stdout}${result.stderr}`.trim();
  return { exitCode: result.exitCode, codes: codesIn(result.stdout), printed };
}

/** Dispatches a worker without waiting, and waits until its supervisor has written all and gone: nothing is settled yet. */
export async function dispatchUnsettled(subject: Subject, worker = 'implementer'): Promise<void> {
  const { exitCode, printed } = await dispatch(subject, [...dispatchOf(worker), '--no-wait']);
  if (exitCode !== 0) throw new Error(`the dispatch ended with ${exitCode}: ${printed}`);
  await waitUntil('its supervisor has gone', async () => (await findSupervisors(subject.project.root)).length === 0);
}

/** What must be true of a run when everything was awaited. */
export interface Standing {
  /** Status of the first attempt; `unclaimed`: there is none. */
  readonly status: string | readonly string[];
  /** Bytes that the fault itself tore, and copies that are kept of them. */
  readonly isTornBySelf?: boolean;
}

/** Everything that must agree, and the status that the attempt must have come to. */
export async function standing(subject: Subject, expected: Standing): Promise<readonly string[]> {
  const supervisors = (await findSupervisors(subject.project.root)).map(({ pid }) => pid);
  await untilGone(supervisors);
  const evidence = await readEvidence(subject, supervisors);
  const verdict = judgeEvidence(expected.isTornBySelf === true ? { ...evidence, torn: [] } : evidence);
  const wanted = [expected.status].flat();
  const status = evidence.records[0]?.status ?? 'unclaimed';
  const reason = evidence.records[0]?.reason ?? '';
  return [
    ...(wanted.includes(status) ? [] : [`the attempt is "${status}" (${reason}), wanted ${wanted.join(' or ')}`]),
    ...wordsOf(verdict),
  ];
}

/** Differences between how a command ended and how it had to. */
export function ends(
  ended: Ended,
  wanted: { readonly exitCodes: readonly number[]; readonly codes?: readonly string[] },
): readonly string[] {
  const { exitCode, codes, printed } = ended;
  const isCoded = wanted.codes === undefined || codes.some((code) => wanted.codes?.includes(code));
  return [
    ...(exitCode !== null && wanted.exitCodes.includes(exitCode)
      ? []
      : [`exit code ${exitCode}, wanted ${wanted.exitCodes.join(' or ')}: ${printed}`]),
    ...(isCoded ? [] : [`codes ${codes.join(', ') || 'none'}, wanted ${wanted.codes?.join(' or ')}: ${printed}`]),
    ...(codes.includes('INTERNAL') ? [`an error without a code: ${printed}`] : []),
  ];
}

function codesIn(stdout: string): readonly string[] {
  if (stdout.trim() === '') return [];
  const document: {
    readonly error?: PrintedError;
    readonly failures?: readonly { readonly error: PrintedError }[];
  } = JSON.parse(stdout);
  const errors = [document.error, ...(document.failures ?? []).map(({ error }) => error)];
  return errors.flatMap((error) => (error === undefined ? [] : [error.code]));
}
