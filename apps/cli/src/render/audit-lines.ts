import { type AuditViolation, type ChangedPath, displayPath } from '@bailiwick/mutation-audit';
import type { AuditedCommand } from '@bailiwick/run-workflow';
import type { Output } from '../output.ts';
import { table } from './table.ts';

type Colors = Output['colors'];

/** As many changed paths as a screen takes; the JSON has them all. */
const MAX_PATHS = 40;

/** What a command changed, for a person: the verdict first, then each violation with what was allowed and what to do. */
export function auditLines({ command, end, audit }: AuditedCommand, colors: Colors): readonly string[] {
  const isClean = audit.violations.length === 0;
  return [
    '',
    `${colors.bold(command.join(' '))}  ${isClean ? colors.green('clean') : colors.red(audit.status)}`,
    `ended    ${endWords(end)}`,
    `changed  ${audit.changedPaths.length === 0 ? 'nothing' : ''}`.trimEnd(),
    ...changeTable(audit.changedPaths, colors),
    ...audit.uncharged.map(({ area, count }) => colors.dim(`  ${count} in places that are free (${area})`)),
    ...audit.violations.map((violation) => violationLine(violation, colors)),
  ];
}

function endWords({ exitCode, signal, isInterrupted, outlived, isGone }: AuditedCommand['end']): string {
  const how = isInterrupted ? 'interrupted' : signal === null ? `exit ${exitCode}` : `by ${signal}`;
  const rest = outlived === 0 ? '' : `; ${outlived} of its processes outlived it and were ended`;
  return `${how}${rest}${isGone ? '' : '; something of it could not be ended'}`;
}

function changeTable(changes: readonly ChangedPath[], colors: Colors): readonly string[] {
  const shown = changes.slice(0, MAX_PATHS).map(({ kind, path }) => [`  ${kind}`, displayPath(path)]);
  const more = changes.length - shown.length;
  return [...table(shown), ...(more > 0 ? [colors.dim(`  and ${more} more`)] : [])];
}

function violationLine({ code, path, message }: AuditViolation, colors: Colors): string {
  const where = path === undefined ? '' : `${colors.bold(displayPath(path))}  `;
  return `${colors.red('✗')} ${where}${message} ${colors.dim(`[${code}]`)}`;
}
