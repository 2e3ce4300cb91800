import { appendFile, chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCliJson, type TempProject } from '../src/index.ts';
import { checkDocument, checkedDocuments } from './published-schemas.ts';
import { project, type RunDocument, SMALL_TEAM } from './support.ts';

interface Printed {
  readonly unreadable: readonly Readonly<Record<string, unknown>>[];
}

// Each call of runCliJson holds what it prints against the published schema of its document (check-documents.ts).
const json = (made: TempProject, line: string, ...more: readonly string[]) =>
  runCliJson<RunDocument & Printed>(made, [...line.split(' '), ...more]);

/** A project in which `claude` is found on the PATH, and that has no config yet. */
async function bareProject(): Promise<TempProject> {
  const made = await project();
  await rm(join(made.root, '.bailiwick'), { recursive: true });
  const bin = join(made.home, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'claude'), '#!/bin/sh\n');
  await chmod(join(bin, 'claude'), 0o755);
  return { ...made, environment: { ...made.environment, PATH: `${bin}:${made.environment['PATH']}` } };
}

describe('what commands print with --json is what the published schemas say', () => {
  // Of the others it is checked wherever a test runs them; `npm test` fails where a document was printed by none.
  it('of the commands that no other test runs', async () => {
    const bare = await bareProject();
    for (const line of ['init --yes', 'models list', 'models check', 'models resolve claude/sonnet', 'completion bash'])
      await json(bare, line);

    const made = await project({ config: { team: SMALL_TEAM } });
    await json(made, 'run prune');
    await json(made, 'audit exec --allow src/** -- touch src/one.js other.js');
    expect([...checkedDocuments]).toEqual(expect.arrayContaining(['init', 'models-check', 'run-prune', 'audit-exec']));
  });

  it('of a run that goes wrong, and of one whose records are damaged', async () => {
    const config = { team: { ...SMALL_TEAM, verifiers: [{ model: 'codex/gpt-5.5' }] } };
    const made = await project({ agents: { implementer: { as: 'meddle' } }, config });
    const { exitCode, document } = await json(made, 'run start ../TASK.md');
    expect(exitCode).toBe(1);
    const records = join(document.runDirectory, 'dispatches');
    const [name = ''] = await readdir(records);
    await appendFile(join(records, name), '?');
    expect((await json(made, 'run show')).document.unreadable).toHaveLength(1);
    for (const line of ['team status', 'run verify', 'team await']) await json(made, line, '--run', document.runId);
    for (const line of ['run list', 'run prune']) await json(made, line);
  });

  it('and nothing else: one member more, or one less, is refused', async () => {
    const made = await project({ config: { team: SMALL_TEAM } });
    const { document } = await json(made, 'run create ../TASK.md');
    const { runId, ...without } = document;
    const args = ['run', 'create'];
    expect(() => checkDocument(args, document)).not.toThrow();
    expect(() => checkDocument(args, { ...document, more: 1 })).toThrow(/doesn't accept/);
    expect(() => checkDocument(args, without)).toThrow(/doesn't accept/);
    expect(() => checkDocument(args, { ...document, schemaVersion: '2.0' })).toThrow(/doesn't accept/);
    expect(runId).not.toBe('');
  });

  it('in files that stand beside the built command line', async () => {
    const text = await readFile(new URL('../../cli/schema/run-show-v1.json', import.meta.url), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ additionalProperties: false, type: 'object' });
  });
});
