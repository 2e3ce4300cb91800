import type { AgentObservation, AgentStreamReader, AgentTurn } from '../observation.ts';
import type { TranscriptReader } from '../provider.ts';
import { isTransientFailure } from '../stream/classify-failure.ts';
import { anything, type EventOf, eventForm, flag, list, number, object, text } from '../stream/fields.ts';
import { pathIn, toolLine } from '../stream/message-blocks.ts';
import type { JsonEvent } from '../stream/parse-json-line.ts';
import { readEvents } from '../stream/read-events.ts';
import { readTranscriptRows } from '../stream/read-transcript.ts';
import { lineObservation, nameOf } from '../stream/readable-text.ts';
import { type Ending, trackEnding } from '../stream/track-ending.ts';
import { trackSession } from '../stream/track-news.ts';
import { type ToolLedger, trackTools } from '../stream/track-tools.ts';
import { pricedCost, type ReportedUsage, sumOf, trackUsage } from '../stream/usage.ts';

// `pi --mode json`, 1.6.0, seen 2026-11-29.
const PiEvent = eventForm(() => ({
  type: text,
  id: text,
  toolCallId: text,
  toolName: text,
  args: anything,
  isError: flag,
  aborted: flag,
  attempt: number,
  maxAttempts: number,
  errorMessage: text,
  message: object({
    role: text,
    responseId: text,
    responseModel: text,
    stopReason: text,
    errorMessage: text,
    content: list({ type: text, text }),
    usage: object({
      input: number,
      output: number,
      cacheRead: number,
      cacheWrite: number,
      cost: object({ total: number }),
    }),
  }),
}));
type PiEvent = EventOf<typeof PiEvent>;
type Message = NonNullable<PiEvent['message']>;

// Its updates repeat whole messages, and make most of the stream: they are left unread.
const READ_TYPES: ReadonlySet<unknown> = new Set([
  'session',
  'turn_start',
  'message_end',
  'tool_execution_start',
  'tool_execution_end',
  'auto_retry_start',
  'agent_settled',
]);
const ROUTINE_TEXT = /^Warning: No project session found with id/;
const EDIT_TOOLS: ReadonlySet<string> = new Set(['write', 'edit']);

/** A fresh reader of pi's stream. The end is `agent_settled`, after a last message that stopped with "stop". */
export function piReader(): AgentStreamReader {
  const ending = trackEnding('agent_settled event');
  const tools = trackTools();
  const session = trackSession();
  const usage = trackUsage();
  let last: Message | undefined;

  function interpret(raw: JsonEvent, isCut: boolean): readonly AgentObservation[] {
    if (!READ_TYPES.has(raw['type'])) return [];
    const event = PiEvent.parse(raw);
    switch (event.type) {
      case 'session':
        return session(event.id);
      case 'turn_start':
        ending.reopen();
        return [];
      case 'message_end':
        return event.message?.role === 'assistant' ? assistantMessage(event.message) : [];
      case 'tool_execution_start':
        return startedTool(event, tools);
      case 'tool_execution_end':
        return tools.finished(event.toolCallId ?? '', event.isError !== true);
      case 'auto_retry_start':
        return [ending.failure(retryText(event), isTransientFailure(event.errorMessage ?? ''))];
      default:
        return isCut ? [] : [endOf(last, event.aborted, ending)];
    }
  }

  function assistantMessage(message: Message): readonly AgentObservation[] {
    last = message;
    const said = (message.content ?? []).flatMap((block) =>
      lineObservation(block?.type === 'text' ? (block.text ?? '') : ''),
    );
    return [...turnOf(message), ...usage.add(messageUsage(message)), ...said, ...failureOf(message, ending)];
  }

  return readEvents({ ending, event: interpret, end: () => tools.end(), routineText: ROUTINE_TEXT });
}

/**
 * A fresh reader of `sessions/<folder>/<time>_<session>.jsonl` in its folder: its messages are those of the stream.
 * 1.6.0, seen 2026-11-29.
 */
export function piTranscriptReader(): TranscriptReader {
  return readTranscriptRows({
    words: ['"assistant"'],
    turnsOf(row) {
      const { type, message } = PiEvent.parse(row);
      return type === 'message' && message?.role === 'assistant' ? turnOf(message) : [];
    },
  });
}

/** `responseModel` is there only where the server named another model than was asked for. */
function turnOf(message: Message): readonly AgentTurn[] {
  const served = message.responseModel;
  if (message.stopReason === 'error' && served === undefined) return [];
  const answer = message.responseId === undefined ? {} : { answerId: nameOf(message.responseId) };
  return [{ kind: 'turn', servedModel: served === undefined ? null : nameOf(served), ...answer }];
}

function failureOf(message: Message, ending: Ending): readonly AgentObservation[] {
  if (message.stopReason !== 'error') return [];
  const text = message.errorMessage ?? 'no message';
  return [ending.failure(text, isTransientFailure(text))];
}

function messageUsage({ usage }: Message): ReportedUsage {
  // A server that reports no usage is shown as all zeros.
  if (usage === undefined || sumOf(usage.input, usage.output, usage.cacheRead, usage.cacheWrite) === 0) return {};
  return {
    input: sumOf(usage.input, usage.cacheRead, usage.cacheWrite),
    output: usage.output,
    cached: usage.cacheRead,
    costUsd: pricedCost(usage.cost?.total),
  };
}

function startedTool(event: PiEvent, tools: ToolLedger): readonly AgentObservation[] {
  const name = event.toolName ?? 'unknown';
  const path = EDIT_TOOLS.has(name) ? pathIn(event.args) : undefined;
  const early = tools.started(event.toolCallId ?? '', { name, edits: path === undefined ? [] : [path] });
  return [...early, ...toolLine(name, event.args)];
}

function retryText(event: PiEvent): string {
  return `${event.errorMessage ?? 'model API failed'}, retry ${event.attempt ?? '?'} of ${event.maxAttempts ?? '?'}`;
}

function endOf(last: Message | undefined, aborted: boolean | undefined, ending: Ending): AgentObservation {
  if (aborted === false && last?.stopReason === 'stop') return ending.positive('agent_settled after "stop"');
  if (aborted !== false) return ending.negative('agent_settled: aborted', false);
  const message = last?.errorMessage ?? '';
  const reason = `agent_settled after ${last === undefined ? 'no message' : `"${last.stopReason ?? 'unknown'}"`} ${message}`;
  return ending.negative(reason, isTransientFailure(message));
}
