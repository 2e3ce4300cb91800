import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { testBoundary } from '@bailiwick/process-supervision';
import { describe, expect, it } from 'vitest';
import { examine, type ProjectConfig } from '../../src/index.ts';
import { CONFIG } from '../support/sample-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PATH = process.env['PATH'] ?? '';
const tested = await testBoundary({ path: PATH });
const AUTHOR = '[user]\n\tname = Ada\n\temail = ada@example.org\n';
/** Tells its version, and runs what comes after `--` as its `sandbox`. */
const RUNS = '[ "$1" = sandbox ] || { echo codex-cli 0.171.0; exit; }; until [ "$1" = -- ]; do shift; done; shift';

interface Machine {
  readonly programs: Readonly<Record<string, string>>;
  readonly config?: Partial<ProjectConfig>;
  readonly gitConfig?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** The findings on commits, of a machine with these programs, which finds nothing changed afterwards. */
async function commits({ programs, config, gitConfig = AUTHOR, environment = {} }: Machine) {
  const base = tempFolder();
  const [bin, userHome, attemptsFolder] = ['bin', 'home', 'attempts'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [bin, userHome]) mkdirSync(folder);
  writeFileSync(join(userHome, '.gitconfig'), gitConfig);
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const { agents = {}, ...rest } = { ...CONFIG, ...config };
  const findings = await examine({
    project: null,
    projectError: 'none',
    config: { config: { ...rest, agents } },
    commands: Object.fromEntries(
      Object.entries(agents).flatMap(([id, { command }]) => (command === undefined ? [] : [[id, command]])),
    ),
    path: [bin, PATH].join(delimiter),
    nodeVersion: '24.15.0',
    platform: 'linux',
    attemptsFolder,
    environment: { ...environment, PATH },
    userHome,
  });
  expect(existsSync(attemptsFolder) ? readdirSync(attemptsFolder) : []).toEqual([]);
  const rows = findings.filter(({ check }) => check.startsWith('commit '));
  return Object.fromEntries(
    rows.map(({ check, level, message }) => [check.slice('commit '.length), `${level}: ${message}`]),
  );
}

describe('the doctor, without a boundary', () => {
  const config = { boundary: 'off' } as const;

  it('has an agent’s own sandbox make a commit in a linked worktree, told what a commit needs', async () => {
    const told = `case "$*" in *writable_roots=*/worktrees/*/objects*/refs/heads*) ;; *) exit 9;; esac; ${RUNS}; exec "$@"`;
    const found = await commits({ config, programs: { codex: `[ "$1" = sandbox ] || exec echo 1; ${told}` } });
    expect(found['codex']).toBe('ok: works in a linked worktree, in its own sandbox');
  });

  it('says why where that sandbox refuses it', async () => {
    const refused = `${RUNS}; echo 'index.lock: Read-only file system' >&2; exit 128`;
    const found = await commits({ config, programs: { codex: refused } });
    expect(found['codex']).toBe(
      'warn: fails in a linked worktree, in its own sandbox: index.lock: Read-only file system',
    );
  });

  it('believes no exit code: the commit must be there', async () => {
    const found = await commits({ config, programs: { codex: `${RUNS}; exit 0` } });
    expect(found['codex']).toContain('git said that it had committed, and nothing is there');
  });

  it('says of others that no sandbox of theirs is tried, and commits as they would', async () => {
    const found = await commits({ config, programs: { claude: 'echo 1', pi: 'echo 1' } });
    expect(found['claude']).toBe(
      'ok: works in a linked worktree, where no boundary holds it; its own sandbox is off for workers',
    );
    expect(found['pi']).toBe(
      'ok: works in a linked worktree, where no boundary holds it; it has no sandbox of its own',
    );
  });

  it('names a missing author of commits', async () => {
    const found = await commits({ config, programs: { pi: 'echo 1' }, gitConfig: '[user]\n\tuseConfigOnly = true\n' });
    expect(found['pi']).toMatch(/^warn: fails in a linked worktree, .*(?:email|name)/);
  });

  it('is led to no other repository by the environment', async () => {
    const elsewhere = join(tempFolder(), 'elsewhere');
    mkdirSync(elsewhere);
    const environment = { GIT_DIR: elsewhere, GIT_WORK_TREE: elsewhere, GIT_INDEX_FILE: join(elsewhere, 'index') };
    const found = await commits({ config, environment, programs: { pi: 'echo 1' } });
    expect(found['pi']).toMatch(/^ok: /);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('knows nothing of what a command of the user’s confines', async () => {
    const agents = { codex: { command: ['my-codex'] } };
    const found = await commits({ config: { ...config, agents }, programs: { 'my-codex': 'exit 1' } });
    expect(found['codex']).toMatch(/^ok: .*; what a command of yours confines isn’t known$/);
  });

  it('tries no commit with an agent that doesn’t start', async () => {
    expect(await commits({ config, programs: { codex: 'exit 1' } })).toEqual({});
  });
});

describe.skipIf(tested.kind !== 'works')('the doctor, under bubblewrap', () => {
  const nests = tested.kind === 'works' && tested.nests;

  it('commits in the boundary that an implementer would have, and says that there is no sandbox of the agent’s', async () => {
    const found = await commits({ programs: { pi: 'echo 1', claude: 'echo 1' } });
    expect(found).toEqual({
      claude: 'ok: works in a linked worktree, in the boundary; its own sandbox is off for workers',
      pi: 'ok: works in a linked worktree, in the boundary; it has no sandbox of its own',
    });
  });

  it('commits in the agent’s own sandbox inside, or says that it can’t start there', async () => {
    const found = await commits({ programs: { codex: `${RUNS}; exec "$@"` } });
    expect(found['codex']).toBe(
      nests
        ? 'ok: works in a linked worktree, in its own sandbox inside the boundary'
        : 'ok: works in a linked worktree, in the boundary; its own sandbox can’t start there, and is off',
    );
  });
});
