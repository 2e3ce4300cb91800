import { z } from 'zod';
import { isVersioned, Name, sumOf, Tokens, usageOf, type WireFormat } from './format.ts';

const Usage = z.looseObject({
  input_tokens: Tokens,
  cache_read_input_tokens: Tokens,
  cache_creation_input_tokens: Tokens,
  output_tokens: Tokens,
});
const Message = z.looseObject({ model: Name, usage: Usage.optional().catch(undefined) });
/** A whole message, `message_start` or `message_delta`. Format as of 2026-11. */
const Answer = Message.extend({ message: Message.optional().catch(undefined) });

/** Anthropic's Messages. */
export const anthropicMessages: WireFormat = {
  useOf: (method, path) => {
    if (method === 'POST' && isVersioned(path, /^\/messages$/)) return 'turn';
    if (method === 'POST' && isVersioned(path, /^\/messages\/count_tokens$/)) return 'aside';
    return method === 'GET' && isVersioned(path, /^\/models(\/[\w.:-]+)?$/) ? 'aside' : undefined;
  },
  modelInPath: () => undefined,
  keyHeader: 'x-api-key',
  isOfInterest: (name) => name === undefined || name === 'message_start' || name === 'message_delta',
  read: (value) => {
    const parsed = Answer.safeParse(value);
    if (!parsed.success) return {};
    const { model, usage } = parsed.data.message ?? parsed.data;
    if (usage === undefined) return { servedModel: model };
    const cached = usage.cache_read_input_tokens;
    // What a cache served or took isn't among its input tokens.
    const input = sumOf(usage.input_tokens, cached, usage.cache_creation_input_tokens);
    return { servedModel: model, usage: usageOf({ input, output: usage.output_tokens, cached }) };
  },
};
