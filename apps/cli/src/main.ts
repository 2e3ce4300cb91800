#!/usr/bin/env node
import { writeSync } from 'node:fs';
import nodeModule from 'node:module';
import { ownVersion } from './own-version.ts';

const REFUSED = 2;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isFit = (major === 22 && minor >= 22) || (major === 24 && minor >= 15) || major >= 26;

// Nothing here is imported by a name that an old Node lacks: it would end in a stack trace. `--version` is answered before
// anything is loaded that a command would need.
const [only, ...others] = process.argv.slice(2);
if (others.length === 0 && (only === '--version' || only === '-V')) tell(`${ownVersion()}\n`);
else if (!isFit || process.platform === 'win32') refuse();
else await loadProgram();

/** Through `process.stdout` it would load Node's sockets for a pipe. Where nobody listens any more there is nothing to tell. */
function tell(text: string): void {
  try {
    writeSync(1, text);
  } catch {
    process.exitCode = 1;
  }
}

/** Parsing the bundle is most of a short command's time; the cache lies in the system's temp folder. */
async function loadProgram(): Promise<void> {
  nodeModule.enableCompileCache();
  // Between two keys of a person everything counts; the words of commands need no document.
  if (only !== '__complete') await Promise.all([import('./without-jit.ts'), import('./small-heap.ts')]);
  const { runProgram } = await import('./program.ts');
  await runProgram(process.argv, ownVersion());
}

/** One clear line instead of the stack trace that a missing module of Node's would give. */
function refuse(): void {
  const what = isFit
    ? 'Windows is not supported: use WSL2'
    : `Node ${process.versions.node} won't do: 22.22, 24.15 or 26 and newer will`;
  process.stderr.write(`error ${what}\n`);
  process.exitCode = REFUSED;
}
