import { createHash } from 'node:crypto';
import { costWords } from '../summary/in-words.ts';
import { type RunSummary, summariseRun } from '../summary/run-summary.ts';
import { attemptsSection, workersSection } from './attempts-section.ts';
import { changesSection, violationsSection } from './changes-section.ts';
import { Html, type HtmlValue, html } from './html.ts';
import type { ReportFacts } from './report-facts.ts';
import { REPORT_STYLE } from './report-style.ts';
import { timelineSection } from './timeline.ts';
import { toneOf } from './words.ts';

/**
 * A run as one HTML page that needs nothing else: no script, no font, no request. Pure: the same facts give the same page. What workers
 * wrote stands in it as text, whatever it is.
 */
export function renderReport(facts: ReportFacts): string {
  const { manifest, records, unaudited, unreadable, sourceDigest } = facts;
  const summary = summariseRun({
    ...{ manifest, records, unaudited, unreadable, reportPath: null },
    ...(sourceDigest === null ? {} : { sourceDigest }),
  });
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${styleDigest()}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${manifest.runId}, ${summary.state}</title>
<style>${new Html(REPORT_STYLE)}</style>
</head>
<body><main>
${heading(facts, summary)}
${damage(summary)}
${timelineSection(facts)}
${workersSection(facts, summary)}
${changesSection(facts)}
${violationsSection(facts)}
${attemptsSection(facts, summary)}
${textSection('Report of the report writer', facts.reportText)}
${textSection('Task', facts.taskText)}
<footer><p>Made ${facts.madeAt.toISOString()} by ${facts.madeBy} from the records of the run. What stands under "says" and in the report is a worker's word;
everything else was observed. Whether records and files are what they were is told by <code>bailiwick run verify --run ${manifest.runId}</code>.</p></footer>
</main></body>
</html>
`;
  return page.toString();
}

/** No style but the page's own: not even an attribute's would apply. */
function styleDigest(): string {
  return `sha256-${createHash('sha256').update(REPORT_STYLE).digest('base64')}`;
}

function heading({ manifest }: ReportFacts, summary: RunSummary): Html {
  const rows: readonly (readonly [string, HtmlValue])[] = [
    ['task', manifest.taskKey],
    ['created', manifest.createdAt],
    ['project', html`<code>${manifest.projectRoot}</code>`],
    ['began from', manifest.baseCommit === null ? 'no commit' : html`<code>${manifest.baseCommit}</code>`],
    ['worked in', manifest.worktree === null ? "the project's own tree" : html`<code>${manifest.worktree}</code>`],
    ['planned paths', manifest.plan.paths.length === 0 ? 'the whole work tree' : manifest.plan.paths.join(', ')],
    ['cost', costWords(summary.cost) ?? 'nothing has ended'],
    ['records', html`<code>${manifest.runDirectoryPath}</code>`],
  ];
  return html`<header><h1>Run ${manifest.runId}</h1>
<p class="state ${toneOf(summary.state)}">${stateWords(summary)}</p>
<dl>${rows.map(
    ([term, value]) => html`<dt>${term}</dt><dd>${value}</dd>
`,
  )}</dl></header>`;
}

function stateWords({ state, phase }: RunSummary): string {
  const where = phase === null ? '' : ` at ${phase}`;
  return state === 'rejected' ? 'rejected by a verifier' : `${state}${where}`;
}

/** What the page lacks is told before anything else. */
function damage({ unreadable }: RunSummary): Html | null {
  if (unreadable.length === 0) return null;
  const items = unreadable.map(
    ({ path, code, message }) => html`<li><code>${path}</code>: ${message} [${code}]</li>
`,
  );
  return html`<section><h2>Records that can't be read</h2><p class="bad">Their attempts are missing from this page.</p><ul>${items}</ul></section>`;
}

function textSection(title: string, text: string | null): Html | null {
  return text === null ? null : html`<section><h2>${title}</h2><pre>${text}</pre></section>`;
}
