import type { AgentObservation, AgentStreamReader } from '../../src/observation.ts';
import { isTransientFailure } from '../../src/stream/classify-failure.ts';
import { type EventOf, eventForm, flag, number, text } from '../../src/stream/fields.ts';
import type { JsonEvent } from '../../src/stream/parse-json-line.ts';
import { readEvents } from '../../src/stream/read-events.ts';
import { lineObservation } from '../../src/stream/readable-text.ts';
import { trackEnding } from '../../src/stream/track-ending.ts';
import { trackSession } from '../../src/stream/track-news.ts';

// `scribe run --json`, 1.2.0, seen 2026-11-30.
const ScribeEvent = eventForm(() => ({ type: text, session: text, model: text, text, ok: flag, status: number }));
type ScribeEvent = EventOf<typeof ScribeEvent>;

/** A fresh reader of Scribe's stream. */
export function scribeReader(): AgentStreamReader {
  const ending = trackEnding('done event');
  const session = trackSession();

  function interpret(raw: JsonEvent, isCut: boolean): readonly AgentObservation[] {
    const event = ScribeEvent.parse(raw);
    return [...session(event.session), ...eventObservations(event, isCut)];
  }

  function eventObservations(event: ScribeEvent, isCut: boolean): readonly AgentObservation[] {
    switch (event.type) {
      case 'answer':
        ending.reopen();
        return [{ kind: 'turn', servedModel: event.model ?? null }, ...lineObservation(event.text ?? '')];
      case 'error':
        return [ending.failure(event.text ?? 'no message', isTransientFailure(event.text ?? '', event.status))];
      case 'done':
        return isCut ? [] : [endOf(event)];
      default:
        return []; // an event of a later version
    }
  }

  function endOf({ ok }: ScribeEvent): AgentObservation {
    return ok === true ? ending.positive('done: ok') : ending.negative('done: not ok', false);
  }

  return readEvents({ ending, event: interpret });
}
