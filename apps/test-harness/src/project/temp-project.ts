import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleProject, type FakeAgentRequest, fakeAgentCommand } from '@bailiwick/agent-fakes';
import { execa } from 'execa';
import { endProcessesBelow } from './process-table.ts';

/** A throw-away git repository with the example in it, and a HOME of its own. */
export interface TempProject {
  readonly root: string;
  readonly home: string;
  /** Outside the tree: where agents note that they ran. */
  readonly ledgerPath: string;
  /** The environment to run the command line in: nothing of the user's own configuration. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where its workers run; the command line's own default where absent. */
  readonly backend?: string;
  /** Takes it away, and ends whatever still runs in it. */
  remove(): Promise<void>;
}

/** Who sits where; each seat is a scripted agent. */
export interface SeatedAgents {
  readonly implementer?: Partial<FakeAgentRequest>;
  readonly verifier?: Partial<FakeAgentRequest>;
  readonly reportWriter?: Partial<FakeAgentRequest>;
}

export interface ProjectOptions {
  readonly agents?: SeatedAgents;
  /** Merged over the config's top level. Without a word of `boundary` it is off: in one, agents can't reach their ledger. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Name of the project's folder; default `guest-house`. */
  readonly folder?: string;
  /** `example`: one bug, found by running the test; `tiny`: nothing to mend, for tests of what surrounds the work. */
  readonly content?: 'example' | 'tiny';
  /** False leaves the repository without a commit. */
  readonly isCommitted?: boolean;
}

/** The task that lies beside every project, as `../TASK.md`. */
const TASK =
  '# Make the test suite pass\n\nOne test of this project fails. Find out why, and mend the code, not the test.\n';

/** No background maintenance: it would still write while a test takes its project away. */
const AUTHOR = [
  '-c',
  'user.name=Ada',
  '-c',
  'user.email=ada@example.org',
  '-c',
  'gc.auto=0',
  '-c',
  'maintenance.auto=false',
];

const NO_CONFIGURATION = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

/**
 * Makes the project: the example, committed, with a config whose three seats are scripted agents on three providers, so that each
 * can be told to behave in its own way. The caller removes it.
 */
export async function makeTempProject(options: ProjectOptions = {}): Promise<TempProject> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'bailiwick-harness-')));
  const root = join(base, options.folder ?? 'guest-house');
  const home = join(base, 'home');
  const ledgerPath = join(base, 'ledger.txt');
  await mkdir(home);
  await fill(root, options.content ?? 'example');
  await mkdir(join(root, '.bailiwick'));
  await writeFile(join(root, '.bailiwick', 'config.json'), JSON.stringify(configOf(options, ledgerPath), undefined, 2));
  await makeRepository(root, options.isCommitted !== false);
  await writeFile(join(base, 'TASK.md'), TASK);
  return {
    root,
    home,
    ledgerPath,
    environment: environmentOf(base, home),
    remove: async () => {
      await endProcessesBelow(base);
      await rm(base, { recursive: true, force: true });
    },
  };
}

/** Runs git in a project, by a fixed author and without the user's configuration. */
export async function git(root: string, ...args: readonly string[]): Promise<string> {
  return (await execa('git', [...AUTHOR, ...args], { cwd: root, env: NO_CONFIGURATION })).stdout;
}

async function fill(root: string, content: 'example' | 'tiny'): Promise<void> {
  if (content === 'example') return cp(exampleProject(), root, { recursive: true });
  await mkdir(join(root, 'src'), { recursive: true });
  await writeFile(
    join(root, 'package.json'),
    '{"name":"tiny","private":true,"type":"module","scripts":{"test":"exit 0"}}\n',
  );
  await writeFile(join(root, 'src', 'one.js'), 'export const one = 1;\n');
}

/** In one process: starting them one by one from a large one takes longer than all that git does. */
async function makeRepository(root: string, isCommitted: boolean): Promise<void> {
  const commit = 'git add --all && git "$@" commit --quiet --message "The guest house as it stands"';
  const script = `git init --quiet --initial-branch=main${isCommitted ? ` && ${commit}` : ''}`;
  await execa('sh', ['-c', script, 'sh', ...AUTHOR], { cwd: root, env: NO_CONFIGURATION });
}

function configOf({ agents = {}, config = {} }: ProjectOptions, ledger: string) {
  return {
    schemaVersion: '1.0',
    boundary: 'off',
    team: {
      implementer: { model: 'claude/sonnet' },
      verifiers: [{ model: 'codex/gpt-5.5' }],
      reportWriter: { model: 'gemini/gemini-2.5-pro' },
    },
    agents: {
      claude: { command: fakeAgentCommand({ speak: 'claude', ledger, ...agents.implementer }) },
      codex: { command: fakeAgentCommand({ speak: 'codex', ledger, ...agents.verifier }) },
      gemini: { command: fakeAgentCommand({ speak: 'gemini', ledger, ...agents.reportWriter }) },
    },
    ...config,
  };
}

function environmentOf(base: string, home: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    TMPDIR: tmpdir(),
    XDG_RUNTIME_DIR: join(base, 'run'),
    XDG_STATE_HOME: join(base, 'state'),
    LANG: 'C.UTF-8',
    ...(process.env['NODE_OPTIONS'] === undefined ? {} : { NODE_OPTIONS: process.env['NODE_OPTIONS'] }),
    ...NO_CONFIGURATION,
  };
}
