import { claude } from './claude/provider.ts';
import { cline } from './cline/provider.ts';
import { codex } from './codex/provider.ts';
import { copilot } from './copilot/provider.ts';
import { customProvider } from './custom/provider.ts';
import { ProviderError } from './errors.ts';
import { gemini } from './gemini/provider.ts';
import { opencode } from './opencode/provider.ts';
import { pi } from './pi/provider.ts';
import type { AgentProvider } from './provider.ts';
import { qwen } from './qwen/provider.ts';

/** The providers this package knows, by id. `custom` takes its command from each request. */
export const providers: ReadonlyMap<string, AgentProvider> = new Map(
  [claude, codex, gemini, opencode, pi, qwen, copilot, cline, customProvider()].map((provider) => [
    provider.id,
    provider,
  ]),
);

/** Programs that are known and can't be dispatched, with the reason. */
export const unsupportedProviders: ReadonlyMap<string, string> = new Map([
  [
    'amp',
    'it talks only to its own service, so that nothing about it can be tried or attested without an account there',
  ],
]);

/** The provider of an id. Throws ProviderError PROVIDER_UNSUPPORTED for a program that is known and refused, else PROVIDER_UNKNOWN. */
export function findProvider(id: string): AgentProvider {
  const provider = providers.get(id);
  if (provider !== undefined) return provider;
  const why = unsupportedProviders.get(id);
  if (why !== undefined) {
    throw new ProviderError('PROVIDER_UNSUPPORTED', `agent "${id}" can't be dispatched: ${why}`, {
      providerId: id,
      hint: KNOWN_HINT,
    });
  }
  throw new ProviderError('PROVIDER_UNKNOWN', `no agent is called "${id}"`, { providerId: id, hint: KNOWN_HINT });
}

const KNOWN_HINT = `Known agents: ${[...providers.keys()].join(', ')}; any other command can be declared as "custom".`;

/** Throws ProviderError PROMPT_TOO_LARGE where the program would fail on the prompt, or silently do nothing. */
export function checkPromptSize(provider: AgentProvider, promptBytes: number): void {
  if (promptBytes <= provider.maxPromptBytes) return;
  throw new ProviderError(
    'PROMPT_TOO_LARGE',
    `the prompt has ${promptBytes} bytes, and ${provider.displayName} takes at most ${provider.maxPromptBytes}`,
    { providerId: provider.id, hint: 'Shorten the prompt, or name files in it instead of quoting them.' },
  );
}
