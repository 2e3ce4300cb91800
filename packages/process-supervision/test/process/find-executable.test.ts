import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findExecutable } from '../../src/index.ts';

it('finds an executable by its own path or the first folder of a PATH, and never by a folder that is relative', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'find-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  for (const place of [first, second]) mkdirSync(place);
  writeFileSync(join(first, 'tool'), '');
  writeFileSync(join(second, 'tool'), '');
  chmodSync(join(second, 'tool'), 0o755);
  const path = [first, '', second].join(delimiter);
  expect(await findExecutable('tool', path)).toBe(join(second, 'tool'));
  expect(await findExecutable(join(second, 'tool'), '')).toBe(join(second, 'tool'));
  expect(await findExecutable('tool', relative(process.cwd(), second))).toBeUndefined();
  for (const program of ['', 'none']) expect(await findExecutable(program, path)).toBeUndefined();
});
