import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { builtCliPath, loopbackOnly, type TempProject, unroutedIn, writeResolver } from '../src/index.ts';
import { project, SMALL_TEAM } from './support.ts';

/** Runs its arguments, then copies what the kernel has counted in this namespace. */
const COUNTING =
  'counts=$1; shift; "$@"; code=$?; cat /proc/self/net/snmp /proc/self/net/snmp6 > "$counts"; exit $code';
const canIsolate = spawnSync('bwrap', ['--dev-bind', '/', '/', '--unshare-net', 'true']).status === 0;

describe.skipIf(!canIsolate)('under bubblewrap, with a network of loopback alone', () => {
  it('a whole run tries to reach nothing else', async () => {
    const made = await project({ config: { team: SMALL_TEAM } });
    const seen = await isolated(made, [builtCliPath(), 'run', 'start', '../TASK.md', '--json']);
    expect([seen.exitCode, seen.attempts, JSON.parse(seen.stdout).state]).toEqual([0, 0, 'verified']);
  });

  it.each(['doctor', 'init --yes'])('bailiwick %s tries to reach nothing else', async (line) => {
    const made = await project();
    expect(await isolated(made, [builtCliPath(), ...line.split(' ')])).toMatchObject({ attempts: 0 });
  });

  it('an attempt would be counted, by address and by name', async () => {
    const made = await project();
    const byAddress = 'fetch("http://192.0.2.2/").catch(() => {})';
    const byName = 'fetch("http://nowhere.example/").catch(() => {})';
    expect((await isolated(made, ['-e', byAddress])).attempts).toBeGreaterThan(0);
    expect((await isolated(made, ['-e', byName])).attempts).toBeGreaterThan(0);
  });
});

async function isolated({ root, environment }: TempProject, nodeArgs: readonly string[]) {
  const counts = join(root, '..', 'counts');
  const script = ['sh', '-c', COUNTING, 'sh', counts, process.execPath, ...nodeArgs];
  const [program = '', ...args] = loopbackOnly(await writeResolver(join(root, '..')), script);
  const options = { cwd: root, env: environment, extendEnv: false, reject: false, stdin: 'ignore' } as const;
  const { exitCode, stdout } = await execa(program, args, options);
  return { exitCode, stdout, attempts: unroutedIn(await readFile(counts, 'utf8')) };
}
