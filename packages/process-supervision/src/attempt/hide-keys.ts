import type { AgentProvider } from '@bailiwick/agent-providers';
import type { SupervisedJob } from '@bailiwick/dispatch-state';

const HIDDEN = '[key]';
/** What stands where a text was cut. */
const CUT = '…';
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
  return (text) => keys.reduce((shown, key) => hideCut(shown.replaceAll(key, HIDDEN), key), text);
}

/** A line that was too long to be shown ends in the middle of whatever stood there. */
function hideCut(text: string, key: string): string {
  const pieces = text.split(CUT);
  const last = pieces.pop() ?? '';
  return [...pieces.map((piece) => hideEnd(piece, key)), last].join(CUT);
}

/** The end of a text, as far as it is the beginning of a key. */
function hideEnd(text: string, key: string): string {
  for (let length = Math.min(key.length - 1, text.length); length >= LEAST_CHARACTERS; length -= 1)
    if (text.endsWith(key.slice(0, length))) return `${text.slice(0, -length)}${HIDDEN}`;
  return text;
}
