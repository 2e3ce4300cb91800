import type { AgentObservation, AgentStreamReader, AgentTurn } from '../observation.ts';
import type { TranscriptReader } from '../provider.ts';
import { isTransientFailure } from '../stream/classify-failure.ts';
import { anything, type EventOf, eventForm, flag, list, number, object, text } from '../stream/fields.ts';
import { assistantBlocks, blockMessage, resultBlocks } from '../stream/message-blocks.ts';
import type { JsonEvent } from '../stream/parse-json-line.ts';
import { readEvents } from '../stream/read-events.ts';
import { readTranscriptRows } from '../stream/read-transcript.ts';
import { nameOf } from '../stream/readable-text.ts';
import { type Ending, trackEnding } from '../stream/track-ending.ts';
import { type News, trackNews, trackSession } from '../stream/track-news.ts';
import { trackTools } from '../stream/track-tools.ts';
import { sumOf, usageObservation } from '../stream/usage.ts';

// `claude -p --output-format stream-json --verbose`, 2.1.332, seen 2026-11-29.
const USAGE = {
  input_tokens: number,
  output_tokens: number,
  cache_read_input_tokens: number,
  cache_creation_input_tokens: number,
};
const ClaudeEvent = eventForm(() => ({
  type: text,
  subtype: text,
  session_id: text,
  message: blockMessage,
  request: object({ subtype: text, tool_name: text }),
  is_error: flag,
  terminal_reason: text,
  api_error_status: number,
  api_error_type: text,
  result: text,
  errors: anything,
  startup_failure_reason: text,
  permission_denials: list({ tool_name: text }),
  total_cost_usd: number,
  usage: object(USAGE),
  error: text,
  error_status: number,
  attempt: number,
  max_retries: number,
}));
type ClaudeEvent = EventOf<typeof ClaudeEvent>;

/** The model name of messages that Claude Code writes itself, in place of the model. */
const SYNTHETIC_MODEL = '<synthetic>';
const EDIT_TOOLS: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** A fresh reader of Claude Code's stream. */
export function claudeReader(): AgentStreamReader {
  const ending = trackEnding('result event', exitMeaning);
  const tools = trackTools();
  const session = trackSession();
  const turns = trackNews();

  function interpret(raw: JsonEvent, isCut: boolean): readonly AgentObservation[] {
    const event = ClaudeEvent.parse(raw);
    return [...session(event.session_id), ...eventObservations(event, isCut)];
  }

  function eventObservations(event: ClaudeEvent, isCut: boolean): readonly AgentObservation[] {
    switch (event.type) {
      case 'assistant':
        ending.reopen();
        return [...turnOf(event, turns), ...assistantBlocks(event.message, tools, EDIT_TOOLS)];
      case 'user':
        return resultBlocks(event.message, tools);
      case 'system':
        return event.subtype === 'api_retry' ? [retryOf(event, ending)] : [];
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
 * A fresh reader of `projects/<folder>/<session>.jsonl` in its folder, or of a subagent's
 * `<session>/subagents/agent-<id>.jsonl` beside it: what it says of the model is in the same `message` as in the stream,
 * and in rows of type `assistant` alone. 2.1.332, seen 2026-11-30.
 */
export function claudeTranscriptReader(): TranscriptReader {
  const turns = trackNews();
  return readTranscriptRows({
    words: ['"assistant"'],
    turnsOf: (row) => (row['type'] === 'assistant' ? turnOf(ClaudeEvent.parse(row), turns) : []),
  });
}

function exitMeaning(exitCode: number) {
  return exitCode === 143 ? { meaning: 'it was ended by SIGTERM', transient: false } : undefined;
}

function turnOf(event: ClaudeEvent, turns: News): readonly AgentTurn[] {
  const { id, model } = event.message ?? {};
  if (model === SYNTHETIC_MODEL) return [];
  // One message comes as several events, one a block; a name that changes within a message is another turn.
  if (id !== undefined && !turns.isNew(`${id} ${model}`)) return [];
  const answer = id === undefined ? {} : { answerId: nameOf(id) };
  return [{ kind: 'turn', servedModel: model === undefined ? null : nameOf(model), ...answer }];
}

function retryOf(event: ClaudeEvent, ending: Ending): AgentObservation {
  const what = [event.error_status, event.error].filter((part) => part !== undefined).join(' ');
  const message = `model API failed (${what}), retry ${event.attempt ?? '?'} of ${event.max_retries ?? '?'}`;
  return ending.failure(message, isTransientFailure(what, event.error_status));
}

function resultUsage(event: ClaudeEvent): readonly AgentObservation[] {
  const { usage } = event;
  return usageObservation({
    input: sumOf(usage?.input_tokens, usage?.cache_read_input_tokens, usage?.cache_creation_input_tokens),
    output: usage?.output_tokens,
    cached: usage?.cache_read_input_tokens,
    costUsd: event.total_cost_usd,
  });
}

function endOf(event: ClaudeEvent, ending: Ending): AgentObservation {
  const { is_error: isError, subtype, terminal_reason: why } = event;
  // `subtype` alone proves nothing: an API error is reported as "success". Versions before terminal_reason leave it out.
  if (isError === false && subtype === 'success' && (why === undefined || why === 'completed')) {
    return ending.positive(`result: completed${denialsOf(event)}`);
  }
  const message = event.result ?? errorsOf(event) ?? event.startup_failure_reason ?? '';
  const status = event.api_error_status;
  const kind = subtype === 'success' ? 'is_error' : (subtype ?? 'no subtype');
  const cause = [kind, why, status, event.api_error_type].filter((part) => part !== undefined).join(' ');
  const isTransient = why !== 'completed' && isTransientFailure(`${cause} ${message}`, status);
  return ending.negative(`result: ${cause}: ${message}`, isTransient);
}

function denialsOf(event: ClaudeEvent): string {
  const count = event.permission_denials?.length ?? 0;
  return count === 0 ? '' : `, ${count} tool call${count === 1 ? '' : 's'} denied`;
}

function errorsOf(event: ClaudeEvent): string | undefined {
  return Array.isArray(event.errors) ? event.errors.filter((entry) => typeof entry === 'string').join('; ') : undefined;
}
