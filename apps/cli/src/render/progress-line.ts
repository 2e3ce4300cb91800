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
      return `${who} ${record.status}${record.reason === '' ? '' : `: ${record.reason}`}`;
    default:
      return unreachable(kind);
  }
}

function unreachable(kind: never): never {
  throw new TypeError(`unknown progress: ${String(kind)}`);
}
