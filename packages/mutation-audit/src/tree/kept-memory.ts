/**
 * Memory that is used again for the next task: the first touch of a page costs more than what an audit then does with it.
 *
 * Whoever reclaims it says that nothing of the former task is looked at any more.
 */
export class KeptMemory {
  #free: SharedArrayBuffer[] = [];
  #taken: SharedArrayBuffer[] = [];

  /** At least so many bytes, whose content is left over from whatever came before; other threads see it without a copy. */
  take(bytes: number): SharedArrayBuffer {
    const at = this.#free.findIndex(({ byteLength }) => byteLength >= bytes && byteLength <= maxBytesFor(bytes));
    const [found] = at < 0 ? [] : this.#free.splice(at, 1);
    const memory = found ?? new SharedArrayBuffer(roundedUp(bytes));
    this.#taken.push(memory);
    return memory;
  }

  /** Everything that was taken is free again. */
  reclaim(): void {
    // What the last task didn't need is given back.
    this.#free = this.#taken;
    this.#taken = [];
  }
}

/** A little more than asked for, so that a tree that has grown a bit finds its block again. */
function roundedUp(bytes: number): number {
  return Math.ceil((bytes * 1.05) / PAGE_BYTES) * PAGE_BYTES;
}

/** A block that is much too large is kept for what needs it. */
function maxBytesFor(bytes: number): number {
  return 2 * roundedUp(bytes);
}

const PAGE_BYTES = 4096;
