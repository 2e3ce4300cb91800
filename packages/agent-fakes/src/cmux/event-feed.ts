import { randomUUID } from 'node:crypto';

type Frame = Readonly<Record<string, unknown>>;

const REPLAYED_EVENTS = 4_096;
const HEARTBEAT_SECONDS = 15;

/** What `events.stream` sends: numbered events, of which the last ones are kept for who asks later. */
export class EventFeed {
  readonly #listeners = new Set<(frame: Frame) => void>();
  #kept: Frame[] = [];
  #seq = 0;
  #bootId: string = randomUUID();

  emit(name: string, ids: Readonly<Record<string, unknown>>): void {
    this.#seq += 1;
    const frame = {
      type: 'event',
      seq: this.#seq,
      id: `${this.#bootId}-${this.#seq}`,
      name,
      category: name.split('.')[0],
      source: 'app',
      occurred_at: new Date().toISOString(),
      ...ids,
      payload: {},
    };
    this.#kept = [...this.#kept, frame].slice(-REPLAYED_EVENTS);
    for (const listener of this.#listeners) listener(frame);
  }

  /** Acknowledges, replays what is wanted, then goes on; returns what ends it. */
  subscribe(params: Frame, send: (frame: Frame) => void): () => void {
    const after = typeof params['after_seq'] === 'number' ? params['after_seq'] : null;
    const isWanted = filterOf(params);
    const replayed =
      after === null ? [] : this.#kept.filter((frame) => Number(frame['seq']) > after && isWanted(frame));
    send(this.#acknowledgement(after, replayed.length));
    for (const frame of replayed) send(frame);
    const listener = (frame: Frame): void => {
      if (isWanted(frame)) send(frame);
    };
    this.#listeners.add(listener);
    const beat = (): void => send({ type: 'heartbeat', latest_seq: this.#seq });
    const beating = params['include_heartbeats'] === true ? setInterval(beat, HEARTBEAT_SECONDS * 1_000) : undefined;
    return () => {
      clearInterval(beating);
      this.#listeners.delete(listener);
    };
  }

  relaunch(): void {
    this.#kept = [];
    this.#seq = 0;
    this.#bootId = randomUUID();
    this.#listeners.clear();
  }

  #acknowledgement(after: number | null, replayCount: number): Frame {
    return {
      type: 'ack',
      protocol: 'cmux-events',
      version: 1,
      boot_id: this.#bootId,
      subscription_id: randomUUID(),
      heartbeat_interval_seconds: HEARTBEAT_SECONDS,
      replay_count: replayCount,
      resume: {
        after_seq: after ?? this.#seq,
        requested_after_seq: after,
        oldest_seq: this.#kept[0]?.['seq'] ?? this.#seq + 1,
        latest_seq: this.#seq,
        next_seq: this.#seq + 1,
        gap: false,
      },
      filters: {},
    };
  }
}

function filterOf(params: Frame): (frame: Frame) => boolean {
  const names = params['names'];
  const categories = params['categories'];
  return (frame) =>
    (!Array.isArray(names) || names.includes(frame['name'])) &&
    (!Array.isArray(categories) || categories.includes(frame['category']));
}
