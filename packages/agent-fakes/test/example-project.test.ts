import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { exampleProject } from '../src/index.ts';

it('the example fails in exactly one of its tests', () => {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const run = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: exampleProject(),
    encoding: 'utf8',
    env,
  });
  expect(run.status).toBe(1);
  expect(run.stdout).toContain('not ok 3 - a guest may leave on the day another one arrives');
  expect(run.stdout).toContain('# fail 1\n');
});

it('the example has no dependencies and does not say where its bug is', () => {
  const manifest = JSON.parse(readFileSync(path.join(exampleProject(), 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
  const texts = readdirSync(exampleProject(), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:js|md)$/.test(file))
    .map((file) => readFileSync(path.join(exampleProject(), file), 'utf8'));
  expect(texts.join('\n')).not.toMatch(/\b(?:bug|broken|fixme|todo|off by one)\b/i);
});
