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
  ['claude', '2.1.332'],
  ['copilot', '1.0.102'],
  ['gemini', '0.61.0'],
  ['qwen', '0.24.4'],
  ['opencode', '1.18.33'],
] as const;
/** What the fake model says that so many turns used. */
const usageOf = (turns: number) => ({
  inputTokens: 900 * turns,
  outputTokens: 21 * turns,
  cachedInputTokens: 100 * turns,
});
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
      turns: 3,
    },
    {
      provider: 'qwen',
      version: '0.24.4',
      session: SESSION,
      models: [null, null, null, null],
      ran: ['run_shell_command true', 'write_file true'],
      claim: ['/project/hello.txt'],
      turns: 3,
    },
    {
      provider: 'opencode',
      version: '1.18.33',
      session: 'ses_dd6cee167ffedRaQ6trmp1cIEJ',
      models: [null, null, null],
      // it offers this model no tool that writes a whole file
      ran: ['bash true', 'bash true'],
      claim: [],
      turns: 3,
    },
    {
      provider: 'claude',
      version: '2.1.332',
      session: SESSION,
      models: ['claude-sonnet-4-6', 'claude-sonnet-4-6', 'claude-sonnet-4-6'],
      ran: ['Bash true', 'Write true'],
      claim: ['/project/hello.txt'],
      turns: 3,
    },
    {
      provider: 'copilot',
      version: '1.0.102',
      session: SESSION,
      models: [null, null, null],
      ran: ['bash true', 'apply_patch true'],
      claim: ['/project/hello.txt'],
      turns: null,
    },
    {
      provider: 'cline',
      version: '3.0.65',
      session: 'conv_1796011425223_v593dtu',
      models: [null, null, null, null],
      // it reads its prompt first
      ran: ['run_commands true', 'run_commands true', 'run_commands true'],
      claim: [],
      turns: 4,
    },
  ])('of $provider show a run that looks, writes a file and says so', ({ provider, version, turns, ...expected }) => {
    const seen = recorded(provider, `${version}-success`);
    expect(seen.verdict.endEvidence).toBe('positive');
    expect(sessions(seen)).toEqual([expected.session]);
    expect(servedModels(seen)).toEqual(expected.models);
    expect(tools(seen)).toEqual(expected.ran);
    expect(claims(seen)).toEqual(expected.claim);
    expect(lastUsage(seen)).toEqual(turns === null ? undefined : expect.objectContaining(usageOf(turns)));
  });

  it.each([...VERSIONS, ['cline', '3.0.65'] as const])(
    'of %s finish positively where nothing was written',
    (provider, version) => {
      const seen = recorded(provider, `${version}-nothing-written`);
      expect([seen.verdict.endEvidence, claims(seen)]).toEqual(['positive', []]);
    },
  );

  it.each(VERSIONS)(
    'ST-7 of %s have no evidence of an end after SIGTERM, whatever the exit code says',
    (provider, version) => {
      expect(recorded(provider, `${version}-hang-then-sigterm`).verdict.endEvidence).not.toBe('positive');
    },
  );

  it.each([
    ['gemini', '0.61.0', 'gemini-2.5-pro'],
    ['claude', '2.1.332', 'claude-sonnet-4-6'],
  ])('AR-10 of %s name every model that served', (provider, version, asked) => {
    expect(servedModels(recorded(provider, `${version}-other-model`))).toEqual([asked, 'some-other-model-9']);
  });
});
