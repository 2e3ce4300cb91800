import type { Unreadable } from '@bailiwick/dispatch-state';

/** A document that can't be read, as it is shown: what is said beside it lacks what it says. */
export interface Damage {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** What can't be read, as it is shown. */
export function damageOf(unreadable: readonly Unreadable[]): readonly Damage[] {
  return unreadable.map(({ path, error }) => ({ path, code: error.code, message: error.message }));
}
