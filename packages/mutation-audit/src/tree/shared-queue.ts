/**
 * A stack of work units (byte strings) shared by threads, in one SharedArrayBuffer.
 *
 * Invariants:
 * Q1 `PENDING` counts the units handed out or waiting: a thread adds before it pushes and subtracts after it has finished one.
 * Q2 Bytes are touched only between `#lock` and `#unlock`.
 * Q3 A unit that doesn't fit is refused, never cut: the pusher keeps it.
 */
export class SharedQueue {
  readonly #state: Int32Array;
  readonly #bytes: Buffer;

  readonly memory: SharedArrayBuffer;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.#state = new Int32Array(memory, 0, STATE_CELLS);
    this.#bytes = Buffer.from(memory, STATE_CELLS * 4);
  }

  /** A queue of these units, with room for so many bytes of others. */
  static of(units: readonly string[], roomBytes: number): SharedQueue {
    const ownBytes = units.reduce((sum, unit) => sum + unit.length + LENGTH_BYTES, 0);
    const queue = new SharedQueue(new SharedArrayBuffer(STATE_CELLS * 4 + ownBytes + roomBytes));
    queue.begin(units.length);
    for (const unit of units) queue.offer(unit);
    return queue;
  }

  /** Announces units that a thread now holds. */
  begin(units: number): void {
    Atomics.add(this.#state, PENDING, units);
  }

  /** Reports a unit as done; the last one wakes everybody. */
  finish(): void {
    if (Atomics.sub(this.#state, PENDING, 1) === 1) this.#wakeAll();
  }

  /** Ends the work for all threads, as after a failure. */
  abandon(): void {
    Atomics.store(this.#state, PENDING, 0);
    this.#wakeAll();
  }

  /** Whether a thread waits for work that isn't here (a hint). */
  get isHungry(): boolean {
    return Atomics.load(this.#state, IDLE) > Atomics.load(this.#state, COUNT);
  }

  /** Offers a unit to other threads; false where it doesn't fit. */
  offer(unit: string): boolean {
    this.#lock();
    const top = this.#cell(TOP);
    const fits = top + unit.length + LENGTH_BYTES <= this.#bytes.length;
    if (fits) {
      this.#bytes.write(unit, top, 'latin1');
      this.#bytes.writeUInt32LE(unit.length, top + unit.length);
      this.#set(TOP, top + unit.length + LENGTH_BYTES);
      Atomics.add(this.#state, COUNT, 1);
    }
    this.#unlock();
    if (fits) this.#wakeAll();
    return fits;
  }

  /** The next unit, or undefined when all work is done. Blocks the calling thread. */
  take(): string | undefined {
    for (;;) {
      const seen = Atomics.load(this.#state, WAKES);
      const unit = this.#pop();
      if (unit !== undefined) return unit;
      if (Atomics.load(this.#state, PENDING) <= 0) return undefined;
      Atomics.add(this.#state, IDLE, 1);
      Atomics.wait(this.#state, WAKES, seen, MAX_WAIT_MS);
      Atomics.sub(this.#state, IDLE, 1);
    }
  }

  #pop(): string | undefined {
    this.#lock();
    const top = this.#cell(TOP);
    let unit: string | undefined;
    if (top > 0) {
      const length = this.#bytes.readUInt32LE(top - LENGTH_BYTES);
      unit = this.#bytes.toString('latin1', top - LENGTH_BYTES - length, top - LENGTH_BYTES);
      this.#set(TOP, top - LENGTH_BYTES - length);
      Atomics.sub(this.#state, COUNT, 1);
    }
    this.#unlock();
    return unit;
  }

  #cell(at: number): number {
    return Atomics.load(this.#state, at);
  }

  #set(at: number, value: number): void {
    Atomics.store(this.#state, at, value);
  }

  #lock(): void {
    while (Atomics.compareExchange(this.#state, LOCK, 0, 1) !== 0) Atomics.wait(this.#state, LOCK, 1, 1);
  }

  #unlock(): void {
    Atomics.store(this.#state, LOCK, 0);
    Atomics.notify(this.#state, LOCK, 1);
  }

  #wakeAll(): void {
    Atomics.add(this.#state, WAKES, 1);
    Atomics.notify(this.#state, WAKES);
  }
}

/** A unit's length stands behind it. */
const LENGTH_BYTES = 4;
const LOCK = 0;
const PENDING = 1;
const COUNT = 2;
const TOP = 3;
const WAKES = 4;
const IDLE = 5;
const STATE_CELLS = 8;
/** A missed wake-up costs at most this. */
const MAX_WAIT_MS = 20;
