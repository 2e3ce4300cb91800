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
 * `claude -p --output-format stream-json --verbose` (@anthropic-ai/claude-code 2.1.332, seen 2026-11-29). The served
 * model is `assistant.message.model`; `system/init` and `result.modelUsage` carry the one that was asked for.
 */
export function claudeSpeech(setting: SpeechSetting): Speech {
  const voice = new ClaudeVoice(setting);
  return {
    tell: (happening) => voice.tell(happening),
    exitCodeOfFailure: () => 1,
    exitCodeOfSignal: { SIGTERM: 143, SIGINT: 0 },
  };
}

interface ResultEnd {
  readonly subtype: string;
  readonly isError: boolean;
  readonly terminalReason: string;
  readonly text: string;
  readonly status: number | null;
}

class ClaudeVoice {
  readonly #setting: SpeechSetting;
  readonly #startedAtMs: number;
  #turns = 0;
  #inputTokens = 0;
  #outputTokens = 0;

  constructor(setting: SpeechSetting) {
    this.#setting = setting;
    this.#startedAtMs = setting.now().getTime();
  }

  tell(happening: Happening): readonly JsonEvent[] {
    switch (happening.kind) {
      case 'started':
        return [this.#init()];
      case 'said':
        return [this.#assistant({ type: 'text', text: happening.text })];
      case 'ran':
        return this.#tool('Bash', { command: happening.command }, happening.output, happening.exitCode !== 0);
      case 'edited':
        return this.#tool(happening.change === 'add' ? 'Write' : 'Edit', { file_path: happening.path }, 'Done', false);
      case 'finished':
        return [
          this.#assistant({ type: 'text', text: happening.text }),
          this.#result({
            subtype: 'success',
            isError: false,
            terminalReason: 'completed',
            text: happening.text,
            status: null,
          }),
        ];
      case 'failed':
        return happening.status === undefined ? this.#gaveUp(happening.message) : this.#refused(happening.status);
    }
  }

  #init(): JsonEvent {
    return {
      type: 'system',
      subtype: 'init',
      cwd: this.#setting.cwd,
      tools: ['Bash', 'Edit', 'Read', 'Write'],
      mcp_servers: [],
      model: this.#setting.requestedModel,
      permissionMode: 'acceptEdits',
      apiKeySource: 'ANTHROPIC_API_KEY',
      claude_code_version: '2.1.332',
      sandbox_enabled: false,
      ...this.#stamp(),
    };
  }

  #assistant(content: JsonEvent): JsonEvent {
    const model = this.#setting.servedModel(this.#turns);
    this.#turns += 1;
    const usage = this.#count(JSON.stringify(content));
    const message = { ...this.#message(model, content), usage };
    return {
      type: 'assistant',
      message,
      parent_tool_use_id: null,
      request_id: `req_${randomUUID()}`,
      ...this.#stamp(),
    };
  }

  #message(model: string, content: JsonEvent): JsonEvent {
    return {
      id: `msg_${randomUUID()}`,
      type: 'message',
      role: 'assistant',
      model,
      content: [content],
      stop_reason: null,
    };
  }

  #tool(name: string, input: JsonEvent, output: string, isError: boolean): readonly JsonEvent[] {
    const id = `toolu_${randomUUID()}`;
    const content = [{ tool_use_id: id, type: 'tool_result', content: output, is_error: isError }];
    return [
      this.#assistant({ type: 'tool_use', id, name, input }),
      {
        type: 'user',
        message: { role: 'user', content },
        parent_tool_use_id: null,
        tool_use_result: { stdout: output, stderr: '', interrupted: false },
        ...this.#stamp(),
      },
    ];
  }

  #gaveUp(message: string): readonly JsonEvent[] {
    const end = {
      subtype: 'error_during_execution',
      isError: true,
      terminalReason: 'error',
      text: message,
      status: null,
    };
    return [this.#assistant({ type: 'text', text: message }), this.#result(end)];
  }

  /** The result says "success" after an API error too; `is_error` and `terminal_reason` tell. */
  #refused(status: number): readonly JsonEvent[] {
    const error = apiErrorOf(status);
    const text = `API Error: ${status} ${JSON.stringify({ type: 'error', error })}`;
    const message = { ...this.#message('<synthetic>', { type: 'text', text }), usage: usageOf(0, 0) };
    return [
      ...(isRetriedStatus(status) ? [1, 2].map((attempt) => this.#retry(attempt, status, error.type)) : []),
      { type: 'assistant', message, parent_tool_use_id: null, error: error.type, ...this.#stamp() },
      this.#result({ subtype: 'success', isError: true, terminalReason: 'api_error', text, status }),
    ];
  }

  #retry(attempt: number, status: number, error: string): JsonEvent {
    const delay = { attempt, max_retries: 2, retry_delay_ms: 500 * attempt };
    return { type: 'system', subtype: 'api_retry', ...delay, error_status: status, error, ...this.#stamp() };
  }

  #result(end: ResultEnd): JsonEvent {
    const durationMs = this.#setting.now().getTime() - this.#startedAtMs;
    return {
      type: 'result',
      subtype: end.subtype,
      is_error: end.isError,
      terminal_reason: end.terminalReason,
      api_error_status: end.status,
      ...(end.status === null ? {} : { api_error_type: apiErrorOf(end.status).type }),
      num_turns: this.#turns,
      result: end.text,
      total_cost_usd: this.#cost(),
      usage: usageOf(this.#inputTokens, this.#outputTokens),
      modelUsage: { [this.#setting.requestedModel]: this.#modelUsage() },
      permission_denials: [],
      duration_ms: durationMs,
      duration_api_ms: durationMs,
      ...this.#stamp(),
    };
  }

  #modelUsage(): JsonEvent {
    const tokens = { inputTokens: this.#inputTokens, outputTokens: this.#outputTokens };
    return {
      ...tokens,
      cacheReadInputTokens: 0,
      cacheCreationInputTokens: 0,
      costUSD: this.#cost(),
      contextWindow: 200_000,
    };
  }

  #count(text: string): JsonEvent {
    const input = this.#turns === 1 ? tokensOf(this.#setting.promptText) : 0;
    const output = tokensOf(text);
    this.#inputTokens += input;
    this.#outputTokens += output;
    return usageOf(input, output);
  }

  /** At 3 USD per million tokens in and 15 out. */
  #cost(): number {
    return (this.#inputTokens * 3 + this.#outputTokens * 15) / 1_000_000;
  }

  #stamp(): JsonEvent {
    return { session_id: this.#setting.sessionId, uuid: randomUUID() };
  }
}

function usageOf(input: number, output: number): JsonEvent {
  return {
    input_tokens: input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: output,
  };
}
