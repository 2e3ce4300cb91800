import type { CmuxClient } from '../client/cmux-client.ts';
import { v1Line } from '../client/v1-line.ts';

/** What happened to a worker, in the words of its record. */
export interface RelayedEvent {
  readonly kind: 'launched' | 'retry-launched' | 'settled' | 'lost';
  /** The execution label (CX-5). */
  readonly label: string;
  readonly status: string;
  readonly reason: string;
  /** Another attempt follows: the worker isn't done. */
  readonly isRetried: boolean;
}

/** Where the lead's workspace is; nothing where the app can't be used. */
export type SidebarPlace = () => Promise<{ readonly client: CmuxClient; readonly workspaceId: string } | undefined>;

/** A line that isn't answered soon isn't worth waiting for. */
const LINE_TIMEOUT_MS = 2_000;
const SOURCE = 'bailiwick';
const MAX_REASON_CHARACTERS = 200;

/**
 * Tells a workspace's sidebar what workers do: a status pill for each, the progress of all, a line in the log for each event. It
 * never fails and never holds anybody up: after the first line that doesn't get through it is silent (CX-5).
 */
export class SidebarRelay {
  readonly #place: SidebarPlace;
  readonly #workers = new Map<string, boolean>();
  #work: Promise<void> = Promise.resolve();
  #isSilent = false;

  constructor(place: SidebarPlace) {
    this.#place = place;
  }

  tell(event: RelayedEvent): void {
    const isDone = event.kind === 'settled' && !event.isRetried;
    this.#workers.set(event.label, isDone);
    const done = [...this.#workers.values()].filter(Boolean).length;
    const standing = { done, all: this.#workers.size }; // as it is now, not when it is said
    this.#say((tab) => [pill(event, tab), progress(standing, tab), logLine(event, tab)]);
  }

  /** Takes the pills of workers that are done away; the progress too, once none is left. Resolves when it is said. */
  async clear(): Promise<void> {
    const done = [...this.#workers].filter(([, isDone]) => isDone).map(([label]) => label);
    const isAll = done.length === this.#workers.size && done.length > 0;
    for (const label of done) this.#workers.delete(label);
    if (done.length > 0)
      this.#say((tab) => [
        ...done.map((label) => v1Line('clear_status', [keyOf(label)], { tab })),
        ...(isAll ? [v1Line('clear_progress', [], { tab })] : []),
      ]);
    await this.#work;
  }

  #say(linesFor: (tab: string) => readonly string[]): void {
    this.#work = this.#work.then(async () => {
      if (this.#isSilent) return;
      try {
        const place = await this.#place();
        if (place === undefined) throw new Error('nobody to tell');
        for (const line of linesFor(place.workspaceId)) await place.client.say(line, { timeoutMs: LINE_TIMEOUT_MS });
      } catch {
        this.#isSilent = true; // it is only shown; what it shows is in the log of events
      }
    });
  }
}

/** Keys are per workspace, and other tools have theirs. */
function keyOf(label: string): string {
  return `bailiwick_${label}`;
}

const COLORS: Readonly<Record<string, string>> = {
  launching: '#4c8dff',
  completed: '#34c759',
  error: '#ff3b30',
  timeout: '#ff9500',
  stopped: '#8e8e93',
};

function pill({ label, status, kind }: RelayedEvent, tab: string): string {
  const word = kind === 'settled' ? status : kind === 'lost' ? 'lost' : 'running';
  const color = kind === 'lost' ? COLORS['error'] : COLORS[status];
  return v1Line('set_status', [keyOf(label), `${label}: ${word}`], { icon: 'hammer', color, tab });
}

function progress({ done, all }: { readonly done: number; readonly all: number }, tab: string): string {
  return v1Line('set_progress', [(done / all).toFixed(2)], { label: `${done} of ${all} workers`, tab });
}

function logLine({ kind, label, status, reason, isRetried }: RelayedEvent, tab: string): string {
  const words =
    kind === 'settled'
      ? `${label} ${status}${isRetried ? ', tried again' : ''}${reason === '' ? '' : `: ${reason}`}`
      : `${label} ${kind}`;
  const level =
    kind === 'lost' ? 'error' : kind !== 'settled' ? 'progress' : status === 'completed' ? 'success' : 'error';
  return `${v1Line('log', [], { level, source: SOURCE, tab })} ${v1Line('--', [words.slice(0, MAX_REASON_CHARACTERS)])}`;
}
