import type { Progress } from '@bailiwick/dispatch';

/** A step of an attempt in one line. */
export function progressLine({ kind, record }: Progress): string {
  const who = `${record.executionLabel} (${record.modelRef})`;
  switch (kind) {
    case 'launched':
      return `${who} started`;
    case 'retry-launched':
      return `${who} started again, attempt ${record.attempt}`;
    case 'lost':
      return `${who} was lost: nobody watched over it any more`;
    case 'settled':
      return `${who} ${record.status}${record.reason === '' ? '' : `: ${shortened(record.reason)}`}`;
    default:
      return unreachable(kind);
  }
}

/** The whole reason stands in the result. */
function shortened(reason: string): string {
  return reason.length <= MAX_REASON ? reason : `${reason.slice(0, MAX_REASON)}…`;
}

const MAX_REASON = 100;

function unreachable(kind: never): never {
  throw new TypeError(`unknown progress: ${String(kind)}`);
}
