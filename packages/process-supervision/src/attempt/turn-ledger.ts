import type { AgentTurn } from '@bailiwick/agent-providers';
import { AttestationSource, type ServedModelObservation } from '@bailiwick/assignment-resolution';

/** A turn as an agent itself shows it, by its stream, its transcript, or both. */
export interface OwnTurn {
  /** The attempt's turn in which this name first came up, counted from 1. */
  readonly turn: number;
  readonly observations: readonly ServedModelObservation[];
}

/**
 * Answers whose ids are remembered, so that a transcript's turns can be told from the stream's: more turns than an
 * attempt has that ends by itself.
 */
const MAX_ANSWERS = 10_000;
/** Two names are a change half-way already; more are kept only for a person to see. */
const MAX_TRANSCRIPT_NAMES = 100;

/**
 * What an agent shows of the models that served it, turn by turn (AR-10): in its stream while it runs, and afterwards in
 * its transcript. Names repeat for hundreds of turns, so each is kept once per source, in the order of its first
 * appearance: what is weakest and what deviates first doesn't depend on repetitions.
 */
export class TurnLedger {
  readonly #keepsAnswers: boolean;
  /** Of the stream: each name with the turn of its first appearance. */
  readonly #names = new Map<string | null, number>();
  #turns = 0;
  #nameless = 0;
  readonly #answers = new Map<string, string | null>();
  /** Of the stream's turns without a name: those whose answer is remembered, and has no name in the transcript either. */
  #openAnswers = 0;
  #transcriptTurns = 0;
  /** Of the transcript: names of answers that the stream shows without one. */
  readonly #filled = new Map<string | null, number>();
  /** Of the transcript: names of turns that the stream doesn't show, each with the how-manieth of these it was. */
  readonly #added = new Map<string | null, number>();
  #addedTurns = 0;
  #hasGap = false;
  /** By the stream's name: what the transcript calls the same turns. */
  readonly #overruled = new Map<string, Set<string>>();

  /** `keepsAnswers`: a transcript will follow. */
  constructor(keepsAnswers: boolean) {
    this.#keepsAnswers = keepsAnswers;
  }

  /** Takes a turn of the stream; true where it says something new. */
  noteStream({ servedModel, answerId }: AgentTurn): boolean {
    this.#turns += 1;
    if (servedModel === null) this.#nameless += 1;
    if (answerId !== undefined) this.#remember(answerId, servedModel);
    if (this.#names.has(servedModel)) return false;
    this.#names.set(servedModel, this.#turns);
    return true;
  }

  /** Takes a turn of the transcript, once the stream is over. */
  noteTranscript({ servedModel, answerId }: AgentTurn): void {
    this.#transcriptTurns += 1;
    const streamName = answerId === undefined ? undefined : this.#answers.get(answerId);
    if (answerId === undefined || streamName === undefined) this.#add(servedModel, answerId);
    else if (servedModel !== null) this.#compare(answerId, streamName, servedModel);
  }

  /** Part of the transcript wasn't read, so that it doesn't show every turn. */
  noteGap(): void {
    this.#hasGap = true;
  }

  /** How many turns there were, as far as the agent shows. */
  get turns(): number {
    return this.#turnsOfStream + this.#addedTurns;
  }

  /** Each distinct name as a turn of its own, with what the transcript says against it. */
  distinct(): readonly OwnTurn[] {
    const stream = [...this.#names].flatMap(([raw, turn]) =>
      raw === null && this.#isAnswered ? [] : [{ turn, observations: this.#streamObservations(raw) }],
    );
    const filled = [...this.#filled].map(([raw, turn]) => ({ turn, observations: [ofTranscript(raw)] }));
    const added = [...this.#added].map(([raw, nth]) => ({
      turn: this.#turnsOfStream + nth,
      observations: [ofTranscript(raw)],
    }));
    return [...stream, ...filled, ...added];
  }

  #remember(answerId: string, servedModel: string | null): void {
    if (!this.#keepsAnswers || this.#answers.size >= MAX_ANSWERS || this.#answers.has(answerId)) return;
    this.#answers.set(answerId, servedModel);
    if (servedModel === null) this.#openAnswers += 1;
  }

  /** A turn that the stream doesn't show; or whose answer wasn't remembered, and then a name of the stream's is no news. */
  #add(servedModel: string | null, answerId: string | undefined): void {
    const isForgotten = answerId !== undefined && this.#answers.size >= MAX_ANSWERS;
    if (isForgotten && this.#names.has(servedModel)) return;
    this.#addedTurns += 1;
    keep(this.#added, servedModel, this.#addedTurns);
  }

  /** One answer, told twice: the transcript names it where the stream didn't, and else is the weaker word (AR-10). */
  #compare(answerId: string, streamName: string | null, servedModel: string): void {
    if (streamName === null) {
      this.#answers.set(answerId, servedModel);
      this.#openAnswers -= 1;
      this.#nameless -= 1;
      keep(this.#filled, servedModel, this.#names.get(null) ?? 1);
    } else if (streamName !== servedModel) {
      const others = this.#overruled.get(streamName) ?? new Set<string>();
      if (others.size < MAX_TRANSCRIPT_NAMES) this.#overruled.set(streamName, others.add(servedModel));
    }
  }

  /**
   * The stream's turns that have neither name nor answer, where a whole transcript tells them again: some streams cut one
   * answer into several messages, so that theirs can't be counted against the transcript's.
   */
  get #retold(): number {
    return this.#transcriptTurns > 0 && !this.#hasGap ? this.#nameless - this.#openAnswers : 0;
  }

  get #turnsOfStream(): number {
    return this.#turns - this.#retold;
  }

  get #isAnswered(): boolean {
    return this.#nameless === this.#retold;
  }

  #streamObservations(raw: string | null): readonly ServedModelObservation[] {
    const others = raw === null ? [] : [...(this.#overruled.get(raw) ?? [])];
    return [{ raw, source: AttestationSource.stream }, ...others.map(ofTranscript)];
  }
}

function keep(names: Map<string | null, number>, servedModel: string | null, turn: number): void {
  if (!names.has(servedModel) && names.size < MAX_TRANSCRIPT_NAMES) names.set(servedModel, turn);
}

function ofTranscript(raw: string | null): ServedModelObservation {
  return { raw, source: AttestationSource.transcript };
}
