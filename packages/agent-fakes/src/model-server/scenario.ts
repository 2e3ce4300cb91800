/** A tool call that the model makes. */
export type ScriptedCall =
  /** Whatever the agent's tool for shell commands is called. */
  | { readonly tool: 'shell'; readonly command: string }
  /** Whatever its tool for writing a whole file is called; its shell where it offers none. */
  | { readonly tool: 'write'; readonly path: string; readonly text: string }
  /** A tool by its own name. */
  | { readonly tool: 'named'; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> };

/** How much of an answer goes out before it breaks off. */
export type BreakingPoint = 'request' | 'headers' | 'first-event';

/**
 * How one request is answered. Strings may hold `{{Result Path}}`, which stands for the value of the prompt's header
 * line of that name, and `{{Prompt File}}`, which stands for the file that a prompt of one line names.
 */
export type ScriptedAnswer =
  | { readonly answer: 'text'; readonly text: string }
  | { readonly answer: 'tool'; readonly call: ScriptedCall; readonly text?: string | undefined }
  /** Ends the turn with neither text nor tool. */
  | { readonly answer: 'empty' }
  /** The text, a character at a time; `forever` begins again and again, and counts. */
  | {
      readonly answer: 'trickle';
      readonly text: string;
      readonly everyMs: number;
      readonly forever?: boolean | undefined;
    }
  | { readonly answer: 'hang'; readonly after: BreakingPoint }
  | { readonly answer: 'drop'; readonly after: BreakingPoint }
  | { readonly answer: 'status'; readonly status: number; readonly retryAfterSeconds?: number | undefined };

/** An answer, who is said to give it, and when. */
export type ScriptedReply = ScriptedAnswer & {
  /** The served model's name; absent: the one that was asked for. */
  readonly model?: string | undefined;
  /** How long nothing happens first. */
  readonly delayMs?: number | undefined;
};

/** A turn of the script. `first` are the answers to its first requests, one each: what an agent that asks again gets before. */
export type ScriptedTurn = ScriptedReply & { readonly first?: readonly ScriptedReply[] | undefined };

/** What a fake model does, whoever asks. Version 1.0. */
export interface ModelScenario {
  readonly schemaVersion: '1.0';
  /**
   * The n-th is for a conversation that holds n tool results, the last one for all that hold more. Requests aren't
   * counted: agents ask again, and ask for other things besides.
   */
  readonly turns: readonly ScriptedTurn[];
  /** Conversations without this text (titles, memories) don't follow the script and get a short text. */
  readonly promptHolds?: string | undefined;
  /** Names the served model in the header `openai-model` too. */
  readonly namesModelInHeader?: boolean | undefined;
}
