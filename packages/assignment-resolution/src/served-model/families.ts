/** How a vendor's names show which channel serves them. */
export interface FamilyRule {
  /** Matches a whole name. */
  readonly pattern: RegExp;
  /** What the match is replaced by: the channel's family. */
  readonly family: string;
  /** Where names like this are documented or were seen. */
  readonly source: string;
}

/**
 * Places a name that no pool entry has in a channel's family (AR-7), so that a channel's next release isn't taken for
 * a substitution. It never makes a pinned selection match. Only complete, regular names: a word more is another model.
 */
export const FAMILY_RULES: readonly FamilyRule[] = [
  {
    pattern: /^claude-(opus|sonnet|haiku|fable|mythos)-\d+(?:-\d{1,2})?(?:-\d{8})?$/,
    family: '$1',
    source: 'Anthropic documentation, model ids and versions: claude-{name}-{major}-{minor}[-{YYYYMMDD}]',
  },
  {
    pattern: /^claude-(opus|sonnet|haiku|fable)-latest$/,
    family: '$1',
    source: 'OpenRouter ~anthropic/claude-opus-latest and its like, in the catalogue of @earendil-works/pi-ai 1.6.0',
  },
  {
    pattern: /^(gpt-\d+(?:\.\d+)?(?:-[a-z]+)*)-\d{4}-\d{2}-\d{2}$/,
    family: '$1',
    source: 'OpenAI API snapshots, type ChatModel of openai 7.59.0',
  },
  {
    pattern: /^gemini-\d+(?:\.\d+)?-(pro|flash|flash-lite)(?:-preview)?(?:-\d{2}-\d{4}|-\d{2}-\d{2}|-\d{3})?$/,
    family: '$1',
    source: 'Gemini API documentation, model version name patterns',
  },
  {
    pattern: /^gemini-(pro|flash|flash-lite)-latest$/,
    family: '$1',
    source: 'Gemini API documentation, model version name patterns: latest',
  },
  {
    pattern: /^(qwen\d(?:\.\d+)?(?:-[a-z]+)+)-(?:\d{4}-\d{2}-\d{2}|\d{4})$/,
    family: '$1',
    source: 'Alibaba Cloud Model Studio snapshots, e.g. qwen3-max-2026-01-23 and qwen3.8-max-0902 of qwen-code 0.24.4',
  },
];

/** The family that a bare name shows, if it shows one. */
export function familyOf(name: string): string | undefined {
  const rule = FAMILY_RULES.find(({ pattern }) => pattern.test(name));
  return rule === undefined ? undefined : name.replace(rule.pattern, rule.family);
}
