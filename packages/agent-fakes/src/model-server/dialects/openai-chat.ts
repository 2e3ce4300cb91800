import { type Json, type OfferedTool, objectOf, objectsOf, textOf } from '../model-request.ts';
import type { PlacedCall } from '../place-call.ts';
import { type ModelDialect, type ReplyBody, type ReplyHead, TOKENS } from './dialect.ts';

const CREATED = 1_790_000_000;

/** OpenAI's Chat Completions. */
export const openaiChat: ModelDialect = {
  name: 'openai-chat',
  isTurn: (path) => path.endsWith('/chat/completions'),
  read: (_path, value) => {
    const body = objectOf(value);
    return {
      model: textOf(body['model']),
      isStreamed: body['stream'] === true,
      tools: objectsOf(body['tools']).map(offered),
      toolResults: objectsOf(body['messages']).filter((message) => message['role'] === 'tool').length,
    };
  },
  stream: (head) => ({
    open: [chunk(head, { role: 'assistant', content: '' })],
    piece: (text) => [chunk(head, { content: text })],
    close: (body) => [
      ...(body.call === undefined ? [] : [chunk(head, { tool_calls: [{ index: 0, ...toolCall(body.call) }] })]),
      chunk(head, {}, finishOf(body)),
      { data: { ...base(head, 'chat.completion.chunk'), choices: [], usage: USAGE } },
      { data: '[DONE]' },
    ],
  }),
  whole: (head, body) => ({
    ...base(head, 'chat.completion'),
    choices: [{ index: 0, message: messageOf(body), finish_reason: finishOf(body) }],
    usage: USAGE,
  }),
  error: (status) => ({ error: { message: `scripted failure ${status}`, type: 'server_error', code: String(status) } }),
};

function offered(tool: Json): OfferedTool {
  const isFreeform = tool['type'] === 'custom';
  const described = objectOf(tool[isFreeform ? 'custom' : 'function']);
  return { name: textOf(described['name']), parameters: objectOf(described['parameters']), isFreeform };
}

const USAGE = {
  prompt_tokens: TOKENS.input,
  completion_tokens: TOKENS.output,
  total_tokens: TOKENS.input + TOKENS.output,
  prompt_tokens_details: { cached_tokens: TOKENS.cached },
  completion_tokens_details: { reasoning_tokens: TOKENS.reasoning },
};

function base({ id, model }: ReplyHead, object: string): object {
  return { id: `chatcmpl-${id}`, object, created: CREATED, model };
}

function chunk(head: ReplyHead, delta: object, finish: string | null = null) {
  return { data: { ...base(head, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: finish }] } };
}

function messageOf({ text, call }: ReplyBody): object {
  return { role: 'assistant', content: text, ...(call === undefined ? {} : { tool_calls: [toolCall(call)] }) };
}

function toolCall(call: PlacedCall): object {
  if (call.freeText !== undefined)
    return { id: call.id, type: 'custom', custom: { name: call.name, input: call.freeText } };
  return { id: call.id, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.arguments) } };
}

function finishOf({ call }: ReplyBody): string {
  return call === undefined ? 'stop' : 'tool_calls';
}
