import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scribe } from './example/provider.ts';
import { CLEAN_EXIT, readAll, servedModels, sessions } from './support/streams.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/adding-a-provider.md'), 'utf8');

it.each(['provider.ts', 'reader.ts'])('the guide to a new provider shows the %s that is type-checked here', (name) => {
  const source = readFileSync(join(import.meta.dirname, 'example', name), 'utf8');
  expect(GUIDE).toContain(source.replaceAll("'../../src/", "'../"));
});

it('the example in the guide makes a command, reads a stream, and knows its end', () => {
  const paths = { cwd: '/project', promptPath: '/state/prompt.md', writeRoots: [] };
  const job = { model: 'large-1', sessionId: '', role: 'implementer', unattendedWrites: true };
  expect(scribe.command({ ...paths, ...job }).argv).toEqual(['scribe', 'run', '--json', '--model', 'large-1', '--yes']);
  const printed = Buffer.from(
    '{"type":"start","session":"s-1"}\n{"type":"answer","model":"large-1-0926","text":"Hi."}\n{"type":"done","ok":true}\n',
  );
  const seen = readAll(scribe.reader(), [printed], CLEAN_EXIT);
  expect([sessions(seen), servedModels(seen), seen.verdict.endEvidence]).toEqual([
    ['s-1'],
    ['large-1-0926'],
    'positive',
  ]);
});
