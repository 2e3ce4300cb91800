import { statfs } from 'node:fs/promises';
import { runsFolderOf } from '@bailiwick/dispatch-state';
import { listFolder } from '@bailiwick/durable-files';
import { MAX_LOG_BYTES } from '../open-run.ts';
import { sizeOf } from '../prune/size-of.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const MIB = 1024 * 1024;
/** Below this no record is sure to be written. */
const LEAST_BYTES = 64 * MIB;
/** Below this a few chatty workers fill the disk: one attempt may log twice `MAX_LOG_BYTES`. */
const SCARCE_BYTES = 2 * 1024 * MIB;

/** How much a log may take, how much is free, and what the project's runs hold. */
export async function examineDisk(stateRoot: string): Promise<readonly Finding[]> {
  const logs = `at most ${inMib(2 * MAX_LOG_BYTES)} for each attempt: above ${inMib(MAX_LOG_BYTES)} the older half is kept beside the newer, and what came before goes`;
  return [ok('logs', logs), await examineSpace(stateRoot)];
}

async function examineSpace(stateRoot: string): Promise<Finding> {
  const space = await statfs(stateRoot, { bigint: true }).catch(() => undefined);
  const folder = runsFolderOf(stateRoot);
  const held = `${(await listFolder(folder)).length} runs hold ${inMib(await sizeOf(folder))}`;
  if (space === undefined) return warn('disk', `how much is free can't be seen; ${held}`, 'look at the disk by hand');
  const free = Number(space.bavail * space.bsize);
  const message = `${inMib(free)} free; ${held}`;
  const advice = '`bailiwick run prune` says which runs may go';
  if (free < LEAST_BYTES) return fail('disk', message, advice);
  return free < SCARCE_BYTES ? warn('disk', message, advice) : ok('disk', message);
}

function inMib(bytes: number): string {
  return `${Math.round((bytes / MIB) * 10) / 10} MiB`;
}
