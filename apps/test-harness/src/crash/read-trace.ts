/** One system call of a traced process, as it was entered. */
export interface TracedCall {
  readonly thread: number;
  readonly name: string;
  /** From 1, among the calls of this name in its thread. */
  readonly nth: number;
  /** Arguments and, where it was made in one go, the result. */
  readonly text: string;
  readonly atSeconds: number;
  /** Belongs to a child between fork and exec, not to the process itself. */
  readonly isOfChild: boolean;
}

const CALL = /^(\d+) +([\d.]+) (\w+)\((.*)$/;
const RESUMED = /^(\d+) +[\d.]+ <\.\.\. (\w+) resumed>(.*)$/;
const FORKS: ReadonlySet<string> = new Set(['clone', 'clone3', 'fork', 'vfork']);

/**
 * Reads the output of `strace -f -y -ttt` (6.1): the calls in the order in which they were entered. A call that another thread
 * interrupted stands twice there and once here.
 */
export function readTrace(text: string): readonly TracedCall[] {
  const lines = text.split('\n');
  const children = forkedChildren(lines);
  const counts = new Map<string, number>();
  return lines.flatMap((line) => {
    const [, thread, at, name, rest] = CALL.exec(line) ?? [];
    if (thread === undefined || name === undefined || rest === undefined) return [];
    const key = `${thread} ${name}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    return [
      {
        thread: Number(thread),
        name,
        nth,
        text: rest,
        atSeconds: Number(at),
        isOfChild: children.has(Number(thread)),
      },
    ];
  });
}

/** What was forked and isn't a thread. */
function forkedChildren(lines: readonly string[]): ReadonlySet<number> {
  const children = new Set<number>();
  const isThreadBegun = new Map<string, boolean>();
  for (const line of lines) {
    const [, caller, , name, rest] = CALL.exec(line) ?? [];
    const [, resumer, resumedName, remainder] = RESUMED.exec(line) ?? [];
    if (caller !== undefined && name !== undefined && rest !== undefined && FORKS.has(name)) {
      isThreadBegun.set(`${caller} ${name}`, rest.includes('CLONE_THREAD'));
      noteChild(children, rest, rest.includes('CLONE_THREAD'));
    } else if (resumedName !== undefined && remainder !== undefined && FORKS.has(resumedName))
      noteChild(children, remainder, isThreadBegun.get(`${resumer} ${resumedName}`) ?? false);
  }
  return children;
}

function noteChild(children: Set<number>, text: string, isThread: boolean): void {
  const pid = / = (\d+)/.exec(text)?.[1];
  if (pid !== undefined && !isThread) children.add(Number(pid));
}
