import type { UserConfig } from 'tsdown';

/** What every library package builds: one ESM entry with types; nothing of a dependency is bundled by accident. */
export function libraryBuild(entry: string[] = ['src/index.ts']): UserConfig {
  return {
    entry,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    dts: true,
    sourcemap: true,
    fixedExtension: false,
    deps: { onlyBundle: [] },
  };
}
