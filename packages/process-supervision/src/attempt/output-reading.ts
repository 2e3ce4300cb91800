import {
  type AgentExit,
  type AgentObservation,
  type AgentProvider,
  type AgentStreamReader,
  type AgentTranscript,
  type AgentTurn,
  type EndVerdict,
  findProvider,
  providers,
} from '@bailiwick/agent-providers';
import type { ServedModel, SupervisedJob, Usage } from '@bailiwick/dispatch-state';
import type { GatewayEvent, TurnUsage } from '@bailiwick/model-gateway';
import { addTurn, strongerUsage } from '../gateway/wire-usage.ts';
import { keyHider } from './hide-keys.ts';
import { ServedModelWatch } from './served-model-watch.ts';

export type OutputChannel = 'stdout' | 'stderr';

/** What an agent's output has told so far. */
export interface OutputFacts {
  readonly reportedSessionId: string | null;
  readonly usage: Usage;
  readonly lastLine: string | null;
  readonly servedModel: ServedModel;
  /** What it asked that nobody will answer; null while it goes on. */
  readonly waitingFor: string | null;
}

export const UNKNOWN_USAGE: Usage = {
  inputTokens: 'unknown',
  outputTokens: 'unknown',
  cachedInputTokens: 'unknown',
  costUsd: 'unknown',
};

/** As many refused models are remembered: whoever asks for more is asking for anything. */
const MAX_REFUSED = 5;
const MAX_NAME = 100;

/** Reads one attempt's output through its provider's reader. Keeps a bounded summary, however much is printed. */
export class OutputReading {
  /** Where the provider keeps a log that names served models. */
  readonly transcript: AgentTranscript | undefined;
  readonly #reader: AgentStreamReader;
  readonly #model: ServedModelWatch;
  readonly #onMismatch: (reason: string) => void;
  readonly #withoutKeys: (text: string) => string;
  #mismatch: string | undefined;
  #reportedSessionId: string | null = null;
  #usage = UNKNOWN_USAGE;
  #wireUsage: TurnUsage | undefined;
  readonly #refusedModels = new Set<string>();
  #lastLine: string | null = null;
  #waitingFor: string | null = null;

  /** Throws where provider or selected model can't be had. `onMismatch` is called once, with the first deviation. */
  constructor(job: SupervisedJob, onMismatch: (reason: string) => void) {
    const provider = providerOf(job);
    this.transcript = provider.transcript;
    this.#reader = provider.reader();
    this.#model = new ServedModelWatch(job.servedModel, { hasTranscript: provider.transcript !== undefined });
    this.#onMismatch = onMismatch;
    this.#withoutKeys = keyHider(job, provider);
  }

  push(chunk: Uint8Array, channel: OutputChannel): void {
    for (const observation of this.#reader.push(chunk, channel)) this.#note(observation);
  }

  /** To be called when nothing has come for a while: an unfinished last line may be a question. */
  askWhetherItWaits(): void {
    for (const observation of this.#reader.idle()) this.#note(observation);
  }

  /** Takes what the gateway saw. */
  noteWire(event: GatewayEvent): void {
    if (event.kind === 'refused' && event.model !== null && this.#refusedModels.size < MAX_REFUSED)
      this.#refusedModels.add(JSON.stringify(event.model.slice(0, MAX_NAME)));
    if (event.kind === 'served-model') this.#judge(this.#model.noteWireName(event.turn, event.model));
    if (event.kind !== 'turn') return;
    const { servedModels, isComplete, usage } = event;
    // What broke off before it said anything was no turn: the agent asks again.
    if (servedModels.length === 0 && !isComplete) return;
    this.#judge(this.#model.noteWireTurn(servedModels));
    this.#wireUsage = addTurn(this.#wireUsage, usage);
  }

  /** Both outputs are closed. */
  close(): void {
    for (const observation of this.#reader.end()) this.#note(observation);
  }

  /** Takes turns of the transcript, once the outputs are closed. */
  noteTranscript(turns: readonly AgentTurn[]): void {
    this.#judge(this.#model.noteTranscript(turns));
  }

  /** Part of the transcript couldn't be read, or is too long. */
  noteTranscriptGap(): void {
    this.#model.noteTranscriptGap();
  }

  /** Judges the whole. */
  finish(exit: AgentExit): { readonly verdict: EndVerdict; readonly mismatch: string | undefined } {
    this.close();
    const verdict = this.#reader.verdict(exit);
    return { verdict: { ...verdict, reason: this.#withoutKeys(verdict.reason) }, mismatch: this.#mismatch };
  }

  /** Why the attempt stayed below the source of its served model that the run demands, or undefined. */
  shortOfSource(): string | undefined {
    return this.#model.finalMismatch();
  }

  /** The models that the agent asked for and the gateway's rule forbids; the first few. */
  refusedModels(): readonly string[] {
    return [...this.#refusedModels];
  }

  facts(): OutputFacts {
    return {
      reportedSessionId: this.#reportedSessionId,
      usage: strongerUsage(this.#usage, this.#wireUsage),
      lastLine: this.#lastLine === null ? null : this.#withoutKeys(this.#lastLine),
      servedModel: this.#model.attestation(),
      waitingFor: this.waitingFor,
    };
  }

  get waitingFor(): string | null {
    return this.#waitingFor === null ? null : this.#withoutKeys(this.#waitingFor);
  }

  #note(observation: AgentObservation): void {
    this.#waitingFor = observation.kind === 'waiting-for-input' ? observation.what : this.#stillWaiting(observation);
    switch (observation.kind) {
      case 'session':
        this.#reportedSessionId = observation.sessionId;
        break;
      case 'usage':
        this.#usage = observation.usage;
        break;
      case 'line':
        this.#lastLine = observation.text;
        break;
      case 'failure':
        this.#lastLine = observation.message;
        break;
      case 'turn':
        this.#judge(this.#model.noteTurn(observation));
        break;
      default:
    }
  }

  /** The question itself is shown as a line too, and a spinner makes noise: neither means that it went on. */
  #stillWaiting(observation: AgentObservation): string | null {
    const isSameQuestion = observation.kind === 'line' && observation.text === this.#waitingFor;
    return isSameQuestion || observation.kind === 'noise' ? this.#waitingFor : null;
  }

  #judge(reason: string | undefined): void {
    if (reason === undefined || this.#mismatch !== undefined) return;
    this.#mismatch = reason;
    this.#onMismatch(reason);
  }
}

/** A provider that the order alone knows is a declared command, whose exit code is all there is. */
function providerOf(job: SupervisedJob): AgentProvider {
  return findProvider(job.endEvidence === 'exit-code' && !providers.has(job.provider) ? 'custom' : job.provider);
}
