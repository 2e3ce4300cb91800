import { type DispatchRecord, inOrderOfStart } from '@bailiwick/dispatch-state';
import { type ChangedPath, displayPath } from '@bailiwick/mutation-audit';
import { shownPath } from '../summary/shown-path.ts';
import { type Html, html } from './html.ts';
import type { ReportFacts } from './report-facts.ts';
import { labelOf } from './words.ts';

/** What changed and who made it, as far as that is known; the same change seen by several audits stands once. */
export function changesSection(facts: ReportFacts): Html {
  const rows = changeRows(facts);
  const body = rows.map(
    ({ path, kind, who, attribution, before, after }) =>
      html`<tr><td><code>${path}</code></td><td>${kind}</td><td>${who}</td><td>${attribution}</td><td><code>${before}</code> → <code>${after}</code></td></tr>
`,
  );
  const unaudited = facts.unaudited.map(
    (record) =>
      html`<p class="bad">${labelOf(record, facts.manifest)}: unknown what it changed, nobody audited it.</p>`,
  );
  return html`<section><h2>Changes, and who made them</h2>${unaudited}${
    rows.length === 0
      ? html`<p class="faint">No audit saw a change.</p>`
      : html`<div class="wide"><table><thead><tr><th>path</th><th>change</th><th>by</th><th>how sure</th><th>content</th></tr></thead>
<tbody>${body}</tbody></table></div>`
  }${freeChanges(facts)}</section>`;
}

/** What is charged, with the attempt that it is charged to. */
export function violationsSection({ records, manifest }: ReportFacts): Html {
  const rows = inOrderOfStart(records).flatMap((record) =>
    (record.contract?.audit?.violations ?? []).map(
      ({ code, path, message }) =>
        html`<tr><td class="bad">${code}</td><td><code>${path === undefined ? '' : displayPath(path)}</code></td><td>${labelOf(record, manifest)}</td><td>${message}</td></tr>
`,
    ),
  );
  if (rows.length === 0) return html`<section><h2>Violations</h2><p class="good">None was found.</p></section>`;
  return html`<section><h2>Violations</h2><div class="wide"><table><thead><tr><th>code</th><th>path</th><th>charged to</th><th>what</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`;
}

interface ChangeRow {
  readonly path: string;
  readonly kind: string;
  readonly who: string;
  readonly attribution: string;
  readonly before: string;
  readonly after: string;
}

function changeRows({ records, manifest }: ReportFacts): readonly ChangeRow[] {
  const names = new Map<string, string>(records.map((record) => [record.dispatchId, labelOf(record, manifest)]));
  const rows = inOrderOfStart(records).flatMap((record) =>
    (record.contract?.audit?.changedPaths ?? []).flatMap((change) => {
      const path = shownPath(change.path, manifest);
      return path === undefined ? [] : [changeRow(change, path, names)];
    }),
  );
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

function changeRow(change: ChangedPath, path: string, names: ReadonlyMap<string, string>): ChangeRow {
  const { kind, attribution, candidates, beforeDigest, afterDigest } = change;
  const who = candidates.map((id) => names.get(id) ?? id).join(' or ');
  return {
    path,
    kind,
    who: who === '' ? 'unknown' : who,
    attribution,
    before: beforeDigest ?? 'absent',
    after: afterDigest ?? 'absent',
  };
}

/** What is charged to nobody, so that nothing that was seen goes untold. */
function freeChanges({ records, manifest }: ReportFacts): Html | null {
  const lines = inOrderOfStart(records).flatMap((record) =>
    freeLines(record).map((line) => [labelOf(record, manifest), line] as const),
  );
  if (lines.length === 0) return null;
  const items = lines.map(
    ([label, line]) => html`<li>${label}: ${line}</li>
`,
  );
  return html`<h3>Seen, and charged to nobody</h3><ul>${items}</ul>`;
}

function freeLines({ contract }: DispatchRecord): readonly string[] {
  const audit = contract?.audit ?? null;
  if (audit === null) return [];
  return [
    ...audit.external.map(({ path, kind, reason }) => `${displayPath(path)} (${kind}): ${EXTERNAL[reason]}`),
    ...audit.uncharged.map(
      ({ area, count, paths }) => `${area} paths: ${count}, such as ${paths.slice(0, 3).map(displayPath).join(', ')}`,
    ),
    ...(audit.traces.length === 0 ? [] : [`traces without a lasting difference: ${audit.traces.length}`]),
    ...(audit.aliased.length === 0 ? [] : [`files with more than one link: ${audit.aliased.length}`]),
  ];
}

const EXTERNAL = {
  'no-worker-could': 'no worker could have made this',
  'fetched-ref': 'fetched from elsewhere',
} as const;
