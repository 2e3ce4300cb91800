import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { programPath } from '@bailiwick/tooling/program-path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  acquireLock,
  appendLogLine,
  copyFileDurably,
  digestOfFile,
  isLocked,
  type KernelLock,
  readTextFile,
  tryLock,
  withLock,
} from '../src/index.ts';
import { runProgram, startProgram } from './child-program.ts';
import { tempFolder } from './temp-folder.ts';

function take(path: string): KernelLock {
  const lock = tryLock(path);
  if (lock === undefined) throw new Error(`${path} is held`);
  onTestFinished(() => lock.release());
  return lock;
}

describe('tryLock', () => {
  it('gives a free lock once, and again after its release', () => {
    const path = join(tempFolder(), 'run.lock');
    const first = take(path);
    expect(first.path).toBe(path);
    expect(tryLock(path)).toBeUndefined();
    first.release();
    const second = take(path);
    first.release();
    expect(tryLock(path)).toBeUndefined();
    second.release();
    expect(isLocked(path)).toBe(false);
  });

  it('keeps several locks of one process apart', () => {
    const folder = tempFolder();
    const [a, b, c] = ['a', 'b', 'c'].map((name) => take(join(folder, name)));
    b?.release();
    expect(['a', 'b', 'c'].map((name) => isLocked(join(folder, name)))).toEqual([true, false, true]);
    a?.release();
    c?.release();
    expect(['a', 'b', 'c'].some((name) => isLocked(join(folder, name)))).toBe(false);
  });

  it('leaves an empty file and nothing beside it, while held and after', () => {
    const folder = tempFolder();
    const lock = take(join(folder, 'run.lock'));
    expect(readdirSync(folder)).toEqual(['run.lock']);
    lock.release();
    expect(readdirSync(folder)).toEqual(['run.lock']);
    expect(statSync(join(folder, 'run.lock')).size).toBe(0);
  });

  it('excludes other processes, though the holder looks and tries again meanwhile', async () => {
    const path = join(tempFolder(), 'run.lock');
    const lock = take(path);
    expect([tryLock(path), isLocked(path), tryLock(path)]).toEqual([undefined, true, undefined]);
    expect((await runProgram('lock-taker', [path])).lines).toEqual(['locked', 'refused']);
    lock.release();
    expect((await runProgram('lock-taker', [path])).lines).toEqual(['free', 'taken']);
  });

  it('excludes other threads of the same process', async () => {
    const path = join(tempFolder(), 'run.lock');
    const lock = take(path);
    const tryInThread = async () => {
      const thread = new Worker(programPath('lock-thread'), { workerData: path });
      // Both are listened for from the start: a thread on a busy machine ends before its answer has been looked at.
      const [[answer]] = await Promise.all([once(thread, 'message'), once(thread, 'exit')]);
      return answer;
    };
    expect(await tryInThread()).toBe('refused');
    // The thread has closed its descriptors: the lock must have survived that.
    expect((await runProgram('lock-taker', [path])).lines).toEqual(['locked', 'refused']);
    lock.release();
    expect(await tryInThread()).toBe('taken');
  });

  it('gives the lock of a holder that was killed at once', async () => {
    const path = join(tempFolder(), 'run.lock');
    for (let round = 0; round < 3; round += 1) {
      const holder = startProgram('lock-holder', [path]);
      expect(await holder.nextLine()).toBe('held');
      expect(tryLock(path)).toBeUndefined();
      holder.kill();
      expect((await holder.ended).signal).toBe('SIGKILL');
      expect(isLocked(path)).toBe(false);
      take(path).release();
      expect(readdirSync(join(path, '..'))).toEqual(['run.lock']);
    }
  });

  it('holds a lock whose handle was forgotten', async () => {
    const path = join(tempFolder(), 'run.lock');
    const ended = await runProgram('lock-forgetter', [path]);
    expect(ended.lines).toEqual(['refused']);
    expect(isLocked(path)).toBe(false);
  });

  it('always gives a free lock to its only taker, whoever looks at it meanwhile', async () => {
    const path = join(tempFolder(), 'run.lock');
    take(path).release();
    const lookers = Array.from({ length: 2 }, () => startProgram('lock-looker', [path]));
    for (const looker of lookers) expect(await looker.nextLine()).toBe('looking');
    for (let round = 0; round < 200; round += 1) {
      const lock = tryLock(path);
      expect(lock, `round ${round}`).toBeDefined();
      lock?.release();
    }
  });

  it('refuses what is no lock file, and leaves it as it is', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'text'), 'something');
    writeFileSync(join(folder, 'target'), '');
    symlinkSync('target', join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    mkdirSync(join(folder, 'sub'));
    for (const look of [tryLock, isLocked]) {
      expect(() => look(join(folder, 'text'))).toThrow(expect.objectContaining({ code: 'LOCK_FILE_DAMAGED' }));
      for (const name of ['link', 'pipe', 'sub']) {
        expect(() => look(join(folder, name))).toThrow(expect.objectContaining({ code: 'NOT_A_REGULAR_FILE' }));
      }
    }
    expect(readFileSync(join(folder, 'text'), 'utf8')).toBe('something');
  });

  it('says that the folder is missing', () => {
    expect(() => tryLock(join(tempFolder(), 'no/run.lock'))).toThrow(
      expect.objectContaining({ code: 'FOLDER_MISSING' }),
    );
  });
});

describe('isLocked', () => {
  it('is false for a missing file, and makes none', () => {
    const folder = tempFolder();
    expect(isLocked(join(folder, 'run.lock'))).toBe(false);
    expect(isLocked(join(folder, 'no/run.lock'))).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a held lock file', () => {
  it('is opened by no function of this package, since closing it would drop the lock', async () => {
    const folder = tempFolder();
    const path = join(folder, 'run.lock');
    take(path);
    symlinkSync('run.lock', join(folder, 'link'));
    const code = 'LOCK_FILE_IN_USE';
    await expect(readTextFile(path)).rejects.toMatchObject({ code });
    await expect(readTextFile(join(folder, 'link'), { followLinks: true })).rejects.toMatchObject({ code });
    await expect(digestOfFile(path)).rejects.toMatchObject({ code });
    await expect(copyFileDurably(path, join(folder, 'copy'))).rejects.toMatchObject({ code });
    await expect(appendLogLine(path, {}, { schemaVersion: '1.0' })).rejects.toMatchObject({ code });
    expect((await runProgram('lock-taker', [path])).lines).toEqual(['locked', 'refused']);
  });
});

describe('acquireLock', () => {
  it('waits until the lock is given back', async () => {
    const path = join(tempFolder(), 'run.lock');
    const lock = take(path);
    const order: string[] = [];
    const waiting = acquireLock(path, { pollEveryMs: 2 }).then((next) => {
      order.push('acquired');
      next.release();
    });
    setImmediate(() => {
      order.push('released');
      lock.release();
    });
    await waiting;
    expect(order).toEqual(['released', 'acquired']);
  });

  it('gives up at its timeout', async () => {
    const path = join(tempFolder(), 'run.lock');
    take(path);
    await expect(acquireLock(path, { timeoutMs: 0 })).rejects.toMatchObject({ code: 'LOCK_TIMEOUT', path });
    await expect(acquireLock(path, { timeoutMs: 20, pollEveryMs: 3 })).rejects.toMatchObject({ code: 'LOCK_TIMEOUT' });
  });

  it('stops waiting when it is aborted, with the reason of that', async () => {
    const path = join(tempFolder(), 'run.lock');
    take(path);
    const controller = new AbortController();
    const waiting = acquireLock(path, { signal: controller.signal });
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(acquireLock(path, { signal: controller.signal })).rejects.toBe(reason);
  });
});

describe('withLock', () => {
  it('gives the lock back after the work and after its failure', async () => {
    const path = join(tempFolder(), 'run.lock');
    expect(await withLock(path, {}, async () => isLocked(path))).toBe(true);
    expect(isLocked(path)).toBe(false);
    const failure = new Error('work failed');
    await expect(withLock(path, {}, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(isLocked(path)).toBe(false);
  });

  it('lets critical sections of many processes run one after the other', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'count'), '0');
    const ended = await Promise.all(Array.from({ length: 6 }, () => runProgram('lock-counter', [folder, '50'])));
    expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(readFileSync(join(folder, 'count'), 'utf8')).toBe('300');
  });
});
