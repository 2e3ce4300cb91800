import { z } from 'zod';
import { isVersioned, Name, sumOf, Tokens, usageOf, type WireFormat } from './format.ts';

const Usage = z.looseObject({
  promptTokenCount: Tokens,
  toolUsePromptTokenCount: Tokens,
  cachedContentTokenCount: Tokens,
  candidatesTokenCount: Tokens,
  thoughtsTokenCount: Tokens,
});
/** A whole answer or a piece of a streamed one. Format as of 2026-11. */
const Answer = z.looseObject({ modelVersion: Name, usageMetadata: Usage.optional().catch(undefined) });

const CALL = /^\/models\/([^/:]+):(\w+)$/;
const TURNS = ['generateContent', 'streamGenerateContent'];

/** Google's generateContent and streamGenerateContent. */
export const googleGenerateContent: WireFormat = {
  useOf: (method, path) => {
    const verb = callOf(path)?.[2];
    if (method === 'POST' && verb !== undefined && TURNS.includes(verb)) return 'turn';
    if (method === 'POST' && verb === 'countTokens') return 'aside';
    return method === 'GET' && isVersioned(path, /^\/models(\/[\w.-]+)?$/) ? 'aside' : undefined;
  },
  modelInPath: (path) => callOf(path)?.[1],
  keyHeader: 'x-goog-api-key',
  isOfInterest: () => true,
  read: (value) => {
    const parsed = Answer.safeParse(value);
    if (!parsed.success) return {};
    const { modelVersion, usageMetadata: usage } = parsed.data;
    if (usage === undefined) return { servedModel: modelVersion };
    const input = sumOf(usage.promptTokenCount, usage.toolUsePromptTokenCount);
    const output = sumOf(usage.candidatesTokenCount, usage.thoughtsTokenCount);
    return { servedModel: modelVersion, usage: usageOf({ input, output, cached: usage.cachedContentTokenCount }) };
  },
};

function callOf(path: string): RegExpExecArray | null {
  return CALL.exec(path.replace(/^\/v\d+[a-z]*\d*(?=\/)/, ''));
}
