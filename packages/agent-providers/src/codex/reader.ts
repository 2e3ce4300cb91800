import type { AgentObservation, AgentStreamReader } from '../observation.ts';
import { isTransientFailure } from '../stream/classify-failure.ts';
import { type EventOf, eventForm, list, number, object, text } from '../stream/fields.ts';
import type { JsonEvent } from '../stream/parse-json-line.ts';
import { readEvents } from '../stream/read-events.ts';
import { lineObservation, nameOf, onOneLine } from '../stream/readable-text.ts';
import { trackEnding } from '../stream/track-ending.ts';
import { trackSession } from '../stream/track-news.ts';
import { toolObservations } from '../stream/track-tools.ts';
import { usageObservation } from '../stream/usage.ts';

// `codex exec --json`, 0.171.0, seen 2026-11-29.
const CodexEvent = eventForm(() => ({
  type: text,
  thread_id: text,
  message: text,
  error: object({ message: text }),
  usage: object({ input_tokens: number, cached_input_tokens: number, output_tokens: number }),
  item: object({
    type: text,
    text,
    message: text,
    command: text,
    exit_code: number,
    status: text,
    server: text,
    tool: text,
    query: text,
    changes: list({ path: text }),
  }),
}));
type CodexEvent = EventOf<typeof CodexEvent>;
type Item = NonNullable<CodexEvent['item']>;

const ROUTINE_TEXT = /^Reading (?:additional input|prompt) from stdin/;
const REROUTED = /^model rerouted: .+ -> (\S+)/;

/** A fresh reader of Codex' stream. */
export function codexReader(): AgentStreamReader {
  const ending = trackEnding('turn.completed event');
  const session = trackSession();

  function interpret(raw: JsonEvent, isCut: boolean): readonly AgentObservation[] {
    const event = CodexEvent.parse(raw);
    const message = event.error?.message ?? event.message ?? 'no message';
    switch (event.type) {
      case 'thread.started':
        return session(event.thread_id);
      case 'turn.started':
        ending.reopen();
        return [];
      case 'item.started':
        return lineObservation(startedLine(event.item));
      case 'item.completed':
        return completedItem(event.item);
      case 'turn.completed':
        return isCut ? [] : [UNSEEN_TURN, ...turnUsage(event), ending.positive('turn.completed')];
      case 'turn.failed':
        return [UNSEEN_TURN, ending.negative(`turn.failed: ${message}`, isTransientFailure(message))];
      case 'error':
        return [ending.failure(message, isTransientFailure(message))];
      default:
        return [];
    }
  }

  return readEvents({ ending, event: interpret, routineText: ROUTINE_TEXT });
}

/** Codex names the served model only when it differs, so an ordinary turn shows none. */
const UNSEEN_TURN: AgentObservation = { kind: 'turn', servedModel: null };

function startedLine(item: Item | undefined): string {
  return item?.type === 'command_execution' ? onOneLine(item.command ?? '') : '';
}

function completedItem(item: Item | undefined): readonly AgentObservation[] {
  switch (item?.type) {
    case 'agent_message':
      return lineObservation(item.text ?? '');
    case 'command_execution':
      return toolObservations({ name: 'command_execution', edits: [] }, item.exit_code === 0);
    case 'file_change':
      return toolObservations({ name: 'file_change', edits: pathsOf(item) }, item.status !== 'failed');
    case 'mcp_tool_call':
      return toolObservations(
        { name: nameOf(`${item.server ?? 'mcp'}.${item.tool ?? 'tool'}`), edits: [] },
        item.status !== 'failed',
      );
    case 'web_search':
      return [...toolObservations({ name: 'web_search', edits: [] }), ...lineObservation(item.query ?? '')];
    // A warning, and never a failure, in spite of its name.
    case 'error':
      return [...reroutedTurn(item.message ?? ''), ...lineObservation(item.message ?? '')];
    default:
      return [];
  }
}

function pathsOf(item: Item): readonly string[] {
  return (item.changes ?? []).flatMap((change) => (change?.path === undefined ? [] : [change.path]));
}

function reroutedTurn(message: string): readonly AgentObservation[] {
  const served = REROUTED.exec(message)?.[1];
  return served === undefined ? [] : [{ kind: 'turn', servedModel: nameOf(served) }];
}

function turnUsage(event: CodexEvent): readonly AgentObservation[] {
  const { usage } = event;
  return usageObservation({
    input: usage?.input_tokens,
    output: usage?.output_tokens,
    cached: usage?.cached_input_tokens,
  });
}
