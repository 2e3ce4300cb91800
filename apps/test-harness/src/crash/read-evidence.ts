import { lstat, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFencedProcesses } from '../project/process-table.ts';
import type { Subject } from './subject.ts';
import { livingOf } from './supervisors.ts';

/** The parts of a dispatch record that are looked at; written by the command line. */
export interface SeenRecord {
  readonly dispatchId: string;
  readonly invocationRef: string;
  readonly executionLabel: string;
  readonly status: string;
  readonly reason: string;
  readonly process: unknown;
  readonly retry: { readonly successor: string } | null;
  readonly lifecycle: { readonly end: string } | null;
  readonly result: { readonly artifacts: readonly { readonly copy: string; readonly bytes: number }[] } | null;
}

/** The parts of a sidecar that are looked at; written by the supervisor. */
export interface SeenSidecar {
  readonly dispatchId: string;
  readonly stage: string;
  readonly endEvidence: string;
}

/** What a run left on disk and in the process table. */
export interface Evidence {
  readonly records: readonly SeenRecord[];
  readonly sidecars: readonly SeenSidecar[];
  /** Worker → status, as `team-state.json` has it; empty where there is none. */
  readonly workers: Readonly<Record<string, string>>;
  readonly events: readonly { readonly type: string; readonly dispatchId: string }[];
  readonly errorRows: readonly string[];
  readonly openMarkers: readonly string[];
  /** Files that are half a document, lines that are half a row, copies that were kept of damaged files. */
  readonly torn: readonly string[];
  /** Dispatch ids of the agents that ever began to run, as they noted it themselves. */
  readonly ledger: readonly string[];
  /** What of the run still lives. */
  readonly alive: readonly string[];
  /** Copies of artifacts that aren't there with their size. */
  readonly missingCopies: readonly string[];
}

/** Reads everything that a run left, without any code of the product. */
export async function readEvidence(subject: Subject, supervisors: readonly number[]): Promise<Evidence> {
  const { runDirectory, project } = subject;
  const torn: string[] = [];
  const read = async (folder: string) => jsonFiles(join(runDirectory, folder), torn);
  // Shapes are those that the command line writes; a file that isn't JSON is torn, one that lacks a field fails the judgement.
  const records = (await read('dispatches')) as readonly SeenRecord[];
  const sidecars = (await read('sidecars')) as readonly SeenSidecar[];
  for (const folder of ['.', 'invocations', 'stops', 'prompts']) await read(folder);
  const events = await rowsOf(join(runDirectory, 'lead-events.jsonl'), torn);
  const errorRows = await rowsOf(join(runDirectory, 'error-log.jsonl'), torn);
  await rowsOf(join(runDirectory, 'selections.jsonl'), torn);
  return {
    records,
    sidecars,
    workers: await workersOf(runDirectory),
    events: events.map((row) => ({ type: String(row['type']), dispatchId: dispatchIdOf(row['details']) })),
    errorRows: errorRows.map((row) => String(row['dispatchId'])),
    openMarkers: await namesIn(join(runDirectory, 'open')),
    torn: [...torn, ...(await damagedCopies(runDirectory))],
    ledger: (await linesOf(project.ledgerPath)).map((line) => line.split(' ')[0] ?? ''),
    alive: await aliveOf(subject, supervisors),
    missingCopies: await missingCopies(runDirectory, records),
  };
}

type Row = Readonly<Record<string, unknown>>;

async function jsonFiles(folder: string, torn: string[]): Promise<readonly unknown[]> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.json') && !isStaging(name));
  const read = await Promise.all(
    names.map(async (name) => parsed(await readFile(join(folder, name), 'utf8'), () => torn.push(join(folder, name)))),
  );
  return read.filter((value) => value !== undefined);
}

async function rowsOf(path: string, torn: string[]): Promise<readonly Row[]> {
  const [, ...rows] = await linesOf(path);
  return rows
    .map((line) => parsed(line, () => torn.push(`${path}: ${line.slice(0, 60)}`)))
    .filter((row) => row !== undefined);
}

/** What an atomic write that was cut off leaves behind; nobody reads it. */
function isStaging(name: string): boolean {
  return /^\..+\.staging-/.test(name);
}

function parsed(text: string, onTorn: () => void): Row | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Row; // every document and row of ours is an object
  } catch {
    // said below
  }
  onTorn();
  return undefined;
}

function dispatchIdOf(details: unknown): string {
  return typeof details === 'object' && details !== null && 'dispatchId' in details ? String(details.dispatchId) : '';
}

async function workersOf(runDirectory: string): Promise<Evidence['workers']> {
  const text = await readFile(join(runDirectory, 'team-state.json'), 'utf8').catch(() => '{"workers":[]}');
  const rows = (parsed(text, () => undefined)?.['workers'] ?? []) as readonly Row[]; // a list of rows, in every version
  return Object.fromEntries(rows.map((row) => [String(row['workerId']), String(row['status'])]));
}

async function damagedCopies(runDirectory: string): Promise<readonly string[]> {
  const names = await readdir(runDirectory, { recursive: true }).catch(() => []);
  return names.filter((name) => name.includes('.damaged-'));
}

async function missingCopies(runDirectory: string, records: readonly SeenRecord[]): Promise<readonly string[]> {
  const copies = records
    .filter((record) => record.status === 'completed')
    .flatMap((record) => record.result?.artifacts ?? []);
  const sizes = await Promise.all(
    copies.map(async ({ copy }) =>
      lstat(join(runDirectory, copy)).then(
        ({ size }) => size,
        () => undefined,
      ),
    ),
  );
  return copies.filter(({ bytes }, index) => sizes[index] !== bytes).map(({ copy }) => copy);
}

async function aliveOf({ runId }: Subject, supervisors: readonly number[]): Promise<readonly string[]> {
  const fenced = await findFencedProcesses(runId);
  const living = await livingOf(supervisors);
  return [...fenced.map(({ pid, command }) => `${pid} ${command}`), ...living.map((pid) => `${pid} supervisor`)];
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

async function linesOf(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}
