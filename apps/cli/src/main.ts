#!/usr/bin/env node
import { readFileSync } from 'node:fs';

// `--version` is answered before anything is loaded that a command would need.
const [only, ...others] = process.argv.slice(2);
if (others.length === 0 && (only === '--version' || only === '-V')) process.stdout.write(`${ownVersion()}\n`);
else await import('./program.ts').then(({ runProgram }) => runProgram(process.argv, ownVersion()));

function ownVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown';
}
