import { objectOf, objectsOf } from '../model-request.ts';
import { type ModelDialect, type ReplyBody, type ReplyHead, TOKENS } from './dialect.ts';

const TURN = /\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** Google's generateContent and streamGenerateContent. */
export const googleGenerateContent: ModelDialect = {
  name: 'google-generate-content',
  isTurn: (path) => TURN.test(path),
  read: (path, value) => {
    const body = objectOf(value);
    const [, model = '', verb] = TURN.exec(path) ?? [];
    return {
      model: decodeURIComponent(model),
      isStreamed: verb === 'streamGenerateContent',
      tools: objectsOf(body['tools']).flatMap((tool) => objectsOf(tool['functionDeclarations']).map(declared)),
      toolResults: objectsOf(body['contents'])
        .flatMap((content) => objectsOf(content['parts']))
        .filter((part) => 'functionResponse' in part).length,
    };
  },
  stream: (head) => ({
    open: [],
    piece: (text) => [{ data: answer(head, [{ text }]) }],
    close: (body) => [{ data: { ...answer(head, callParts(body), 'STOP'), usageMetadata: USAGE } }],
  }),
  whole: (head, body) => ({
    ...answer(head, [...(body.text === '' ? [] : [{ text: body.text }]), ...callParts(body)], 'STOP'),
    usageMetadata: USAGE,
  }),
  error: (status) => ({ error: { code: status, message: `scripted failure ${status}`, status: nameOf(status) } }),
};

const USAGE = {
  promptTokenCount: TOKENS.input,
  cachedContentTokenCount: TOKENS.cached,
  candidatesTokenCount: TOKENS.output - TOKENS.reasoning,
  thoughtsTokenCount: TOKENS.reasoning,
  totalTokenCount: TOKENS.input + TOKENS.output,
};

function declared(tool: Readonly<Record<string, unknown>>) {
  const parameters = objectOf(tool['parametersJsonSchema'] ?? tool['parameters']);
  return { name: String(tool['name']), parameters, isFreeform: false };
}

function answer({ id, model }: ReplyHead, parts: readonly object[], finishReason?: string): object {
  const content = { role: 'model', parts: parts.length === 0 ? [{ text: '' }] : parts };
  return {
    candidates: [{ index: 0, content, ...(finishReason === undefined ? {} : { finishReason }) }],
    modelVersion: model,
    responseId: id,
  };
}

function callParts({ call }: ReplyBody): readonly object[] {
  return call === undefined ? [] : [{ functionCall: { id: call.id, name: call.name, args: call.arguments } }];
}

function nameOf(status: number): string {
  if (status === 429) return 'RESOURCE_EXHAUSTED';
  if (status === 401) return 'UNAUTHENTICATED';
  return status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL';
}
