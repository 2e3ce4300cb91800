/** One way in which the name of a model is dressed up on its way, and how to take that off. */
export interface SpellingRule {
  /** For a person who reads the table. */
  readonly name: string;
  /** Matches the whole name. */
  readonly pattern: RegExp;
  /** What the match is replaced by: the name without the wrapping. */
  readonly bare: string;
  /** Who writes names like this, and where it was seen. */
  readonly source: string;
}

const vendors = 'anthropic|openai|google|qwen|alibaba|moonshotai|zai|z-ai|xai|deepseek';

/**
 * Only what leaves the model itself the same: routes, regions, resource paths, a context window, the order of a name's
 * parts. Anything that stands for other weights or another serving (`-fast`, `:batch`, `:free`, `ft:`) is not taken off.
 */
export const SPELLING_RULES: readonly SpellingRule[] = [
  {
    name: 'context window suffix',
    pattern: /^(.+)\[\d+[km]\]$/,
    bare: '$1',
    source: 'Claude Code documentation, model configuration: the [1m] suffix of aliases and full names',
  },
  {
    name: 'Bedrock ARN',
    pattern: /^arn:aws(?:-[a-z-]+)?:bedrock:[a-z0-9-]*:\d*:(?:foundation-model|inference-profile)\/(.+)$/,
    bare: '$1',
    source: 'Amazon Bedrock API reference, InferenceProfileModel.modelArn and CreateInferenceProfile.copyFrom',
  },
  {
    name: 'Vertex resource path',
    pattern: /^(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/[a-z-]+\/models\/([^/:]+)$/,
    bare: '$1',
    source: 'Vertex AI publisher model names',
  },
  {
    name: 'Gemini API resource name',
    pattern: /^models\/(gemini-[^/]+)$/,
    bare: '$1',
    source: 'Gemini API, Model.name of models.list',
  },
  {
    name: 'gateway route',
    pattern:
      /^(?:openrouter|litellm_proxy|bedrock(?:\/converse|\/invoke)?|vertex_ai|azure|azure_ai|gemini|github_copilot|vercel_ai_gateway)\/(.+)$/,
    bare: '$1',
    source: 'LiteLLM documentation, provider routes',
  },
  {
    name: 'vendor prefix of a gateway',
    pattern: new RegExp(`^~?(?:${vendors})/(.+)$`),
    bare: '$1',
    source: 'OpenRouter and Vercel AI Gateway model ids, in the catalogue of @earendil-works/pi-ai 1.6.0',
  },
  {
    name: 'Databricks endpoint prefix',
    pattern: /^(?:databricks\/)?databricks-(claude-.+|gpt-.+|gemini-.+)$/,
    bare: '$1',
    source: 'Databricks foundation model endpoints',
  },
  {
    name: 'Bedrock inference region',
    pattern: /^(?:us|us-gov|eu|apac|au|jp|in|ca|global)\.((?:anthropic|openai|qwen|moonshotai|zai|xai)\..+)$/,
    bare: '$1',
    source: 'Bedrock cross-region inference profiles, in the catalogue of @earendil-works/pi-ai 1.6.0',
  },
  {
    name: 'Bedrock vendor',
    pattern: /^(?:anthropic|openai|qwen)\.(.+)$/,
    bare: '$1',
    source: 'Bedrock model ids, @ai-sdk/amazon-bedrock 5.0.101',
  },
  {
    name: 'Bedrock version suffix',
    pattern: /^(claude-.+)-v\d+(?::\d+)?(?::\d+k)?$/,
    bare: '$1',
    source: 'Bedrock model ids, @ai-sdk/amazon-bedrock 5.0.101',
  },
  {
    name: 'Vertex snapshot date',
    pattern: /^(claude-[a-z0-9-]+)@(\d{8})$/,
    bare: '$1-$2',
    source: 'Vertex AI model ids, @ai-sdk/google-vertex 5.0.141',
  },
  {
    name: 'dotted version',
    pattern: /^(claude-[a-z]+-\d+)\.(\d+)(-\d{8})?$/,
    bare: '$1-$2$3',
    source: 'GitHub Copilot, OpenRouter and Vercel AI Gateway ids, in the catalogue of @earendil-works/pi-ai 1.6.0',
  },
  {
    name: 'version before the tier',
    pattern: /^claude-(\d+)[.-](\d+)-(opus|sonnet|haiku|fable|mythos)(-\d{8})?$/,
    bare: 'claude-$3-$1-$2$4',
    source: 'OpenRouter, the canonical slug that it answers with',
  },
  {
    name: 'whole version before the tier',
    pattern: /^claude-(\d+)-(opus|sonnet|haiku)(-\d{8})?$/,
    bare: 'claude-$2-$1$3',
    source: 'Anthropic documentation, ids of the Claude 3 generation; OpenRouter slugs of Claude 4',
  },
];

/** A name and what is left of it as one wrapping after the other comes off, the name itself first. */
export function spellingsOf(name: string): readonly string[] {
  const spellings = [name];
  for (let bare = unwrapped(name); bare !== undefined; bare = unwrapped(bare)) {
    // Every rule shortens or reorders once; a rule that gave a name back again would never end.
    if (spellings.includes(bare)) break;
    spellings.push(bare);
  }
  return spellings;
}

function unwrapped(name: string): string | undefined {
  const rule = SPELLING_RULES.find(({ pattern }) => pattern.test(name));
  return rule === undefined ? undefined : name.replace(rule.pattern, rule.bare);
}
