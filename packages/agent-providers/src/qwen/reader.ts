import type { AgentObservation, AgentStreamReader } from '../observation.ts';
import { isTransientFailure } from '../stream/classify-failure.ts';
import { anything, type EventOf, eventForm, flag, number, object, text, textAt } from '../stream/fields.ts';
import { assistantBlocks, blockMessage, resultBlocks } from '../stream/message-blocks.ts';
import type { JsonEvent } from '../stream/parse-json-line.ts';
import { readEvents } from '../stream/read-events.ts';
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
 * A fresh reader of `~/.qwen/projects/<folder>/chats/<session>.jsonl`: the `model` of an assistant's record is the name
 * that the server gave.
 */
export function qwenTranscriptReader(): AgentStreamReader {
  return readEvents({
    ending: trackEnding('end, which a transcript has none of,'),
    event: (raw) => {
      if (raw['type'] !== 'assistant') return [];
      const model = textAt(raw, 'model');
      return [{ kind: 'turn', servedModel: model === undefined ? null : nameOf(model) }];
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
