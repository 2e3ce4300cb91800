import { setTimeout as pause } from 'node:timers/promises';
import type { EndProof, ProcessIdentity } from '@bailiwick/dispatch-state';
import { isNamespaceOver } from '../boundary/namespace-note.ts';
import { processState, readProcessIdentity } from './identity.ts';
import type { ProcessRow } from './process-row.ts';
import { lookForProcesses, readStat } from './process-table.ts';
import { selectTree, type TreeMarks } from './select-tree.ts';

export interface EndTreeRequest {
  /** The attempt's dispatch id, as its processes carry it in their environment. */
  readonly fence: string;
  /** Its first process, where it is known; what that started is then found without the fence too. */
  readonly process?: ProcessIdentity;
  /** From SIGTERM to SIGKILL; 0 skips SIGTERM. */
  readonly graceMs: number;
  /** Aborted: the grace is over now. */
  readonly hurry?: AbortSignal;
  /**
   * True where the first process is a boundary's keeper, whose end takes everything inside with it at once: it is not
   * asked to end, but ends when the agent has.
   */
  readonly isKeeper?: boolean;
  /** Where a boundary noted its process namespace, if there was one; its end is proof for whoever has not watched it. */
  readonly namespaceNote?: string;
}

export interface EndTreeOutcome {
  /** `namespace` where the end of one was proven, `search` where nothing was found any more, which is no proof, else `unknown`. */
  readonly endProof: EndProof;
  /** Distinct processes that were found alive and sent a signal. */
  readonly endedProcesses: number;
  readonly isGone: boolean;
}

/** As {@link EndTreeOutcome}, with what only the supervisor that watched the leader can tell. */
export interface WatchedEnd extends EndTreeOutcome {
  /** Those of the ended processes that were still alive when the leader was not. */
  readonly outlivedLeader: number;
}

/**
 * How long SIGKILL is repeated before a tree counts as one that can't be ended (uninterruptible sleep, another user's).
 */
export const FORCED_END_MS = 10_000;
/** Longer on macOS, where each look is a `ps`. */
const POLITE_POLL_MS = process.platform === 'darwin' ? 200 : 25;
const FORCED_POLL_MS = 10;
/** A process that forks and ends between two readings of `/proc` can hide from one search, hardly from two. */
const CLEAN_SEARCHES = 2;

/**
 * Ends an attempt with everything it started: SIGTERM to all, SIGKILL after the grace, and again until a search finds
 * nothing. Never throws for a process that is gone or not ours to signal; a tree on another host is left alone
 * (`isGone` false). Throws SupervisionError PROCESSES_UNREADABLE.
 */
export async function endProcessTree(request: EndTreeRequest): Promise<EndTreeOutcome> {
  const { endProof, endedProcesses, isGone } = await endWatchedTree(request, false);
  const isProven = isGone && request.namespaceNote !== undefined && (await isNamespaceOver(request.namespaceNote));
  return { endProof: isProven ? 'namespace' : endProof, endedProcesses, isGone };
}

/** The processes that carry the fence or descend from ones that do, this process and its ancestors apart. */
export async function findAttemptProcesses(fence: string): Promise<readonly ProcessIdentity[]> {
  const marks: TreeMarks = { isSessionOurs: false, selfPid: process.pid };
  const rows = selectTree(await lookForProcesses(fence), marks);
  return rows.map((row) => readProcessIdentity(row.pid)).filter((identity) => identity !== undefined);
}

/** `isSessionOurs`: the caller is the leader's parent and has just seen it end, or not yet. */
export async function endWatchedTree(request: EndTreeRequest, isSessionOurs: boolean): Promise<WatchedEnd> {
  if (request.process !== undefined && processState(request.process) === 'unknown') return OUT_OF_SIGHT;
  const search = new TreeSearch(request, isSessionOurs);
  const isClean = request.graceMs > 0 && (await askToEnd(search, request));
  const isGone = await forceToEnd(search, isClean ? 1 : 0);
  return { endProof: isGone ? 'search' : 'unknown', isGone, ...search.counts() };
}

const OUT_OF_SIGHT: WatchedEnd = { endProof: 'unknown', endedProcesses: 0, outlivedLeader: 0, isGone: false };

/** Processes found late, by a fork after the first signal, are asked as well. Whether the last search found nothing. */
async function askToEnd(search: TreeSearch, request: EndTreeRequest): Promise<boolean> {
  const { graceMs, hurry, isKeeper, process: keeper } = request;
  const deadlineMs = performance.now() + graceMs;
  const isOver = (): boolean => hurry?.aborted === true || performance.now() >= deadlineMs;
  const asked = new Set(isKeeper === true && keeper !== undefined ? [nameOf(keeper)] : []);
  let found = await search.find();
  for (; found.length > 0 && !isOver(); found = await search.find()) {
    for (const row of found.filter((candidate) => !asked.has(nameOf(candidate)))) {
      asked.add(nameOf(row));
      signalProcess(row, 'SIGTERM');
      // A stopped process keeps SIGTERM pending until it is continued.
      signalProcess(row, 'SIGCONT');
    }
    await untilSomeEnd(found, { deadlineMs, isOver });
  }
  return found.length === 0;
}

/** A whole search reads every process of the machine; in between it is enough to look at those that were found. */
async function untilSomeEnd(
  found: readonly ProcessRow[],
  o: { readonly deadlineMs: number; readonly isOver: () => boolean },
): Promise<void> {
  do await pause(Math.max(1, Math.min(POLITE_POLL_MS, o.deadlineMs - performance.now())));
  while (found.every(isStillThere) && !o.isOver());
}

async function forceToEnd(search: TreeSearch, cleanBefore: number): Promise<boolean> {
  const deadlineMs = performance.now() + FORCED_END_MS;
  for (let clean = cleanBefore; clean < CLEAN_SEARCHES; ) {
    const found = await search.find();
    clean = found.length === 0 ? clean + 1 : 0;
    for (const row of found) signalProcess(row, 'SIGKILL');
    if (found.length === 0) continue;
    if (performance.now() > deadlineMs) return false;
    await pause(FORCED_POLL_MS);
  }
  return true;
}

/** Remembers what it found, so that each process counts once. */
class TreeSearch {
  readonly #fence: string;
  readonly #marks: TreeMarks;
  readonly #ended = new Set<string>();
  readonly #outlived = new Set<string>();

  constructor(request: EndTreeRequest, isSessionOurs: boolean) {
    this.#fence = request.fence;
    const leader = request.process === undefined ? {} : { leader: request.process };
    this.#marks = { ...leader, isSessionOurs, selfPid: process.pid };
  }

  async find(): Promise<readonly ProcessRow[]> {
    const found = selectTree(await lookForProcesses(this.#fence, this.#marks.leader), this.#marks);
    const { leader } = this.#marks;
    const isLeaderAlive = found.some((row) => row.pid === leader?.pid);
    for (const row of found) {
      this.#ended.add(nameOf(row));
      if (!isLeaderAlive) this.#outlived.add(nameOf(row));
    }
    return found;
  }

  counts(): Pick<WatchedEnd, 'endedProcesses' | 'outlivedLeader'> {
    return { endedProcesses: this.#ended.size, outlivedLeader: this.#outlived.size };
  }
}

function nameOf(row: Pick<ProcessRow, 'pid' | 'startTicks'>): string {
  return `${row.pid}/${row.startTicks}`;
}

function isStillThere(row: ProcessRow): boolean {
  const stat = readStat(row.pid);
  return stat !== undefined && !stat.isDead && stat.startTicks === row.startTicks;
}

/** The start time is compared once more, so that a pid which was given away since the search is left alone. */
function signalProcess(row: ProcessRow, signal: NodeJS.Signals): void {
  if (!isStillThere(row)) return;
  try {
    process.kill(row.pid, signal);
  } catch {
    // Gone in between, or another user's: the next search tells.
  }
}
