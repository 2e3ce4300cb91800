import { linkSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { fakeAgentCommand } from '@bailiwick/agent-fakes';
import { testBoundary } from '@bailiwick/process-supervision';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, makeTempProject, runCli, runCliJson, type TempProject } from '../src/index.ts';
import type { RunDocument } from './support.ts';

const tested = await testBoundary({ path: process.env['PATH'] ?? '' });

interface StoredRecord {
  readonly role: string;
  readonly status: string;
  readonly endProof: string;
  readonly writeEnforcement: Readonly<Record<string, unknown>>;
  readonly contract: { readonly audit: Audit };
}

interface Audit {
  readonly status: string;
  readonly attribution: string;
  readonly scope: string;
  readonly aliased: readonly string[];
  readonly violations: readonly { readonly code: string; readonly path: string }[];
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
  let project: TempProject;
  let daemon: Server;
  let records: readonly StoredRecord[];
  let configBefore: string;
  const recordOf = (role: string): StoredRecord | undefined => records.find((record) => record.role === role);
  const base = (): string => join(project.root, '..');

  beforeAll(async () => {
    project = await makeTempProject({ content: 'tiny', agents: { implementer: { as: 'commit' } }, config: BOUNDED });
    await prepareTree(project);
    configBefore = await readFile(join(project.root, '.git', 'config'), 'utf8');
    daemon = createServer((socket) => {
      writeFileSync(join(project.root, 'by-daemon.txt'), 'broken');
      socket.end();
    });
    await new Promise<void>((resolve) => daemon.listen(join(base(), 'daemon.sock'), resolve));
    const { document } = await runCliJson<RunDocument>(project, ['run', 'start', '../TASK.md']);
    records = await recordsOf(document);
  }, 240_000);
  afterAll(async () => {
    daemon.close();
    await project.remove();
  });

  it('WP-3 gives an implementer that may commit what a commit needs, and says what that opens', async () => {
    const { writeEnforcement, ...record } = recordOf('implementer') ?? {};
    expect(record).toMatchObject({ status: 'completed', endProof: 'namespace', contract: { audit: { status: 'ok' } } });
    expect(writeEnforcement).toMatchObject({
      boundary: 'bubblewrap',
      mutationAudit: 'batch',
      wider: expect.arrayContaining([join(project.root, '.git')]),
      unheld: expect.arrayContaining(['git-commit']),
    });
    expect((await git(project.root, 'log', '--oneline')).split('\n')).toHaveLength(2);
  });

  it('WP-5 MA-10 names a confined verifier as the author of what it changed, audited by call', () => {
    const { writeEnforcement, ...record } = recordOf('verifier') ?? {};
    expect(writeEnforcement).toMatchObject({ boundary: 'bubblewrap', mutationAudit: 'call', scope: 'write-roots' });
    expect(record).toMatchObject({
      status: 'error',
      endProof: 'namespace',
      contract: { audit: { status: 'contract-breached', scope: 'write-roots' } },
    });
    expect(pathsOf(recordOf('verifier'))).toContain('src/one.js');
  });

  it('B15 B18 B37 sees what no boundary holds, and the record names it', () => {
    const verifier = recordOf('verifier');
    expect(pathsOf(verifier)).toEqual(expect.arrayContaining(['.env', 'linked.js', 'by-daemon.txt']));
    expect(verifier?.contract.audit.aliased).toContain('linked.js');
    expect(verifier?.writeEnforcement['unheld']).toEqual(['absent-files', 'hard-links', 'unix-sockets']);
  });

  it('B10 B22 holds back what it can', async () => {
    expect(await readFile(join(project.root, '.git', 'config'), 'utf8')).toBe(configBefore);
    expect(await readdir(base())).not.toContain('outside.txt');
    expect(pathsOf(recordOf('verifier'))).not.toContain('.git/config');
  });

  it('leaves no private folder behind', async () => {
    const attempts = join(base(), 'state', 'bailiwick', 'attempts');
    expect(await readdir(attempts).catch(() => [])).toEqual([]);
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

const BOUNDED = { boundary: 'required', git: 'commit' };

/** A hard link to outside, an ignored name that is protected, and a verifier that does harm first. */
async function prepareTree(project: TempProject): Promise<void> {
  const { root } = project;
  const base = join(root, '..');
  const configPath = join(root, '.bailiwick', 'config.json');
  const config = JSON.parse(await readFile(configPath, 'utf8'));
  const command = ['sh', '-c', HOSTILE, 'sh', join(base, 'daemon.sock'), base, ...fakeAgentCommand({ speak: 'codex' })];
  await writeFile(configPath, JSON.stringify({ ...config, agents: { ...config.agents, codex: { command } } }));
  await writeFile(join(base, 'other-name.js'), 'export {};\n');
  linkSync(join(base, 'other-name.js'), join(root, 'linked.js'));
  await writeFile(join(root, '.gitignore'), '.env\n');
  await git(root, 'add', '--all');
  await git(root, 'commit', '--quiet', '--amend', '--no-edit');
}

function pathsOf(record: StoredRecord | undefined): readonly string[] {
  return (record?.contract.audit.violations ?? []).map(({ path }) => path);
}

async function recordsOf({ runDirectory }: RunDocument): Promise<readonly StoredRecord[]> {
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
