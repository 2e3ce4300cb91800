import type { ViteUserConfig } from 'vitest/config';

/**
 * What every package's tests share: packages resolve to their sources, so no build stands between an edit and its test. Test files
 * share a process: none changes a module, and a process for each of them costs more than most tests.
 */
export function projectTest(name: string): ViteUserConfig {
  const conditions = ['@bailiwick/source', 'module', 'node', 'development|production'];
  return {
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    test: {
      name,
      include: ['test/**/*.test.ts'],
      isolate: false,
      testTimeout: 30_000,
      hookTimeout: 30_000,
      env: { TURBO_TELEMETRY_DISABLED: '1' },
    },
  };
}
