import type { ProviderLimit } from '@bailiwick/dispatch-state';

/** The places of one batch: who may run beside whom. Each has a number from 1, which is free again when its attempt has ended. */
export class Places {
  readonly #free: number[];
  readonly #limits: ReadonlyMap<string, number>;
  readonly #taken = new Map<string, number>();

  constructor(count: number, limits: readonly ProviderLimit[] = []) {
    this.#free = Array.from({ length: count }, (_, at) => at + 1);
    this.#limits = new Map(limits.map(({ provider, maxConcurrent }) => [provider, maxConcurrent]));
  }

  /** The lowest free place, or undefined where there is none for this provider now. */
  take(provider: string): number | undefined {
    const taken = this.#taken.get(provider) ?? 0;
    if (taken >= (this.#limits.get(provider) ?? Number.POSITIVE_INFINITY)) return undefined;
    const place = this.#free.shift();
    if (place !== undefined) this.#taken.set(provider, taken + 1);
    return place;
  }

  give(provider: string, place: number): void {
    this.#taken.set(provider, (this.#taken.get(provider) ?? 1) - 1);
    this.#free.push(place);
    this.#free.sort((a, b) => a - b);
  }
}
