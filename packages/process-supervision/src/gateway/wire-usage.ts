import type { Usage } from '@bailiwick/dispatch-state';
import type { TurnUsage } from '@bailiwick/model-gateway';

/** Tokens over all turns of an attempt, as the wire counts them. A turn that didn't say makes the sum unknown. */
export function addTurn(sum: TurnUsage | undefined, turn: TurnUsage): TurnUsage {
  if (sum === undefined) return turn;
  return {
    inputTokens: added(sum.inputTokens, turn.inputTokens),
    outputTokens: added(sum.outputTokens, turn.outputTokens),
    cachedInputTokens: added(sum.cachedInputTokens, turn.cachedInputTokens),
  };
}

/** What the wire counts before what the stream says; each count by itself. A price is the stream's alone. */
export function strongerUsage(stream: Usage, wire: TurnUsage | undefined): Usage {
  if (wire === undefined) return stream;
  const known = Object.entries(wire).filter(([, count]) => count !== 'unknown');
  return { ...stream, ...Object.fromEntries(known) };
}

function added(a: number | 'unknown', b: number | 'unknown'): number | 'unknown' {
  return a === 'unknown' || b === 'unknown' ? 'unknown' : a + b;
}
