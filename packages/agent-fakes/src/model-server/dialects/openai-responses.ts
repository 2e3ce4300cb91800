import { objectOf, objectsOf, textOf } from '../model-request.ts';
import type { PlacedCall } from '../place-call.ts';
import { type ModelDialect, type ReplyBody, type ReplyHead, type SentEvent, TOKENS } from './dialect.ts';

const CREATED = 1_790_000_000;
const RESULTS: readonly unknown[] = ['function_call_output', 'custom_tool_call_output'];

/** OpenAI's Responses. */
export const openaiResponses: ModelDialect = {
  name: 'openai-responses',
  isTurn: (path) => path.endsWith('/responses'),
  read: (_path, value) => {
    const body = objectOf(value);
    return {
      model: textOf(body['model']),
      isStreamed: body['stream'] === true,
      tools: objectsOf(body['tools']).flatMap((tool) => (tool['name'] === undefined ? [] : [offered(tool)])),
      toolResults: objectsOf(body['input']).filter((item) => RESULTS.includes(item['type'])).length,
    };
  },
  stream: (head) => {
    const numbered = numbering();
    const isTextOpen = { value: false };
    return {
      open: numbered([
        { type: 'response.created', response: responseOf(head, 'in_progress') },
        { type: 'response.in_progress', response: responseOf(head, 'in_progress') },
      ]),
      piece: (text) => numbered([...openText(head, isTextOpen), textDelta(head, text)]),
      close: (body) => numbered(closing(head, isTextOpen.value, body)),
    };
  },
  whole: (head, body) => responseOf(head, 'completed', itemsOf(head, body)),
  error: (status) => ({ error: { message: `scripted failure ${status}`, type: 'server_error', code: null } }),
};

interface TypedEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Every event of a stream has its number. */
function numbering(): (events: readonly TypedEvent[]) => readonly SentEvent[] {
  let next = 0;
  return (events) =>
    events.map((data) => {
      const sequence_number = next;
      next += 1;
      return { event: data.type, data: { ...data, sequence_number } };
    });
}

function offered(tool: Readonly<Record<string, unknown>>) {
  const isFreeform = tool['type'] === 'custom';
  return { name: textOf(tool['name']), parameters: objectOf(tool['parameters']), isFreeform };
}

function openText(head: ReplyHead, isTextOpen: { value: boolean }): readonly TypedEvent[] {
  if (isTextOpen.value) return [];
  isTextOpen.value = true;
  const part = { type: 'output_text', text: '', annotations: [] };
  return [
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...messageItem(head, ''), status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', output_index: 0, content_index: 0, item_id: messageId(head), part },
  ];
}

function textDelta(head: ReplyHead, delta: string): TypedEvent {
  return { type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: messageId(head), delta };
}

function closing(head: ReplyHead, hasText: boolean, body: ReplyBody): readonly TypedEvent[] {
  const place = { output_index: 0, content_index: 0, item_id: messageId(head) };
  const part = { type: 'output_text', text: body.text, annotations: [] };
  return [
    ...(hasText
      ? [
          { type: 'response.output_text.done', ...place, text: body.text },
          { type: 'response.content_part.done', ...place, part },
          { type: 'response.output_item.done', output_index: 0, item: messageItem(head, body.text) },
        ]
      : []),
    ...(body.call === undefined ? [] : callEvents(hasText ? 1 : 0, body.call)),
    { type: 'response.completed', response: responseOf(head, 'completed', itemsOf(head, body)) },
  ];
}

function callEvents(index: number, call: PlacedCall): readonly TypedEvent[] {
  const item = callItem(call);
  return [
    { type: 'response.output_item.added', output_index: index, item: { ...item, status: 'in_progress' } },
    { type: 'response.output_item.done', output_index: index, item },
  ];
}

function itemsOf(head: ReplyHead, { text, call }: ReplyBody): readonly object[] {
  return [...(text === '' ? [] : [messageItem(head, text)]), ...(call === undefined ? [] : [callItem(call)])];
}

function messageId({ id }: ReplyHead): string {
  return `msg_${id}`;
}

function messageItem(head: ReplyHead, text: string): object {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { type: 'message', id: messageId(head), role: 'assistant', status: 'completed', content };
}

function callItem(call: PlacedCall): object {
  const common = { id: `fc_${call.id}`, call_id: call.id, name: call.name, status: 'completed' };
  return call.freeText === undefined
    ? { type: 'function_call', ...common, arguments: JSON.stringify(call.arguments) }
    : { type: 'custom_tool_call', ...common, input: call.freeText };
}

function responseOf({ id, model }: ReplyHead, status: string, output: readonly object[] = []): object {
  const usage = {
    input_tokens: TOKENS.input,
    input_tokens_details: { cached_tokens: TOKENS.cached },
    output_tokens: TOKENS.output,
    output_tokens_details: { reasoning_tokens: TOKENS.reasoning },
    total_tokens: TOKENS.input + TOKENS.output,
  };
  const isOver = status === 'completed';
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: CREATED,
    status,
    model,
    output,
    usage: isOver ? usage : null,
  };
}
