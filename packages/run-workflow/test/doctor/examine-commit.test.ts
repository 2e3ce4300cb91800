import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { testBoundary } from '@bailiwick/process-supervision';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examine, type ProjectConfig } from '../../src/index.ts';
import { CONFIG } from '../support/sample-run.ts';

const PATH = process.env['PATH'] ?? '';
const top = realpathSync(mkdtempSync(join(tmpdir(), 'bailiwick-commit-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));
/** The same for every machine, so that the boundary, which is known by PATH, is tested once. */
const bin = join(top, 'bin');
const path = [bin, PATH].join(delimiter);
const tested = await testBoundary({ path });
const AUTHOR = '[user]\n\tname = Ada\n\temail = ada@example.org\n';
/** Tells its version, and runs what comes after `--` as its `sandbox`. */
const RUNS = '[ "$1" = sandbox ] || { echo codex-cli 0.171.0; exit; }; until [ "$1" = -- ]; do shift; done; shift';

interface Machine {
  readonly programs: Readonly<Record<string, string>>;
  readonly config?: Partial<ProjectConfig>;
  readonly gitConfig?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

type Found = Readonly<Record<string, string>>;

/** The findings on commits, of a machine with these programs, which finds nothing changed afterwards. */
async function commits({ programs, config, gitConfig = AUTHOR, environment = {} }: Machine): Promise<Found> {
  const [userHome, attemptsFolder] = [join(top, 'home'), join(top, 'attempts')];
  for (const folder of [bin, userHome, attemptsFolder]) rmSync(folder, { recursive: true, force: true });
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
    path,
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

const WITHOUT = { boundary: 'off' } as const;

describe('the doctor, without a boundary, on a machine with agents of every kind', () => {
  const elsewhere = join(top, 'elsewhere');
  let found: Found;
  beforeAll(async () => {
    mkdirSync(elsewhere);
    const environment = { GIT_DIR: elsewhere, GIT_WORK_TREE: elsewhere, GIT_INDEX_FILE: join(elsewhere, 'index') };
    const told = `case "$*" in *writable_roots=*/worktrees/*/objects*/refs/heads*) ;; *) exit 9;; esac; ${RUNS}; exec "$@"`;
    const codex = `[ "$1" = sandbox ] || exec echo 1; ${told}`;
    found = await commits({ config: WITHOUT, environment, programs: { codex, claude: 'echo 1', pi: 'echo 1' } });
  });

  it('has an agent’s own sandbox make a commit in a linked worktree, told what a commit needs', () => {
    expect(found['codex']).toBe('ok: works in a linked worktree, in its own sandbox');
  });

  it('says of others that no sandbox of theirs is tried, and commits as they would', () => {
    expect(found['claude']).toBe(
      'ok: works in a linked worktree, where no boundary holds it; its own sandbox is off for workers',
    );
    expect(found['pi']).toBe(
      'ok: works in a linked worktree, where no boundary holds it; it has no sandbox of its own',
    );
  });

  it('is led to no other repository by the environment', () => {
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe('the doctor, without a boundary, on a machine whose git knows no author', () => {
  let found: Found;
  beforeAll(async () => {
    const gitConfig = '[user]\n\tuseConfigOnly = true\n';
    found = await commits({ config: WITHOUT, gitConfig, programs: { codex: `${RUNS}; exit 0`, pi: 'echo 1' } });
  });

  it('names a missing author of commits', () => {
    expect(found['pi']).toMatch(/^warn: fails in a linked worktree, .*(?:email|name)/);
  });

  it('believes no exit code: the commit must be there', () => {
    expect(found['codex']).toContain('git said that it had committed, and nothing is there');
  });
});

describe('the doctor, without a boundary', () => {
  it('says why where an agent’s own sandbox refuses a commit', async () => {
    const refused = `${RUNS}; echo 'index.lock: Read-only file system' >&2; exit 128`;
    const found = await commits({ config: WITHOUT, programs: { codex: refused } });
    expect(found['codex']).toBe(
      'warn: fails in a linked worktree, in its own sandbox: index.lock: Read-only file system',
    );
  });

  it('knows nothing of what a command of the user’s confines, and tries no commit with an agent that doesn’t start', async () => {
    const agents = { codex: { command: ['my-codex'] } };
    const programs = { 'my-codex': 'exit 1', pi: 'exit 1' };
    expect(await commits({ config: { ...WITHOUT, agents }, programs })).toEqual({
      codex: expect.stringMatching(/^ok: .*; what a command of yours confines isn’t known$/),
    });
  });
});

describe.skipIf(tested.kind !== 'works')('the doctor, under bubblewrap', () => {
  const nests = tested.kind === 'works' && tested.nests;
  let found: Found;
  beforeAll(async () => {
    found = await commits({ programs: { pi: 'echo 1', claude: 'echo 1', codex: `${RUNS}; exec "$@"` } });
  });

  it('commits in the boundary that an implementer would have, and says that there is no sandbox of the agent’s', () => {
    const { codex: _, ...others } = found;
    expect(others).toEqual({
      claude: 'ok: works in a linked worktree, in the boundary; its own sandbox is off for workers',
      pi: 'ok: works in a linked worktree, in the boundary; it has no sandbox of its own',
    });
  });

  it('commits in the agent’s own sandbox inside, or says that it can’t start there', () => {
    expect(found['codex']).toBe(
      nests
        ? 'ok: works in a linked worktree, in its own sandbox inside the boundary'
        : 'ok: works in a linked worktree, in the boundary; its own sandbox can’t start there, and is off',
    );
  });
});
