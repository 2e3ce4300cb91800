import {
  apiErrorOf,
  type Happening,
  type JsonEvent,
  type Speech,
  type SpeechSetting,
  tokensOf,
} from './dialect-speech.ts';

/**
 * `gemini -o stream-json` (@google/gemini-cli 0.61.0, seen 2026-11-29). The served models are the keys of
 * `result.stats.models`; `init.model` is the one asked for. Its exit code is the HTTP status modulo 256.
 */
export function geminiSpeech(setting: SpeechSetting): Speech {
  const voice = new GeminiVoice(setting);
  return {
    tell: (happening) => voice.tell(happening),
    exitCodeOfFailure: (status) => (status === undefined ? 1 : status % 256),
    exitCodeOfSignal: { SIGTERM: 0, SIGINT: 0 },
  };
}

interface ModelCount {
  requests: number;
  outputTokens: number;
}

class GeminiVoice {
  readonly #setting: SpeechSetting;
  readonly #models = new Map<string, ModelCount>();
  readonly #startedAtMs: number;
  #turns = 0;
  #tools = 0;

  constructor(setting: SpeechSetting) {
    this.#setting = setting;
    this.#startedAtMs = setting.now().getTime();
  }

  tell(happening: Happening): readonly JsonEvent[] {
    switch (happening.kind) {
      case 'started':
        return [
          this.#event('init', { session_id: this.#setting.sessionId, model: this.#setting.requestedModel }),
          this.#event('message', { role: 'user', content: this.#setting.promptText }),
        ];
      case 'said':
        return [this.#answer(happening.text)];
      case 'ran':
        return this.#tool(
          'run_shell_command',
          { command: happening.command },
          happening.output,
          happening.exitCode === 0,
        );
      case 'edited':
        return this.#tool(
          happening.change === 'add' ? 'write_file' : 'replace',
          { file_path: happening.path },
          '',
          true,
        );
      case 'finished':
        return [this.#answer(happening.text), this.#result({ status: 'success' })];
      case 'failed':
        return [this.#result({ status: 'error', error: errorOf(happening) })];
    }
  }

  #answer(content: string): JsonEvent {
    this.#turn(content);
    return this.#event('message', { role: 'assistant', content, delta: true });
  }

  #tool(name: string, parameters: JsonEvent, output: string, isOk: boolean): readonly JsonEvent[] {
    this.#turn(JSON.stringify(parameters));
    this.#tools += 1;
    const id = `${name}-${this.#tools}`;
    const failure = { status: 'error', output, error: { type: 'tool_error', message: 'the command failed' } };
    return [
      this.#event('tool_use', { tool_name: name, tool_id: id, parameters }),
      this.#event('tool_result', { tool_id: id, ...(isOk ? { status: 'success', output } : failure) }),
    ];
  }

  #turn(text: string): void {
    const served = this.#setting.servedModel(this.#turns);
    this.#turns += 1;
    const count = this.#models.get(served) ?? { requests: 0, outputTokens: 0 };
    count.requests += 1;
    count.outputTokens += tokensOf(text);
    this.#models.set(served, count);
  }

  #result(end: JsonEvent): JsonEvent {
    const input = this.#turns === 0 ? 0 : tokensOf(this.#setting.promptText);
    const output = [...this.#models.values()].reduce((sum, count) => sum + count.outputTokens, 0);
    const tokens = { total_tokens: input + output, input_tokens: input, output_tokens: output, cached: 0, input };
    const durationMs = this.#setting.now().getTime() - this.#startedAtMs;
    const stats = { ...tokens, duration_ms: durationMs, tool_calls: this.#tools, models: this.#modelStats(input) };
    return this.#event('result', { ...end, stats });
  }

  #modelStats(input: number): JsonEvent {
    const rows = [...this.#models].map(([name, count], index) => {
      const own = index === 0 ? input : 0;
      const total = own + count.outputTokens;
      return [name, { total_tokens: total, input_tokens: own, output_tokens: count.outputTokens, cached: 0 }] as const;
    });
    return Object.fromEntries(rows);
  }

  #event(type: string, fields: JsonEvent): JsonEvent {
    return { type, timestamp: this.#setting.now().toISOString(), ...fields };
  }
}

function errorOf(failed: Extract<Happening, { kind: 'failed' }>): JsonEvent {
  if (failed.status === undefined) return { type: 'Error', message: failed.message };
  const { message, type } = apiErrorOf(failed.status);
  const body = JSON.stringify({ error: { code: failed.status, message, status: type.toUpperCase() } });
  return { type: 'Error', message: `[API Error: ${body}]` };
}
