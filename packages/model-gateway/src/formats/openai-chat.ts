import { z } from 'zod';
import { isVersioned, Name, Tokens, usageOf, type WireFormat } from './format.ts';

const Usage = z.looseObject({
  prompt_tokens: Tokens,
  completion_tokens: Tokens,
  prompt_tokens_details: z.looseObject({ cached_tokens: Tokens }).optional().catch(undefined),
});
/** A whole completion or a chunk of one. Format as of 2026-11. */
const Answer = z.looseObject({ model: Name, usage: Usage.optional().catch(undefined) });

/** OpenAI's Chat Completions, and what many servers speak. */
export const openaiChat: WireFormat = {
  useOf: (method, path) => {
    if (method === 'POST' && isVersioned(path, /^\/chat\/completions$/)) return 'turn';
    return method === 'GET' && isVersioned(path, /^\/models(\/[\w.:-]+)*$/) ? 'aside' : undefined;
  },
  modelInPath: () => undefined,
  keyHeader: 'bearer',
  isOfInterest: () => true,
  read: (value) => {
    const parsed = Answer.safeParse(value);
    if (!parsed.success) return {};
    const { model, usage } = parsed.data;
    if (usage === undefined) return { servedModel: model };
    const cached = usage.prompt_tokens_details?.cached_tokens;
    const counts = { input: usage.prompt_tokens, output: usage.completion_tokens, cached };
    return { servedModel: model, usage: usageOf(counts) };
  },
};
