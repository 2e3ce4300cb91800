import type { AgentObservation, AgentStreamReader, AgentTurn } from '../observation.ts';
import type { TranscriptReader } from '../provider.ts';
import { isTransientFailure } from '../stream/classify-failure.ts';
import { anything, type EventOf, eventForm, flag, number, object, text, textAt } from '../stream/fields.ts';
import { assistantBlocks, blockMessage, resultBlocks } from '../stream/message-blocks.ts';
import type { JsonEvent } from '../stream/parse-json-line.ts';
import { readEvents } from '../stream/read-events.ts';
import { readTranscriptRows } from '../stream/read-transcript.ts';
import { nameOf } from '../stream/readable-text.ts';
import { type Ending, trackEnding } from '../stream/track-ending.ts';
import { type News, trackNews, trackSession } from '../stream/track-news.ts';
import { trackTools } from '../stream/track-tools.ts';
import { usageObservation } from '../stream/usage.ts';

// `qwen -o stream-json`, 0.24.4, seen 2026-11-29.
const QwenEvent = eventForm(() => ({
  type: text,
  subtype: text,
  session_id: text,
  message: blockMessage,
  request: object({ tool_name: text }),
  is_error: flag,
  result: text,
  error: anything,
  data: anything,
  usage: object({ input_tokens: number, output_tokens: number, cache_read_input_tokens: number }),
}));
const ANSWER_EVENT = 'qwen-code.api_response';
const QwenTranscriptRow = eventForm(() => ({
  systemPayload: object({ uiEvent: object({ 'event.name': text, model: text }) }),
}));
type QwenEvent = EventOf<typeof QwenEvent>;

const EDIT_TOOLS: ReadonlySet<string> = new Set(['write_file', 'edit', 'replace', 'notebook_edit']);

/** A fresh reader of Qwen Code's stream. */
export function qwenReader(): AgentStreamReader {
  const ending = trackEnding('result event', exitMeaning);
  const tools = trackTools();
  const session = trackSession();
  const turns = trackNews();

  function interpret(raw: JsonEvent, isCut: boolean): readonly AgentObservation[] {
    const event = QwenEvent.parse(raw);
    return [...session(event.session_id), ...eventObservations(event, isCut)];
  }

  function eventObservations(event: QwenEvent, isCut: boolean): readonly AgentObservation[] {
    switch (event.type) {
      case 'assistant':
        ending.reopen();
        return [...turnOf(event, turns), ...assistantBlocks(event.message, tools, EDIT_TOOLS)];
      case 'user':
        return resultBlocks(event.message, tools);
      case 'system':
        return event.subtype === 'retry' ? [retryOf(event, ending)] : [];
      case 'control_request':
        return [{ kind: 'waiting-for-input', what: `permission for ${nameOf(event.request?.tool_name ?? 'a tool')}` }];
      case 'result':
        return isCut ? [] : [...resultUsage(event), endOf(event, ending)];
      default:
        return [];
    }
  }

  return readEvents({ ending, event: interpret, end: () => tools.end() });
}

/**
 * A fresh reader of `projects/<folder>/chats/<session>.jsonl` in its folder. The `model` of an assistant's row is the one
 * that was asked for; what the server named is in the row of the API's answer before it, which has the asked one only
 * where the server named none. 0.24.4, seen 2026-11-29.
 */
export function qwenTranscriptReader(): TranscriptReader {
  let hasAnswered = false;

  function answer(model: string | undefined): readonly AgentTurn[] {
    hasAnswered = true;
    return [{ kind: 'turn', servedModel: model === undefined ? null : nameOf(model) }];
  }

  /** What the agent says without such a row before it is a turn of which nothing is known. */
  function said(): readonly AgentTurn[] {
    const isKnown = hasAnswered;
    hasAnswered = false;
    return isKnown ? [] : [{ kind: 'turn', servedModel: null }];
  }

  return readTranscriptRows({
    words: ['"assistant"', ANSWER_EVENT],
    turnsOf(row) {
      if (row['type'] === 'assistant') return said();
      const event = QwenTranscriptRow.parse(row).systemPayload?.uiEvent;
      return event?.['event.name'] === ANSWER_EVENT ? answer(event.model) : [];
    },
  });
}

function exitMeaning(exitCode: number) {
  if (exitCode === 130) return { meaning: 'it was ended by a signal', transient: false };
  return exitCode === 55 ? { meaning: 'its own time limit ran out', transient: false } : undefined;
}

/** `message.model` is the model that was asked for, so it attests nothing. */
function turnOf(event: QwenEvent, turns: News): readonly AgentObservation[] {
  const id = event.message?.id;
  return id !== undefined && !turns.isNew(id) ? [] : [{ kind: 'turn', servedModel: null }];
}

function retryOf(event: QwenEvent, ending: Ending): AgentObservation {
  const message = messageIn(event.data) ?? messageIn(event.error) ?? '';
  return ending.failure(`model API failed, retrying: ${message}`, message === '' || isTransientFailure(message));
}

function messageIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : textAt(value, 'message', 'error', 'reason');
}

function resultUsage(event: QwenEvent): readonly AgentObservation[] {
  const { usage } = event;
  return usageObservation({
    input: usage?.input_tokens,
    output: usage?.output_tokens,
    cached: usage?.cache_read_input_tokens,
  });
}

function endOf(event: QwenEvent, ending: Ending): AgentObservation {
  if (event.is_error === false) return ending.positive('result: no error');
  const message = messageIn(event.error) ?? event.result ?? '';
  return ending.negative(`result: ${event.subtype ?? 'no subtype'} ${message}`, isTransientFailure(message));
}
