import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AgentExit, findProvider } from '../src/index.ts';
import { CLEAN_EXIT, claims, lastUsage, readAll, servedModels, sessions, tools } from './support/streams.ts';

/** A stream as the real program printed it against the fake model (`scripts/record-streams.mjs`). */
function recorded(provider: string, name: string, exit: AgentExit = CLEAN_EXIT) {
  const file = join(import.meta.dirname, 'fixtures', 'streams', provider, `recorded-${name}.jsonl`);
  return readAll(findProvider(provider).reader(), [readFileSync(file)], exit);
}

const VERSIONS = [
  ['gemini', '0.61.0'],
  ['qwen', '0.24.4'],
  ['opencode', '1.18.33'],
] as const;
const SESSION = '6f1c0b52-3b0e-4a0e-9d59-0d4a8f3f6a11';

describe('the recorded streams of real programs', () => {
  it.each([
    {
      provider: 'gemini',
      version: '0.61.0',
      session: SESSION,
      models: ['gemini-2.5-pro'],
      ran: ['run_shell_command true', 'write_file true'],
      claim: ['hello.txt'],
    },
    {
      provider: 'qwen',
      version: '0.24.4',
      session: SESSION,
      models: [null, null, null, null],
      ran: ['run_shell_command true', 'write_file true'],
      claim: ['/project/hello.txt'],
    },
    {
      provider: 'opencode',
      version: '1.18.33',
      session: 'ses_dd6cee167ffedRaQ6trmp1cIEJ',
      models: [null, null, null],
      // it offers this model no tool that writes a whole file
      ran: ['bash true', 'bash true'],
      claim: [],
    },
  ])('of $provider show a run that looks, writes a file and says so', ({ provider, version, ...expected }) => {
    const seen = recorded(provider, `${version}-success`);
    expect(seen.verdict.endEvidence).toBe('positive');
    expect(sessions(seen)).toEqual([expected.session]);
    expect(servedModels(seen)).toEqual(expected.models);
    expect(tools(seen)).toEqual(expected.ran);
    expect(claims(seen)).toEqual(expected.claim);
    // what the fake model says that its three turns cost
    expect(lastUsage(seen)).toMatchObject({ inputTokens: 2700, outputTokens: 63, cachedInputTokens: 300 });
  });

  it.each(VERSIONS)('of %s finish positively where nothing was written', (provider, version) => {
    const seen = recorded(provider, `${version}-nothing-written`);
    expect([seen.verdict.endEvidence, claims(seen)]).toEqual(['positive', []]);
  });

  it.each(VERSIONS)(
    'ST-7 of %s have no evidence of an end after SIGTERM, whatever the exit code says',
    (provider, version) => {
      expect(recorded(provider, `${version}-hang-then-sigterm`).verdict.endEvidence).not.toBe('positive');
    },
  );

  it('AR-10 of gemini name every model that served', () => {
    expect(servedModels(recorded('gemini', '0.61.0-other-model'))).toEqual(['gemini-2.5-pro', 'some-other-model-9']);
  });
});
