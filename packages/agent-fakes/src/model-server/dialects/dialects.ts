import { anthropicMessages } from './anthropic-messages.ts';
import type { ModelDialect } from './dialect.ts';
import { googleGenerateContent } from './google-generate-content.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';

const DIALECTS: readonly ModelDialect[] = [openaiResponses, openaiChat, anthropicMessages, googleGenerateContent];

/** The format in which a model is asked for a turn at this path; undefined where none is. */
export function dialectAt(path: string): ModelDialect | undefined {
  return DIALECTS.find((dialect) => dialect.isTurn(path));
}
