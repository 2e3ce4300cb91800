import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Interruption } from '../agent.ts';
import { runTest, TEST_TIMEOUT_MS, type TestOutcome } from '../run-test.ts';
import { type Candidate, findCandidates } from './candidates.ts';
import { type FailingPlace, findFailingPlaces, isTestFile } from './failing-places.ts';

export interface RepairRequest {
  readonly cwd: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly command: string;
  /** What the failing run of `command` said. */
  readonly failure: TestOutcome;
  readonly interruption: Interruption;
  onTry(candidate: Candidate, outcome: TestOutcome): Promise<void>;
}

export type RepairOutcome =
  | { readonly kind: 'repaired'; readonly change: Candidate; readonly tries: number; readonly proof: TestOutcome }
  | { readonly kind: 'given-up'; readonly tries: number; readonly suspects: readonly string[] };

const MAX_TRIES = 500;
const BUDGET_MS = 240_000;
/** A mutant may loop for ever; ten times the failing run is patient enough, and never below this. */
const MIN_TRY_TIMEOUT_MS = 3000;

/**
 * Looks for one small edit after which the test command passes, by making one after the other and running the test.
 * The winning edit is left in place; every other is taken back, also when a signal ends the program.
 */
export async function repair(request: RepairRequest): Promise<RepairOutcome> {
  const places = findFailingPlaces(`${request.failure.output}\n${request.command}`, request.cwd);
  const candidates = await findCandidates(places, request.cwd);
  const focused = await focusedCommand(request, places);
  const deadlineMs = performance.now() + BUDGET_MS;
  let tries = 0;
  for (const candidate of candidates.slice(0, MAX_TRIES)) {
    if (performance.now() > deadlineMs) break;
    tries += 1;
    const proof = await tryCandidate(request, candidate, focused);
    if (proof !== undefined) return { kind: 'repaired', change: candidate, tries, proof };
  }
  return {
    kind: 'given-up',
    tries,
    suspects: [...new Set(candidates.map(({ file }) => path.relative(request.cwd, file)))],
  };
}

/** The command with the failing test files appended, where that fails as the whole does: it is quicker. */
async function focusedCommand(request: RepairRequest, places: readonly FailingPlace[]): Promise<string> {
  const files = [...new Set(places.map(({ file }) => file))].filter((file) => isTestFile(file, request.cwd));
  if (files.length === 0) return request.command;
  const command = [request.command, ...files.map((file) => shellQuote(path.relative(request.cwd, file)))].join(' ');
  const outcome = await runTest({ ...request, command, timeoutMs: TEST_TIMEOUT_MS });
  return outcome.exitCode === 0 ? request.command : command;
}

/** The passing run of the whole test command, or undefined and the file as it was. */
async function tryCandidate(
  request: RepairRequest,
  candidate: Candidate,
  focused: string,
): Promise<TestOutcome | undefined> {
  const release = request.interruption.onInterrupt(() => writeFileSync(candidate.file, candidate.source));
  const timeoutMs = Math.max(MIN_TRY_TIMEOUT_MS, 10 * request.failure.durationMs);
  let proof: TestOutcome | undefined;
  try {
    // At once: an edit that is still on its way when a signal comes would land after it was taken back.
    writeFileSync(candidate.file, candidate.mutated);
    const outcome = await runTest({ ...request, command: focused, timeoutMs });
    await request.onTry(candidate, outcome);
    if (outcome.exitCode === 0)
      proof = focused === request.command ? outcome : await runTest({ ...request, timeoutMs });
    if (proof?.exitCode !== 0) proof = undefined;
  } finally {
    if (proof === undefined) writeFileSync(candidate.file, candidate.source);
    release();
  }
  return proof;
}

function shellQuote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
