import { objectOf, objectsOf, textOf } from '../model-request.ts';
import type { PlacedCall } from '../place-call.ts';
import { type ModelDialect, type ReplyBody, type ReplyHead, type SentEvent, TOKENS } from './dialect.ts';

/** Anthropic's Messages. */
export const anthropicMessages: ModelDialect = {
  name: 'anthropic-messages',
  isTurn: (path) => path.endsWith('/messages'),
  read: (_path, value) => {
    const body = objectOf(value);
    return {
      model: textOf(body['model']),
      isStreamed: body['stream'] === true,
      tools: objectsOf(body['tools']).map((tool) => ({
        name: textOf(tool['name']),
        parameters: objectOf(tool['input_schema']),
        isFreeform: false,
      })),
      toolResults: objectsOf(body['messages'])
        .flatMap((message) => objectsOf(message['content']))
        .filter((block) => block['type'] === 'tool_result').length,
    };
  },
  stream: (head) => {
    const isTextOpen = { value: false };
    return {
      open: [event({ type: 'message_start', message: messageOf(head, { text: '' }, null) })],
      piece: (text) => [...openText(isTextOpen), textDelta(text)],
      close: (body) => closing(isTextOpen.value, body),
    };
  },
  whole: (head, body) => messageOf(head, body, stopOf(body)),
  error: (status) => ({ type: 'error', error: { type: errorType(status), message: `scripted failure ${status}` } }),
};

function event(data: { readonly type: string } & Record<string, unknown>): SentEvent {
  return { event: data.type, data };
}

function openText(isTextOpen: { value: boolean }): readonly SentEvent[] {
  if (isTextOpen.value) return [];
  isTextOpen.value = true;
  return [event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })];
}

function textDelta(text: string): SentEvent {
  return event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
}

function closing(hasText: boolean, body: ReplyBody): readonly SentEvent[] {
  return [
    ...(hasText ? [event({ type: 'content_block_stop', index: 0 })] : []),
    ...(body.call === undefined ? [] : toolEvents(hasText ? 1 : 0, body.call)),
    event({
      type: 'message_delta',
      delta: { stop_reason: stopOf(body), stop_sequence: null },
      usage: { output_tokens: TOKENS.output },
    }),
    event({ type: 'message_stop' }),
  ];
}

function toolEvents(index: number, call: PlacedCall): readonly SentEvent[] {
  const partial = { type: 'input_json_delta', partial_json: JSON.stringify(call.arguments) };
  return [
    event({ type: 'content_block_start', index, content_block: { ...toolUse(call), input: {} } }),
    event({ type: 'content_block_delta', index, delta: partial }),
    event({ type: 'content_block_stop', index }),
  ];
}

function messageOf({ id, model }: ReplyHead, { text, call }: ReplyBody, stop: string | null): object {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [...(text === '' ? [] : [{ type: 'text', text }]), ...(call === undefined ? [] : [toolUse(call)])],
    stop_reason: stop,
    stop_sequence: null,
    usage: {
      input_tokens: TOKENS.input - TOKENS.cached,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: TOKENS.cached,
      output_tokens: stop === null ? 1 : TOKENS.output,
    },
  };
}

function toolUse(call: PlacedCall): object {
  return { type: 'tool_use', id: call.id, name: call.name, input: call.arguments };
}

function stopOf({ call }: ReplyBody): string {
  return call === undefined ? 'end_turn' : 'tool_use';
}

function errorType(status: number): string {
  if (status === 429) return 'rate_limit_error';
  if (status === 401) return 'authentication_error';
  return status < 500 ? 'invalid_request_error' : 'api_error';
}
