/** One line of a doctor's findings. */
export interface Finding {
  readonly check: string;
  readonly level: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do about it; empty where nothing is wrong. */
  readonly advice: string;
}

/** Nothing to do. */
export function ok(check: string, message: string): Finding {
  return { check, level: 'ok', message, advice: '' };
}

/** Runs go on, with this to know. */
export function warn(check: string, message: string, advice: string): Finding {
  return { check, level: 'warn', message, advice };
}

/** No run goes on before this is mended. */
export function fail(check: string, message: string, advice: string): Finding {
  return { check, level: 'fail', message, advice };
}
