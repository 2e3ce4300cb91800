import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { runFakeAgent, startFakeAgent } from './fake-agent-run.ts';
import { runHosted } from './hosted-run.ts';
import { makePassingProject, makeProject, makeSmallProject, type TempProject } from './temp-project.ts';

/** Without `node:test`, which costs more than half of each of many runs. */
const TEST_HEAD = `import assert from 'node:assert/strict';\n`;

function implement(project: TempProject) {
  return runHosted({ speak: 'claude' }, { cwd: project.root, prompt: project.prompt('implementer') });
}

// Each runs a test command many times over.
describe('an implementer that works', { timeout: 90_000 }, () => {
  it('repairs the bug of the example, and nothing else', async () => {
    const project = makeProject();
    const told = { cwd: project.root, prompt: project.prompt('implementer') };
    const run = await runFakeAgent({ speak: 'claude' }, told);
    expect(run.exitCode).toBe(0);
    expect(project.git('diff', '--name-only')).toBe('src/nights.js\n');
    expect(project.read('src/nights.js')).toContain('one.arrival < other.departure && other.arrival < one.departure');
    const result = JSON.parse(readFileSync(project.resultPath, 'utf8'));
    expect(result).toEqual({
      schemaVersion: '1.0',
      implementation: { summary: expect.stringContaining('src/nights.js:10'), outOfPlanEdits: [] },
    });
    expect(readFileSync(project.workerResultPath, 'utf8')).toContain('`node --test` exited with 0');
    expect(run.events.at(-1)).toMatchObject({ type: 'result', is_error: false, terminal_reason: 'completed' });
  });

  it('repairs a total that forgets what came before, in a module that the test reaches only through another', async () => {
    const project = makeProject({
      'package.json': JSON.stringify({ name: 'cart', scripts: { test: 'node test/cart.test.cjs' } }),
      'lib/sum.cjs': `exports.sumOf = (lines) => {
  let total = 0;
  for (const line of lines) total = line.price;
  return total;
};\n`,
      'lib/cart.cjs': `const sums = require('./sum.cjs');\nexports.checkOut = (cart) => \`\${sums.sumOf(cart.lines)} EUR\`;\n`,
      'test/cart.test.cjs': `const assert = require('node:assert/strict');
const { checkOut } = require('../lib/cart.cjs');
assert.equal(checkOut({ lines: [{ price: 6 }, { price: 5 }] }), '11 EUR');\n`,
    });
    expect((await implement(project)).exitCode).toBe(0);
    expect(project.read('lib/sum.cjs')).toContain('total += line.price;');
  });

  it('goes on after an edit that makes the test loop for ever', async () => {
    const project = makeSmallProject(
      `export function debt(days, one) {\n  let sum = 0;\n  for (let n = days; n; n--) sum += one();\n  return sum;\n}\n`,
      // Whoever loops for ever waits in every round: the limit is waited out without computing.
      `${TEST_HEAD}import { debt } from '../src/subject.js';
const one = () => (Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5), 1);
assert.equal(debt(4, one), -4);\n`,
    );
    const run = await implement(project);
    expect(run.exitCode).toBe(0);
    expect(run.output.toString('utf8')).toContain('n++');
    expect(project.read('src/subject.js')).toContain('sum -= one();');
  });

  it('says so when no small edit helps, and leaves the tree as it was', async () => {
    const project = makeSmallProject(
      `export const greet = (name) => name;\n`,
      `${TEST_HEAD}import { greet } from '../src/subject.js';
assert.equal(greet('Ada'), 'Good morning, Ada');\n`,
    );
    const run = await implement(project);
    expect(run.exitCode).toBe(1);
    expect(project.git('status', '--porcelain')).toBe('');
    const result = JSON.parse(readFileSync(project.resultPath, 'utf8'));
    expect(result.implementation.summary).toMatch(/^No fix found: `node test\/subject.test.js` still fails/);
    expect(run.events.at(-1)).toMatchObject({ type: 'result', is_error: true });
  });

  it('changes nothing when the test passes already', async () => {
    const project = makePassingProject();
    expect((await implement(project)).exitCode).toBe(0);
    expect(project.git('status', '--porcelain')).toBe('');
    expect(readFileSync(project.workerResultPath, 'utf8')).toContain('passes already');
  });

  it('takes its edit back when SIGTERM ends it in the middle', async () => {
    const project = makeSmallProject(
      `export const greet = (name, other) => name + other;\n`,
      `${TEST_HEAD}import { greet } from '../src/subject.js';
await new Promise((resolve) => setTimeout(resolve, 300));
assert.equal(greet('Ada', 1), 'Good morning, Ada');\n`,
    );
    const before = project.read('src/subject.js');
    const run = startFakeAgent({ speak: 'claude' }, { cwd: project.root, prompt: project.prompt('implementer') });
    await vi.waitUntil(() => project.read('src/subject.js') !== before, { timeout: 20_000, interval: 5 });
    run.child.kill('SIGTERM');
    expect((await run.finished).exitCode).toBe(143);
    expect(project.git('status', '--porcelain')).toBe('');
  });
});
