import { isAssignmentError, type PathIssue } from '../errors.ts';
import type { ModelPoolEntry } from '../model.ts';
import { decodePoolRow } from '../wire/pool-row.ts';
import { whereOf } from './model-pool.ts';

/** What is wrong with one row of a pool. */
export interface PoolRowFinding {
  /** The row's place in the list that was checked. */
  readonly row: number;
  /** Absent where the row has none that can be read. */
  readonly modelRef?: string;
  /** What is wrong with the row, at least one. */
  readonly issues: readonly PathIssue[];
}

/** Everything that is wrong with a pool's rows: each by itself, refs twice, and names that two rows of one agent CLI share. */
export function checkModelPool(rows: readonly unknown[]): readonly PoolRowFinding[] {
  const findings: PoolRowFinding[] = [];
  const refs = new Map<string, number>();
  const names = new Map<string, string>();
  for (const [at, row] of rows.entries()) {
    const entry = decodeOrFind(row, at, findings);
    if (entry === undefined) continue;
    const issues = [...repeatedRef(entry, at, refs), ...sharedNames(entry, names)];
    if (issues.length > 0) findings.push({ row: at, modelRef: entry.modelRef, issues });
  }
  return findings;
}

function decodeOrFind(row: unknown, at: number, findings: PoolRowFinding[]): ModelPoolEntry | undefined {
  try {
    return decodePoolRow(row, whereOf(row, at));
  } catch (error) {
    if (!isAssignmentError(error)) throw error;
    findings.push({ row: at, issues: error.details.issues ?? [] });
    return undefined;
  }
}

function repeatedRef(entry: ModelPoolEntry, at: number, refs: Map<string, number>): readonly PathIssue[] {
  const before = refs.get(entry.modelRef);
  if (before === undefined) refs.set(entry.modelRef, at);
  return before === undefined ? [] : [{ path: '/modelRef', message: `row ${before} has this ref already` }];
}

function sharedNames(entry: ModelPoolEntry, owners: Map<string, string>): readonly PathIssue[] {
  const own = new Map<string, string>([[entry.modelId, '/modelId']]);
  for (const [at, alias] of entry.aliases.entries()) own.set(alias, `/aliases/${at}`);
  return [...own].flatMap(([name, path]) => {
    const key = `${entry.providerId}\u0000${name}`;
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, entry.modelRef);
    return owner === undefined || owner === entry.modelRef
      ? []
      : [{ path, message: `${owner} answers to ${name} too` }];
  });
}
