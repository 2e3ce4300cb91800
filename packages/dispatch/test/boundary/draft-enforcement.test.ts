import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StatusSidecar, SupervisedJob } from '@bailiwick/dispatch-state';
import type { BoundaryTest, LayerTest } from '@bailiwick/process-supervision';
import { describe, expect, it } from 'vitest';
import { awaitRun, type BoundaryMode, type DispatchContext, dispatchBatch, dryRun } from '../../src/index.ts';
import { createFakeBackend, running } from '../support/fake-backend.ts';
import { makeScene, planFor, type Scene, type SceneOptions } from '../support/scene.ts';
import { tempFolder } from '../support/temp-folder.ts';

const WORKS: BoundaryTest = { kind: 'works', program: '/usr/bin/bwrap', precision: 'file', nests: false };
const OVERLAY: LayerTest = { kind: 'overlay', means: { kind: 'bubblewrap' } };
const NONE: BoundaryTest = { kind: 'unavailable', reason: 'no user namespaces' };

function boundary(test: BoundaryTest, mode: BoundaryMode = 'auto'): Partial<DispatchContext> {
  const places = { attemptsFolder: '/var/empty/attempts', userHome: '/home/ada', hidden: [] };
  return { boundary: { mode, test: () => Promise.resolve(test), testLayer: async () => OVERLAY, ...places } };
}

async function sceneWith(test: BoundaryTest, o: SceneOptions & { readonly mode?: BoundaryMode } = {}) {
  return makeScene({ ...o, context: { ...boundary(test, o.mode), ...o.context } });
}

const NO_OVERLAY: LayerTest = { kind: 'unavailable', reason: 'no overlay here' };

function withLayerTest(context: DispatchContext, testLayer: () => Promise<LayerTest>): DispatchContext {
  if (context.boundary === undefined) throw new Error('no boundary');
  return { ...context, boundary: { ...context.boundary, testLayer } };
}

function withoutOverlay(scene: Scene): Scene {
  return { ...scene, context: withLayerTest(scene.context, async () => NO_OVERLAY) };
}

/** For a copy, without taking the room. */
function makeTooLarge(projectRoot: string): void {
  writeFileSync(join(projectRoot, 'model.bin'), '');
  truncateSync(join(projectRoot, 'model.bin'), 600 * 1024 * 1024);
}

async function enforcementOf(scene: Awaited<ReturnType<typeof makeScene>>, label = 'implementer') {
  const { jobs } = await dryRun(scene.context, await planFor(scene, [label]));
  return jobs[0]?.writeEnforcement;
}

describe('what holds a worker', () => {
  it('WP-5 is bubblewrap where it passed its test, and what it can’t hold is named', async () => {
    expect(await enforcementOf(await sceneWith(WORKS))).toEqual({
      boundary: 'bubblewrap',
      boundaryPrecision: 'worktree',
      mutationAudit: 'call',
      scope: 'write-roots',
      keyIsolation: 'none',
      wider: [],
      unheld: ['absent-files', 'hard-links', 'unix-sockets'],
    });
  });

  it('WP-5 is the audit alone where there is none, with the reason', async () => {
    const seen = { boundary: 'none', boundaryPrecision: 'none', mutationAudit: 'batch' };
    expect(await enforcementOf(await sceneWith(NONE))).toMatchObject({ ...seen, boundaryReason: 'no user namespaces' });
    const off = await sceneWith(WORKS, { mode: 'off' });
    expect(await enforcementOf(off)).toMatchObject({ ...seen, boundaryReason: 'switched off' });
  });

  it('WP-5 is its program’s own sandbox where the program has one by default, unless another is started in its place', async () => {
    const plain = await sceneWith(NONE);
    expect(await enforcementOf(plain, 'verifier-1')).toMatchObject({ boundary: 'provider', mutationAudit: 'batch' });
    const replaced = await sceneWith(NONE, { context: { commands: { codex: ['my-codex'] } } });
    expect(await enforcementOf(replaced, 'verifier-1')).toMatchObject({ boundary: 'none' });
  });

  it('WP-5 is demanded: without it nothing is written', async () => {
    const scene = await sceneWith(NONE, { mode: 'required' });
    const plan = await planFor(scene, ['implementer']);
    await expect(dispatchBatch(scene.context, plan)).rejects.toMatchObject({ code: 'BOUNDARY_UNAVAILABLE' });
    expect(readdirSync(join(scene.context.layout.runDirectory, 'invocations'))).toEqual([]);
  });

  it('WP-8 opens the folder above scratch that isn’t there, and names it as wider, where there is no layer', async () => {
    const layered = await sceneWith(WORKS, { manifest: { ignored: 'listed', scratch: ['src/build'] } });
    expect(await enforcementOf(layered, 'verifier-1')).toMatchObject({ layer: 'overlay', wider: [] });
    const scene = withoutOverlay(layered);
    const { projectRoot } = scene.manifest;
    makeTooLarge(projectRoot);
    expect(await enforcementOf(scene, 'verifier-1')).toMatchObject({ wider: [join(projectRoot, 'src')] });
    mkdirSync(join(projectRoot, 'src', 'build'));
    expect(await enforcementOf(scene, 'verifier-1')).toMatchObject({ wider: [] });
  });

  it('is nothing but the audit where a path to lock is a link, and the reason names it', async () => {
    const scene = await sceneWith(WORKS);
    const { projectRoot } = scene.manifest;
    mkdirSync(join(projectRoot, 'elsewhere'));
    symlinkSync(join(projectRoot, 'elsewhere'), join(projectRoot, '.git'));
    expect(await enforcementOf(scene)).toMatchObject({
      boundary: 'none',
      boundaryReason: expect.stringContaining(join(projectRoot, '.git')),
    });
  });

  it('names what it has no mounts left for', async () => {
    const scene = await sceneWith(WORKS);
    for (let at = 0; at < 60; at += 1)
      mkdirSync(join(scene.manifest.projectRoot, `vendor-${at}`, '.git'), { recursive: true });
    const enforcement = await enforcementOf(scene);
    expect(enforcement?.unheld).toContain('too-many-mounts');
    expect(enforcement?.wider).toContain(join(scene.manifest.projectRoot, 'vendor-9', '.git'));
  });

  it('WP-3 opens for commits the own branch’s folder, HEAD and index, and closes the rest of git', async () => {
    const backend = createFakeBackend();
    const scene = await sceneWith(WORKS, { backend, manifest: { git: 'commit' } });
    const { projectRoot } = scene.manifest;
    execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: projectRoot });
    const context = { ...scene.context, gitCommonDirectory: join(projectRoot, '.git') };
    await dispatchBatch(context, await planFor({ ...scene, context }, ['implementer']));
    const order = backend.orders[0]?.jobs[0]?.boundary;
    const inGit = (name: string): string => join(projectRoot, '.git', name);
    expect(order?.writable).toEqual(
      expect.arrayContaining([projectRoot, join(projectRoot, '.git'), inGit('refs/heads')]),
    );
    expect(order?.readOnly).toEqual(expect.arrayContaining([inGit('config'), inGit('hooks'), inGit('refs')]));
  });
});

/** Its implementer is an agent whose own sandbox is on unless something switches it off, in a repository where it may commit. */
async function committingScene(test: BoundaryTest) {
  const backend = createFakeBackend();
  const scene = await sceneWith(test, { backend, manifest: { git: 'commit' } });
  const { projectRoot, roleExecutions } = scene.manifest;
  execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: projectRoot });
  mkdirSync(join(projectRoot, '.git', 'logs', 'refs', 'heads'), { recursive: true });
  const codex = roleExecutions.find(({ provider }) => provider === 'codex');
  if (codex === undefined) throw new Error('no codex');
  const { provider, modelRef, modelId, modelSpecDigest, binding } = codex;
  const manifest = {
    ...scene.manifest,
    roleExecutions: roleExecutions.map((row) =>
      row.role === 'implementer' ? { ...row, provider, modelRef, modelId, modelSpecDigest, binding } : row,
    ),
  };
  const context = { ...scene.context, manifest, gitCommonDirectory: join(projectRoot, '.git') };
  return { backend, scene: { ...scene, manifest, context } };
}

async function addedFolders(test: BoundaryTest): Promise<readonly string[]> {
  const { backend, scene } = await committingScene(test);
  await dispatchBatch(scene.context, await planFor(scene, ['implementer']));
  const { argv = [], dropBoxPath } = backend.orders[0]?.jobs[0] ?? {};
  const added = argv.filter((_, at) => argv[at - 1] === '--add-dir');
  expect(added[0]).toBe(dropBoxPath);
  return added.slice(1).map((path) => path.slice(scene.manifest.projectRoot.length + 1));
}

describe('an agent’s own sandbox, where a commit is allowed', () => {
  const inGit = ['.git', '.git/objects', '.git/refs/heads', '.git/logs/refs/heads'];

  it('WP-8 is told the folders that a commit needs, being no narrower than the audit', async () => {
    expect(await addedFolders(NONE)).toEqual(inGit);
    expect(await addedFolders({ ...WORKS, nests: true })).toEqual(inGit);
  });

  it('is told nothing of them where it is off', async () => {
    expect(await addedFolders(WORKS)).toEqual([]);
  });

  it('WP-8 has them listed as wider, where nothing else holds the agent', async () => {
    const { scene } = await committingScene(NONE);
    const { projectRoot } = scene.manifest;
    expect(await enforcementOf(scene)).toMatchObject({
      boundary: 'provider',
      wider: expect.arrayContaining([join(projectRoot, '.git')]),
    });
  });
});

describe('the throw-away layer of a worker that may change no source', () => {
  it('WP-8 is an overlay where one can be mounted: nothing of the worktree is open, and the audit is by call', async () => {
    const scene = await sceneWith(WORKS);
    expect(await enforcementOf(scene, 'verifier-1')).toEqual({
      boundary: 'bubblewrap',
      boundaryPrecision: 'worktree',
      mutationAudit: 'call',
      scope: 'write-roots',
      keyIsolation: 'none',
      wider: [],
      unheld: ['unix-sockets'],
      layer: 'overlay',
    });
  });

  it('WP-8 is a copy where there is no overlay, and neither where that would be too large: then the reason is on record', async () => {
    const scene = withoutOverlay(await sceneWith(WORKS));
    expect(await enforcementOf(scene, 'verifier-1')).toMatchObject({ layer: 'copy', wider: [] });
    makeTooLarge(scene.manifest.projectRoot);
    const { projectRoot } = scene.manifest;
    const open = await enforcementOf(scene, 'verifier-1');
    expect(open).toMatchObject({
      boundary: 'bubblewrap',
      wider: [projectRoot],
      layerReason: expect.stringContaining('too large'),
    });
    expect(open).not.toHaveProperty('layer');
  });

  it('WP-8 has scratch that is there before it as it is, and what no boundary can hold in that is named', async () => {
    const scene = await sceneWith(WORKS, { manifest: { scratch: ['reports', '**/*.log'] } });
    mkdirSync(join(scene.manifest.projectRoot, 'reports'));
    expect(await enforcementOf(scene, 'verifier-1')).toMatchObject({
      layer: 'overlay',
      wider: [],
      unheld: ['absent-files', 'hard-links', 'unix-sockets'],
    });
  });

  it('WP-5 is asked of the machine again, and without it nothing is started', async () => {
    const backend = createFakeBackend();
    const scene = await sceneWith(WORKS, { backend });
    const answers = [OVERLAY];
    const context = withLayerTest(scene.context, async () => answers.shift() ?? NO_OVERLAY);
    const plan = await planFor(scene, ['verifier-1']);
    await expect(dispatchBatch(context, plan)).rejects.toMatchObject({ code: 'BATCH_ABORTED' });
    expect(backend.orders).toEqual([]);
  });
});

describe('the boundary in an order', () => {
  it('WP-5 is asked of the machine again, and without it nothing is started', async () => {
    const backend = createFakeBackend();
    const scene = await sceneWith(WORKS, { backend });
    const plan = await planFor(scene, ['implementer']);
    const answers = [WORKS, NONE];
    const setting = scene.context.boundary;
    if (setting === undefined) throw new Error('no boundary');
    const test = (): Promise<BoundaryTest> => Promise.resolve(answers.shift() ?? NONE);
    const context = { ...scene.context, boundary: { ...setting, test } };
    await expect(dispatchBatch(context, plan)).rejects.toMatchObject({ code: 'BATCH_ABORTED' });
    expect(backend.orders).toEqual([]);
  });

  it('leaves no private folder of an attempt whose supervisor died', async () => {
    const attemptsFolder = tempFolder();
    const work = async (job: SupervisedJob): Promise<Partial<StatusSidecar>> => {
      mkdirSync(join(job.boundary?.privateFolder ?? attemptsFolder, 'home'), { recursive: true });
      return running(job);
    };
    const scene = await sceneWith(WORKS, { backend: createFakeBackend({ work }) });
    const setting = scene.context.boundary;
    if (setting === undefined) throw new Error('no boundary');
    const context = { ...scene.context, boundary: { ...setting, attemptsFolder } };
    await dispatchBatch(context, await planFor(scene, ['implementer']));
    expect(readdirSync(attemptsFolder)).toHaveLength(1);
    await awaitRun(context);
    expect(readdirSync(attemptsFolder)).toEqual([]);
  });

  it('has HOME private with the login bound, and an own sandbox left out that can’t start inside', async () => {
    const backend = createFakeBackend();
    const context = { agentEnvironment: { CODEX_HOME: '/srv/codex', PATH: '/usr/bin' } };
    const scene = await sceneWith(WORKS, { backend, context });
    rmSync(join(scene.manifest.projectRoot, '.git'), { force: true, recursive: true });
    writeFileSync(join(scene.manifest.projectRoot, 'x.js'), '');
    await dispatchBatch(scene.context, await planFor(scene, ['verifier-1']));
    const job = backend.orders[0]?.jobs[0];
    expect(job?.boundary?.privateHome).toEqual({
      userHome: '/home/ada',
      logins: [{ source: '/srv/codex/auth.json', below: '.codex/auth.json' }],
    });
    expect(job?.env).not.toHaveProperty('CODEX_HOME');
    expect(job?.argv.join(' ')).not.toContain('workspace-write');
    expect(job?.boundary?.privateFolder).toMatch(/^\/var\/empty\/attempts\/[0-9a-f]{16}$/);
  });
});
