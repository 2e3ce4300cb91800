import type { AgentObservation, AgentStreamReader } from '../observation.ts';
import { isTransientFailure } from '../stream/classify-failure.ts';
import { anything, type EventOf, eventForm, flag, number, record, text, textAt } from '../stream/fields.ts';
import { pathIn, pathsInPatch, toolLine } from '../stream/message-blocks.ts';
import type { JsonEvent } from '../stream/parse-json-line.ts';
import { readEvents } from '../stream/read-events.ts';
import { lineObservation } from '../stream/readable-text.ts';
import { trackEnding } from '../stream/track-ending.ts';
import { trackSession } from '../stream/track-news.ts';
import { type ToolLedger, trackTools } from '../stream/track-tools.ts';

// `copilot --output-format json`, 1.0.102, seen 2026-11-29. Most events carry their fields in `data`, the last one itself.
const CopilotEvent = eventForm(() => ({
  type: text,
  sessionId: text,
  exitCode: number,
  content: text,
  toolCallId: text,
  toolName: text,
  arguments: anything,
  success: flag,
  aborted: flag,
  result: anything,
  errorType: text,
  statusCode: number,
  message: text,
  question: text,
}));
type CopilotEvent = EventOf<typeof CopilotEvent>;

const EDIT_TOOLS: ReadonlySet<string> = new Set(['create', 'edit', 'write', 'str_replace_editor']);
const PATCH_TOOL = 'apply_patch';

/** A fresh reader of Copilot CLI's stream. */
export function copilotReader(): AgentStreamReader {
  const ending = trackEnding('result event');
  const tools = trackTools();
  const session = trackSession();
  // Its result says exitCode 0 even where SIGTERM cut an answer off, so these outlast every later event.
  let isAborted = false;
  let hasFailed = false;

  function interpret(raw: JsonEvent, isCut: boolean): readonly AgentObservation[] {
    const event = CopilotEvent.parse({ ...record.parse(raw['data']), ...raw });
    return [...session(event.sessionId), ...eventObservations(event, isCut)];
  }

  function eventObservations(event: CopilotEvent, isCut: boolean): readonly AgentObservation[] {
    switch (event.type) {
      case 'assistant.turn_start':
        if (!hasFailed) ending.reopen();
        return [{ kind: 'turn', servedModel: null }];
      case 'assistant.message':
        return lineObservation(event.content ?? '');
      case 'tool.execution_start':
        return startedTool(event, tools);
      case 'tool.execution_complete':
        return tools.finished(event.toolCallId ?? '', event.success === true);
      case 'user_input.requested':
      case 'elicitation.requested':
        return [{ kind: 'waiting-for-input', what: event.question ?? event.message ?? 'an answer' }];
      case 'assistant.idle':
        isAborted ||= event.aborted === true;
        return [];
      case 'abort':
        isAborted = true;
        return [];
      case 'model.call_final_result':
        return callResult(event);
      case 'session.error':
        return sessionError(event);
      case 'result':
        return isCut ? [] : endOf(event);
      default:
        return [];
    }
  }

  function callResult(event: CopilotEvent): readonly AgentObservation[] {
    if (typeof event.result !== 'string' || event.result === 'success') return [];
    const status = Number(/^http_(\d{3})$/.exec(event.result)?.[1]);
    const message = `model call ended with ${event.result}`;
    return [ending.failure(message, isTransientFailure(message, Number.isNaN(status) ? undefined : status))];
  }

  function sessionError(event: CopilotEvent): readonly AgentObservation[] {
    hasFailed = true;
    const message = `${event.errorType ?? 'error'}: ${event.message ?? 'no message'}`;
    const transient = isTransientFailure(message, event.statusCode);
    return [ending.failure(message, transient), ending.negative(`session.error ${message}`, transient)];
  }

  function endOf(event: CopilotEvent): readonly AgentObservation[] {
    if (hasFailed) return [];
    if (isAborted) return [ending.negative('result after an abort', false)];
    if (event.exitCode === 0) return [ending.positive('result: exitCode 0')];
    return [ending.negative(`result: exitCode ${event.exitCode ?? 'unknown'}`, false)];
  }

  return readEvents({ ending, event: interpret, end: () => tools.end() });
}

function startedTool(event: CopilotEvent, tools: ToolLedger): readonly AgentObservation[] {
  const name = event.toolName ?? 'unknown';
  const early = tools.started(event.toolCallId ?? '', { name, edits: editsOf(name, event.arguments) });
  return [...early, ...toolLine(name, event.arguments)];
}

function editsOf(name: string, input: unknown): readonly string[] {
  if (name === PATCH_TOOL)
    return pathsInPatch(typeof input === 'string' ? input : (textAt(input, 'patch', 'input') ?? ''));
  const path = EDIT_TOOLS.has(name) ? pathIn(input) : undefined;
  return path === undefined ? [] : [path];
}
