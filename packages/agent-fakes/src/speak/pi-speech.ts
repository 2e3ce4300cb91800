import { randomUUID } from 'node:crypto';
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
 * `pi --mode json -p` (@earendil-works/pi-coding-agent 1.6.0, seen 2026-11-29). `message.model` is the model asked
 * for; `message.responseModel` is there only where another one served. It exits 0 after every model error.
 */
export function piSpeech(setting: SpeechSetting): Speech {
  const voice = new PiVoice(setting);
  return {
    tell: (happening) => voice.tell(happening),
    exitCodeOfFailure: () => 0,
    exitCodeOfSignal: { SIGTERM: 143, SIGINT: null },
  };
}

interface Answer {
  readonly content: readonly JsonEvent[];
  readonly stopReason: 'stop' | 'toolUse' | 'error';
  readonly errorMessage?: string;
}

class PiVoice {
  readonly #setting: SpeechSetting;
  #turns = 0;
  #tools = 0;

  constructor(setting: SpeechSetting) {
    this.#setting = setting;
  }

  tell(happening: Happening): readonly JsonEvent[] {
    switch (happening.kind) {
      case 'started':
        return this.#started();
      case 'said':
        return this.#turn({ content: textOf(happening.text), stopReason: 'toolUse' }, []);
      case 'ran':
        return this.#tool('bash', { command: happening.command }, happening.output, happening.exitCode !== 0);
      case 'edited':
        return this.#tool(happening.change === 'add' ? 'write' : 'edit', { path: happening.path }, 'Done', false);
      case 'finished':
        return this.#ended({ content: textOf(happening.text), stopReason: 'stop' });
      case 'failed':
        return this.#failed(happening);
    }
  }

  #started(): readonly JsonEvent[] {
    const user = { role: 'user', content: textOf(this.#setting.promptText), timestamp: this.#nowMs() };
    const timestamp = this.#setting.now().toISOString();
    return [
      { type: 'session', version: 3, id: this.#setting.sessionId, timestamp, cwd: this.#setting.cwd },
      { type: 'agent_start' },
      { type: 'message_start', message: user },
      { type: 'message_end', message: user },
    ];
  }

  #turn(answer: Answer, toolEvents: readonly JsonEvent[]): readonly JsonEvent[] {
    const message = this.#message(answer);
    return [
      { type: 'turn_start' },
      { type: 'message_start', message: { ...message, content: [] } },
      { type: 'message_end', message },
      ...toolEvents,
      { type: 'turn_end', message, toolResults: [] },
    ];
  }

  #message(answer: Answer): JsonEvent {
    const { provider, model } = this.#asked();
    const served = this.#setting.servedModel(this.#turns);
    const input = this.#turns === 0 ? tokensOf(this.#setting.promptText) : 0;
    this.#turns += 1;
    return {
      role: 'assistant',
      api: 'openai-completions',
      provider,
      model,
      ...(served === model ? {} : { responseModel: served }),
      ...answer,
      // a refused request has cost nothing
      usage: answer.stopReason === 'error' ? usageOf(0, 0) : usageOf(input, tokensOf(JSON.stringify(answer.content))),
      responseId: `resp-${randomUUID()}`,
      timestamp: this.#nowMs(),
    };
  }

  #tool(toolName: string, args: JsonEvent, output: string, isError: boolean): readonly JsonEvent[] {
    this.#tools += 1;
    const toolCallId = `call_${this.#tools}`;
    const call = { type: 'toolCall', id: toolCallId, name: toolName, arguments: args };
    const result = { content: textOf(output) };
    return this.#turn({ content: [call], stopReason: 'toolUse' }, [
      { type: 'tool_execution_start', toolCallId, toolName, args },
      { type: 'tool_execution_end', toolCallId, toolName, result, isError },
    ]);
  }

  #failed(failed: Extract<Happening, { kind: 'failed' }>): readonly JsonEvent[] {
    if (failed.status === undefined) {
      return this.#ended({ content: [], stopReason: 'error', errorMessage: failed.message });
    }
    const errorMessage = `${failed.status} ${apiErrorOf(failed.status).message}`;
    const retry = [
      { type: 'auto_retry_start', attempt: 1, maxAttempts: 1, delayMs: 500, errorMessage },
      { type: 'auto_retry_end', success: false, attempt: 1, finalError: errorMessage },
    ];
    return [
      ...(isRetriedStatus(failed.status) ? retry : []),
      ...this.#ended({ content: [], stopReason: 'error', errorMessage }),
    ];
  }

  #ended(answer: Answer): readonly JsonEvent[] {
    const turn = this.#turn(answer, []);
    const last = turn[turn.length - 1]?.['message'];
    return [
      ...turn,
      { type: 'agent_end', messages: [last], willRetry: false },
      { type: 'agent_settled', aborted: false },
    ];
  }

  /** pi names a model `<provider>/<model>`, or the provider by a flag of its own. */
  #asked(): { readonly provider: string; readonly model: string } {
    const [provider, ...rest] = this.#setting.requestedModel.split('/');
    return rest.length === 0
      ? { provider: 'openai', model: this.#setting.requestedModel }
      : { provider: provider ?? 'openai', model: rest.join('/') };
  }

  #nowMs(): number {
    return this.#setting.now().getTime();
  }
}

function textOf(text: string): readonly JsonEvent[] {
  return [{ type: 'text', text }];
}

function usageOf(input: number, output: number): JsonEvent {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  return { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output, cost };
}
