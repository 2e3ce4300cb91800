import { access, constants, mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import type { AgentProgram } from './agent-program.ts';

/** Where a program is, or why it can't be had. */
export type Installation =
  | { readonly kind: 'installed'; readonly command: readonly string[] }
  | { readonly kind: 'missing'; readonly reason: string };

/** A slow registry is no reason to wait for ever: the largest program has 430 MB. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;
/** Names another folder for the programs. */
const CACHE_VARIABLE = 'BAILIWICK_AGENTS_CACHE';

/** Where the programs lie: outside of every workspace, since they are large, and some are not free to be passed on. */
function agentsCache(): string {
  const { [CACHE_VARIABLE]: own, XDG_CACHE_HOME: shared } = process.env;
  return own ?? join(shared ?? join(homedir(), '.cache'), 'bailiwick', 'agents');
}

/** Installs exactly the program's version with npm, where it isn't there already. */
export async function installAgent(program: AgentProgram): Promise<Installation> {
  const folder = join(agentsCache(), program.id, program.version);
  const packageFolder = join(folder, 'node_modules', program.npmPackage);
  if ((await versionAt(packageFolder)) !== program.version) {
    const problem = await npmInstall(program, folder);
    if (problem !== undefined) return { kind: 'missing', reason: problem };
  }
  const command = program.command(packageFolder);
  const missing = await firstMissing(command);
  return missing === undefined
    ? { kind: 'installed', command }
    : { kind: 'missing', reason: `${missing} is not in the package for this platform` };
}

async function npmInstall({ npmPackage, version }: AgentProgram, folder: string): Promise<string | undefined> {
  await mkdir(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = await execa('npm', [...args, `${npmPackage}@${version}`], {
    cwd: folder,
    // npm itself runs on the first Node of the path; an older one would silently bring older versions of what is named
    env: { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}` },
    reject: false,
    stdin: 'ignore',
    timeout: INSTALL_TIMEOUT_MS,
  });
  if (result.exitCode === 0) return undefined;
  return `npm can't install ${npmPackage}@${version}: ${firstLine(result.stderr) ?? result.shortMessage ?? 'it failed'}`;
}

async function versionAt(packageFolder: string): Promise<string | undefined> {
  try {
    const { version }: { readonly version?: unknown } = JSON.parse(
      await readFile(join(packageFolder, 'package.json'), 'utf8'),
    );
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined; // not installed, or only half
  }
}

async function firstMissing(command: readonly string[]): Promise<string | undefined> {
  for (const word of command.filter((part) => part.startsWith('/'))) {
    const isThere = await access(word, constants.R_OK).then(
      () => true,
      () => false,
    );
    if (!isThere) return word;
  }
  return undefined;
}

function firstLine(text: string): string | undefined {
  return text.split('\n').find((line) => line.trim() !== '');
}
