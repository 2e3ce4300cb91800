import {
  apiErrorOf,
  type Happening,
  isRetriedStatus,
  type JsonEvent,
  type Speech,
  type SpeechSetting,
  tokensOf,
} from './dialect-speech.ts';

/**
 * `codex exec --json` (@openai/codex 0.171.0, seen 2026-11-29). It names a served model only where that differs from
 * the one asked for, as a warning item of type `error`; its session id is its own choice.
 */
export function codexSpeech(setting: SpeechSetting): Speech {
  const voice = new CodexVoice(setting);
  return {
    tell: (happening) => voice.tell(happening),
    exitCodeOfFailure: () => 1,
    exitCodeOfSignal: { SIGTERM: null, SIGINT: 1 },
  };
}

class CodexVoice {
  readonly #setting: SpeechSetting;
  #turns = 0;
  #items = 0;
  #outputTokens = 0;
  #lastServed: string;

  constructor(setting: SpeechSetting) {
    this.#setting = setting;
    this.#lastServed = setting.requestedModel;
  }

  tell(happening: Happening): readonly JsonEvent[] {
    switch (happening.kind) {
      case 'started':
        return [{ type: 'thread.started', thread_id: this.#setting.sessionId }, { type: 'turn.started' }];
      case 'said':
        return [...this.#turn(happening.text), this.#message(happening.text)];
      case 'ran':
        return [...this.#turn(happening.command), ...this.#command(happening)];
      case 'edited':
        return [...this.#turn(happening.path), ...this.#fileChange(happening)];
      case 'finished':
        return [...this.#turn(happening.text), this.#message(happening.text), this.#completed()];
      case 'failed':
        return happening.status === undefined ? this.#failed(happening.message) : this.#refused(happening.status);
    }
  }

  /** One model answer: its tokens, and a warning when another model gave it than the one before. */
  #turn(text: string): readonly JsonEvent[] {
    const served = this.#setting.servedModel(this.#turns);
    this.#turns += 1;
    this.#outputTokens += tokensOf(text);
    if (served === this.#lastServed) return [];
    const message = `model rerouted: ${this.#lastServed} -> ${served} (HighRiskCyberActivity)`;
    this.#lastServed = served;
    return [{ type: 'item.completed', item: { id: this.#nextItem(), type: 'error', message } }];
  }

  #message(text: string): JsonEvent {
    return { type: 'item.completed', item: { id: this.#nextItem(), type: 'agent_message', text } };
  }

  #command(ran: Extract<Happening, { kind: 'ran' }>): readonly JsonEvent[] {
    const item = { id: this.#nextItem(), type: 'command_execution', command: `/bin/bash -lc '${ran.command}'` };
    const status = ran.exitCode === 0 ? 'completed' : 'failed';
    return [
      { type: 'item.started', item: { ...item, aggregated_output: '', exit_code: null, status: 'in_progress' } },
      { type: 'item.completed', item: { ...item, aggregated_output: ran.output, exit_code: ran.exitCode, status } },
    ];
  }

  #fileChange(edited: Extract<Happening, { kind: 'edited' }>): readonly JsonEvent[] {
    const changes = [{ path: edited.path, kind: edited.change }];
    const item = { id: this.#nextItem(), type: 'file_change', changes };
    return [
      { type: 'item.started', item: { ...item, status: 'in_progress' } },
      { type: 'item.completed', item: { ...item, status: 'completed' } },
    ];
  }

  #completed(): JsonEvent {
    const input = tokensOf(this.#setting.promptText);
    const cached = { cached_input_tokens: 0, cache_write_input_tokens: 0 };
    const usage = { input_tokens: input, ...cached, output_tokens: this.#outputTokens, reasoning_output_tokens: 0 };
    return { type: 'turn.completed', usage };
  }

  #failed(message: string): readonly JsonEvent[] {
    return [
      { type: 'error', message },
      { type: 'turn.failed', error: { message } },
    ];
  }

  #refused(status: number): readonly JsonEvent[] {
    const error = apiErrorOf(status);
    const message = `unexpected status ${status}: ${error.message} (${error.type})`;
    const retry = { type: 'error', message: `Reconnecting... 1/1 (${message})` };
    return [...(isRetriedStatus(status) ? [retry] : []), ...this.#failed(message)];
  }

  #nextItem(): string {
    const id = `item_${this.#items}`;
    this.#items += 1;
    return id;
  }
}
