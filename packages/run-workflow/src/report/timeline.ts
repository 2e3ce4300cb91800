import { inOrderOfStart } from '@bailiwick/dispatch-state';
import { shortDuration } from '../summary/in-words.ts';
import { type Html, html } from './html.ts';
import type { ReportFacts } from './report-facts.ts';
import { labelOf, toneOf } from './words.ts';

/** A bar per attempt, from its dispatch to its end, on the one scale of the run. */
export function timelineSection(facts: ReportFacts): Html {
  const rows = [...inOrderOfStart(facts.records), ...facts.unaudited].map((record) => rowOf(record, facts));
  if (rows.length === 0) return html`<section><h2>Timeline</h2><p class="faint">Nothing was dispatched.</p></section>`;
  const fromMs = Math.min(...rows.map((row) => row.startMs));
  const untilMs = Math.max(...rows.map((row) => row.endMs));
  const scale = { fromMs, lengthMs: Math.max(1, untilMs - fromMs) };
  return html`<section><h2>Timeline</h2>
<p class="faint">From ${new Date(fromMs).toISOString()}, ${shortDuration(untilMs - fromMs)} in all. Times are of this machine's clock.</p>
<ol class="timeline">${rows.map((row) => bar(row, scale))}</ol></section>`;
}

interface Row {
  readonly label: string;
  readonly status: string;
  readonly isOpen: boolean;
  readonly startMs: number;
  readonly endMs: number;
}

function rowOf(record: ReportFacts['records' | 'unaudited'][number], { manifest, madeAt }: ReportFacts): Row {
  const startMs = Date.parse(record.dispatchedAt);
  const isOpen = record.finishedAt === null;
  const endMs = record.finishedAt === null ? madeAt.getTime() : Date.parse(record.finishedAt);
  // A clock that was set back must not make a bar of negative length.
  return {
    label: labelOf(record, manifest),
    status: record.status,
    isOpen,
    startMs,
    endMs: Math.max(startMs, endMs),
  };
}

/** Of the track, which is 1000 wide, at least this much is drawn: an attempt of a moment is seen too. */
const LEAST_WIDTH = 4;

function bar(row: Row, scale: { readonly fromMs: number; readonly lengthMs: number }): Html {
  const at = (ms: number): number => Math.round(((ms - scale.fromMs) / scale.lengthMs) * 1_000);
  const width = Math.max(LEAST_WIDTH, at(row.endMs) - at(row.startMs));
  const x = Math.min(at(row.startMs), 1_000 - width);
  const took = shortDuration(row.endMs - row.startMs);
  return html`<li><span>${row.label}</span><svg class="track" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="1000" height="10"/><rect class="bar ${toneOf(row.status)}" x="${x}" width="${width}" height="10"/></svg><span class="${toneOf(row.status)}">${row.isOpen ? `not settled after ${took}` : `${row.status} after ${took}`}</span></li>
`;
}
