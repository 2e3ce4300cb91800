import { describe, expect, it } from 'vitest';
import { checkModelPool, createModelPool, HOST_IDS, type ModelPoolEntry, shippedModelPool } from '../../src/index.ts';

const pool = createModelPool(shippedModelPool());

function entriesOf(providerId: string): readonly ModelPoolEntry[] {
  return pool.entries.filter((entry) => entry.providerId === providerId);
}

function capabilityOf(entry: ModelPoolEntry): string | undefined {
  return entry.bindings[0]?.workerWriteCapability?.maxBoundaryPrecision;
}

describe('the shipped pool', () => {
  it('has no broken row, no ref twice and no name that two models of one agent CLI share', () => {
    expect(checkModelPool(shippedModelPool())).toEqual([]);
    expect(pool.entries).toHaveLength(pool.size);
  });

  it('has models of every supported agent CLI', () => {
    const providers = [...new Set(pool.entries.map(({ providerId }) => providerId))].sort();
    expect(providers).toEqual(['claude', 'cline', 'codex', 'copilot', 'gemini', 'opencode', 'pi', 'qwen']);
  });

  it('offers every model on every host through the CLI wrapper', () => {
    for (const entry of pool.entries) {
      expect(entry.bindings.map(({ hostId }) => hostId)).toEqual([...HOST_IDS]);
      expect(new Set(entry.bindings.map(({ runner }) => runner))).toEqual(new Set(['cli-wrapper']));
    }
  });

  it.each([
    ['claude', 'directory'],
    ['codex', 'directory'],
    ['qwen', 'directory'],
    ['gemini', 'worktree'],
    ['opencode', 'none'],
    ['pi', 'none'],
    ['copilot', 'none'],
    ['cline', 'none'],
  ])('says of %s that its writes can be confined to: %s', (providerId, precision) => {
    expect(new Set(entriesOf(providerId).map(capabilityOf))).toEqual(new Set([precision]));
  });

  it.each([
    'claude/opus',
    'claude/sonnet',
    'claude/haiku',
    'claude/fable',
    'gemini/pro',
    'gemini/flash',
    'codex/gpt-5.5',
  ])('AR-8 %s is a channel with pinned versions of its family beside it', (ref) => {
    const channel = pool.entry(ref);
    expect(channel.versionKind).toBe('channel');
    const beside = entriesOf(channel.providerId).filter(
      (entry) => entry.versionKind === 'pinned' && entry.channelFamily === channel.channelFamily,
    );
    expect(beside.length).toBeGreaterThan(0);
  });

  it.each([
    ['opus', 'claude/opus'],
    ['claude/opus[1m]', 'claude/opus-1m'],
    ['claude/claude-opus-4-5', 'claude/claude-opus-4-5@20251101'],
    ['codex/gpt-5.5-2026-04-23', 'codex/gpt-5.5@2026-04-23'],
    ['copilot/claude-opus-5.5', 'copilot/claude-opus-5-5'],
    ['gemini/gemini-pro-latest', 'gemini/pro'],
  ])('AR-1 resolves %s to %s', (name, ref) => {
    expect(pool.resolve(name).modelRef).toBe(ref);
  });

  it.each([
    ['claude/opus', 'opus'],
    ['claude/claude-opus-4-5@20251101', 'claude-opus-4-5-20251101'],
    ['opencode/gpt-6.2-sol', 'openai/gpt-6.2-sol'],
    ['copilot/claude-haiku-4-5@20251001', 'claude-haiku-4.5'],
    ['qwen/qwen3-coder-plus', 'qwen3-coder-plus'],
  ])('gives the agent CLI of %s the model %s', (ref, value) => {
    expect(pool.entry(ref).bindings.map((binding) => binding.resolvedExecutionValue)).toEqual(Array(5).fill(value));
  });

  it('knows a native name only on the host that is the agent CLI itself', () => {
    const named = pool.entry('claude/opus').bindings.filter((binding) => binding.hostModelValue !== null);
    expect(named).toMatchObject([{ hostId: 'claude-code', hostModelValue: 'opus' }]);
  });

  it('does not offer what changes its model half-way', () => {
    const names = ['claude/opusplan', 'claude/best', 'claude/default', 'gemini/auto'];
    expect(pool.refs.filter((ref) => names.includes(ref))).toEqual([]);
  });
});
