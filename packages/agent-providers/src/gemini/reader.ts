import type { AgentObservation, AgentStreamReader } from '../observation.ts';
import { isTransientFailure } from '../stream/classify-failure.ts';
import { anything, type EventOf, eventForm, number, object, record, text } from '../stream/fields.ts';
import { pathIn, toolLine } from '../stream/message-blocks.ts';
import type { JsonEvent } from '../stream/parse-json-line.ts';
import { readEvents } from '../stream/read-events.ts';
import { lineObservation, nameOf } from '../stream/readable-text.ts';
import { type Ending, type ExitMeaning, trackEnding } from '../stream/track-ending.ts';
import { trackSession } from '../stream/track-news.ts';
import { type ToolLedger, trackTools } from '../stream/track-tools.ts';
import { usageObservation } from '../stream/usage.ts';

// `gemini -o stream-json`, 0.61.0, seen 2026-11-29.
const GeminiEvent = eventForm(() => ({
  type: text,
  session_id: text,
  role: text,
  content: text,
  tool_name: text,
  tool_id: text,
  parameters: anything,
  status: text,
  severity: text,
  message: text,
  error: object({ type: text, message: text }),
  stats: object({ total_tokens: number, input_tokens: number, output_tokens: number, cached: number, models: record }),
}));
type GeminiEvent = EventOf<typeof GeminiEvent>;

const EDIT_TOOLS: ReadonlySet<string> = new Set(['write_file', 'replace', 'edit']);
const SHOWN_TAIL = 2_000;

/** A fresh reader of Gemini CLI's stream. */
export function geminiReader(): AgentStreamReader {
  const ending = trackEnding('result event', exitMeaning);
  const tools = trackTools();
  const session = trackSession();
  let said = '';

  function interpret(raw: JsonEvent, isCut: boolean): readonly AgentObservation[] {
    const event = GeminiEvent.parse(raw);
    if (event.type === 'message' && event.role === 'assistant') {
      said = `${said}${event.content ?? ''}`.slice(-SHOWN_TAIL);
      return lineObservation(said);
    }
    said = '';
    return otherObservations(event, isCut);
  }

  function otherObservations(event: GeminiEvent, isCut: boolean): readonly AgentObservation[] {
    switch (event.type) {
      case 'init':
        return session(event.session_id);
      case 'tool_use':
        ending.reopen();
        return startedTool(event, tools);
      case 'tool_result':
        return tools.finished(event.tool_id ?? '', event.status === 'success');
      case 'error':
        return event.severity === 'warning' ? lineObservation(event.message ?? '') : [failureOf(event, ending)];
      case 'result':
        return isCut ? [] : [...turnsOf(event), ...resultUsage(event), endOf(event, ending)];
      default:
        return [];
    }
  }

  return readEvents({ ending, event: interpret, end: () => tools.end() });
}

const NAMED_EXITS: Readonly<Record<number, string>> = {
  41: 'no login is chosen, or its settings are unreadable',
  42: 'the session id exists',
  55: 'the folder is not trusted',
};

/** Its exit code is the HTTP status modulo 256, save for a few codes of its own. */
const exitMeaning: ExitMeaning = (exitCode) => {
  const named = NAMED_EXITS[exitCode];
  if (named !== undefined) return { meaning: named, transient: false };
  const status = exitCode + 256;
  if (status < 400 || status > 511) return undefined;
  return { meaning: `the model API answered ${status}`, transient: isTransientFailure('', status) };
};

function startedTool(event: GeminiEvent, tools: ToolLedger): readonly AgentObservation[] {
  const name = event.tool_name ?? 'unknown';
  const path = EDIT_TOOLS.has(name) ? pathIn(event.parameters) : undefined;
  const early = tools.started(event.tool_id ?? '', { name, edits: path === undefined ? [] : [path] });
  return [...early, ...toolLine(name, event.parameters)];
}

function failureOf(event: GeminiEvent, ending: Ending): AgentObservation {
  const message = event.message ?? 'no message';
  return ending.failure(message, isTransientFailure(message));
}

/** The keys of `stats.models` are the names that the server gave; `init.model` is only what was asked for. */
function turnsOf(event: GeminiEvent): readonly AgentObservation[] {
  const models = Object.keys(event.stats?.models ?? {});
  if (models.length === 0 && event.status === 'success') return [{ kind: 'turn', servedModel: null }];
  return models.map((model) => ({ kind: 'turn', servedModel: nameOf(model) }));
}

function resultUsage(event: GeminiEvent): readonly AgentObservation[] {
  const { stats } = event;
  return usageObservation({ input: stats?.input_tokens, output: outputOf(stats), cached: stats?.cached });
}

/** `output_tokens` leaves out what the model thought; only the total holds it. */
function outputOf(stats: GeminiEvent['stats']): number | undefined {
  const { total_tokens: total, input_tokens: input, output_tokens: output } = stats ?? {};
  return total === undefined || input === undefined ? output : Math.max(total - input, output ?? 0);
}

function endOf(event: GeminiEvent, ending: Ending): AgentObservation {
  if (event.status === 'success') return ending.positive('result: success');
  const message = `${event.error?.type ?? ''} ${event.error?.message ?? ''}`.trim();
  return ending.negative(`result: ${event.status ?? 'no status'} ${message}`, isTransientFailure(message));
}
