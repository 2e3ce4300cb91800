import { linkSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fakeAgentCommand } from '@bailiwick/agent-fakes';
import { testBoundary } from '@bailiwick/process-supervision';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findFencedProcesses,
  findSupervisors,
  git,
  makeTempProject,
  runCli,
  runCliJson,
  startCli,
  type TempProject,
  waitUntil,
} from '../src/index.ts';
import { type RunDocument, SMALL_TEAM } from './support.ts';

const tested = await testBoundary({ path: process.env['PATH'] ?? '' });

interface StoredRecord {
  readonly role: string;
  readonly status: string;
  readonly endProof: string;
  readonly writeEnforcement: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly contract: { readonly audit: Audit; readonly layer?: unknown };
  readonly result: { readonly verdict: string | null };
}

interface Audit {
  readonly status: string;
  readonly attribution: string;
  readonly scope: string;
  readonly aliased: readonly string[];
  readonly violations: readonly { readonly code: string; readonly path: string }[];
  readonly external: readonly { readonly path: string; readonly reason: string }[];
}

/** Does what a boundary can't hold, and tries what it can, before it works like the others. */
const HOSTILE = [
  'echo KEY=1 > .env',
  'echo broken >> linked.js',
  'echo broken >> src/one.js',
  'node -e \'require("net").connect(process.argv[1]).end("write").resume()\' "$1"',
  'echo "[alias] ship = push" >> .git/config',
  'echo broken > "$2/outside.txt"',
  'shift 2',
  'exec "$@"',
].join('; ');

describe.skipIf(tested.kind !== 'works')('a run under bubblewrap', () => {
  let scene: HostileScene;
  let configBefore: string;
  const recordOf = (role: string): StoredRecord | undefined => scene.records.find((record) => record.role === role);
  const root = (): string => scene.project.root;

  beforeAll(async () => {
    const config = { boundary: 'required', git: 'commit' };
    const project = await makeTempProject({ content: 'tiny', agents: { implementer: { as: 'commit' } }, config });
    await prepareTree(project, { codex: hostileCommand(project, 'codex') });
    configBefore = await readFile(join(project.root, '.git', 'config'), 'utf8');
    scene = await runHostile(project);
  }, 240_000);
  afterAll(() => scene.remove());

  it('WP-3 gives an implementer that may commit what a commit needs, and says what that opens', async () => {
    const { writeEnforcement, ...record } = recordOf('implementer') ?? {};
    expect(record).toMatchObject({ status: 'completed', endProof: 'namespace', contract: { audit: { status: 'ok' } } });
    expect(writeEnforcement).toMatchObject({
      boundary: 'bubblewrap',
      mutationAudit: 'batch',
      wider: expect.arrayContaining([join(root(), '.git')]),
      unheld: expect.arrayContaining(['git-commit']),
    });
    expect((await git(root(), 'log', '--oneline')).split('\n')).toHaveLength(2);
  });

  it('WP-8 a verifier writes in a throw-away layer, whatever it writes, and its tree is what it was', async () => {
    const { writeEnforcement, ...record } = recordOf('verifier') ?? {};
    expect(writeEnforcement).toMatchObject({
      boundary: 'bubblewrap',
      mutationAudit: 'call',
      scope: 'write-roots',
      wider: [],
      unheld: ['unix-sockets'],
      layer: expect.stringMatching(/^(?:overlay|copy)$/),
    });
    expect(record).toMatchObject({ status: 'completed', endProof: 'namespace', contract: { audit: { status: 'ok' } } });
    expect(pathsOf(recordOf('verifier'))).toEqual([]);
    for (const file of ['linked.js', 'src/one.js', '../other-name.js'])
      expect(await readFile(join(root(), file), 'utf8')).not.toContain('broken');
    expect(await readdir(root())).not.toContain('.env');
  });

  it('ST-8 the verdict of a verifier that altered source in its layer is void, and the run is not verified', () => {
    expect(recordOf('verifier')).toMatchObject({
      reason: expect.stringContaining('is void'),
      contract: { layer: { altered: ['linked.js', 'src/one.js'], alteredCount: 2, problem: null } },
      result: { verdict: null },
    });
    expect(scene.document.state).toBe('rejected');
  });

  it('B37 MA-14 what a daemon wrote for a verifier is seen as nobody confined’s, and the record names the way', () => {
    const { audit } = recordOf('verifier')?.contract ?? {};
    expect(audit?.external).toContainEqual(
      expect.objectContaining({ path: 'by-daemon.txt', reason: 'no-worker-could' }),
    );
  });

  it('B10 B22 holds back what it can', async () => {
    expect(await readFile(join(root(), '.git', 'config'), 'utf8')).toBe(configBefore);
    expect(await readdir(join(root(), '..'))).not.toContain('outside.txt');
  });

  it('leaves no private folder and no layer behind', async () => {
    const attempts = join(root(), '..', 'state', 'bailiwick', 'attempts');
    expect(await readdir(attempts).catch(() => [])).toEqual([]);
  });
});

describe.skipIf(tested.kind !== 'works')('an implementer under bubblewrap that leaves its plan', () => {
  let scene: HostileScene;

  beforeAll(async () => {
    const project = await makeTempProject({ content: 'tiny', config: { boundary: 'required', team: SMALL_TEAM } });
    await writeFile(join(project.root, '..', 'TASK.md'), '# Write notes\n\n**Paths:** notes/**\n');
    await prepareTree(project, { claude: hostileCommand(project, 'claude') });
    scene = await runHostile(project);
  }, 240_000);
  afterAll(() => scene.remove());

  it('WP-5 MA-10 is named as the author of what it changed, audited by call', () => {
    const [{ writeEnforcement, ...record } = {}] = scene.records;
    expect(writeEnforcement).toMatchObject({ boundary: 'bubblewrap', mutationAudit: 'call', scope: 'write-roots' });
    expect(record).toMatchObject({
      status: 'error',
      endProof: 'namespace',
      contract: { audit: { status: 'contract-breached', scope: 'write-roots' } },
    });
    expect(pathsOf(scene.records[0])).toContain('src/one.js');
  });

  it('B15 B18 B37 sees what no boundary holds, and the record names it', () => {
    const [record] = scene.records;
    expect(pathsOf(record)).toEqual(expect.arrayContaining(['.env', 'linked.js', 'by-daemon.txt']));
    expect(record?.contract.audit.aliased).toContain('linked.js');
    expect(record?.writeEnforcement['unheld']).toEqual(['absent-files', 'hard-links', 'unix-sockets']);
  });
});

describe.skipIf(tested.kind !== 'works')('a run whose supervisor is killed under bubblewrap', () => {
  it('AW-4 settles the attempt as lost, and the end of all that it started is proven', async () => {
    const project = await makeTempProject({
      content: 'tiny',
      agents: { implementer: { as: 'hang' } },
      config: { boundary: 'required', team: SMALL_TEAM },
    });
    try {
      const { document } = await runCliJson<{ runId: string; runDirectory: string }>(project, [
        'run',
        'create',
        '../TASK.md',
      ]);
      const command = startCli(project, ['team', 'dispatch', '--workers', 'implementer']);
      const sidecars = join(document.runDirectory, 'sidecars');
      await waitUntil('the agent is in its namespace', async () => {
        const note = (await readdir(sidecars).catch(() => [])).find((name) => name.endsWith('.namespace'));
        return note !== undefined && (await readFile(join(sidecars, note), 'utf8')).includes('}');
      });
      for (const { pid } of await findSupervisors(project.root)) process.kill(pid, 'SIGKILL');
      command.kill('SIGKILL');
      await command;
      expect((await runCli(project, ['team', 'await'])).exitCode).toBe(1);
      const [record] = await recordsOf(document);
      expect(record).toMatchObject({ status: 'error', endProof: 'namespace', reason: expect.stringMatching(/^lost/) });
      expect((await readdir(sidecars)).filter((name) => name.endsWith('.namespace'))).toEqual([]);
      expect(await findFencedProcesses(document.runId)).toEqual([]);
    } finally {
      await project.remove();
    }
  });
});

describe('where no boundary can be had', () => {
  it('WP-5 nothing is dispatched if the config demands one, and the reason is told', async () => {
    const project = await makeTempProject({ content: 'tiny', config: { boundary: 'required' } });
    try {
      const path = join(project.root, '..', 'bin');
      await mkdir(path);
      for (const name of ['git', 'node', 'sh'])
        await writeFile(join(path, name), `#!/bin/sh\nexec ${await which(name)} "$@"\n`, { mode: 0o755 });
      const without = { ...project, environment: { ...project.environment, PATH: path } };
      const { exitCode, stdout } = await runCli(without, ['run', 'start', '../TASK.md', '--json']);
      expect(exitCode).toBe(2);
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'BOUNDARY_UNAVAILABLE' } });
    } finally {
      await project.remove();
    }
  });
});

interface HostileScene {
  readonly project: TempProject;
  readonly document: RunDocument;
  readonly records: readonly StoredRecord[];
  remove(): Promise<void>;
}

/** A run beside a daemon that writes in the tree for whoever asks. */
async function runHostile(project: TempProject): Promise<HostileScene> {
  const daemon = createServer((socket) => {
    writeFileSync(join(project.root, 'by-daemon.txt'), 'broken');
    socket.end();
  });
  await new Promise<void>((resolve) => daemon.listen(join(project.root, '..', 'daemon.sock'), resolve));
  const remove = async (): Promise<void> => {
    daemon.close();
    await project.remove();
  };
  const { document } = await runCliJson<RunDocument>(project, ['run', 'start', '../TASK.md']);
  return { project, document, records: await recordsOf(document), remove };
}

function hostileCommand({ root }: TempProject, speak: 'claude' | 'codex'): readonly string[] {
  const base = join(root, '..');
  return ['sh', '-c', HOSTILE, 'sh', join(base, 'daemon.sock'), base, ...fakeAgentCommand({ speak })];
}

/** A hard link to outside, an ignored name that is protected, and an agent that does harm first. */
async function prepareTree({ root }: TempProject, hostile: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const configPath = join(root, '.bailiwick', 'config.json');
  const config = JSON.parse(await readFile(configPath, 'utf8'));
  const agents = Object.entries(hostile).map(([id, command]) => [id, { command }]);
  await writeFile(
    configPath,
    JSON.stringify({ ...config, agents: { ...config.agents, ...Object.fromEntries(agents) } }),
  );
  await writeFile(join(root, '..', 'other-name.js'), 'export {};\n');
  linkSync(join(root, '..', 'other-name.js'), join(root, 'linked.js'));
  await writeFile(join(root, '.gitignore'), '.env\n');
  await git(root, 'add', '--all');
  await git(root, 'commit', '--quiet', '--amend', '--no-edit');
}

function pathsOf(record: StoredRecord | undefined): readonly string[] {
  return (record?.contract.audit.violations ?? []).map(({ path }) => path);
}

async function recordsOf({ runDirectory }: Pick<RunDocument, 'runDirectory'>): Promise<readonly StoredRecord[]> {
  const folder = join(runDirectory, 'dispatches');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))));
}

async function which(name: string): Promise<string> {
  if (name === 'node') return process.execPath;
  for (const folder of (process.env['PATH'] ?? '').split(':')) {
    const names: readonly string[] = await readdir(folder).catch(() => []);
    if (names.includes(name)) return join(folder, name);
  }
  return name;
}
