import type { RunCost } from '@bailiwick/dispatch-state';

/** What a run cost, in words; what nobody said is said to be unknown. Null before anything has ended. */
export function costWords({ knownUsd, unknownAttempts, openAttempts }: RunCost): string | null {
  if (knownUsd === 0 && unknownAttempts === 0) return null;
  const words = [
    knownUsd === 'unknown' ? 'unknown' : usdWords(knownUsd),
    ...(knownUsd !== 'unknown' && unknownAttempts > 0 ? [`and unknown of ${attempts(unknownAttempts)}`] : []),
    ...(openAttempts > 0 ? [`so far: ${attempts(openAttempts)} not ended`] : []),
  ];
  return words.join(', ');
}

/** As many digits as say something. */
function usdWords(usd: number): string {
  return `${usd !== 0 && usd < 0.01 ? usd.toPrecision(2) : usd.toFixed(2)} USD`;
}

function attempts(count: number): string {
  return count === 1 ? '1 attempt' : `${count} attempts`;
}
