import { readlinkSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { readStat } from '../process/process-table.ts';

/** The kernel ends a namespace's processes at once; longer than this only one in uninterruptible sleep takes. */
const GONE_MS = 5_000;
const LONGEST_POLL_MS = 50;

/**
 * Where bubblewrap notes the process namespace of an attempt, beside its sidecar: before anything runs in it, by its own
 * hand, so that the note is there however its supervisor dies. It needs no flush: nothing outlives a power cut that it
 * could be asked about.
 */
export function namespaceNoteOf(sidecarPath: string): string {
  return `${sidecarPath.replace(/\.json$/, '')}.namespace`;
}

/**
 * Whether a process namespace that was noted is over, which proves that nothing in it lives; waits a little for one that
 * the kernel is still clearing. False where nothing was noted.
 */
export async function isNamespaceOver(notePath: string): Promise<boolean> {
  const noted = parseNote(await readFile(notePath, 'utf8').catch(() => ''));
  if (noted === undefined) return false;
  const deadlineMs = performance.now() + GONE_MS;
  for (let pollMs = 2; isFirstAlive(noted); pollMs = Math.min(2 * pollMs, LONGEST_POLL_MS)) {
    if (performance.now() >= deadlineMs) return false;
    await pause(pollMs);
  }
  return true;
}

export async function removeNamespaceNote(sidecarPath: string): Promise<void> {
  await rm(namespaceNoteOf(sidecarPath), { force: true }).catch(() => undefined);
}

/** The namespace's first process, by its pid outside, and the namespace. */
interface NotedNamespace {
  readonly firstPid: number;
  readonly pidNamespace: string;
}

/** bubblewrap 0.8, `--info-fd`: one JSON object over several lines. Half a note says nothing: then nothing has run. */
function parseNote(text: string): NotedNamespace | undefined {
  const firstPid = Number(/"child-pid": *(\d+)/.exec(text)?.[1]);
  const inode = /"pid-namespace": *(\d+)/.exec(text)?.[1];
  if (!(firstPid > 0) || inode === undefined || !text.trimEnd().endsWith('}')) return undefined;
  return { firstPid, pidNamespace: `pid:[${inode}]` };
}

/** A process of that pid in another namespace was given the pid since: the noted one is dead. */
function isFirstAlive({ firstPid, pidNamespace }: NotedNamespace): boolean {
  const stat = readStat(firstPid);
  if (stat === undefined || stat.isDead) return false;
  try {
    return readlinkSync(`/proc/${firstPid}/ns/pid`) === pidNamespace;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'));
  }
}
