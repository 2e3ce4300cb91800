import type { AgentProvider } from '@bailiwick/agent-providers';
import type { SupervisedJob } from '@bailiwick/dispatch-state';

/** Shorter values are words that a text may hold by chance. */
const LEAST_CHARACTERS = 8;
const NAMED_AS_SECRET = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)$/i;

/**
 * What an agent says, without the keys that it or its gateway was given: those of its provider, and whatever its environment
 * calls a secret. For what is told further, in sidecar, record, events and report; the log is what the agent printed.
 */
export function keyHider(
  { env, gateway }: Pick<SupervisedJob, 'env' | 'gateway'>,
  { environment }: Pick<AgentProvider, 'environment'>,
): (text: string) => string {
  const inherited = Object.entries(env).filter(
    ([name]) => environment.keys.includes(name) || NAMED_AS_SECRET.test(name),
  );
  const keys = [gateway?.key ?? '', ...inherited.map(([, value]) => value)]
    .filter((key) => key.length >= LEAST_CHARACTERS)
    // of two that begin alike the longer one first
    .sort((a, b) => b.length - a.length);
  return (text) => keys.reduce((shown, key) => shown.replaceAll(key, '[key]'), text);
}
