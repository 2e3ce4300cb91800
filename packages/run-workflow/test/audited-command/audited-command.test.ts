import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readProcessIdentity, testBoundary } from '@bailiwick/process-supervision';
import { programPath } from '@bailiwick/tooling/program-path';
import { encodePolicy } from '@bailiwick/write-policy';
import { execa } from 'execa';
import { describe, expect, it, vi } from 'vitest';
import { auditCommand, type CommandPermission, findProject } from '../../src/index.ts';
import { gitRepository } from '../support/git-repository.ts';
import { tempFolder } from '../support/temp-folder.ts';

const FILES = { 'src/a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': 'dist/\n' };
const tested = await testBoundary({ path: process.env['PATH'] ?? '' });
const AUDIT_PROGRAM = programPath('audit-program');
const PATIENCE = { timeout: 25_000, interval: 50 };
const ALLOW_SRC: CommandPermission = { kind: 'allow', patterns: ['src/**'] };

async function audited(root: string, script: string, permission = ALLOW_SRC, signal?: AbortSignal) {
  const environment = { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
  const project = await findProject({ cwd: root, userStateFolder: '/user-state' });
  return auditCommand({
    ...{ project, permission, environment, cwd: root, argv: ['sh', '-c', script], stdout: 'stderr', graceMs: 200 },
    ...(signal === undefined ? {} : { signal }),
  });
}

describe('a command under a write policy', () => {
  it('is clean where it writes what it may, and what git ignores is counted apart', async () => {
    const { end, audit } = await audited(
      await gitRepository(FILES),
      'echo x >> src/a.txt; mkdir dist; echo 1 > dist/x',
    );
    expect([end.exitCode, audit.status, audit.violations]).toEqual([0, 'ok', []]);
    expect(audit.changedPaths.map((change) => change.path)).toEqual(['src/a.txt']);
    expect(audit.uncharged).toMatchObject([{ area: 'ignored', count: 2 }]);
  });

  it('is charged with what it may not, git included, and its own failure is told apart', async () => {
    const { end, audit } = await audited(
      await gitRepository(FILES),
      "echo x >> b.txt; git config alias.x '!echo'; exit 3",
    );
    expect(end).toMatchObject({ exitCode: 3, signal: null, isInterrupted: false });
    expect(audit.violations.map(({ code, path }) => [code, path])).toEqual([
      ['out-of-plan', 'b.txt'],
      ['git-state', '.git/config'],
    ]);
  });

  it('ends what outlives it before it compares, even in a session of its own', async () => {
    const root = await gitRepository(FILES);
    const late =
      '(setsid sh -c \'trap "" TERM; echo up > src/up; while :; do sleep 0.05; done\' &) ; until [ -e src/up ]; do :; done';
    const { end } = await audited(root, late);
    expect(end.isGone).toBe(true);
    expect(end.outlived).toBeGreaterThan(0);
  }, 30_000);

  it('ends nothing of its caller’s session but what it started, though the shell that founded the session has gone', async () => {
    const root = await gitRepository(FILES);
    const folder = tempFolder();
    const audit = [process.execPath, AUDIT_PROGRAM, root, 'sleep 300 &'];
    const founder = `sleep 300 & echo $! > "$0/bystander"; ("$@" > "$0/audit" 2> "$0/problem"; mv "$0/audit" "$0/audited") &`;
    await execa('sh', ['-c', founder, folder, ...audit], { stdio: 'ignore', detached: true });
    const { end } = JSON.parse(await vi.waitFor(() => readFile(join(folder, 'audited'), 'utf8'), PATIENCE));
    const bystander = Number(await readFile(join(folder, 'bystander'), 'utf8'));
    const isAlive = readProcessIdentity(bystander) !== undefined;
    if (isAlive) process.kill(bystander);
    expect(isAlive).toBe(true);
    expect(end).toMatchObject({ exitCode: 0, outlived: 1, isGone: true });
  }, 30_000);

  it('may write nothing where nothing is allowed', async () => {
    const { audit } = await audited(await gitRepository(FILES), 'echo x > new', { kind: 'allow', patterns: [] });
    expect(audit.violations).toMatchObject([
      { path: 'new', message: expect.stringMatching(/sh may write nothing\. .*then run it anew\.$/) },
    ]);
  });

  it('is ended when it is interrupted, and audited all the same', async () => {
    const interrupt = new AbortController();
    const root = await gitRepository(FILES);
    setImmediate(() => interrupt.abort());
    const { end, audit } = await audited(root, 'sleep 600', ALLOW_SRC, interrupt.signal);
    expect(end).toMatchObject({ isInterrupted: true, isGone: true });
    expect(audit.violations).toEqual([]);
  });

  it.skipIf(tested.kind !== 'works')(
    'has an audit that can’t be verified where nobody can look for what it left (under bubblewrap, without processes to see)',
    async () => {
      const root = await gitRepository(FILES);
      const node = [process.execPath, AUDIT_PROGRAM, root];
      const program = tested.kind === 'works' ? tested.program : '';
      const { stdout } = await execa(program, ['--dev-bind', '/', '/', '--tmpfs', '/proc', ...node]);
      const { end, audit } = JSON.parse(stdout);
      expect(end).toMatchObject({ exitCode: 0, isGone: false, problem: expect.stringContaining("can't be listed") });
      expect(audit).toMatchObject({
        status: 'unverifiable',
        violations: [{ code: 'unverifiable', message: end.problem }],
      });
      expect(await readFile(join(root, 'new'), 'utf8')).toBe('x\n');
    },
  );

  it('is judged by a stored policy, and by none that is broken or of another project', async () => {
    const root = await gitRepository(FILES);
    const path = join(tempFolder(), 'policy.json');
    const { contract } = await audited(root, 'true');
    await writeFile(path, JSON.stringify(encodePolicy(contract.policy)));
    const again = await audited(root, 'echo x >> b.txt', { kind: 'policy-file', path });
    expect(again.contract.digest).toBe(contract.digest);
    expect(again.audit.violations).toMatchObject([{ code: 'out-of-plan', path: 'b.txt' }]);
    const elsewhere = await gitRepository(FILES);
    await expect(audited(elsewhere, 'true', { kind: 'policy-file', path })).rejects.toMatchObject({
      code: 'POLICY_FILE_INVALID',
    });
    await writeFile(path, '{"role":');
    await expect(audited(root, 'true', { kind: 'policy-file', path })).rejects.toMatchObject({
      code: 'POLICY_FILE_INVALID',
    });
    expect(await readFile(join(root, 'src/a.txt'), 'utf8')).toBe('a\n');
  });

  it('that can’t be started is refused by code', async () => {
    const root = await gitRepository(FILES);
    const project = await findProject({ cwd: root, userStateFolder: '/user-state' });
    const request = { project, permission: ALLOW_SRC, environment: {}, cwd: root, stdout: 'stderr' } as const;
    await expect(auditCommand({ ...request, argv: ['/no/such/program'] })).rejects.toMatchObject({
      code: 'COMMAND_NOT_STARTED',
    });
  });
});
