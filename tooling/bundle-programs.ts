import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Rolldown } from 'tsdown';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The sources of the programs that tests start, absolute. */
    programSources: readonly string[];
    /** Where they lie as JavaScript, for as long as the tests run. */
    programFolder: string;
  }
}

/**
 * The global set-up of a project whose tests start programs (`withPrograms`): bundles them once. Taking the types out of every module
 * at every start, or parsing the bundle anew, costs more than a short program does by itself.
 */
export async function setup(project: TestProject): Promise<() => void> {
  const programFolder = mkdtempSync(path.join(tmpdir(), 'test-programs-'));
  const { programSources } = project.config.provide;
  await Rolldown.build({
    input: Object.fromEntries((programSources ?? []).map((source) => [path.parse(source).name, source])),
    platform: 'node',
    resolve: { conditionNames: ['@bailiwick/source', 'module', 'node', 'import', 'default'] },
    output: {
      dir: programFolder,
      format: 'esm',
      entryFileNames: '[name]-main.mjs',
      chunkFileNames: '[name]-[hash].mjs',
    },
    logLevel: 'silent',
  });
  for (const source of programSources ?? []) writeEntry(programFolder, path.parse(source).name);
  project.provide('programFolder', programFolder);
  return () => rmSync(programFolder, { recursive: true, force: true });
}

/** As the built command line does, a program reads its few documents without compiling a parser for each schema: zod's `jitless`. */
function writeEntry(folder: string, name: string): void {
  const lines = [
    `import { enableCompileCache } from 'node:module';`,
    `enableCompileCache(import.meta.dirname + '/cache');`,
    `globalThis.__zod_globalConfig = { jitless: true };`,
    `await import('./${name}-main.mjs');`,
  ];
  writeFileSync(path.join(folder, `${name}.mjs`), `${lines.join('\n')}\n`);
}
