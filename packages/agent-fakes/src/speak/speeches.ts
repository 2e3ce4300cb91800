import type { Dialect } from '../dialects.ts';
import { claudeSpeech } from './claude-speech.ts';
import { codexSpeech } from './codex-speech.ts';
import type { Speech, SpeechSetting } from './dialect-speech.ts';
import { geminiSpeech } from './gemini-speech.ts';
import { piSpeech } from './pi-speech.ts';
import { qwenSpeech } from './qwen-speech.ts';

/** The speech of each dialect; a new one starts with every run. */
export const speeches: Readonly<Record<Dialect, (setting: SpeechSetting) => Speech>> = {
  claude: claudeSpeech,
  codex: codexSpeech,
  gemini: geminiSpeech,
  pi: piSpeech,
  qwen: qwenSpeech,
};
