import { execa } from 'execa';

/** Signals that strace sends to a process as it makes a call. */
export type InjectedSignal = 'SIGKILL' | 'SIGSTOP';

/** Errors that strace gives a call instead of making it. */
export type InjectedError = 'EIO' | 'EMFILE' | 'EACCES' | 'ENOSPC' | 'EROFS';

/**
 * Follows threads, and lets go of what they fork before it becomes another program: git and the agents run untraced, as themselves.
 * The tracer is in a session of its own, so that the traced process is the direct child of whoever started it, under its own pid.
 */
const FOLLOWING = ['-DDD', '-q', '-f', '-b', 'execve'] as const;

/** Why no system call can be traced here, or undefined where it can. */
export async function straceProblem(): Promise<string | undefined> {
  const { failed, code, stderr } = await execa('strace', [...FOLLOWING, '-o', '/dev/null', 'true'], { reject: false });
  if (!failed) return undefined;
  return code === 'ENOENT' ? 'strace is not installed' : `strace can't trace here: ${String(stderr).trim()}`;
}

/** Every call with its time and with paths for descriptors. */
export function traceEverything(): readonly string[] {
  return [...FOLLOWING, '-y', '-ttt', '-s', '48'];
}

/** Sends a signal at the n-th call of a name, counted per thread: the first thread that gets so far has it. */
export function signalAt(
  point: { readonly name: string; readonly nth: number },
  signal: InjectedSignal,
): readonly string[] {
  const inject = `inject=${point.name}:signal=${signal}:when=${point.nth}`;
  return [...FOLLOWING, '-y', '-e', `trace=${point.name}`, '-e', inject];
}

/** Fails every call of some names, on given paths only (as the call names them, or by its descriptor). */
export function failCalls(
  names: readonly string[],
  error: InjectedError,
  paths: readonly string[] = [],
): readonly string[] {
  const inject = `inject=${names.join(',')}:error=${error}`;
  return [...FOLLOWING, ...paths.flatMap((path) => ['-P', path]), '-e', `trace=${names.join(',')}`, '-e', inject];
}

/** Traces nothing, yet lets a program run as it would under the tracer. */
export function traceNothing(): readonly string[] {
  return [...FOLLOWING, '-e', 'trace=none'];
}
