import { VersionKind as Kind, type VersionKind } from '../model.ts';

/** A model as its vendor's own API names it. Data only; the agents' tables say who can run it, and under which name. */
export interface VendorModel {
  readonly id: string;
  readonly versionKind: VersionKind;
  readonly channelFamily: string;
  /** The part of `id` that is a snapshot's version; it becomes the ref's `@<version>`. */
  readonly snapshot?: string;
  /** Further names under which the vendor's API takes and reports it. */
  readonly aliases?: readonly string[];
}

/** One snapshot, whose undated name the vendor documents as its alias: one alone was ever published of each. */
function datedClaude(undated: string, snapshot: string, channelFamily: string): VendorModel {
  return { id: `${undated}-${snapshot}`, versionKind: Kind.pinned, channelFamily, snapshot, aliases: [undated] };
}

/** From 4.6 on the undated id is the snapshot itself. */
function undatedClaude(id: string, channelFamily: string): VendorModel {
  return { id, versionKind: Kind.pinned, channelFamily };
}

/**
 * Source: type `Model` of @anthropic-ai/sdk 1.14.0; what an id pins: Anthropic documentation, "Model IDs and versioning".
 */
export const CLAUDE_MODELS: readonly VendorModel[] = [
  undatedClaude('claude-fable-5-2', 'fable'),
  undatedClaude('claude-fable-5-1', 'fable'),
  undatedClaude('claude-fable-5', 'fable'),
  undatedClaude('claude-mythos-5-2', 'mythos'),
  undatedClaude('claude-mythos-5-1', 'mythos'),
  undatedClaude('claude-mythos-5', 'mythos'),
  undatedClaude('claude-opus-5-5', 'opus'),
  undatedClaude('claude-opus-5', 'opus'),
  undatedClaude('claude-opus-4-8', 'opus'),
  undatedClaude('claude-opus-4-7', 'opus'),
  undatedClaude('claude-opus-4-6', 'opus'),
  datedClaude('claude-opus-4-5', '20251101', 'opus'),
  undatedClaude('claude-sonnet-5-5', 'sonnet'),
  undatedClaude('claude-sonnet-5', 'sonnet'),
  undatedClaude('claude-sonnet-4-6', 'sonnet'),
  datedClaude('claude-sonnet-4-5', '20250929', 'sonnet'),
  undatedClaude('claude-haiku-5-5', 'haiku'),
  datedClaude('claude-haiku-4-5', '20251001', 'haiku'),
];

/** An undated slug moves on to the next snapshot; each snapshot stays. The slug is the family of both. */
function slug(id: string, ...snapshots: readonly string[]): readonly VendorModel[] {
  const pinned = snapshots.map((snapshot) => ({
    id: `${id}-${snapshot}`,
    versionKind: Kind.pinned,
    channelFamily: id,
    snapshot,
  }));
  return [{ id, versionKind: Kind.channel, channelFamily: id }, ...pinned];
}

/** Source: the slugs that codex 0.171.0 bundles, and type `ChatModel` of openai 7.59.0 for the rest and the snapshots. */
export const GPT_MODELS: readonly VendorModel[] = [
  ...slug('gpt-6.2-sol'),
  ...slug('gpt-6.2-astra'),
  ...slug('gpt-6.1-sol'),
  ...slug('gpt-6.1-terra'),
  ...slug('gpt-6-sol'),
  ...slug('gpt-6-luna'),
  ...slug('gpt-6-astra'),
  ...slug('gpt-5.6-sol'),
  ...slug('gpt-5.6-terra'),
  ...slug('gpt-5.6-luna'),
  ...slug('gpt-5.5', '2026-04-23'),
  ...slug('gpt-5.4'),
  ...slug('gpt-5.4-mini', '2026-03-17'),
  ...slug('gpt-5.2', '2025-12-11'),
  ...slug('gpt-5.1', '2025-11-13'),
  ...slug('gpt-5.1-codex-max'),
  ...slug('gpt-5.1-codex'),
  ...slug('gpt-5', '2025-08-07'),
  ...slug('gpt-5-mini', '2025-08-07'),
  ...slug('gpt-5-codex'),
];

/** A stable or preview id stays one model; only `-latest` names move. */
function gemini(id: string, channelFamily: string): VendorModel {
  return { id, versionKind: Kind.pinned, channelFamily };
}

/** Source: config/models of @google/gemini-cli-core 0.61.0, and the google catalogue of @earendil-works/pi-ai 1.6.0. */
export const GEMINI_MODELS: readonly VendorModel[] = [
  gemini('gemini-4-argon', 'gemini-4-argon'),
  gemini('gemini-4-carbon', 'gemini-4-carbon'),
  gemini('gemini-4-hydrogen', 'gemini-4-hydrogen'),
  gemini('gemini-4-neon', 'gemini-4-neon'),
  gemini('gemini-3.8-flash', 'flash'),
  gemini('gemini-3.5-flash', 'flash'),
  gemini('gemini-3-flash-preview', 'flash'),
  gemini('gemini-3-flash', 'flash'),
  gemini('gemini-2.5-flash', 'flash'),
  gemini('gemini-3.5-flash-lite', 'flash-lite'),
  gemini('gemini-3.1-flash-lite', 'flash-lite'),
  gemini('gemini-2.5-flash-lite', 'flash-lite'),
  gemini('gemini-3.1-pro-preview', 'pro'),
  gemini('gemini-3.1-pro-preview-customtools', 'pro'),
  gemini('gemini-3-pro-preview', 'pro'),
  gemini('gemini-2.5-pro', 'pro'),
];

/** Source: the models that qwen-code 0.24.4 bundles; its qwen3-max-2026-01-23 and qwen3.8-max-0902 are snapshots. */
export const QWEN_MODELS: readonly VendorModel[] = [
  ...slug('qwen3.8-max', '0902'),
  ...slug('qwen3.8-flash'),
  ...slug('qwen3.7-max'),
  ...slug('qwen3.7-plus'),
  ...slug('qwen3.6-plus'),
  ...slug('qwen3.6-flash'),
  ...slug('qwen3.5-plus'),
  ...slug('qwen3-max', '2026-01-23'),
  ...slug('qwen3-coder-plus'),
  ...slug('qwen3-coder-next'),
  ...slug('coder-model'),
];
