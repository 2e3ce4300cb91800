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

/** A duration as a person says it. */
export function shortDuration(ms: number): string {
  // Rounded before it is split, so that nothing takes "60 s".
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
