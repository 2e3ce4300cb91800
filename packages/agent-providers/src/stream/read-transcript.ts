import type { AgentTurn } from '../observation.ts';
import type { TranscriptReader } from '../provider.ts';
import { type JsonEvent, parseJsonBeginning, parseJsonLine } from './parse-json-line.ts';
import { createLineSplitter, type StreamLine } from './split-lines.ts';

/** What a provider knows about the rows of its transcripts. */
export interface TranscriptRows {
  /** A row that holds none of these isn't parsed: most of a transcript is tool results and system prompts. */
  readonly words: readonly string[];
  /** The turns that a row shows. */
  readonly turnsOf: (row: JsonEvent) => readonly AgentTurn[];
}

/** A reader of JSON lines, one row each; whatever else stands there is passed over. */
export function readTranscriptRows({ words, turnsOf }: TranscriptRows): TranscriptReader {
  const splitter = createLineSplitter();

  function turnsIn({ text, cutBytes }: StreamLine): readonly AgentTurn[] {
    if (!words.some((word) => text.includes(word))) return [];
    const row = cutBytes > 0 ? parseJsonBeginning(text) : parseJsonLine(text);
    return row === undefined ? [] : turnsOf(row);
  }

  return {
    push: (chunk) => splitter.push(chunk).flatMap(turnsIn),
    end: () => splitter.end().flatMap(turnsIn),
  };
}
