import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backendConformance } from '@bailiwick/backend-contract';
import { socketPathFor } from '@bailiwick/process-supervision';
import { programPath } from '@bailiwick/tooling/program-path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeBackend } from './support/make-backend.ts';

const runtimeFolder = mkdtempSync(join(tmpdir(), 'cw-'));
afterAll(() => rmSync(runtimeFolder, { recursive: true, force: true }));

const supervisorPath = programPath('supervisor-main');
const commandProgram = [process.execPath, programPath('command-program'), supervisorPath];

const socketPathOf = (batch: { runDirectory: string; batchId: string }) => socketPathFor({ runtimeFolder, ...batch });
const ways = [
  ['with a socket', { makeBackend: () => makeBackend(supervisorPath), commandProgram, socketPathOf }],
  ['without a socket', { makeBackend: () => makeBackend(supervisorPath), commandProgram }],
] as const;

/** What the way of telling can make a difference to: the end of workers, and who is told of it. */
const TOLD_DIFFERENTLY = /^B[246]/;

describe.each(ways)('the promises of a backend, %s', (way, options) => {
  const checks = backendConformance(options).filter(
    ({ name }) => way === 'with a socket' || TOLD_DIFFERENTLY.test(name),
  );
  for (const check of checks) {
    it(check.name, async () => {
      const result = await check.run();
      expect(result.holds, result.why).toBe(true);
    });
  }
});
