import { quickBuiltins } from '@bailiwick/tooling/quick-builtins';
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
  // Names stay, so that a stack trace can be read; comments and spaces are half of what every command would have to load.
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  plugins: [
    quickBuiltins(),
    { name: 'ascii-only', generateBundle: (_, bundle) => Object.values(bundle).forEach(toAscii) },
  ],
  inputOptions: { resolve: { conditionNames: ['@bailiwick/source', 'import', 'node', 'default'] } },
});

/** One character beyond Latin-1 would double a chunk's memory and slow its reading. Outside of strings there is none. */
function toAscii(chunk: { type: string; code?: string }): void {
  if (chunk.code === undefined) return;
  chunk.code = chunk.code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
