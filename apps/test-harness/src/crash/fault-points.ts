import type { TracedCall } from './read-trace.ts';

/** Where a process is killed: as it enters the n-th call of a name. */
export interface FaultPoint {
  readonly name: string;
  readonly nth: number;
  /** The call that changes something and would come next, without what differs from run to run. */
  readonly before: string;
  /** When it came in the clean run. */
  readonly atSeconds: number;
}

/**
 * The fault points of a process: one before each call that changes the disk, a process or a conversation. A signal can only be
 * aimed at the first thread that makes the n-th call of a name; where that is another thread's, the nearest call that can be aimed
 * at stands in, as long as nothing was changed in between, and a call without one has no point of its own. Of two clean runs,
 * calls that stand at the same count in both are taken first.
 */
export function faultPoints(
  clean: readonly TracedCall[],
  again: readonly TracedCall[],
  base: string,
): readonly FaultPoint[] {
  const reached = firstReached(clean);
  const other = new Map(again.filter((call) => !call.isOfChild).map((call) => [keyOf(call), sightOf(call)]));
  const isStable = (call: TracedCall): boolean => other.get(keyOf(call)) === sightOf(call);
  const points: FaultPoint[] = [];
  let gap: TracedCall[] = [];
  for (const call of clean) {
    if (call.isOfChild) continue;
    if (reached.get(keyOf(call)) === call && !UNSTEADY.has(call.name)) gap.push(call);
    if (!changesSomething(call, base)) continue;
    const aim = gap.findLast(isStable) ?? gap.at(-1);
    if (aim !== undefined)
      points.push({ name: aim.name, nth: aim.nth, before: `${call.name} ${sightOf(call)}`, atSeconds: call.atSeconds });
    gap = [];
  }
  return points;
}

/** Calls whose number depends on timing and memory. */
const UNSTEADY: ReadonlySet<string> = new Set([
  ...['futex', 'madvise', 'mmap', 'munmap', 'mprotect', 'brk', 'sched_yield', 'epoll_wait', 'epoll_pwait', 'getrusage'],
]);

/** Calls that change a file or a folder. */
const CHANGING: ReadonlySet<string> = new Set([
  ...['write', 'writev', 'pwrite64', 'pwritev', 'fsync', 'fdatasync', 'ftruncate', 'truncate', 'fchmod', 'chmod'],
  ...['rename', 'renameat', 'renameat2', 'link', 'linkat', 'unlink', 'unlinkat', 'symlink', 'symlinkat'],
  ...['mkdir', 'mkdirat', 'rmdir'],
]);

/** Calls by which it speaks to others. */
const SPEAKING: ReadonlySet<string> = new Set(['write', 'writev', 'sendto', 'sendmsg', 'connect', 'bind']);

/** Whether somebody else could see that the call was made: below `base`, in the process table, or at the end of a socket. */
function changesSomething({ name, text }: TracedCall, base: string): boolean {
  if (name === 'clone' || name === 'clone3') return !text.includes('CLONE_THREAD');
  if (name === 'fork' || name === 'vfork' || name === 'kill') return true;
  if (name === 'openat' || name === 'open') return text.includes('O_CREAT') && text.includes(base);
  return (CHANGING.has(name) && text.includes(base)) || (SPEAKING.has(name) && /^\d+<socket:/.test(text));
}

/** The call by which each count of a name is reached first; none where a child got so far before, and would be hit. */
function firstReached(calls: readonly TracedCall[]): ReadonlyMap<string, TracedCall | undefined> {
  const reached = new Map<string, TracedCall | undefined>();
  for (const call of calls) if (!reached.has(keyOf(call))) reached.set(keyOf(call), call.isOfChild ? undefined : call);
  return reached;
}

function keyOf({ name, nth }: TracedCall): string {
  return `${name} ${nth}`;
}

/** The call without what differs from run to run: numbers, random names, the result. */
function sightOf({ text }: TracedCall): string {
  return text
    .replace(/\) += .*$| <unfinished \.\.\.>$/, '')
    .replaceAll(/staging-[0-9a-f.]+/g, 'staging')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '#')
    .replaceAll(/(?:0x)?[0-9][0-9a-f]*/g, '#')
    .replaceAll(/\/[\w-]{16}\.sock/g, '/#.sock');
}
