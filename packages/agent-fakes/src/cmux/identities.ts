import { randomUUID } from 'node:crypto';

export type Kind = 'window' | 'workspace' | 'pane' | 'surface';

/** Ids as the app makes them: UUIDs in upper case, and refs counted per kind within one run of the app. */
export class Identities {
  readonly #counts = new Map<Kind, number>();
  /** Every id that was ever given out, over relaunches too. */
  readonly #known = new Set<string>();

  next(kind: Kind, id: string = randomUUID().toUpperCase()): { readonly id: string; readonly ref: string } {
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const ref = `${kind}:${count}`;
    this.#known.add(id);
    this.#known.add(ref);
    return { id, ref };
  }

  wasGiven(handle: string): boolean {
    return this.#known.has(handle.toUpperCase()) || this.#known.has(handle.replace(/^tab:/, 'surface:'));
  }

  /** Refs begin anew with the next run of the app. */
  relaunch(): void {
    this.#counts.clear();
  }
}

const UUID = /^[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}
