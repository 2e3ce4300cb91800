import { defineConfig } from 'tsdown';

/** One folder that runs anywhere: everything is bundled, commands are lazy chunks, the supervisor, its form for a pane and the audit's worker are entries. */
export default defineConfig({
  entry: {
    main: 'src/main.ts',
    supervisor: 'src/supervisor.ts',
    pane: 'src/pane.ts',
    'audit-worker': 'src/audit-worker.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node22',
  dts: false,
  sourcemap: false,
  fixedExtension: false,
  deps: { alwaysBundle: [/^(?!node:)/] },
  inputOptions: { resolve: { conditionNames: ['@bailiwick/source', 'import', 'node', 'default'] } },
});
