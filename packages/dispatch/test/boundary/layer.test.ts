import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DispatchRecord, SupervisedJob } from '@bailiwick/dispatch-state';
import { LayerFolder } from '@bailiwick/process-supervision';
import { describe, expect, it } from 'vitest';
import { awaitRun, type BoundarySetting, type DispatchContext, dispatchBatch } from '../../src/index.ts';
import { createFakeBackend, type FakeBackend } from '../support/fake-backend.ts';
import { handIn, makeScene, planFor, recordsOf, type Scene } from '../support/scene.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SAYS_PASS = '{"schemaVersion":"1.0","verification":{"verdict":"pass","summary":"all good"}}';

/** A scene on a machine that mounts no overlay, whose verifier does this in its copy of the tree. */
async function sceneOf(inCopy: (copy: string, job: SupervisedJob) => void): Promise<Scene & { backend: FakeBackend }> {
  const backend = createFakeBackend({
    work: async (job) => {
      inCopy(join(folderOf(job), LayerFolder.copy), job);
      await handIn(job);
      writeFileSync(join(job.dropBoxPath, 'result.json'), SAYS_PASS);
      return {};
    },
  });
  const boundary: BoundarySetting = {
    mode: 'required',
    test: async () => ({ kind: 'works', program: '/usr/bin/bwrap', precision: 'file', nests: true }),
    testLayer: async () => ({ kind: 'unavailable', reason: 'no overlay here' }),
    attemptsFolder: tempFolder(),
    userHome: '/home/ada',
    hidden: [],
  };
  const scene = await makeScene({ backend, context: { boundary } });
  execFileSync('git', ['init', '--quiet'], { cwd: scene.manifest.projectRoot });
  return { ...scene, backend };
}

function folderOf(job: SupervisedJob | undefined): string {
  const folder = job?.boundary?.layer?.folder;
  if (folder === undefined) throw new Error('there is no layer in this order');
  return folder;
}

async function verified(scene: Scene): Promise<DispatchRecord | undefined> {
  await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
  await awaitRun(scene.context);
  return (await recordsOf(scene)).get('verifier-1 1');
}

function attemptsOf({ boundary }: DispatchContext): readonly string[] {
  return readdirSync(boundary?.attemptsFolder ?? '');
}

describe('a copy of the tree for a worker that may change no source', () => {
  it('WP-8 holds what git does not ignore, as it is; ignored folders are bound into it', async () => {
    const seen: Record<string, unknown> = {};
    const scene = await sceneOf((copy) => {
      for (const name of ['src/cart.js', 'run.sh', 'link', 'empty', 'dist', '.git', 'caf\u00e9.txt']) {
        const stats = lstatSync(join(copy, name), { throwIfNoEntry: false });
        seen[name] = stats === undefined ? 'absent' : stats.isFile() ? [stats.mode & 0o777, stats.mtimeMs] : 'there';
      }
    });
    const at = (name: string): string => join(scene.manifest.projectRoot, name);
    writeFileSync(at('run.sh'), '#!/bin/sh\n');
    chmodSync(at('run.sh'), 0o755);
    utimesSync(at('run.sh'), 1_000, 1_000);
    utimesSync(at('src/cart.js'), 2_000, 2_000);
    symlinkSync('src/cart.js', at('link'));
    for (const folder of ['empty', 'dist']) mkdirSync(at(folder));
    writeFileSync(at('.gitignore'), 'dist/\n');
    writeFileSync(at('dist/built.js'), '');
    const odd = Buffer.concat([Buffer.from(`${at('odd')}-`), Buffer.from([0xff])]);
    writeFileSync(odd, 'bytes');
    await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
    const job = scene.backend.orders[0]?.jobs[0];
    expect(seen).toEqual({
      'src/cart.js': [0o644, 2_000_000],
      'run.sh': [0o755, 1_000_000],
      link: 'there',
      empty: 'there',
      dist: 'absent',
      '.git': 'absent',
      'caf\u00e9.txt': 'absent',
    });
    expect(readdirSync(join(folderOf(job), LayerFolder.copy), 'latin1')).toContain('odd-\xff');
    expect(job?.boundary).toMatchObject({ writable: [job?.dropBoxPath], layer: { means: { kind: 'copy' } } });
    expect(job?.boundary?.readOnly).toEqual(expect.arrayContaining([at('.git'), at('dist')]));
  });

  it('is thrown away when the attempt is settled, and the verdict stands where no source was altered in it', async () => {
    const scene = await sceneOf((copy) => {
      mkdirSync(join(copy, 'coverage'));
      writeFileSync(join(copy, 'coverage', 'index.html'), 'new');
      writeFileSync(join(copy, 'src', 'cart.test.js'), 'new');
    });
    const record = await verified(scene);
    expect(record).toMatchObject({ status: 'completed', reason: '', result: { verdict: 'pass' } });
    expect(record?.contract?.layer).toEqual({ altered: [], alteredCount: 0, problem: null });
    expect(attemptsOf(scene.context)).toEqual([]);
    expect(existsSync(join(scene.manifest.projectRoot, 'coverage'))).toBe(false);
  });

  it('ST-8 makes a verdict void that is of source altered in it, and leaves the tree as it was', async () => {
    const scene = await sceneOf((copy) => writeFileSync(join(copy, 'src', 'cart.js'), 'export const total = 2;\n'));
    const record = await verified(scene);
    expect(record).toMatchObject({
      status: 'completed',
      reason: expect.stringMatching(/"pass" is void.*src\/cart\.js/),
      contract: { layer: { altered: ['src/cart.js'], alteredCount: 1, problem: null } },
      result: { verdict: null },
    });
    expect(readFileSync(scene.sourcePath, 'utf8')).toBe('export const total = 1;\n');
    expect(attemptsOf(scene.context)).toEqual([]);
  });

  it('ST-8 says that it is not known what was altered, where the layer is gone', async () => {
    const scene = await sceneOf((_, job) => rmSync(folderOf(job), { recursive: true }));
    expect(await verified(scene)).toMatchObject({
      status: 'completed',
      reason: expect.stringContaining('not known'),
      contract: { layer: { alteredCount: 0, problem: expect.stringContaining('gone') } },
      result: { verdict: 'pass' },
    });
  });

  it('is not made for a worker that may change source', async () => {
    const scene = await sceneOf(() => undefined);
    const backend = createFakeBackend();
    const context = { ...scene.context, backends: new Map([[backend.kind, backend]]) };
    await dispatchBatch(context, await planFor({ ...scene, context }, ['implementer']));
    expect(backend.orders[0]?.jobs[0]?.boundary).not.toHaveProperty('layer');
    expect(attemptsOf(context)).toEqual([]);
  });
});
