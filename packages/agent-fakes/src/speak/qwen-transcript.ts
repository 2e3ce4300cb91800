import { randomUUID } from 'node:crypto';
import type { JsonEvent, SpeechSetting } from './dialect-speech.ts';

/** What a run of qwen writes down of itself. */
export interface QwenTranscript {
  /** The prompt. */
  asked(): void;
  /** One answer of the model's API, and what the agent made of it. */
  answered(servedModel: string, content: JsonEvent, tokens: { readonly input: number; readonly output: number }): void;
  ranTool(call: {
    readonly id: string;
    readonly name: string;
    readonly output: string;
    readonly isError: boolean;
  }): void;
}

/**
 * `~/.qwen/projects/<folder>/chats/<session>.jsonl`, or below QWEN_HOME (@qwen-code/qwen-code 0.24.4, seen 2026-11-29). An
 * assistant's row carries the model that was asked for, the telemetry row before it the one that the server named.
 */
export function qwenTranscript({
  sessionId,
  cwd,
  requestedModel,
  promptText,
  now,
  append,
}: SpeechSetting): QwenTranscript {
  const folder = cwd.replace(/[^a-zA-Z0-9]/g, '-');
  let parentUuid: string | null = null;
  let answers = 0;

  function row(fields: JsonEvent): void {
    const uuid = randomUUID();
    const stamp = { uuid, parentUuid, sessionId, timestamp: now().toISOString(), cwd, version: '0.24.4' };
    append({
      home: '.qwen',
      variable: 'QWEN_HOME',
      below: `projects/${folder}/chats/${sessionId}.jsonl`,
      line: `${JSON.stringify({ ...stamp, ...fields })}\n`,
    });
    parentUuid = uuid;
  }

  function telemetry(name: string, fields: JsonEvent): void {
    const uiEvent = { 'event.name': name, 'event.timestamp': now().toISOString(), ...fields };
    row({ type: 'system', provenance: 'system', subtype: 'ui_telemetry', systemPayload: { uiEvent } });
  }

  return {
    asked: () =>
      row({ type: 'user', provenance: 'real_user', message: { role: 'user', parts: [{ text: promptText }] } }),
    answered(model, content, { input, output }) {
      const counts = { input_token_count: input, output_token_count: output, total_token_count: input + output };
      telemetry('qwen-code.api_response', {
        response_id: `chatcmpl-${answers}`,
        model,
        status_code: 200,
        duration_ms: 1,
        ...counts,
        auth_type: 'openai',
      });
      answers += 1;
      row({
        type: 'assistant',
        provenance: 'assistant_output',
        model: requestedModel,
        message: { role: 'model', parts: [partOf(content)] },
        usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
      });
    },
    ranTool({ id, name, output, isError }) {
      const status = isError ? 'error' : 'success';
      telemetry('qwen-code.tool_call', { call_id: id, function_name: name, status, success: !isError });
      const response = { functionResponse: { id, name, response: { output } } };
      row({
        type: 'tool_result',
        provenance: 'tool_result',
        message: { role: 'user', parts: [response] },
        toolCallResult: { callId: id, status },
      });
    },
  };
}

function partOf(content: JsonEvent): JsonEvent {
  if (content['type'] !== 'tool_use') return { text: content['text'] };
  return { functionCall: { id: content['id'], name: content['name'], args: content['input'] } };
}
