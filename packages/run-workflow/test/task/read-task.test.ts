import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOfBytes } from '@bailiwick/durable-files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_TASK_BYTES, parseTask, readTask } from '../../src/index.ts';
import { codeOf } from '../support/errors.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('a task file', () => {
  it('is read as it stands, with title, planned paths and the digest of its bytes', async () => {
    const folder = tempFolder();
    const text = '\n# Fix the   cart #1\n\n**Paths:** src/cart.js, test/** , \n\nIt adds up wrong.\n';
    await writeFile(join(folder, 'TASK.md'), text);
    expect(await readTask(folder, 'TASK.md')).toEqual({
      path: join(folder, 'TASK.md'),
      text,
      digest: digestOfBytes(text),
      title: 'Fix the cart #1',
      plannedPaths: ['src/cart.js', 'test/**'],
    });
  });

  it('may be a link to a file that its author keeps elsewhere', async () => {
    const folder = tempFolder();
    await writeFile(join(folder, 'kept.md'), '# Fix it\n');
    await symlink('kept.md', join(folder, 'TASK.md'));
    expect((await readTask(folder, 'TASK.md')).title).toBe('Fix it');
  });

  it('is refused by code where it is missing, says nothing, or is no text of a task’s size', async () => {
    const folder = tempFolder();
    await writeFile(join(folder, 'blank.md'), ' \n\u00a0\t\n');
    await writeFile(join(folder, 'latin.md'), Buffer.from([0x23, 0x20, 0xe9]));
    await writeFile(join(folder, 'large.md'), 'x'.repeat(MAX_TASK_BYTES + 1));
    await mkdir(join(folder, 'folder.md'));
    const codes = ['none.md', 'blank.md', 'latin.md', 'large.md', 'folder.md', '.'].map((name) =>
      codeOf(() => readTask(folder, name)),
    );
    expect(await Promise.all(codes)).toEqual([
      'TASK_MISSING',
      'TASK_EMPTY',
      'TASK_UNREADABLE',
      'TASK_UNREADABLE',
      'TASK_UNREADABLE',
      'TASK_UNREADABLE',
    ]);
  });
});

describe('the title of a task', () => {
  it.each([
    ['its first heading, wherever it stands', 'Please:\n\n## Fix the cart\n# Other\n', 'Fix the cart'],
    ['else its first line with words', '\n\n  fix   the cart\nnow\n', 'fix the cart'],
    ['a heading without a space is a line', '#fix\n', '#fix'],
  ])('is %s', (_, text, title) => {
    expect(parseTask(text).title).toBe(title);
  });

  it('is one line of at most 120 characters, and never cut within one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const { title } = parseTask(text);
        expect(title.length).toBeLessThanOrEqual(120);
        expect(title).not.toMatch(/[\n\r\u2028\u2029]/);
        expect(title.isWellFormed()).toBe(true);
      }),
    );
    expect(parseTask(`# ${'a'.repeat(119)}😀`).title.isWellFormed()).toBe(true);
  });
});

describe('the planned paths of a task', () => {
  it('come from every line that names some, and from no other', () => {
    const text = '**Paths:** a.js,b.js\r\n> **Paths:** quoted.js\n**Paths:**\nthe **Paths:** c.js\n**Paths:** d/**\n';
    expect(parseTask(text).plannedPaths).toEqual(['a.js', 'b.js', 'd/**']);
  });
});
