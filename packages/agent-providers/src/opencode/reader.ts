import type { AgentObservation, AgentStreamReader } from '../observation.ts';
import { isTransientFailure } from '../stream/classify-failure.ts';
import { anything, type EventOf, eventForm, flag, number, object, text, textAt } from '../stream/fields.ts';
import { pathIn, pathsInPatch, toolLine } from '../stream/message-blocks.ts';
import type { JsonEvent } from '../stream/parse-json-line.ts';
import { readEvents } from '../stream/read-events.ts';
import { lineObservation, nameOf } from '../stream/readable-text.ts';
import { trackEnding } from '../stream/track-ending.ts';
import { trackSession } from '../stream/track-news.ts';
import { toolObservations } from '../stream/track-tools.ts';
import { pricedCost, type ReportedUsage, sumOf, trackUsage } from '../stream/usage.ts';

// `opencode run --format json`, 1.18.33, seen 2026-11-29.
const OpencodeEvent = eventForm(() => ({
  type: text,
  sessionID: text,
  part: object({
    text,
    tool: text,
    reason: text,
    cost: number,
    state: object({ status: text, input: anything, error: text }),
    tokens: object({
      input: number,
      output: number,
      reasoning: number,
      cache: object({ read: number, write: number }),
    }),
  }),
  error: object({ name: text, data: object({ message: text, statusCode: number, isRetryable: flag }) }),
}));
type Part = NonNullable<EventOf<typeof OpencodeEvent>['part']>;
type OpencodeError = NonNullable<EventOf<typeof OpencodeEvent>['error']>;

const EDIT_TOOLS: ReadonlySet<string> = new Set(['write', 'edit', 'multiedit']);
const PATCH_TOOLS: ReadonlySet<string> = new Set(['patch', 'apply_patch']);

/** A fresh reader of OpenCode's stream. It has no final event: the end is a last step that finished with "stop". */
export function opencodeReader(): AgentStreamReader {
  const ending = trackEnding('step_finish event with reason "stop"');
  const session = trackSession();
  const usage = trackUsage();
  let hasFailed = false;

  function interpret(raw: JsonEvent, isCut: boolean): readonly AgentObservation[] {
    const event = OpencodeEvent.parse(raw);
    return [...session(event.sessionID), ...eventObservations(event, isCut)];
  }

  function eventObservations(event: EventOf<typeof OpencodeEvent>, isCut: boolean): readonly AgentObservation[] {
    switch (event.type) {
      case 'step_start':
        if (!hasFailed) ending.reopen();
        return [];
      case 'text':
        return lineObservation(event.part?.text ?? '');
      case 'tool_use':
        if (event.part?.state?.status === 'error') ending.remark(refusalOf(event.part));
        return toolOf(event.part);
      case 'step_finish':
        return [UNSEEN_TURN, ...usage.add(stepUsage(event.part)), ...(isCut || hasFailed ? [] : endOf(event.part))];
      case 'error':
        hasFailed = true;
        return failureOf(event.error);
      default:
        return [];
    }
  }

  function endOf(part: Part | undefined): readonly AgentObservation[] {
    const reason = part?.reason ?? 'unknown';
    if (reason === 'stop') return [ending.positive('step_finish: stop')];
    return reason === 'tool-calls' ? [] : [ending.negative(`step_finish: ${reason}`, false)];
  }

  function failureOf(error: OpencodeError | undefined): readonly AgentObservation[] {
    const message = `${error?.name ?? 'error'}: ${error?.data?.message ?? 'no message'}`;
    const transient = error?.data?.isRetryable ?? isTransientFailure(message, error?.data?.statusCode);
    return [ending.failure(message, transient), ending.negative(message, transient)];
  }

  return readEvents({ ending, event: interpret });
}

/** Often the reason why no more came: an action that would have been asked about ends the run. */
function refusalOf(part: Part): string {
  return `${part.tool ?? 'a tool'} failed: ${part.state?.error ?? 'no message'}`;
}

const UNSEEN_TURN: AgentObservation = { kind: 'turn', servedModel: null };

function toolOf(part: Part | undefined): readonly AgentObservation[] {
  const name = nameOf(part?.tool ?? 'unknown');
  const input = part?.state?.input;
  const call = { name, edits: editsOf(name, input) };
  return [...toolLine(name, input), ...toolObservations(call, part?.state?.status === 'completed')];
}

function editsOf(name: string, input: unknown): readonly string[] {
  if (PATCH_TOOLS.has(name)) return pathsInPatch(textAt(input, 'patchText', 'patch', 'input') ?? '');
  const path = EDIT_TOOLS.has(name) ? pathIn(input) : undefined;
  return path === undefined ? [] : [path];
}

function stepUsage(part: Part | undefined): ReportedUsage {
  const tokens = part?.tokens;
  return {
    input: sumOf(tokens?.input, tokens?.cache?.read, tokens?.cache?.write),
    output: sumOf(tokens?.output, tokens?.reasoning),
    cached: tokens?.cache?.read,
    costUsd: pricedCost(part?.cost),
  };
}
