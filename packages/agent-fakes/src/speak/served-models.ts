import type { Behaviour } from '../behaviours.ts';
import type { Dialect } from '../dialects.ts';

/** Dated names, as the API reports them for the CLI's short ones. */
const CLAUDE_SERVED: Readonly<Record<string, string>> = {
  opus: 'claude-opus-4-5-20251101',
  sonnet: 'claude-sonnet-4-5-20250929',
  haiku: 'claude-haiku-4-5-20251001',
};

/** Two models of each provider, so that a deviation can always be told from what was asked for. */
const OTHER_MODELS: Readonly<Record<Dialect, readonly [string, string]>> = {
  claude: ['claude-haiku-4-5-20251001', 'claude-sonnet-4-5-20250929'],
  codex: ['gpt-5.4-nano', 'gpt-5.5'],
  gemini: ['gemini-2.5-flash', 'gemini-2.5-pro'],
  pi: ['gpt-5.4-nano', 'gpt-5.5'],
  qwen: ['qwen3.6-flash', 'qwen3.7-max'],
};

export interface ServedModelSetting {
  readonly speak: Dialect;
  readonly as?: Behaviour;
  readonly serve?: string;
}

/** Which model serves which turn: what `--serve` says, else the behaviour's deviation, else what was asked for. */
export function servedModels(setting: ServedModelSetting, requested: string): (turn: number) => string {
  const right = namedByApi(setting.speak, requested);
  const wrong = setting.serve ?? anotherThan(right, setting.speak);
  if (setting.as === 'wrong-model') return () => wrong;
  if (setting.as === 'model-change') return (turn) => (turn === 0 ? right : wrong);
  return () => setting.serve ?? right;
}

function namedByApi(speak: Dialect, requested: string): string {
  if (speak === 'claude') return CLAUDE_SERVED[requested] ?? requested;
  // pi takes `<provider>/<model>`; the API knows the model alone.
  return speak === 'pi' ? requested.slice(requested.indexOf('/') + 1) : requested;
}

function anotherThan(right: string, speak: Dialect): string {
  const [first, second] = OTHER_MODELS[speak];
  return right === first ? second : first;
}
