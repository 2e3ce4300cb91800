import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  commandsOf,
  configPathOf,
  DEFAULT_GRACE_MS,
  DEFAULT_HARD_MS,
  DEFAULT_IDLE_MS,
  loadConfig,
  saveNewConfig,
} from '../../src/index.ts';
import { codeOf, errorOf } from '../support/errors.ts';
import { CONFIG, sampleRun } from '../support/sample-run.ts';
import { tempFolder } from '../support/temp-folder.ts';

interface Fixture {
  readonly name: string;
  readonly description: string;
  readonly document: unknown;
  readonly expect?: { readonly code: string; readonly path: string | null };
}

function fixtures(kind: 'accept' | 'reject'): readonly Fixture[] {
  const folder = join(import.meta.dirname, '..', 'fixtures', 'wire', 'config', kind);
  // the corpus is ours; a file of another shape fails its test
  return readdirSync(folder).map((name) => ({
    ...(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Fixture),
    name,
  }));
}

async function projectWith(text: string): Promise<string> {
  const root = tempFolder();
  await mkdir(dirname(configPathOf(root)));
  await writeFile(configPathOf(root), text);
  return root;
}

async function refusal(text: string): Promise<Error> {
  return errorOf(async () => loadConfig(await projectWith(text)));
}

describe('a project’s config', () => {
  it.each(fixtures('accept').map((one) => [one.name, one.description, one] as const))(
    '%s is accepted: %s',
    async (_, __, { document }) => {
      expect(await loadConfig(await projectWith(JSON.stringify(document)))).toEqual(document);
    },
  );

  it.each(fixtures('reject').map((one) => [one.name, one.description, one] as const))(
    '%s is refused: %s',
    async (_, __, one) => {
      const error = await refusal(JSON.stringify(one.document));
      expect(error).toMatchObject({ code: one.expect?.code });
      if (one.expect?.path != null) expect(error.message).toContain(`${one.expect.path} `);
    },
  );

  it('that is no JSON is refused, and nothing is put beside it in the project', async () => {
    const root = await projectWith('{"schemaVersion":"1.0", torn');
    expect(await codeOf(() => loadConfig(root))).toBe('CONFIG_INVALID');
    expect(await readdir(dirname(configPathOf(root)))).toEqual(['config.json']);
  });

  it('that is missing has a code of its own', async () => {
    const error = await errorOf(() => loadConfig(tempFolder()));
    expect(error).toMatchObject({ code: 'CONFIG_MISSING', hint: expect.stringContaining('bailiwick init') });
  });

  it('that can’t be read is not taken for a missing one', async () => {
    const root = await projectWith('{"schemaVersion":"1.0", torn');
    expect(await codeOf(() => saveNewConfig(root, CONFIG))).toBe('CONFIG_INVALID');
    expect(await readdir(dirname(configPathOf(root)))).toEqual(['config.json']);
  });

  it('is written once: one that is there stays as it is', async () => {
    const root = tempFolder();
    expect(await saveNewConfig(root, CONFIG)).toBe(configPathOf(root));
    const before = await readFile(configPathOf(root), 'utf8');
    expect(await loadConfig(root)).toEqual(CONFIG);
    expect(await codeOf(() => saveNewConfig(root, { ...CONFIG, isolation: 'worktree' }))).toBe('CONFIG_EXISTS');
    expect(await readFile(configPathOf(root), 'utf8')).toBe(before);
  });

  it('says how an agent’s program is started, and the bounds on every attempt', () => {
    const agents = { claude: { command: ['/opt/claude', '--verbose'] } };
    expect(commandsOf({ ...CONFIG, agents })).toEqual({ claude: ['/opt/claude', '--verbose'] });
    expect(commandsOf(CONFIG)).toEqual({});
    const limited = { ...CONFIG, limits: { hardMinutes: 0.5, graceSeconds: 1.5 } };
    expect(sampleRun(undefined, { config: limited }).manifest.limits).toEqual({
      hardMs: 30_000,
      idleMs: DEFAULT_IDLE_MS,
      graceMs: 1_500,
    });
    const { hardMs, graceMs } = sampleRun().manifest.limits;
    expect([hardMs, graceMs]).toEqual([DEFAULT_HARD_MS, DEFAULT_GRACE_MS]);
  });
});
