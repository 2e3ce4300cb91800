#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// From the sources, taking the types out of every module would cost more than all the rest of a short run.
if (import.meta.url.endsWith('.ts')) {
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/fake-agent', import.meta.url)));
}

const { processHost } = await import('./process-host.ts');
const { runFakeAgent } = await import('./run-fake-agent.ts');
process.exitCode = await runFakeAgent(process.argv.slice(2), processHost());
