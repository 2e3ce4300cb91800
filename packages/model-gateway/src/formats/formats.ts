import { ModelFormat } from '../model.ts';
import { anthropicMessages } from './anthropic-messages.ts';
import type { WireFormat } from './format.ts';
import { googleGenerateContent } from './google-generate-content.ts';
import { openaiChat } from './openai-chat.ts';
import { openaiResponses } from './openai-responses.ts';

/** How each format is read. */
export const FORMATS: Readonly<Record<ModelFormat, WireFormat>> = {
  [ModelFormat.openaiResponses]: openaiResponses,
  [ModelFormat.openaiChat]: openaiChat,
  [ModelFormat.anthropicMessages]: anthropicMessages,
  [ModelFormat.googleGenerateContent]: googleGenerateContent,
};
