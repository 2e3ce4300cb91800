import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { BoundaryOrder } from '@bailiwick/dispatch-state';
import { messageOf } from '../errors.ts';
import { FENCE_VARIABLE } from '../fence.ts';
import { endProcessTree } from '../process/end-tree.ts';
import { commandOf, type StartedJob } from './confine.ts';
import { removeStubbornly } from './remove-stubbornly.ts';
import { runBriefly } from './run-briefly.ts';

/** A command, and where it is to run. Paths are absolute. */
export interface AttemptTrial {
  /** One that is over at once by itself. */
  readonly argv: readonly string[];
  /** All that it has, but for what an attempt's own HOME brings. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Null: no boundary, and a HOME of its own all the same. */
  readonly boundary: Pick<BoundaryOrder, 'program' | 'writable' | 'readOnly'> | null;
  /** For HOME and temporary files: made before, taken away after. */
  readonly folder: string;
  /** Where tool chains and the author of commits are looked for. */
  readonly userHome: string;
  readonly timeoutMs: number;
}

/** Whether the command ended well, or the last thing that it said of why not. */
export type AttemptTrialEnd = { readonly kind: 'ended-well' } | { readonly kind: 'failed'; readonly reason: string };

/**
 * Runs a command exactly as an attempt's agent is run, in the same boundary, HOME and environment, without a supervisor
 * and without input. When it returns, nothing of it is alive and its folder is gone. Never throws.
 */
export async function tryAsAttempt(trial: AttemptTrial): Promise<AttemptTrialEnd> {
  const fence = `trial-${randomUUID()}`;
  try {
    const { argv, env } = await commandOf(jobOf(trial, fence), {});
    const { exitCode, said } = await runBriefly(argv, { env, cwd: trial.cwd, timeoutMs: trial.timeoutMs });
    if (exitCode === 0) return { kind: 'ended-well' };
    return { kind: 'failed', reason: said === '' ? `exit code ${exitCode ?? 'none'}` : said };
  } catch (error) {
    return { kind: 'failed', reason: messageOf(error) };
  } finally {
    // what left its parent and its session too has the fence still
    await endProcessTree({ fence, graceMs: 0 }).catch(() => undefined);
    await removeStubbornly(trial.folder);
  }
}

/** As a job that has neither prompt nor drop box: both are then in its own folder, which asks for nothing. */
function jobOf({ argv, env, cwd, boundary, folder, userHome }: AttemptTrial, fence: string): StartedJob {
  const job = {
    argv,
    env: { ...env, [FENCE_VARIABLE]: fence },
    cwd,
    promptPath: join(folder, 'prompt.md'),
    dropBoxPath: folder,
  };
  if (boundary === null) return { ...job, ownHome: { folder, userHome, files: [] } };
  return {
    ...job,
    boundary: { ...boundary, hidden: [], privateFolder: folder, privateHome: { userHome, logins: [] } },
  };
}
