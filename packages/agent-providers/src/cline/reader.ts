import type { AgentObservation, AgentStreamReader } from '../observation.ts';
import { isTransientFailure } from '../stream/classify-failure.ts';
import { anything, type EventOf, eventForm, flag, number, object, text, textAt } from '../stream/fields.ts';
import { pathIn, pathsInPatch, toolLine } from '../stream/message-blocks.ts';
import type { JsonEvent } from '../stream/parse-json-line.ts';
import { readEvents } from '../stream/read-events.ts';
import { lineObservation } from '../stream/readable-text.ts';
import { type Ending, trackEnding } from '../stream/track-ending.ts';
import { trackSession } from '../stream/track-news.ts';
import { type ToolLedger, trackTools } from '../stream/track-tools.ts';
import { pricedCost, usageObservation } from '../stream/usage.ts';

// `cline --json`, 3.0.65, seen 2026-11-29. Errors come as the same kind of line on stderr.
const USAGE = { inputTokens: number, outputTokens: number, cacheReadTokens: number, totalCost: number };
const ClineEvent = eventForm(() => ({
  type: text,
  taskId: text,
  parentAgentId: text,
  sessionId: text,
  message: text,
  finishReason: text,
  text,
  usage: object(USAGE),
  aggregateUsage: object(USAGE),
  event: object({
    type: text,
    contentType: text,
    text,
    toolName: text,
    toolCallId: text,
    input: anything,
    error: anything,
    recoverable: flag,
    message: text,
  }),
}));
type ClineEvent = EventOf<typeof ClineEvent>;
type AgentEvent = NonNullable<ClineEvent['event']>;

const EDIT_TOOLS: ReadonlySet<string> = new Set([
  'editor',
  'write_file',
  'write_to_file',
  'replace_in_file',
  'edit_file',
]);
const PATCH_TOOL = 'apply_patch';
const QUESTION_TOOL = 'ask_question';

/** A fresh reader of Cline's stream. */
export function clineReader(): AgentStreamReader {
  const ending = trackEnding('run_result event');
  const tools = trackTools();
  const session = trackSession();

  function interpret(raw: JsonEvent, isCut: boolean): readonly AgentObservation[] {
    const event = ClineEvent.parse(raw);
    switch (event.type) {
      case 'hook_event':
        return event.parentAgentId === undefined ? session(event.taskId) : [];
      case 'agent_event':
        return event.event === undefined ? [] : agentEvent(event.event, tools, ending);
      case 'error':
        return [ending.unorderedFailure(event.message ?? 'no message', isTransientFailure(event.message ?? ''))];
      case 'run_aborted':
        return [ending.negative(`run_aborted: ${event.message ?? 'no message'}`, false)];
      case 'run_result':
        return isCut ? [] : [...resultUsage(event), endOf(event, ending)];
      default:
        return [];
    }
  }

  return readEvents({ ending, event: interpret, end: () => tools.end(), readsStderr: true });
}

function agentEvent(event: AgentEvent, tools: ToolLedger, ending: Ending): readonly AgentObservation[] {
  switch (event.type) {
    case 'iteration_start':
      ending.reopen();
      return [{ kind: 'turn', servedModel: null }];
    case 'content_start':
      return event.contentType === 'tool' ? startedTool(event, tools) : [];
    case 'content_end':
      if (event.contentType === 'text') return lineObservation(event.text ?? '');
      return event.contentType === 'tool' ? tools.finished(callIdOf(event), event.error === undefined) : [];
    case 'error':
      return [errorOf(event, ending)];
    default:
      return [];
  }
}

function startedTool(event: AgentEvent, tools: ToolLedger): readonly AgentObservation[] {
  const name = event.toolName ?? 'unknown';
  if (name === QUESTION_TOOL) {
    return [{ kind: 'waiting-for-input', what: textAt(event.input, 'question') ?? 'an answer' }];
  }
  const early = tools.started(callIdOf(event), { name, edits: editsOf(name, event.input) });
  return [...early, ...toolLine(name, event.input)];
}

function callIdOf(event: AgentEvent): string {
  return event.toolCallId ?? event.toolName ?? '';
}

function editsOf(name: string, input: unknown): readonly string[] {
  if (name === PATCH_TOOL)
    return pathsInPatch(typeof input === 'string' ? input : (textAt(input, 'input', 'patch') ?? ''));
  const path = EDIT_TOOLS.has(name) ? pathIn(input) : undefined;
  return path === undefined ? [] : [path];
}

function errorOf(event: AgentEvent, ending: Ending): AgentObservation {
  const message = textAt(event.error, 'message') ?? event.message ?? 'no message';
  return ending.failure(message, isTransientFailure(message));
}

function resultUsage(event: ClineEvent): readonly AgentObservation[] {
  const usage = event.aggregateUsage ?? event.usage;
  return usageObservation({
    input: usage?.inputTokens,
    output: usage?.outputTokens,
    cached: usage?.cacheReadTokens,
    costUsd: pricedCost(usage?.totalCost),
  });
}

function endOf(event: ClineEvent, ending: Ending): AgentObservation {
  if (event.finishReason === 'completed') return ending.positive('run_result: completed');
  const message = event.text ?? '';
  return ending.negative(`run_result: ${event.finishReason ?? 'no reason'} ${message}`, isTransientFailure(message));
}
