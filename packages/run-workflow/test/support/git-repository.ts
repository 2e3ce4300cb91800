import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { tempFolder } from './temp-folder.ts';

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'protocol.file.allow=always'];
const NO_CONFIGURATION = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
const COMMIT = 'git add --all && git "$@" commit --quiet --message "as it stands"';

/** Runs git by a fixed author and without anybody's configuration. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  return (await execa('git', [...AUTHOR, ...args], { cwd, env: NO_CONFIGURATION })).stdout;
}

/** A repository with these files in its one commit; without files it has no commit. */
export async function gitRepository(
  files: Readonly<Record<string, string>> = {},
  o: { readonly initArgs?: readonly string[]; readonly folder?: string } = {},
): Promise<string> {
  const root = join(tempFolder(), o.folder ?? 'shop');
  await mkdir(root);
  await writeFiles(root, files);
  const init = ['git init --quiet --initial-branch=main', ...(o.initArgs ?? [])].join(' ');
  await inOneProcess(root, Object.keys(files).length > 0 ? `${init} && ${COMMIT}` : init);
  return root;
}

export async function commitFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  await writeFiles(root, files);
  await inOneProcess(root, COMMIT);
}

/** Starting git several times from a process as large as a test's takes longer than all that git does. */
async function inOneProcess(cwd: string, script: string): Promise<void> {
  await execa('sh', ['-c', script, 'sh', ...AUTHOR], { cwd, env: NO_CONFIGURATION });
}

export async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}
