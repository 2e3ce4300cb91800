import { seededRandom } from './encode-reply.ts';

/** What goes wrong between a request and its reply. */
export interface FaultSettings {
  /** Nothing is answered any more. */
  readonly isHanging: boolean;
  /** Added before every reply. */
  readonly delayMs: number;
  /** Replies come in pieces of so many bytes; 0: whole. */
  readonly chunkBytes: number;
  /** Requests that are done, and then the connection is closed without a reply: how many in a hundred. */
  readonly dropPercent: number;
  /** A connection that says nothing for so long is closed. */
  readonly idleCloseMs: number;
}

const NO_FAULTS: FaultSettings = {
  isHanging: false,
  delayMs: 0,
  chunkBytes: 0,
  dropPercent: 0,
  idleCloseMs: 30_000,
};

/** The faults in force, which may change while the app runs. */
export class Faults {
  settings: FaultSettings;
  readonly #random: () => number;
  /** Methods of which the next request is done and not answered. */
  readonly #toDrop: string[] = [];

  constructor(settings: Partial<FaultSettings>, seed: number) {
    this.settings = { ...NO_FAULTS, ...settings };
    this.#random = seededRandom(seed);
  }

  set(changes: Partial<FaultSettings>): void {
    this.settings = { ...this.settings, ...changes };
  }

  dropNext(method: string): void {
    this.#toDrop.push(method);
  }

  /** Whether the reply to this request is lost. */
  isDropped(method: string): boolean {
    const index = this.#toDrop.indexOf(method);
    if (index !== -1) {
      this.#toDrop.splice(index, 1);
      return true;
    }
    return this.settings.dropPercent > 0 && this.#random() * 100 < this.settings.dropPercent;
  }
}
