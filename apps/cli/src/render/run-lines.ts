import { type AttemptSummary, costWords, type RunSummary, shortDuration } from '@bailiwick/run-workflow';
import type { Output } from '../output.ts';
import { damageLines } from './damage-lines.ts';
import { table } from './table.ts';

type Colors = Output['colors'];

/** A run for a person: who did what with which model, what changed, what the audit says, where the report lies. */
export function runLines(summary: RunSummary, colors: Colors): readonly string[] {
  return [
    '',
    `${colors.bold(summary.runId)}  ${stateWord(summary, colors)}`,
    '',
    ...attemptTable(summary.attempts, colors),
    '',
    ...violationLines(summary.attempts, colors),
    ...failureLines(summary.attempts, colors),
    `changed  ${summary.changedPaths.length === 0 ? 'nothing' : summary.changedPaths.join(', ')}`,
    ...costLine(summary),
    ...(summary.worktree === null ? [] : [`worktree ${summary.worktree}`]),
    ...(summary.reportPath === null ? [] : [`report   ${summary.reportPath}`]),
    `records  ${summary.runDirectory}`,
    ...damageLines(summary.unreadable, colors),
  ];
}

function costLine({ cost }: RunSummary): readonly string[] {
  const words = costWords(cost);
  return words === null ? [] : [`cost     ${words}`];
}

function stateWord({ state, phase }: RunSummary, colors: Colors): string {
  switch (state) {
    case 'verified':
      return colors.green('verified');
    case 'unfinished':
      return colors.yellow(`unfinished, at ${phase ?? 'its start'}`);
    case 'rejected':
      return colors.red('rejected by a verifier');
    case 'failed':
    case 'stopped':
      return colors.red(`${state} at ${phase ?? 'its start'}`);
    default:
      return unreachable(state);
  }
}

function attemptTable(attempts: readonly AttemptSummary[], colors: Colors): readonly string[] {
  const head = ['worker', 'attempt', 'model', 'served by', 'status', 'audit', 'changed', 'took'].map((word) =>
    colors.dim(word),
  );
  return table([head, ...attempts.map((attempt) => attemptRow(attempt, colors))]);
}

function attemptRow(attempt: AttemptSummary, colors: Colors): readonly string[] {
  const isGood = attempt.status === 'completed' && attempt.verdict !== 'fail';
  const status =
    attempt.verdict === null || attempt.status !== 'completed' ? attempt.status : `completed: ${attempt.verdict}`;
  return [
    attempt.workerId,
    String(attempt.attempt),
    attempt.modelRef,
    attempt.servedModel === 'unknown'
      ? colors.dim('unknown')
      : `${attempt.servedModel} ${colors.dim(`(${attempt.servedModelSource})`)}`,
    isGood ? colors.green(status) : colors.red(status),
    attempt.audit === 'ok' || attempt.audit === 'failed-no-mutation' ? attempt.audit : colors.red(attempt.audit),
    changedWord(attempt, colors),
    attempt.durationMs === null ? colors.dim('…') : shortDuration(attempt.durationMs),
  ];
}

/** What nobody audited may have changed anything: that is no dash. */
function changedWord({ audit, changedPaths }: AttemptSummary, colors: Colors): string {
  if (audit === 'unaudited') return colors.red('unknown');
  return changedPaths.length === 0 ? colors.dim('-') : String(changedPaths.length);
}

function violationLines(attempts: readonly AttemptSummary[], colors: Colors): readonly string[] {
  const rows = attempts.flatMap((attempt) =>
    attempt.violations.map(
      ({ code, path, message }) =>
        `${colors.red('✗')} ${attempt.workerId}  ${colors.bold(path)}  ${message} ${colors.dim(`[${code}, ${attempt.attribution}]`)}`,
    ),
  );
  return rows.length === 0 ? [] : [...rows, ''];
}

function failureLines(attempts: readonly AttemptSummary[], colors: Colors): readonly string[] {
  const failed = attempts.filter((attempt) => attempt.reason !== '' && attempt.violations.length === 0);
  return failed.length === 0
    ? []
    : [...failed.map((attempt) => `${colors.red('✗')} ${attempt.workerId}  ${attempt.reason}`), ''];
}

function unreachable(state: never): never {
  throw new TypeError(`unknown state: ${String(state)}`);
}
