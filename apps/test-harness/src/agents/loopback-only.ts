import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';

/** An address that no machine has (RFC 5737), so that looking a name up counts as an attempt like any other. */
const RESOLVER = 'nameserver 192.0.2.1\n';

/** bubblewrap with everything of this machine but its network: loopback alone is there. */
export function loopbackOnly(resolverPath: string, command: readonly string[]): readonly string[] {
  const resolver = ['--ro-bind', resolverPath, realpathSync('/etc/resolv.conf')];
  return ['bwrap', '--dev-bind', '/', '/', '--unshare-net', ...resolver, '--', ...command];
}

/** Runs a command there, on this terminal, to its exit code. Rejects where bubblewrap isn't installed. */
export async function runLoopbackOnly(command: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bailiwick-loopback-'));
  try {
    const resolverPath = await writeResolver(folder);
    const [program = '', ...args] = loopbackOnly(resolverPath, command);
    const [code]: readonly (number | null)[] = await once(spawn(program, args, { stdio: 'inherit' }), 'exit');
    return code ?? 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether this process runs there already. */
export async function hasLoopbackOnly(): Promise<boolean> {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return interfaces.every(({ internal }) => internal) && (await readFile('/etc/resolv.conf', 'utf8')) === RESOLVER;
}

/** Writes what stands in for `/etc/resolv.conf`; gives its path. */
export async function writeResolver(folder: string): Promise<string> {
  const path = join(folder, 'resolv.conf');
  await writeFile(path, RESOLVER);
  return path;
}

/** What the kernel counts of the network that this process is in. */
const COUNTERS = ['/proc/self/net/snmp', '/proc/self/net/snmp6'] as const;

/** How often something in this process's network found no way to where it wanted, so far. */
export async function countUnrouted(): Promise<number> {
  const texts = await Promise.all(COUNTERS.map((path) => readFile(path, 'utf8').catch(() => '')));
  return unroutedIn(texts.join('\n'));
}

/** The same, read from what those files held. */
export function unroutedIn(counters: string): number {
  const [names = '', values = ''] = counters.split('\n').filter((line) => line.startsWith('Ip:'));
  const v4 = values.split(' ')[names.split(' ').indexOf('OutNoRoutes')] ?? '0';
  const v6 = /^Ip6OutNoRoutes\s+(\d+)$/m.exec(counters)?.[1] ?? '0';
  return Number(v4) + Number(v6);
}
