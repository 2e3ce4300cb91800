import { describe, expect, it } from 'vitest';
import { claims, lastLine, lastUsage, seenIn, servedModels, sessions, tools } from './support/streams.ts';

const SESSION = '6f1c0b52-3b0e-4a0e-9d59-0d4a8f3f6a11';

interface Expected {
  readonly provider: string;
  readonly sessions: readonly string[];
  readonly models: readonly (string | null)[];
  readonly tools: readonly string[];
  readonly claim: string;
  readonly usage: readonly (number | 'unknown')[] | undefined;
}

// Each fixture is the same run: look with a command, write hello.txt, say so.
const RUNS: readonly Expected[] = [
  {
    provider: 'claude',
    sessions: [SESSION],
    models: ['claude-sonnet-5', 'claude-sonnet-5', 'claude-sonnet-5'],
    tools: ['Bash true', 'Write true'],
    claim: '/project/hello.txt',
    usage: [3050, 63, 300, 0.0123],
  },
  {
    provider: 'codex',
    sessions: ['01a22832-30b8-7931-a6fa-802c61716805'],
    models: [null],
    tools: ['command_execution true', 'file_change true'],
    claim: '/project/hello.txt',
    usage: [3600, 102, 600, 'unknown'],
  },
  {
    provider: 'gemini',
    sessions: [SESSION],
    models: ['gemini-2.5-pro'],
    tools: ['run_shell_command true', 'write_file true'],
    claim: '/project/hello.txt',
    usage: [2700, 63, 300, 'unknown'],
  },
  {
    provider: 'opencode',
    sessions: ['ses_6f1c0b523ffe'],
    models: [null, null, null],
    tools: ['bash true', 'write true'],
    claim: '/project/hello.txt',
    usage: [2700, 63, 300, 0.006],
  },
  {
    provider: 'pi',
    sessions: ['60a78bb5-212f-42c3-a3c1-90b75d44154c'],
    models: [null, null, null],
    tools: ['bash true', 'write true'],
    claim: 'hello.txt',
    usage: [2700, 63, 300, 'unknown'],
  },
  {
    provider: 'qwen',
    sessions: [SESSION],
    models: [null, null, null],
    tools: ['run_shell_command true', 'write_file true'],
    claim: '/project/hello.txt',
    usage: [2700, 63, 300, 'unknown'],
  },
  {
    provider: 'copilot',
    sessions: [SESSION],
    models: [null, null, null],
    tools: ['bash true', 'create true'],
    claim: '/project/hello.txt',
    usage: undefined,
  },
  {
    provider: 'cline',
    sessions: ['1795970797251_ab12c'],
    models: [null, null, null],
    tools: ['run_commands true', 'editor true'],
    claim: '/project/hello.txt',
    usage: [2700, 63, 300, 0.01],
  },
];

describe.each(RUNS)('a run of $provider that wrote a file', (expected) => {
  const seen = seenIn(expected.provider, 'success');

  it('ST-7 ends with positive evidence', () => {
    expect(seen.verdict).toMatchObject({ endEvidence: 'positive', transient: false });
    expect(seen.observations.at(-1)).toMatchObject({ kind: 'end', evidence: 'positive' });
  });

  it('RT-6 reports its session once', () => {
    expect(sessions(seen)).toEqual(expected.sessions);
  });

  it('AR-10 yields one served model per turn, null where the output does not show it', () => {
    expect(servedModels(seen)).toEqual(expected.models);
  });

  it('yields its tool calls and the file it claims to have written', () => {
    expect(tools(seen)).toEqual(expected.tools);
    expect(claims(seen)).toEqual([expected.claim]);
  });

  it('yields the total of its usage, unknown where it says nothing', () => {
    const usage = lastUsage(seen);
    const numbers = usage && [usage.inputTokens, usage.outputTokens, usage.cachedInputTokens, usage.costUsd];
    expect(numbers).toEqual(expected.usage);
  });

  it('has what it said last as its last line', () => {
    expect(lastLine(seen)).toBe('Wrote hello.txt.');
  });
});
