import type { ModelScenario, ScriptedReply, ScriptedTurn } from './scenario.ts';

/** Follows a scenario: which reply a request gets, by how far its conversation is, and how often it was asked there. */
export class Script {
  readonly #scenario: ModelScenario;
  readonly #asked = new Map<ScriptedTurn, number>();

  constructor(scenario: ModelScenario) {
    this.#scenario = scenario;
  }

  replyTo(o: { readonly toolResults: number; readonly conversation: readonly string[] }): ScriptedReply {
    const { turns, promptHolds } = this.#scenario;
    if (promptHolds !== undefined && !o.conversation.some((text) => text.includes(promptHolds))) return ASIDE;
    const turn = turns[Math.min(o.toolResults, turns.length - 1)];
    if (turn === undefined) return ASIDE;
    const asked = this.#asked.get(turn) ?? 0;
    this.#asked.set(turn, asked + 1);
    return turn.first?.[asked] ?? turn;
  }
}

/** For what isn't the task: a title, a memory. */
const ASIDE: ScriptedReply = { answer: 'text', text: 'Nothing to add.' };
