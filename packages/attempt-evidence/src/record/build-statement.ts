import type { DispatchRecord } from '@bailiwick/dispatch-state';
import type { NamedDigest, NamedFile, StatementInput } from '../model.ts';
import { artifactsOf, attemptFactsOf } from './attempt-facts.ts';

/** What a statement holds besides what the record says. */
export interface StatementFiles {
  /** The record's own file, by the bytes that it has or is about to have. */
  readonly recordFile: NamedDigest;
  /** Other files of the run that the attempt stands on. */
  readonly files: readonly NamedFile[];
}

/** What is to be sealed of an attempt, from its terminal record; pure. */
export function buildStatement(record: DispatchRecord, { recordFile, files }: StatementFiles): StatementInput {
  const subjects = [recordFile, ...artifactsOf(record)];
  const named = new Set(subjects.map(({ name }) => name));
  return { subjects, files: files.filter(({ name }) => !named.has(name)), attempt: attemptFactsOf(record) };
}
