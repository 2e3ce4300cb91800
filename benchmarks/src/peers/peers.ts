import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import type { Benchmark } from '../measure.ts';
import { workersSide } from '../workers.ts';

/** A program of the field that does a comparable job, from npm; never a dependency of ours. */
interface Peer {
  readonly name: string;
  readonly version: string;
  /** Beside this file; copied next to the installed peer and run there. */
  readonly program: string;
  readonly remark: string;
}

const COUNT = 8;
const ROUNDS = 3;

/** The same batch of no-op workers as another dispatcher runs it. There is no bar: they promise other things. */
export const PEERS: readonly Benchmark[] = [
  {
    name: 'swarm-dispatch',
    version: '0.3.5',
    program: 'swarm-dispatch-program.mjs',
    remark: 'in memory: no record, no audit, nothing that outlives it',
  },
  {
    name: '@ai-hero/sandcastle',
    version: '0.12.0',
    program: 'sandcastle-program.mjs',
    remark: 'a worktree for each, without a sandbox; no record, no audit',
  },
].map(peerBenchmark);

function peerBenchmark(peer: Peer): Benchmark {
  return {
    name: `peer-${basename(peer.name)}`,
    work: `${COUNT} no-op workers of one batch, claimed, launched, audited, settled and sealed`,
    floorName: `the same ${COUNT} in ${peer.name} ${peer.version} (${peer.remark})`,
    bar: null,
    rounds: ROUNDS,
    run: async (use) => {
      const running = await startPeer(peer);
      const ours = await workersSide(COUNT, ROUNDS);
      try {
        return await use({ ours: ours.round, floor: running.round });
      } finally {
        await running.end();
        await ours.end();
      }
    },
  };
}

/** Installs the peer where a cache belongs, and starts its program in a repository and with a git configuration of its own. */
async function startPeer({ name, version, program }: Peer) {
  const folder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'bailiwick-bench', basename(name));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  await execa('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`], { cwd: folder });
  await copyFile(fileURLToPath(new URL(program, import.meta.url)), join(folder, program));
  const repository = await committedRepository();
  const env = { GIT_CONFIG_GLOBAL: join(repository, '.git', 'config-global'), GIT_CONFIG_NOSYSTEM: '1' };
  const child = execa(process.execPath, [join(folder, program)], {
    cwd: repository,
    env,
    stderr: 'ignore',
    reject: false,
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    round: async (): Promise<void> => {
      child.stdin.write(`${COUNT}\n`);
      const ended = await nextEnded(answers);
      if (ended < COUNT) process.stderr.write(`  ${name}: ${ended} of ${COUNT} came to their end\n`);
    },
    end: async (): Promise<void> => {
      child.kill('SIGKILL');
      await child;
      await rm(repository, { recursive: true, force: true });
    },
  };
}

/** Peers print what they like; only a line of their program's counts. */
async function nextEnded(answers: AsyncIterator<string>): Promise<number> {
  for (;;) {
    const { value, done } = await answers.next();
    if (done === true) throw new Error('the program of the peer ended');
    const [, count] = /^ended (\d+)$/.exec(value) ?? [];
    if (count !== undefined) return Number(count);
  }
}

async function committedRepository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bailiwick-bench-peer-'));
  const git = (...args: readonly string[]) =>
    execa('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: folder });
  await git('init', '--quiet');
  await writeFile(join(folder, 'one.txt'), 'one\n');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'One');
  return folder;
}
