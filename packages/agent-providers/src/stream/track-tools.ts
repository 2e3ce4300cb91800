import type { AgentObservation } from '../observation.ts';
import { nameOf } from './readable-text.ts';

/** A tool call as the stream shows its start. */
export interface ToolCall {
  readonly name: string;
  /** Files it is about to change, as far as its arguments say. */
  readonly edits: readonly string[];
}

/** Brings together the start and the result of tool calls. */
export interface ToolLedger {
  started(callId: string, call: ToolCall): readonly AgentObservation[];
  /** `ok` false takes its edits back: a refused write is no claim. */
  finished(callId: string, ok: boolean): readonly AgentObservation[];
  /** Calls whose result never came: they may have happened, so their edits are claimed. */
  end(): readonly AgentObservation[];
}

// More calls than any program leaves unanswered; a stream that never answers must not fill the memory.
const MAX_OPEN_CALLS = 256;
const MAX_PATH_CHARACTERS = 4_096;

/** An empty ledger for one attempt. */
export function trackTools(): ToolLedger {
  const open = new Map<string, ToolCall>();

  function oldest(): readonly AgentObservation[] {
    const first = open.entries().next();
    if (first.done) return [];
    open.delete(first.value[0]);
    return toolObservations(first.value[1]);
  }

  return {
    started(callId, call) {
      if (open.has(callId)) return [];
      const early = open.size >= MAX_OPEN_CALLS ? oldest() : [];
      open.set(callId, { name: nameOf(call.name), edits: call.edits });
      return early;
    },
    finished(callId, ok) {
      const call = open.get(callId);
      open.delete(callId);
      return call === undefined ? [] : toolObservations(call, ok);
    },
    end() {
      const left = [...open.values()].flatMap((call) => toolObservations(call));
      open.clear();
      return left;
    },
  };
}

/** The observations of one tool call that is over. */
export function toolObservations(call: ToolCall, ok?: boolean): readonly AgentObservation[] {
  const tool: AgentObservation = { kind: 'tool', name: call.name, ...(ok === undefined ? {} : { ok }) };
  return ok === false ? [tool] : [tool, ...call.edits.flatMap(editClaim)];
}

function editClaim(path: string): readonly AgentObservation[] {
  const isPath = path !== '' && path.length <= MAX_PATH_CHARACTERS && !path.includes('\0');
  return isPath ? [{ kind: 'edit-claim', path }] : [];
}
