import { z } from 'zod';
import { isVersioned, Name, Tokens, usageOf, type WireFormat } from './format.ts';

const Usage = z.looseObject({
  input_tokens: Tokens,
  output_tokens: Tokens,
  input_tokens_details: z.looseObject({ cached_tokens: Tokens }).optional().catch(undefined),
});
const Response = z.looseObject({ model: Name, usage: Usage.optional().catch(undefined) });
/** A whole response, or an event that holds one. Format as of 2026-11. */
const Answer = Response.extend({ response: Response.optional().catch(undefined) });

/** OpenAI's Responses. */
export const openaiResponses: WireFormat = {
  useOf: (method, path) => {
    if (method === 'POST' && isVersioned(path, /^\/responses$/)) return 'turn';
    return method === 'GET' && isVersioned(path, /^\/models(\/[\w.:-]+)?$/) ? 'aside' : undefined;
  },
  modelInPath: () => undefined,
  keyHeader: 'bearer',
  // The first and the last event hold the response; the pieces between don't, and are many.
  isOfInterest: (name) => name === undefined || !/\.(delta|done|added)$/.test(name),
  read: (value) => {
    const parsed = Answer.safeParse(value);
    if (!parsed.success) return {};
    const { model, usage } = parsed.data.response ?? parsed.data;
    if (usage === undefined) return { servedModel: model };
    const cached = usage.input_tokens_details?.cached_tokens;
    return { servedModel: model, usage: usageOf({ input: usage.input_tokens, output: usage.output_tokens, cached }) };
  },
};
