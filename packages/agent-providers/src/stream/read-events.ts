import type { AgentExit, AgentObservation, AgentStreamReader, OutputChannel } from '../observation.ts';
import { type JsonEvent, parseJsonBeginning, parseJsonLine } from './parse-json-line.ts';
import { isQuestion, lastLineOf, lineObservation, onOneLine } from './readable-text.ts';
import { createLineSplitter, type StreamLine } from './split-lines.ts';
import type { Ending } from './track-ending.ts';

/** What a provider knows about its events; everything else about reading is shared. */
export interface EventInterpreter {
  readonly ending: Ending;
  /**
   * One event. `isCut` says that members may be missing because the line was enormous: such an event is never the
   * evidence of an end.
   */
  event(event: JsonEvent, isCut: boolean): readonly AgentObservation[];
  /** What is still owed when the output is closed. */
  end?(): readonly AgentObservation[];
  /** Events come on stderr too; else nothing there is taken for one. */
  readonly readsStderr?: boolean;
  /** Text that the program prints on every run and that says nothing. */
  readonly routineText?: RegExp;
}

/** A reader of JSON lines with one event each, as nearly every agent program prints them. */
export function readEvents(interpreter: EventInterpreter): AgentStreamReader {
  const splitters = { stdout: createLineSplitter(), stderr: createLineSplitter() };
  let sawEvent = false;
  let isOver = false;

  function observe(line: StreamLine, channel: OutputChannel): readonly AgentObservation[] {
    if (line.text.trim() === '' && line.cutBytes === 0) return [];
    const found = channel === 'stdout' || interpreter.readsStderr === true ? eventIn(line) : undefined;
    if (found === undefined) return observeText(line, channel);
    sawEvent = true;
    return [...noiseOf(found.strayBytes), ...interpreter.event(found.event, line.cutBytes > 0)];
  }

  function observeText(line: StreamLine, channel: OutputChannel): readonly AgentObservation[] {
    if (interpreter.routineText?.test(line.text) === true) return noiseOf(channel === 'stdout' ? line.bytes : 0);
    interpreter.ending.remark(lastLineOf(line.text));
    const isShown = channel === 'stderr' || !sawEvent;
    return [
      ...noiseOf(channel === 'stdout' ? line.bytes : line.cutBytes),
      ...questionIn(line.text),
      ...(isShown ? lineObservation(line.text) : []),
    ];
  }

  return {
    push(chunk, channel = 'stdout') {
      return isOver ? [] : splitters[channel].push(chunk).flatMap((line) => observe(line, channel));
    },
    idle: () => (isOver ? [] : [...questionIn(splitters.stdout.tail()), ...questionIn(splitters.stderr.tail())]),
    end() {
      if (isOver) return [];
      isOver = true;
      const out = splitters.stdout.end().flatMap((line) => observe(line, 'stdout'));
      const err = splitters.stderr.end().flatMap((line) => observe(line, 'stderr'));
      return [...out, ...err, ...(interpreter.end?.() ?? [])];
    },
    verdict: (exit: AgentExit) => interpreter.ending.verdict(exit),
  };
}

/** The event of a line, and how many of its bytes are none of it: text that another process left before it, or the cut. */
function eventIn(line: StreamLine): { readonly event: JsonEvent; readonly strayBytes: number } | undefined {
  if (line.cutBytes > 0) {
    const event = parseJsonBeginning(line.text);
    return event === undefined ? undefined : { event, strayBytes: line.cutBytes };
  }
  const whole = parseJsonLine(line.text);
  if (whole !== undefined) return { event: whole, strayBytes: 0 };
  const start = line.text.indexOf('{"type":');
  const rest = start > 0 ? parseJsonLine(line.text.slice(start)) : undefined;
  return rest === undefined ? undefined : { event: rest, strayBytes: Buffer.byteLength(line.text.slice(0, start)) };
}

function noiseOf(bytes: number): readonly AgentObservation[] {
  return bytes === 0 ? [] : [{ kind: 'noise', bytes }];
}

/** A `waiting-for-input` observation where plain text asks a person something. */
export function questionIn(text: string): readonly AgentObservation[] {
  if (text.trimStart().startsWith('{')) return [];
  return isQuestion(text) ? [{ kind: 'waiting-for-input', what: onOneLine(text) }] : [];
}
