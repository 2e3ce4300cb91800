import {
  type DispatchRecord,
  findRoleExecution,
  inOrderOfStart,
  roleExecutionsOfWorker,
  type UnauditedRecord,
  type Usage,
} from '@bailiwick/dispatch-state';
import { shortDuration } from '../summary/in-words.ts';
import type { AttemptSummary, RunSummary } from '../summary/run-summary.ts';
import { type Html, type HtmlValue, html } from './html.ts';
import type { ReportFacts } from './report-facts.ts';
import { labelOf, toneOf } from './words.ts';

/** Who sits in the team, with which model, and how their last attempt stands. */
export function workersSection({ manifest }: ReportFacts, { attempts }: RunSummary): Html {
  const rows = manifest.participants.flatMap(({ workerId, provider }) =>
    roleExecutionsOfWorker(manifest, workerId).map((execution) => {
      const own = attempts.filter((attempt) => attempt.workerId === workerId);
      const last = own.at(-1)?.status ?? 'not dispatched';
      return html`<tr><td>${workerId}</td><td>${execution.role}</td><td>${provider}</td><td><code>${execution.modelRef ?? 'none'}</code></td><td>${own.length}</td><td class="${toneOf(last)}">${last}</td></tr>
`;
    }),
  );
  return html`<section><h2>Workers</h2><div class="wide"><table><thead><tr><th>worker</th><th>role</th><th>provider</th><th>model</th><th>attempts</th><th>last</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`;
}

/** Every attempt with its three questions kept apart: how it ended, what it changed, what it handed in. */
export function attemptsSection(facts: ReportFacts, summary: RunSummary): Html {
  const records = [...inOrderOfStart(facts.records), ...facts.unaudited];
  const articles = records.flatMap((record) => {
    const attempt = summary.attempts.find(({ dispatchId }) => dispatchId === record.dispatchId);
    return attempt === undefined ? [] : [attemptArticle(facts, record, attempt)];
  });
  return html`<section><h2>Attempts</h2>${articles.length === 0 ? html`<p class="faint">None yet.</p>` : articles}</section>`;
}

function attemptArticle(facts: ReportFacts, record: DispatchRecord | UnauditedRecord, attempt: AttemptSummary): Html {
  return html`<article><h3>${labelOf(record, facts.manifest)} <span class="${toneOf(record.status)}">${record.status}</span></h3>
<dl>${rows(whoRows(record, attempt))}${rows(endRows(record, attempt))}${rows(contractRows(record, attempt))}${rows(resultRows(facts, record))}</dl></article>
`;
}

type Row = readonly [string, HtmlValue];

/** A row that has nothing to say isn't there. */
function rows(all: readonly Row[]): readonly Html[] {
  return all
    .filter(([, value]) => value !== null && value !== '')
    .map(
      ([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>
`,
    );
}

function whoRows(record: DispatchRecord | UnauditedRecord, attempt: AttemptSummary): readonly Row[] {
  return [
    ['dispatch id', html`<code>${record.dispatchId}</code>`],
    ['model', html`<code>${record.modelRef}</code>`],
    ['served by', servedWords(attempt)],
    ['where it ran', record.backend],
    ['session', sessionWords(record)],
    ['dispatched', record.dispatchedAt],
    ['took', attempt.durationMs === null ? 'not settled yet' : shortDuration(attempt.durationMs)],
    ['tokens', record.usage === null ? null : tokenWords(record.usage)],
    ['cost', attempt.costUsd === null ? null : attempt.costUsd === 'unknown' ? 'unknown' : `${attempt.costUsd} USD`],
  ];
}

function servedWords({ servedModel, servedModelSource }: AttemptSummary): HtmlValue {
  if (servedModel === 'unknown') return html`<span class="faint">unknown: nobody could see it</span>`;
  return html`<code>${servedModel}</code> (seen in: ${servedModelSource})`;
}

function sessionWords({ sessionId, reportedSessionId }: DispatchRecord | UnauditedRecord): HtmlValue {
  if (sessionId === '' && reportedSessionId === null) return null;
  const given = sessionId === '' ? 'none given' : html`<code>${sessionId}</code>`;
  return html`${given}, reported: ${reportedSessionId === null ? 'none' : html`<code>${reportedSessionId}</code>`}`;
}

function tokenWords({ inputTokens, outputTokens, cachedInputTokens }: Usage): string {
  return `${inputTokens} in (${cachedInputTokens} from a cache), ${outputTokens} out`;
}

function endRows(
  { lifecycle, reason, stoppedBy, logPath }: DispatchRecord | UnauditedRecord,
  attempt: AttemptSummary,
): readonly Row[] {
  const exit =
    lifecycle === null
      ? null
      : (lifecycle.signal ?? (lifecycle.exitCode === null ? 'unknown' : `code ${lifecycle.exitCode}`));
  return [
    [
      'end',
      lifecycle === null ? null : `${lifecycle.end}, exit: ${exit}, evidence of its end: ${lifecycle.endEvidence}`,
    ],
    ['proof of the end', lifecycle === null ? null : attempt.endProof],
    ['why', reason],
    ['stopped by', stoppedBy],
    ['log', html`<code>${logPath}</code>`],
  ];
}

function contractRows(record: DispatchRecord | UnauditedRecord, attempt: AttemptSummary): readonly Row[] {
  const tone =
    attempt.audit === 'ok' || attempt.audit === 'failed-no-mutation'
      ? 'good'
      : attempt.audit === 'pending'
        ? ''
        : 'bad';
  return [
    ['audit', html`<span class="${tone}">${attempt.audit}</span>, attribution: ${attempt.attribution}`],
    [
      'held by',
      attempt.boundary === 'none' ? `nothing but the audit${because(attempt.boundaryReason)}` : attempt.boundary,
    ],
    ['throw-away layer', layerWords(attempt)],
    ['altered in its layer', attempt.alteredInLayer.join(', ')],
    ['seal', 'evidence' in record ? sealWords(record) : 'none: a v1 job is not sealed'],
    ['retry', 'retry' in record && record.retry !== null ? `${record.retry.successor}: ${record.retry.reason}` : null],
  ];
}

/** Of a worker that has none because its role has none there is nothing to say. */
function layerWords({ layer, layerReason }: AttemptSummary): HtmlValue {
  if (layer !== 'none') return layer;
  return layerReason === '' ? null : `none${because(layerReason)}`;
}

function because(reason: string): string {
  return reason === '' ? '' : ` (${reason})`;
}

function sealWords({ evidence }: DispatchRecord): HtmlValue {
  if (evidence === null) return null;
  return evidence.sealRef === null
    ? `none: ${evidence.reason ?? 'no reason was given'}`
    : html`<code>${evidence.sealRef}</code>`;
}

function resultRows(facts: ReportFacts, record: DispatchRecord | UnauditedRecord): readonly Row[] {
  const { result } = record;
  if (result === null) return [];
  return [
    ['verdict', verdictWords(facts, record)],
    ['handed in', result.artifacts.length === 0 ? 'nothing' : artifactList(record)],
    ['missing', result.missing.length === 0 ? null : result.missing.join(', ')],
    ['says', result.summary === null ? null : html`<pre>${result.summary}</pre>`],
  ];
}

/** A verdict is about the source at the verifier's start; whether that is the source now is said beside it (ST-8). */
function verdictWords({ sourceDigest, manifest }: ReportFacts, record: DispatchRecord | UnauditedRecord): HtmlValue {
  const verdict = record.result?.verdict ?? null;
  if (verdict === null) return null;
  const word = html`<span class="${verdict === 'pass' ? 'good' : 'bad'}">${verdict}</span>`;
  if (!('sourceDigest' in record)) return word;
  const isChecked = findRoleExecution(manifest, record.roleExecutionRef)?.role === 'verifier';
  if (!isChecked) return word;
  if (record.sourceDigest === null || sourceDigest === null)
    return html`${word} <span class="odd">of a source that can't be compared with the one now</span>`;
  if (record.sourceDigest === sourceDigest) return html`${word} of the source as it is now`;
  return html`${word} <span class="bad">stale: it is about <code>${record.sourceDigest}</code>, the source now is <code>${sourceDigest}</code></span>`;
}

function artifactList({ result }: DispatchRecord | UnauditedRecord): Html {
  const items = (result?.artifacts ?? []).map(
    ({ copy, bytes, digest }) => html`<div><code>${copy}</code>, ${bytes} bytes, <code>${digest}</code></div>`,
  );
  const note = result?.isTaken === true ? null : html`<div class="bad">kept, and not taken as a result</div>`;
  return html`${items}${note}`;
}
