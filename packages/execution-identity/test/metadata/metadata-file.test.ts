import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDocument } from '@bailiwick/durable-files';
import { describe, expect, it } from 'vitest';
import { metadataCodec, metadataPathOf, readMetadata } from '../../src/index.ts';
import { rejection } from '../expect-code.ts';
import { metadataV1, metadataV2 } from '../samples.ts';
import { tempFolder } from '../temp-folder.ts';

describe('the metadata beside a prompt', () => {
  it('lies at <prompt>.meta.json', () => {
    expect(metadataPathOf('prompts/task.md')).toBe('prompts/task.md.meta.json');
  });

  it('ID-1 is read as the generation that it is of', async () => {
    const prompt = join(await tempFolder(), 'task.md');
    for (const metadata of [metadataV1(), metadataV2()]) {
      await writeDocument(metadataPathOf(prompt), metadataCodec, metadata);
      expect(await readMetadata(prompt)).toEqual(metadata);
    }
  });

  it('ID-1 that is missing is refused by name', async () => {
    const prompt = join(await tempFolder(), 'task.md');
    const error = await rejection('METADATA_MISSING', readMetadata(prompt));
    expect(error.path).toBe(`${prompt}.meta.json`);
    expect(error.message).toContain(`${prompt}.meta.json`);
  });

  it('that is no JSON, no UTF-8 or too large is refused, with the reason as its cause, and left as it is', async () => {
    const folder = await tempFolder();
    const contents = {
      half: '{"schemaVersion":',
      latin: Buffer.from([0x22, 0xe9, 0x22]),
      huge: ' '.repeat(1024 * 1024 + 1),
      empty: '',
    };
    for (const [name, content] of Object.entries(contents)) {
      await writeFile(metadataPathOf(join(folder, name)), content);
      const error = await rejection('METADATA_UNREADABLE', readMetadata(join(folder, name)));
      expect(error.cause).toBeInstanceOf(Error);
    }
    expect(await readdir(folder)).toHaveLength(Object.keys(contents).length);
  });

  it('that is a folder or a symlink is refused', async () => {
    const folder = await tempFolder();
    await writeDocument(join(folder, 'elsewhere.json'), metadataCodec, metadataV2());
    await symlink(join(folder, 'elsewhere.json'), metadataPathOf(join(folder, 'linked')));
    await mkdir(metadataPathOf(join(folder, 'folder')));
    await rejection('METADATA_UNREADABLE', readMetadata(join(folder, 'linked')));
    await rejection('METADATA_UNREADABLE', readMetadata(join(folder, 'folder')));
  });

  it('that is JSON of another shape is refused with the file and the path in it', async () => {
    const prompt = join(await tempFolder(), 'task.md');
    await writeFile(metadataPathOf(prompt), JSON.stringify({ ...metadataV2(), generation: undefined, attempt: true }));
    const error = await rejection('ATTEMPT_INVALID', readMetadata(prompt));
    expect(error).toMatchObject({ path: metadataPathOf(prompt), field: 'attempt' });
    expect(error.issues).toEqual([expect.objectContaining({ path: '/attempt' })]);
  });
});
