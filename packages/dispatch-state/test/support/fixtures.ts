import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The formats that have a corpus below test/fixtures/wire. */
export type Format =
  | 'run-manifest'
  | 'invocation'
  | 'dispatch-record'
  | 'status-sidecar'
  | 'team-state'
  | 'stop-intent'
  | 'supervision-order'
  | 'lead-event'
  | 'error-row'
  | 'selection'
  | 'unaudited-record';

/** One file of a corpus. */
export interface Fixture {
  readonly name: string;
  readonly description: string;
  readonly document: unknown;
}

/** A document that must be refused: with this code, for this JSON pointer (null: for none), by the schema or by a rule across fields. */
export interface Rejected extends Fixture {
  readonly expect: { readonly code: string; readonly path: string | null; readonly by: 'schema' | 'rule' };
}

const wire = join(import.meta.dirname, '..', 'fixtures', 'wire');

export function acceptedOf(format: Format): readonly Fixture[] {
  return filesOf<Fixture>(format, 'accept');
}

export function rejectedOf(format: Format): readonly Rejected[] {
  return filesOf<Rejected>(format, 'reject');
}

/** The document of one accepted fixture, anew each time. */
export function accepted(format: Format, name: string): unknown {
  return read<Fixture>(join(wire, format, 'accept', `${name}.json`)).document;
}

function filesOf<T extends Fixture>(format: Format, kind: 'accept' | 'reject'): readonly T[] {
  const folder = join(wire, format, kind);
  return readdirSync(folder).map((file) => ({ ...read<T>(join(folder, file)), name: file }));
}

function read<T>(path: string): T {
  // The corpus is ours; a file of another shape fails the test that uses it.
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}
