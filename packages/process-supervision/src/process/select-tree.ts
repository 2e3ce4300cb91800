import type { ProcessRow } from './process-row.ts';

/** What tells the processes of one attempt from all others. */
export interface TreeMarks {
  /** The attempt's first process, where it is known. */
  readonly leader?: { readonly pid: number; readonly startTicks: string };
  /**
   * True where the caller has watched the leader from its start to now, so that its session's number can't be
   * another's.
   */
  readonly isSessionOurs: boolean;
  /** Never selected, nor any of its ancestors: whoever ends a tree doesn't end itself. */
  readonly selfPid: number;
}

/**
 * The living processes of one attempt, each once: what carries its fence, its leader, what is in a session or process
 * group of theirs, and everything that these started. A process with another fence is never among them.
 */
export function selectTree(rows: readonly ProcessRow[], marks: TreeMarks): readonly ProcessRow[] {
  const untouchable = ancestryOf(rows, marks.selfPid);
  const candidates = rows.filter((row) => !row.isDead && row.fence !== 'foreign' && !untouchable.has(row.pid));
  const chosen = new Set(candidates.filter((row) => row.fence === 'ours' || isLeader(row, marks)));
  for (let size = -1; size !== chosen.size; ) {
    size = chosen.size;
    const pids = new Set([...chosen].map((row) => row.pid));
    const sessions = ownSessions(rows, chosen, { ...marks, untouchable });
    for (const row of candidates) {
      if (pids.has(row.parentPid) || numbersOf(row).some((id) => sessions.has(id))) chosen.add(row);
    }
  }
  return [...chosen];
}

function isLeader(row: ProcessRow, { leader }: TreeMarks): boolean {
  return leader !== undefined && row.pid === leader.pid && row.startTicks === leader.startTicks;
}

/**
 * Sessions and process groups whose members are all the attempt's. A number is its founder's pid, and the kernel gives
 * that pid to nobody else while a member lives: so it is ours where its founder is one of us, and where the founder has
 * gone and one of us is in it. Not so where whoever ends the tree is in it too, or one of its ancestors: a command that
 * was started in the caller's own session shares it with strangers, though the shell that founded it has gone. The
 * leader's own number, once the leader has gone and nobody marked is left, may have been founded anew by a stranger:
 * only somebody who watched it all along may rely on it.
 */
function ownSessions(
  rows: readonly ProcessRow[],
  chosen: ReadonlySet<ProcessRow>,
  marks: TreeMarks & { readonly untouchable: ReadonlySet<number> },
): ReadonlySet<number> {
  const chosenPids = new Set([...chosen].map((row) => row.pid));
  const founders = new Map(rows.map((row) => [row.pid, row]));
  const shared = new Set(rows.filter((row) => marks.untouchable.has(row.pid)).flatMap(numbersOf));
  const hasGone = (id: number): boolean => founders.get(id)?.isDead ?? true;
  const isOurs = (id: number): boolean => id > 0 && (chosenPids.has(id) || (hasGone(id) && !shared.has(id)));
  const own = [...chosen].flatMap(numbersOf).filter(isOurs);
  return new Set([...own, ...leaderSession(founders, marks)]);
}

function numbersOf({ sessionId, groupId }: ProcessRow): readonly number[] {
  return [sessionId ?? groupId, groupId];
}

function leaderSession(
  founders: ReadonlyMap<number, ProcessRow>,
  { leader, isSessionOurs }: TreeMarks,
): readonly number[] {
  if (leader === undefined) return [];
  const founder = founders.get(leader.pid);
  if (founder === undefined) return isSessionOurs ? [leader.pid] : [];
  return founder.startTicks === leader.startTicks ? [leader.pid] : [];
}

function ancestryOf(rows: readonly ProcessRow[], selfPid: number): ReadonlySet<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.parentPid]));
  const ancestry = new Set<number>();
  for (let pid: number | undefined = selfPid; pid !== undefined && !ancestry.has(pid); pid = parents.get(pid))
    ancestry.add(pid);
  return ancestry;
}
