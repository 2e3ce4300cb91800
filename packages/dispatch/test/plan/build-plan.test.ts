import { rm } from 'node:fs/promises';
import { parseWorkerId } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { buildPlan, selectWorkers } from '../../src/index.ts';
import { codeOf, errorOf } from '../support/errors.ts';
import { sampleManifest } from '../support/sample-manifest.ts';
import { makeScene, planFor, type Scene, writePrompt } from '../support/scene.ts';

const MANIFEST = sampleManifest('/shop', '/state');

describe('the workers of a roster', () => {
  it('PL-1 are all that the manifest recommends, where none is named', () => {
    expect(selectWorkers(MANIFEST, [])).toEqual(MANIFEST.recommendedWorkers);
  });

  it('PL-1 are narrowed to those that are named, in the order of the roster', () => {
    expect(selectWorkers(MANIFEST, ['verifier-2', 'implementer', 'implementer'])).toEqual([
      'implementer',
      'verifier-2',
    ]);
  });

  it('PL-1 are refused where the manifest recommends none', () => {
    expect(() => selectWorkers({ ...MANIFEST, recommendedWorkers: [] }, ['implementer'])).toThrow(
      expect.objectContaining({ code: 'ROSTER_EMPTY' }),
    );
  });

  it('PL-1 are refused with one that nobody knows, who is named beside those there are', () => {
    expect(() => selectWorkers(MANIFEST, ['implementer', 'ada'])).toThrow(
      expect.objectContaining({ code: 'WORKER_UNKNOWN', names: ['ada'], hint: expect.stringContaining('verifier-2') }),
    );
  });

  it('PL-1 are refused with a participant that is not in the roster', () => {
    const manifest = { ...MANIFEST, recommendedWorkers: [parseWorkerId('implementer')] };
    expect(() => selectWorkers(manifest, ['verifier-1'])).toThrow(expect.objectContaining({ code: 'WORKER_UNKNOWN' }));
  });
});

describe('a plan', () => {
  async function refusal(scene: Scene, promptPaths: readonly string[]): Promise<string> {
    const requests = promptPaths.map((promptPath) => ({ promptPath, backend: 'cli-wrapper' as const }));
    return codeOf(() => buildPlan({ manifest: scene.manifest, requests, backends: scene.context.backends }));
  }

  it('PL-4 of a doomed batch is refused for its shape, not for the prompt that is bad besides', async () => {
    const scene = await makeScene();
    const implementer = await writePrompt(scene, 'implementer', { edit: () => '' });
    const verifier = await writePrompt(scene, 'verifier-1');
    expect(await refusal(scene, [implementer, verifier])).toBe('IMPLEMENTER_WITH_VERIFIER');
  });

  it('PL-4 of a doomed batch is refused for its shape, even where metadata are missing too', async () => {
    const scene = await makeScene();
    const paths = [];
    for (const label of ['implementer', 'verifier-1', 'verifier-2']) paths.push(await writePrompt(scene, label));
    await rm(`${paths[2]}.meta.json`);
    expect(await refusal(scene, paths)).toBe('IMPLEMENTER_WITH_VERIFIER');
    expect(await refusal(scene, paths.slice(2))).toBe('METADATA_MISSING');
  });

  it('refuses one worker twice, and no worker at all', async () => {
    const scene = await makeScene();
    const first = await writePrompt(scene, 'verifier-1');
    const second = await writePrompt(scene, 'verifier-1', { ordinal: 2 });
    expect(await refusal(scene, [first, second])).toBe('WORKER_TWICE');
    expect(await refusal(scene, [])).toBe('ROSTER_EMPTY');
  });

  it('BA-5 is refused for a backend that is not there, by the worker that wants it', async () => {
    const scene = await makeScene();
    const error = await errorOf(() => planFor(scene, ['verifier-1'], 'cmux-pane'));
    expect(error).toMatchObject({ code: 'BACKEND_UNSUPPORTED', message: expect.stringContaining('verifier-1') });
  });
});
