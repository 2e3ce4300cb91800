import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DISPATCH, type Subject } from '../crash/subject.ts';
import { findFencedProcesses, findSupervisors, waitUntil } from '../project/process-table.ts';
import type { Fault } from './fault.ts';
import { cannotMount, onSmallDisk, type SmallDisk } from './small-disk.ts';
import { awaitAll, dispatch, ends, standing } from './steps.ts';

const FULL = ['DISK_FULL', 'BATCH_ABORTED', 'LAUNCH_FAILED', 'SNAPSHOT_FAILED'] as const;
const SLOW = { agents: { implementer: { as: 'slow', delayMs: 2_500 } } } as const;
/** A dispatch of one attempt takes about fourteen pages from its first document to its last: it gets a little further each time. */
const LEFT_PAGES = [1, 2, 3, 4, 5, 6, 7, 10, 11, 13, 14] as const;

/** A state folder on a disk that is full, fills up, or can't be written. */
export const diskFaults: readonly Fault[] = [
  {
    name: 'a full disk, before the dispatch',
    outcome: 'a coded error; nothing is started; dispatched once there is room',
    obstacle: cannotMount,
    run: (subject) =>
      onSmallDisk(subject, async (disk) => {
        await disk.fill(0);
        const ended = await dispatch(subject);
        const blocked = [
          ...ends(ended, { exitCodes: [1, 2], codes: FULL }),
          ...(await standing(subject, { status: 'unclaimed' })),
        ];
        await disk.free();
        return [...blocked, ...ends(await dispatch(subject), { exitCodes: [0] }), ...(await standing(subject, DONE))];
      }),
  },
  {
    name: 'a disk that fills up during the dispatch',
    outcome: 'wherever it happens: a coded error or none; the attempt ends once there is room, and nothing is torn',
    obstacle: cannotMount,
    run: async (subject) => {
      const why: string[] = [];
      for (const pages of LEFT_PAGES) {
        await subject.restore();
        const found = await onSmallDisk(subject, (disk) => fillsUp(subject, disk, pages));
        why.push(...found.map((what) => `with ${pages} pages left: ${what}`));
      }
      return why;
    },
  },
  {
    name: 'a disk that is full while the agent ends, and has room a moment later',
    outcome: 'the supervisor keeps trying to write how it ended: the result counts',
    project: SLOW,
    obstacle: cannotMount,
    run: (subject) =>
      onSmallDisk(subject, async (disk) => {
        const started = await startSlow(subject);
        await disk.fill(0);
        await waitUntil('the agent has gone', async () => (await findFencedProcesses(subject.runId)).length === 0);
        await disk.free();
        return [...started, ...ends(await awaitAll(subject), { exitCodes: [0] }), ...(await standing(subject, DONE))];
      }),
  },
  {
    name: 'a disk that stays full until the await',
    outcome: 'the await says so by code and leaves the attempt; it is settled as lost once there is room',
    project: SLOW,
    obstacle: cannotMount,
    run: (subject) =>
      onSmallDisk(subject, async (disk) => {
        const started = await startSlow(subject);
        await disk.fill(0);
        await waitUntil(
          'its supervisor has gone',
          async () => (await findSupervisors(subject.project.root)).length === 0,
        );
        const full = await awaitAll(subject);
        await disk.free();
        return [
          ...started,
          ...ends(full, { exitCodes: [1], codes: FULL }),
          ...ends(await awaitAll(subject), { exitCodes: [1] }),
          ...(await standing(subject, { status: 'error' })),
        ];
      }),
  },
  {
    name: 'a read-only state folder',
    outcome: 'READ_ONLY or NO_PERMISSION; nothing is started; dispatched once it can be written',
    obstacle: async () => (isRoot() ? cannotMount() : undefined),
    run: (subject) =>
      isRoot()
        ? onSmallDisk(subject, (disk) => whileReadOnly(subject, (isReadOnly) => disk.setReadOnly(isReadOnly)))
        : whileReadOnly(subject, (isReadOnly) => setFolderModes(subject.runDirectory, isReadOnly ? 0o500 : 0o700)),
  },
];

const DONE = { status: 'completed' } as const;
const READ_ONLY = { exitCodes: [1, 2], codes: ['READ_ONLY', 'NO_PERMISSION'] } as const;

async function fillsUp(subject: Subject, disk: SmallDisk, pages: number): Promise<readonly string[]> {
  await disk.fill(pages);
  const full = await dispatch(subject);
  await disk.free();
  const awaited = await awaitAll(subject);
  return [
    ...ends(full, { exitCodes: [0, 1, 2] }),
    ...(full.exitCode === 0 || full.codes.length > 0 || full.printed.includes('"status"')
      ? []
      : [`it failed without a word: ${full.printed}`]),
    ...ends(awaited, { exitCodes: [0, 1] }),
    ...(await standing(subject, { status: ['completed', 'error', 'unclaimed'] })),
  ];
}

async function startSlow(subject: Subject): Promise<readonly string[]> {
  const started = await dispatch(subject, [...DISPATCH, '--no-wait']);
  await waitUntil('the agent runs', async () => (await findFencedProcesses(subject.runId)).length > 0);
  return ends(started, { exitCodes: [0] });
}

async function whileReadOnly(
  subject: Subject,
  setReadOnly: (isReadOnly: boolean) => Promise<void>,
): Promise<readonly string[]> {
  await setReadOnly(true);
  const ended = await dispatch(subject);
  const blocked = [...ends(ended, READ_ONLY), ...(await standing(subject, { status: 'unclaimed' }))];
  await setReadOnly(false);
  return [...blocked, ...ends(await dispatch(subject), { exitCodes: [0] }), ...(await standing(subject, DONE))];
}

async function setFolderModes(root: string, mode: number): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  for (const folder of [root, ...folders]) await chmod(folder, mode);
}

/** Permissions don't hold root back. */
function isRoot(): boolean {
  return process.getuid?.() === 0;
}
