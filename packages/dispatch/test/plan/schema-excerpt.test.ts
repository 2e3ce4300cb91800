import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { buildPlan, RESULT_CONTRACT_VERSION, saveSchemaExcerpt } from '../../src/index.ts';
import { errorOf } from '../support/errors.ts';
import { makeScene, type Scene, writePrompt } from '../support/scene.ts';

async function planWith({ manifest, context }: Scene, promptPath: string) {
  return buildPlan({ manifest, requests: [{ promptPath, backend: 'cli-wrapper' }], backends: context.backends });
}

describe('the excerpt of the result contract beside a prompt', () => {
  it('PL-6 made by another version than the installed one refuses the job, naming both', async () => {
    const scene = await makeScene();
    const promptPath = await writePrompt(scene, 'implementer');
    await saveSchemaExcerpt(promptPath, 'implementer', 'The result is JSON.');
    const path = `${promptPath}.schema.json`;
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      text
        .replace(`"madeBy":"${RESULT_CONTRACT_VERSION}"`, '"madeBy":"0.9"')
        .replace(`"madeBy": "${RESULT_CONTRACT_VERSION}"`, '"madeBy": "0.9"'),
    );
    const error = await errorOf(() => planWith(scene, promptPath));
    expect(error).toMatchObject({ code: 'SCHEMA_EXCERPT_STALE' });
    expect(String(error)).toContain('0.9');
    expect(String(error)).toContain(RESULT_CONTRACT_VERSION);
  });

  it('PL-6 made by the installed version lets the job through, as does no excerpt at all', async () => {
    const scene = await makeScene();
    const promptPath = await writePrompt(scene, 'implementer');
    expect((await planWith(scene, promptPath)).jobs).toHaveLength(1);
    await saveSchemaExcerpt(promptPath, 'implementer', 'The result is JSON.');
    expect((await planWith(scene, promptPath)).jobs).toHaveLength(1);
  });
});
