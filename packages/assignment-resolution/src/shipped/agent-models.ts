import { BoundaryPrecision, VersionKind } from '../model.ts';
import { CLAUDE_MODELS, GEMINI_MODELS, GPT_MODELS, QWEN_MODELS, type VendorModel } from './vendor-models.ts';

/** One model as one agent CLI runs it. */
export interface AgentModel extends VendorModel {
  /** What the CLI gets as its model. */
  readonly executionValue: string;
  /** The ref's part after the provider, where it isn't the id with its snapshot after `@`. */
  readonly refName?: string;
  /** What the model is called by a host that is the same product. */
  readonly nativeName?: string;
}

/** One agent CLI: its models, and how far it can confine what a worker writes. */
export interface AgentModels {
  readonly providerId: string;
  readonly maxBoundaryPrecision: BoundaryPrecision;
  /** The host that is this CLI itself. */
  readonly nativeHostId?: string;
  readonly models: readonly AgentModel[];
}

/**
 * Each CLI's models and its measured write capability (scripted writes, 29 Nov 2026): codex' own sandbox, claude's with
 * `failIfUnavailable` and qwen's `executionSandbox` open single directories and hold; gemini without a shell holds its
 * file tool to the worktree; the others can't hold a shell, or leave .git open.
 */
export function agentModels(): readonly AgentModels[] {
  return [
    {
      providerId: 'claude',
      maxBoundaryPrecision: BoundaryPrecision.directory,
      nativeHostId: 'claude-code',
      models: [...claudeChannels(), ...plain(CLAUDE_MODELS)],
    },
    {
      providerId: 'codex',
      maxBoundaryPrecision: BoundaryPrecision.directory,
      nativeHostId: 'codex',
      models: plain(GPT_MODELS),
    },
    {
      providerId: 'gemini',
      maxBoundaryPrecision: BoundaryPrecision.worktree,
      nativeHostId: 'gemini-cli',
      models: [...geminiChannels(), ...plain(GEMINI_MODELS)],
    },
    {
      providerId: 'qwen',
      maxBoundaryPrecision: BoundaryPrecision.directory,
      models: plain(QWEN_MODELS),
    },
    {
      providerId: 'opencode',
      maxBoundaryPrecision: BoundaryPrecision.none,
      nativeHostId: 'opencode',
      models: routed(),
    },
    { providerId: 'pi', maxBoundaryPrecision: BoundaryPrecision.none, models: routed() },
    { providerId: 'copilot', maxBoundaryPrecision: BoundaryPrecision.none, models: copilotModels() },
    { providerId: 'cline', maxBoundaryPrecision: BoundaryPrecision.none, models: routed() },
  ];
}

/**
 * Source: Claude Code documentation, "Model configuration". `opusplan` changes its model half-way and `best` and
 * `default` cross families, so no attempt of theirs could be verified: they aren't offered.
 */
function claudeChannels(): readonly AgentModel[] {
  const names = ['opus', 'sonnet', 'haiku', 'fable'];
  const channels = names.map((name) => claudeChannel(name, name));
  return [...channels, claudeChannel('opus-1m', 'opus[1m]'), claudeChannel('sonnet-1m', 'sonnet[1m]')];
}

function claudeChannel(refName: string, value: string): AgentModel {
  const channelFamily = refName.replace('-1m', '');
  const { channel } = VersionKind;
  return { id: value, refName, versionKind: channel, channelFamily, executionValue: value, nativeName: channelFamily };
}

/** Source: config/models of @google/gemini-cli-core 0.61.0. `auto` chooses a tier per turn, so it isn't offered. */
function geminiChannels(): readonly AgentModel[] {
  return ['pro', 'flash', 'flash-lite'].map((name) => ({
    id: name,
    versionKind: VersionKind.channel,
    channelFamily: name,
    aliases: [`gemini-${name}-latest`],
    executionValue: name,
  }));
}

function plain(models: readonly VendorModel[]): readonly AgentModel[] {
  return models.map((model) => ({ ...model, executionValue: model.id }));
}

/** CLIs that name a model by its API's vendor: opencode and pi take `vendor/model`, as cline's own service does. */
function routed(): readonly AgentModel[] {
  return [
    ...routedThrough('anthropic', CLAUDE_MODELS),
    ...routedThrough('openai', GPT_MODELS),
    ...routedThrough('google', GEMINI_MODELS),
  ];
}

function routedThrough(vendor: string, models: readonly VendorModel[]): readonly AgentModel[] {
  return models.map((model) => ({ ...model, executionValue: `${vendor}/${model.id}` }));
}

// Source: the github-copilot catalogue of @earendil-works/pi-ai 1.6.0, by the vendors' ids.
const onCopilot: ReadonlySet<string> = new Set(
  `claude-fable-5-2 claude-fable-5-1 claude-fable-5 claude-opus-5-5 claude-opus-5 claude-opus-4-8
  claude-sonnet-5-5 claude-sonnet-5 claude-sonnet-4-6 claude-haiku-5-5 claude-haiku-4-5-20251001
  gpt-6.2-sol gpt-6.2-astra gpt-6.1-sol gpt-6.1-terra gpt-6-sol gpt-6-luna gpt-6-astra
  gpt-5.6-sol gpt-5.6-terra gpt-5.6-luna
  gemini-4-argon gemini-4-carbon gemini-4-hydrogen gemini-4-neon gemini-3.8-flash`.split(/\s+/),
);

/** Copilot writes a Claude version with a dot and without a date. */
function copilotModels(): readonly AgentModel[] {
  return [...CLAUDE_MODELS, ...GPT_MODELS, ...GEMINI_MODELS]
    .filter(({ id }) => onCopilot.has(id))
    .map((model) => ({ ...model, executionValue: copilotName(model.id) }));
}

function copilotName(id: string): string {
  return id.replace(/^(claude-[a-z]+-\d+)-(\d{1,2})(?:-\d{8})?$/, '$1.$2');
}
