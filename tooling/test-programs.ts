import { globSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ViteUserConfig } from 'vitest/config';

const GLOBAL_SETUP = fileURLToPath(new URL('./bundle-programs.ts', import.meta.url));

/** What a project's configuration has besides where its tests start these programs; patterns are relative to `folder`. */
export function withPrograms(folder: string, patterns: readonly string[]): ViteUserConfig {
  const programSources = globSync(patterns, { cwd: folder }).map((name) => path.resolve(folder, name));
  return { test: { globalSetup: [GLOBAL_SETUP], provide: { programSources } } };
}
