import { requireDocument, writeDocument } from '@bailiwick/durable-files';
import { metadataCodec, type PromptMetadataV2 } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { dispatchBatch } from '../../src/index.ts';
import { firstMetadata } from '../../src/retry/first-metadata.ts';
import { createFakeBackend } from '../support/fake-backend.ts';
import { makeScene, planFor, recordsOf } from '../support/scene.ts';

/** Each part of the first attempt's metadata that its record has too, as something else that is valid. */
const CHANGES = {
  invocationRef: 'inv-other',
  invocationId: 'inv-other~1',
  attempt: 2,
  participantRef: 'p-other',
  roleExecutionRef: 're-other',
  executionLabel: 'Other',
  dutyId: 'other',
  audience: 'report-writer',
  assignmentRef: 'other',
  inputDigest: `sha256:${'0'.repeat(64)}`,
  dispatchKind: 'reverify-r7',
} as const satisfies Partial<Record<keyof PromptMetadataV2, unknown>>;

describe('what a retry is made from', () => {
  it('ID-4 RT-2 RT-5 is the first attempt’s metadata, and nothing that was put in its place, whichever field was changed', async () => {
    const scene = await makeScene({ backend: createFakeBackend({}) });
    await dispatchBatch(scene.context, await planFor(scene, ['verifier-2']));
    const failed = (await recordsOf(scene)).get('verifier-2 1');
    if (failed === undefined) throw new Error('the sample run has it');
    const first = await requireDocument(failed.promptMetadataPath, metadataCodec);
    expect(await firstMetadata(failed)).toEqual(first);
    for (const [field, value] of Object.entries(CHANGES)) {
      const changed = { ...JSON.parse(JSON.stringify(metadataCodec.encode(first))), [field]: value };
      const where = { path: failed.promptMetadataPath };
      await writeDocument(where.path, metadataCodec, metadataCodec.decode(changed, where.path));
      const message = `the metadata was changed since the first attempt: ${field}`;
      await expect(firstMetadata(failed)).rejects.toMatchObject({ code: 'PROMPT_INVALID', message, ...where });
    }
  });
});
