import { createHash } from 'node:crypto';
import { MutationAuditError } from '../errors.ts';
import { displayPath, toPathName } from '../path-name.ts';
import type { Crew } from '../thread/crew.ts';
import type { AuditTask } from '../thread/protocol.ts';
import type { ContentResult } from '../tree/content.ts';
import { joinBytes } from '../tree/folder-reader.ts';
import { bothSpellings, checkRoots } from './check-roots.ts';
import { observeTree } from './observe-tree.ts';
import { sourceFiles } from './source-files.ts';

/** Digests the source of a work tree: see `sourceDigest`. */
export async function sourceDigestTask(
  task: Extract<AuditTask, { kind: 'source-digest' }>,
  crew: Crew,
): Promise<string> {
  const exclude = bothSpellings(task.exclude);
  const roots = checkRoots([{ path: task.worktree, git: 'auto' }], exclude);
  const view = await observeTree(roots, exclude, crew);
  const [problem] = view.problems;
  if (problem !== undefined) throw unreadable(problem.path, problem.reason);
  const root = roots[0]?.path ?? '';
  const files = sourceFiles(view);
  const links = Uint8Array.from(files, ({ type }) => (type === 'symlink' ? 1 : 0));
  const paths = files.map(({ path }) => path);
  const parts = await crew.run<'hash'>({ kind: 'hash', input: { counter: new SharedArrayBuffer(4), paths, links } });
  const contents = new Map<number, ContentResult>(parts.flat());
  const seal = createHash('sha256');
  for (const [at, file] of files.entries()) {
    const content = contents.get(at);
    if (content === undefined || 'reason' in content) throw unreadable(file.path, content?.reason ?? 'not read');
    seal.update(`${file.path.slice(joinBytes(root, '').length)}\0${file.type}\0${content.sha256}\n`, 'latin1');
  }
  return `sha256:${seal.digest('hex')}`;
}

function unreadable(path: string, reason: string): MutationAuditError {
  const shown = displayPath(toPathName(path));
  return new MutationAuditError('SOURCE_UNREADABLE', `The source can't be digested: ${shown}: ${reason}.`, {
    path: shown,
    hint: 'Make the file readable, then retry; without it nothing vouches for the source.',
  });
}
