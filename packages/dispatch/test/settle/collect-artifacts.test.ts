import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseInvocationRef } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { awaitRun, buildPlan, dispatchBatch, dropBoxOf } from '../../src/index.ts';
import { createFakeBackend } from '../support/fake-backend.ts';
import { makeScene, recordsOf, writePrompt } from '../support/scene.ts';

describe('artifacts', () => {
  it('MA-13 of one name in two folders of the drop box are two copies, each what was handed in', async () => {
    const outputs = ['verdict/result.json', 'notes/result.json'];
    const backend = createFakeBackend({
      work: async (job) => {
        for (const output of outputs) {
          await mkdir(dirname(join(job.dropBoxPath, output)), { recursive: true });
          await writeFile(join(job.dropBoxPath, output), JSON.stringify({ output }));
        }
        return {};
      },
    });
    const scene = await makeScene({ backend });
    const { manifest, context } = scene;
    const box = dropBoxOf(manifest.projectRoot, parseInvocationRef(`${manifest.runId}.verifier-1.1`));
    const edit = (text: string) =>
      text
        .replace(join(box, 'result.json'), join(box, outputs[0] ?? ''))
        .replace(join(box, 'worker-result.md'), join(box, outputs[1] ?? ''));
    const promptPath = await writePrompt(scene, 'verifier-1', { edit });
    const plan = await buildPlan({
      manifest,
      requests: [{ promptPath, backend: 'cli-wrapper' }],
      backends: context.backends,
    });
    await dispatchBatch(context, plan);
    await awaitRun(context);
    const record = (await recordsOf(scene)).get('verifier-1 1');
    expect(record?.status).toBe('completed');
    const copies = record?.result?.artifacts.map(({ copy }) => copy) ?? [];
    const texts = await Promise.all(copies.map((copy) => readFile(join(context.layout.runDirectory, copy), 'utf8')));
    expect(texts).toEqual(outputs.map((output) => JSON.stringify({ output })));
    expect(record?.evidence?.reason).toBeNull();
  });
});
