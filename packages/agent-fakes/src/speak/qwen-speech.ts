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
import { qwenTranscript } from './qwen-transcript.ts';

/**
 * `qwen -o stream-json` (@qwen-code/qwen-code 0.24.4, seen 2026-11-29). `message.model` is the model that was asked for;
 * the one that served is in the transcript alone.
 */
export function qwenSpeech(setting: SpeechSetting): Speech {
  const voice = new QwenVoice(setting);
  return {
    tell: (happening) => voice.tell(happening),
    exitCodeOfFailure: () => 1,
    exitCodeOfSignal: { SIGTERM: 130, SIGINT: 130 },
  };
}

class QwenVoice {
  readonly #setting: SpeechSetting;
  readonly #startedAtMs: number;
  readonly #transcript: ReturnType<typeof qwenTranscript>;
  #turns = 0;
  #inputTokens = 0;
  #outputTokens = 0;

  constructor(setting: SpeechSetting) {
    this.#setting = setting;
    this.#startedAtMs = setting.now().getTime();
    this.#transcript = qwenTranscript(setting);
  }

  tell(happening: Happening): readonly JsonEvent[] {
    switch (happening.kind) {
      case 'started':
        this.#transcript.asked();
        return [this.#init()];
      case 'said':
        return [this.#assistant({ type: 'text', text: happening.text })];
      case 'ran':
        return this.#tool(
          'run_shell_command',
          { command: happening.command },
          happening.output,
          happening.exitCode !== 0,
        );
      case 'edited':
        return this.#tool(
          happening.change === 'add' ? 'write_file' : 'edit',
          { file_path: happening.path },
          'Done',
          false,
        );
      case 'finished':
        return [
          this.#assistant({ type: 'text', text: happening.text }),
          this.#result({ subtype: 'success', is_error: false, result: happening.text }),
        ];
      case 'failed':
        return happening.status === undefined
          ? [this.#result({ ...FAILED, error: { message: happening.message } })]
          : this.#refused(happening.status);
    }
  }

  #init(): JsonEvent {
    const { cwd, requestedModel } = this.#setting;
    return {
      type: 'system',
      subtype: 'init',
      ...this.#stamp(),
      cwd,
      tools: ['read_file', 'write_file', 'run_shell_command', 'edit'],
      mcp_servers: [],
      model: requestedModel,
      permission_mode: 'yolo',
      qwen_code_version: '0.24.4',
    };
  }

  #assistant(content: JsonEvent): JsonEvent {
    const input = this.#turns === 0 ? tokensOf(this.#setting.promptText) : 0;
    const output = tokensOf(JSON.stringify(content));
    this.#inputTokens += input;
    this.#outputTokens += output;
    this.#transcript.answered(this.#setting.servedModel(this.#turns), content, { input, output });
    this.#turns += 1;
    const stamp = this.#stamp();
    const message = {
      id: stamp.uuid,
      type: 'message',
      role: 'assistant',
      model: this.#setting.requestedModel,
      content: [content],
      stop_reason: content['type'] === 'tool_use' ? 'tool_use' : null,
      usage: usageOf(input, output),
    };
    return { type: 'assistant', ...stamp, parent_tool_use_id: null, message };
  }

  #tool(name: string, input: JsonEvent, output: string, isError: boolean): readonly JsonEvent[] {
    const id = `call_${randomUUID()}`;
    const said = this.#assistant({ type: 'tool_use', id, name, input });
    this.#transcript.ranTool({ id, name, output, isError });
    const content = [{ type: 'tool_result', tool_use_id: id, is_error: isError, content: output }];
    return [said, { type: 'user', ...this.#stamp(), parent_tool_use_id: null, message: { role: 'user', content } }];
  }

  #refused(status: number): readonly JsonEvent[] {
    const message = `${status} ${apiErrorOf(status).message}`;
    const retry = { type: 'system', subtype: 'retry', ...this.#stamp(), data: { message } };
    return [...(isRetriedStatus(status) ? [retry] : []), this.#result({ ...FAILED, error: { message } })];
  }

  #result(end: JsonEvent): JsonEvent {
    const durationMs = this.#setting.now().getTime() - this.#startedAtMs;
    return {
      type: 'result',
      ...this.#stamp(),
      ...end,
      duration_ms: durationMs,
      duration_api_ms: durationMs,
      num_turns: this.#turns,
      usage: usageOf(this.#inputTokens, this.#outputTokens),
      permission_denials: [],
    };
  }

  #stamp(): { readonly uuid: string; readonly session_id: string } {
    return { uuid: randomUUID(), session_id: this.#setting.sessionId };
  }
}

const FAILED = { subtype: 'error_during_execution', is_error: true } as const;

function usageOf(input: number, output: number): JsonEvent {
  return { input_tokens: input, output_tokens: output, cache_read_input_tokens: 0, total_tokens: input + output };
}
