import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOfBytes } from '@bailiwick/durable-files';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildDispatchId,
  checkRetry,
  materializeRetry,
  metadataCodec,
  metadataPathOf,
  parseInvocationRef,
  readMetadata,
  storeRetry,
} from '../../src/index.ts';
import { refusal, rejection } from '../expect-code.ts';
import { metadataV2, PROMPT } from '../samples.ts';
import { tempFolder } from '../temp-folder.ts';

describe('a retry', () => {
  const failed = metadataV2();
  const retry = materializeRetry({ metadata: failed, promptPath: '/runs/r/prompts/task.md', attempt: 2 });

  it('RT-2 has a new prompt path, metadata path and invocation id, and attempt + 1', () => {
    expect(retry.promptPath).toBe('/runs/r/prompts/task.attempt-2.md');
    expect(retry.metadataPath).toBe('/runs/r/prompts/task.attempt-2.md.meta.json');
    expect(retry.metadata.invocationId).toBe('inv-1~2');
    expect(retry.metadata.attempt).toBe(2);
  });

  it('RT-5 keeps the invocation ref and everything else', () => {
    const { invocationId: _, attempt: __, ...kept } = failed;
    const { invocationId: ___, attempt: ____, ...got } = retry.metadata;
    expect(got).toEqual(kept);
    expect(metadataCodec.encode(retry.metadata)).toMatchObject({ invocationRef: 'inv-1', attempt: 2 });
  });

  it('RT-2 has its own dispatch id', () => {
    const ids = [failed, retry.metadata].map((it) => buildDispatchId(it.invocationId, it.attempt));
    expect(ids).toEqual(['inv-1~1:attempt-1', 'inv-1~2:attempt-2']);
  });

  it('RT-2 is the same each time it is made', () => {
    expect(materializeRetry({ metadata: failed, promptPath: '/runs/r/prompts/task.md', attempt: 2 })).toEqual(retry);
  });

  it('RT-2 of a retry replaces the number in the prompt path, and only the failed attempt’s own', () => {
    const next = (promptPath: string, n: number) =>
      materializeRetry({ metadata: metadataV2({ attempt: n, invocationId: `inv-1~${n}` }), promptPath, attempt: n + 1 })
        .promptPath;
    expect(next('task.attempt-2.md', 2)).toBe('task.attempt-3.md');
    expect(next('a.b/task.attempt-1.md', 1)).toBe('a.b/task.attempt-1.attempt-2.md');
    expect(next('task', 1)).toBe('task.attempt-2');
  });

  it('RT-2 never has the prompt path of the attempt before it', () => {
    const paths = fc.stringMatching(/^[a-z.-]{1,20}(\.attempt-[0-9])?(\.md)?$/);
    fc.assert(
      fc.property(paths, fc.integer({ min: 1, max: 9 }), (path, attempt) => {
        const metadata = metadataV2({ attempt, invocationId: 'first' });
        const made = materializeRetry({ metadata, promptPath: `/p/${path}`, attempt: attempt + 1 });
        expect(made.promptPath).not.toBe(`/p/${path}`);
        expect(made.promptPath.startsWith('/p/')).toBe(true);
        expect(made.metadataPath).toBe(metadataPathOf(made.promptPath));
      }),
    );
  });

  it('RT-2 is refused for any attempt but the next', () => {
    for (const attempt of [1, 3, 4]) {
      refusal('RETRY_ATTEMPT_WRONG', () => materializeRetry({ metadata: failed, promptPath: 'p.md', attempt }));
    }
    refusal('ATTEMPT_INVALID', () => materializeRetry({ metadata: failed, promptPath: 'p.md', attempt: Number.NaN }));
  });

  it('RT-2 is refused where the failed attempt already has the invocation id to come', () => {
    const taken = metadataV2({ invocationId: 'inv-1~2' });
    refusal('RETRY_ID_NOT_NEW', () => materializeRetry({ metadata: taken, promptPath: 'p.md', attempt: 2 }));
  });

  it('RT-5 of another invocation ref is refused, before anything else', () => {
    const other = { ...retry.metadata, invocationRef: parseInvocationRef('inv-2'), attempt: 7 };
    expect(refusal('RETRY_REF_DIFFERS', () => checkRetry(failed, other)).message).toContain('inv-2');
  });

  it('ID-4 that changed anything else of the invocation is refused by the field', () => {
    const changes = {
      audience: 'implementation-verifier',
      assignmentRef: 'other',
      dispatchKind: 'reverify-r2',
      inputDigest: digestOfBytes('another prompt'),
      participantRef: 'p-codex',
      roleExecutionRef: 're-2',
      executionLabel: 'Other',
      dutyId: 'other',
      assignment: { hostModelValue: 'opus', modelRef: 'claude/sonnet' },
    };
    for (const [field, value] of Object.entries(changes)) {
      const drifted = metadataV2({ attempt: 2, invocationId: 'inv-1~2', [field]: value });
      expect(refusal('RETRY_DRIFTED', () => checkRetry(failed, drifted)).field).toBe(field);
    }
    expect(checkRetry(failed, retry.metadata)).toBeUndefined();
  });
});

describe('a stored retry', () => {
  it('RT-2 is a byte-for-byte copy of the prompt with its metadata beside it', async () => {
    const promptPath = join(await tempFolder(), 'task.md');
    await writeFile(promptPath, PROMPT);
    const retry = await storeRetry({ metadata: metadataV2(), promptPath, attempt: 2 });
    expect(await readFile(retry.promptPath)).toEqual(await readFile(promptPath));
    expect(await readMetadata(retry.promptPath)).toEqual(retry.metadata);
    expect(retry.metadata.inputDigest).toBe(metadataV2().inputDigest);
  });

  it('RT-4 is the same when it is stored again after a crash in between', async () => {
    const promptPath = join(await tempFolder(), 'task.md');
    await writeFile(promptPath, PROMPT);
    const first = await storeRetry({ metadata: metadataV2(), promptPath, attempt: 2 });
    const bytes = await readFile(first.metadataPath);
    await writeFile(first.metadataPath, bytes.subarray(0, 10));
    expect(await storeRetry({ metadata: metadataV2(), promptPath, attempt: 2 })).toEqual(first);
    expect(await readFile(first.metadataPath)).toEqual(bytes);
  });

  it('RT-2 of a prompt that is no longer what the first attempt got has no metadata, so it can’t be launched', async () => {
    const promptPath = join(await tempFolder(), 'task.md');
    await writeFile(promptPath, `${PROMPT} and more`);
    await rejection('INPUT_DIGEST_DISAGREES', storeRetry({ metadata: metadataV2(), promptPath, attempt: 2 }));
    await rejection('METADATA_MISSING', readMetadata(join(promptPath, '..', 'task.attempt-2.md')));
  });
});
