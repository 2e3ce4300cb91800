import { join } from 'node:path';
import { type ChangedPath, displayPath, type JobContract, type MutationAudit } from '@bailiwick/mutation-audit';
import type { Ledgers } from './run-writers.ts';

/** A job with what its audit says. */
export interface Audited {
  readonly job: JobContract;
  readonly audit: MutationAudit;
}

/** What was really so: who wrote what by the writers' own word, and what differs by our own look at the tree. */
export interface Truth {
  readonly root: string;
  readonly ledgers: Ledgers;
  readonly jobs: readonly JobContract[];
  /** Absolute paths that aren't what they were. */
  readonly changed: ReadonlySet<string>;
  /** Absolute paths of files with a second name. */
  readonly aliased: ReadonlySet<string>;
}

/** Every word of an audit that isn't true, or is less than was to be said. Empty: nothing wrong. */
export function wrongWords(truth: Truth, audits: readonly Audited[]): readonly string[] {
  return [...audits.flatMap((audited) => wrongInAudit(truth, audited)), ...unseen(truth, audits)];
}

function wrongInAudit(truth: Truth, { job, audit }: Audited): readonly string[] {
  const wrong: string[] = [];
  const say = (what: string): unknown => wrong.push(`${job.label}: ${what}`);
  for (const change of audit.changedPaths) {
    const problem = wrongGrade(truth, change);
    if (problem !== undefined) say(`${displayPath(change.path)} is ${change.attribution}, ${problem}`);
  }
  for (const { path } of audit.external)
    if (writersOf(truth, path).length > 0) say(`${displayPath(path)} is external, and a writer wrote it`);
  if (audit.status === 'contract-breached' && !audit.violations.some(({ path }) => isOnlyBy(truth, path, job)))
    say('it is said to have breached its contract, and did nothing of what is charged');
  if (audit.status === 'unverifiable') say(audit.violations.map(({ message }) => message).join('; '));
  return wrong;
}

/** A grade that names one author is right about it; one that names candidates names all who wrote. */
function wrongGrade(truth: Truth, { path, attribution, candidates }: ChangedPath): string | undefined {
  const writers = writersOf(truth, path);
  if (attribution === 'call' || attribution === 'exclusive')
    return writers.length === 1 && writers[0] === candidates[0] && candidates.length === 1
      ? undefined
      : `of ${candidates.join(', ')}, but ${writers.join(', ') || 'nobody'} wrote it`;
  const left = writers.filter((writer) => !candidates.includes(writer));
  if (left.length > 0) return `of ${candidates.join(', ')}, but ${left.join(', ')} wrote it too`;
  if (attribution === 'candidates') return writers.length > 0 ? undefined : 'but nobody wrote it';
  return truth.aliased.has(join(truth.root, displayPath(path))) ? undefined : 'though it has no second name';
}

/** What changed is in the audit of each that wrote it. */
function unseen(truth: Truth, audits: readonly Audited[]): readonly string[] {
  return [...truth.changed].flatMap((path) =>
    audits
      .filter(({ job }) => truth.ledgers[truth.jobs.indexOf(job)]?.has(path) === true)
      .filter(({ audit }) => !namedIn(truth, audit).has(path))
      .map(({ job }) => `${path} was changed by ${job.label}, whose audit lacks it`),
  );
}

function namedIn({ root }: Truth, { changedPaths, uncharged, external }: MutationAudit): ReadonlySet<string> {
  const named = [...changedPaths, ...external].map(({ path }) => path);
  return new Set([...named, ...uncharged.flatMap(({ paths }) => paths)].map((path) => join(root, displayPath(path))));
}

function isOnlyBy(truth: Truth, path: ChangedPath['path'] | undefined, job: JobContract): boolean {
  if (path === undefined) return false;
  const writers = writersOf(truth, path);
  return writers.length === 1 && writers[0] === job.dispatchId;
}

function writersOf({ root, ledgers, jobs }: Truth, path: ChangedPath['path']): readonly string[] {
  const absolute = join(root, displayPath(path));
  return jobs.filter((_, at) => ledgers[at]?.has(absolute) === true).map(({ dispatchId }) => dispatchId);
}
