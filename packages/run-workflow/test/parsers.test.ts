import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineDocument, isDurableFileError } from '@bailiwick/durable-files';
import { type Refusal, trialRuns, tryParser } from '@bailiwick/tooling/parser-trial';
import { describe, expect, it } from 'vitest';
import { ConfigV1, JobsFileV1, RunContextV1 } from '../src/schema.ts';

const runs = trialRuns(300);
const folder = join(import.meta.dirname, 'fixtures', 'wire', 'config', 'accept');
// the corpus is ours
const configs = readdirSync(folder).map(
  (name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { document: unknown }).document,
);

const parsers = [
  ['config', ConfigV1, configs],
  [
    'jobs file',
    JobsFileV1,
    [
      {
        $schema: 'x',
        schemaVersion: '1.0',
        jobs: [{ promptPath: 'a.md', backend: 'cli-wrapper' }, { promptPath: 'b.md' }],
      },
    ],
  ],
  ['run context', RunContextV1, [{ schemaVersion: '1.0', translationLanguage: 'de', minimumModelSource: null }]],
] as const;

describe.each(parsers)('%s', (name, schema, accepted) => {
  it('ends in acceptance or a coded error, and a changed field is refused for its path', {
    timeout: 30_000 + runs * 5,
  }, () => {
    const codec = defineDocument<unknown>({ name, version: '1.0', schema });
    const refusalOf = (value: unknown) => refusalIn(() => codec.decode(value, 'trial'));
    // Rows of the model pool are judged where a model is used (AR-4): the config only carries them.
    const isJudged = ([first]: readonly string[]) => first !== 'models';
    const { documents, changed } = tryParser({ name, accepted, refusalOf, isJudged }, runs);
    expect(changed / documents).toBeGreaterThan(0.3);
  });
});

function refusalIn(act: () => unknown): Refusal | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return isDurableFileError(error)
      ? { isCoded: true, paths: error.issues?.map(({ path }) => path) ?? [] }
      : { isCoded: false };
  }
}
