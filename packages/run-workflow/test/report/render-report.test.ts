import { DurableFileError, digestOfBytes } from '@bailiwick/durable-files';
import { type AuditViolation, type ChangedPath, displayPath } from '@bailiwick/mutation-audit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ReportFacts, renderReport } from '../../src/index.ts';
import { visible } from '../../src/report/html.ts';
import { auditWith, completedRecord, failedRecord, launchingRecord, sampleRun } from '../support/sample-run.ts';

const RUN = sampleRun();
const MADE_AT = new Date('2026-11-29T16:20:00.000Z');

function factsOf(changes: Partial<ReportFacts> = {}): ReportFacts {
  return {
    manifest: RUN.manifest,
    records: [],
    unaudited: [],
    unreadable: [],
    taskText: '# Fix the cart\n',
    reportText: null,
    sourceDigest: null,
    madeAt: MADE_AT,
    madeBy: 'bailiwick 1.0.0',
    ...changes,
  };
}

function changed(path: ChangedPath['path'], changes: Partial<ChangedPath> = {}): ChangedPath {
  const none = { beforeDigest: null, afterDigest: null };
  return { path, kind: 'modified', attribution: 'candidates', candidates: [], ...none, ...changes };
}

/** Every word that a worker, a file name or somebody's disk could have put there. */
function factsFull(of: (word: string) => string): ReportFacts {
  const violation: AuditViolation = { code: 'outside-policy', path: of('violation-path'), message: of('message') };
  const audit = auditWith({
    status: 'contract-breached',
    changedPaths: [
      changed(of('path'), { candidates: [of('candidate')], beforeDigest: of('before'), afterDigest: of('after') }),
    ],
    violations: [violation],
    external: [{ path: of('external'), kind: 'created', reason: 'no-worker-could' }],
    uncharged: [{ area: 'ignored', count: 1, paths: [of('ignored')] }],
  });
  const breached = failedRecord(RUN, 'implementer', 'exited', {
    reason: of('reason'),
    reportedSessionId: of('session'),
    logPath: `/logs/${of('log')}`,
    contract: { audited: true, audit },
    stoppedBy: of('stopper'),
    evidence: { sealRef: null, reason: of('unsealed') },
    servedModel: {
      level: 'unrecognised',
      normalizedModelRef: null,
      reported: [of('served')],
      source: 'stream',
      turns: 1,
    },
  });
  const verified = completedRecord(RUN, 'verifier-1', {}, { at: 1 });
  const result = verified.result ?? fail();
  const artifact = { path: '/x', copy: of('copy'), digest: digestOfBytes('x'), bytes: 1 };
  return factsOf({
    manifest: { ...RUN.manifest, projectRoot: `/${of('project')}`, plan: { paths: [of('planned')] } },
    records: [
      breached,
      { ...verified, result: { ...result, summary: of('summary'), artifacts: [artifact], missing: [of('missing')] } },
    ],
    unreadable: [{ path: `/${of('damaged')}`, error: new DurableFileError('DOCUMENT_DAMAGED', of('damage')) }],
    taskText: of('task'),
    reportText: of('report'),
    sourceDigest: of('source'),
    madeBy: of('maker'),
  });
}

const WORDS = ['violation-path', 'message', 'path', 'candidate', 'before', 'after', 'external', 'ignored', 'reason'];
const MORE_WORDS = [
  'session',
  'log',
  'stopper',
  'unsealed',
  'served',
  'copy',
  'summary',
  'missing',
  'project',
  'planned',
];
const OTHER_WORDS = ['damaged', 'damage', 'task', 'report', 'source', 'maker'];

/** The page without what stands between its tags. */
function skeletonOf(page: string): readonly string[] {
  return page.replace(/<style>.*?<\/style>/s, '').match(/<[^>]*>/g) ?? [];
}

/** What stands between its tags, as it is read. */
function textOf(page: string): string {
  const text = page.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]*>/g, '\n');
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

describe('the report of a run', () => {
  const hostile = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('<', '>', '"', "'", '&', '</pre>', '<script>', '<!--', '\u202e', '\0'),
      ),
      { minLength: 1 },
    )
    .map((parts) => parts.join(''));

  it('has the same tags whatever names, paths and words are in the records, and shows every one of them', () => {
    const skeleton = skeletonOf(renderReport(factsFull((word) => word)));
    fc.assert(
      fc.property(hostile, (nasty) => {
        const page = renderReport(factsFull((word) => `${word}${nasty}.`));
        expect(skeletonOf(page)).toEqual(skeleton);
        const text = textOf(page);
        const isShown = (word: string) => [word, displayPath(word)].some((form) => text.includes(visible(form)));
        const hidden = [...WORDS, ...MORE_WORDS, ...OTHER_WORDS].filter((word) => !isShown(`${word}${nasty}.`));
        expect(hidden).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('needs nothing but itself: no script, no address, and no style but its own would apply', () => {
    const page = renderReport(factsFull((word) => word));
    expect(page).not.toMatch(
      /<script|<link|<img|<iframe|<object|\bhref=|\bsrc=|\bon\w+=|\bstyle=|url\(|@import|https?:/i,
    );
    const policy = /content="(default-src 'none'; style-src 'sha256-[^']+')"/.exec(page)?.[1] ?? '';
    const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? '';
    const digest = Buffer.from(digestOfBytes(style).slice('sha256:'.length), 'hex').toString('base64');
    expect(policy).toContain(`'sha256-${digest}'`);
    expect(style).toMatch(/prefers-color-scheme: dark/);
    expect(style).toMatch(/@media print/);
  });

  it('is the same for the same facts', () => {
    expect(renderReport(factsFull((word) => word))).toBe(renderReport(factsFull((word) => word)));
  });

  it('names who made each change, once, however many audits saw it', () => {
    const implementer = completedRecord(RUN, 'implementer');
    const verifier = launchingRecord(RUN, 'verifier-1');
    const both = changed('src/cart.js', { candidates: [implementer.dispatchId, verifier.dispatchId] });
    const contract = {
      audited: true,
      audit: auditWith({ changedPaths: [both, changed('.bailiwick/out/x/result.json')] }),
    };
    const records = [{ ...implementer, contract }, completedRecord(RUN, 'verifier-1', { contract }, { at: 1 })];
    const page = renderReport(factsOf({ records }));
    expect(page.match(/<td><code>src\/cart\.js<\/code><\/td>/g)).toHaveLength(1);
    expect(page).toContain('implementer, attempt 1 or verifier-1, attempt 1');
    expect(page).not.toContain('result.json</code></td>');
  });

  it('ST-8 says of a verdict whether the source is still what it is about', () => {
    const records = [completedRecord(RUN, 'implementer'), completedRecord(RUN, 'verifier-1', {}, { at: 1 })];
    const wordsWith = (sourceDigest: string | null) => textOf(renderReport(factsOf({ records, sourceDigest })));
    expect(wordsWith(digestOfBytes('x'))).toContain('of the source as it is now');
    expect(wordsWith(digestOfBytes('y'))).toContain('stale: it is about');
    expect(wordsWith(digestOfBytes('y'))).toContain(digestOfBytes('y'));
    expect(wordsWith(null)).toContain("of a source that can't be compared");
  });

  it('draws each attempt within the scale, whatever the clock did, and those that go on until now', () => {
    const at = (time: string) => `2026-11-29T16:${time}.000Z`;
    const records = [
      completedRecord(RUN, 'implementer', { dispatchedAt: at('18:00'), finishedAt: at('17:00') }),
      launchingRecord(RUN, 'verifier-1', { at: 1 }),
    ];
    const page = renderReport(factsOf({ records }));
    const bars = [...page.matchAll(/<rect class="bar[^"]*" x="([\d.-]+)" width="([\d.-]+)"/g)].map(
      ([, x, w]) => [Number(x), Number(w)] as const,
    );
    expect(bars).toHaveLength(2);
    for (const [x, width] of bars) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(width).toBeGreaterThan(0);
      expect(x + width).toBeLessThanOrEqual(1_000);
    }
    expect(page).toContain('not settled after 2 min 0 s');
  });

  it('says what it lacks, and of a run without attempts that there are none', () => {
    const unreadable = [{ path: '/runs/x.json', error: new DurableFileError('DOCUMENT_DAMAGED', 'no JSON') }];
    expect(renderReport(factsOf({ unreadable }))).toContain('Their attempts are missing from this page.');
    expect(renderReport(factsOf())).toContain('Nothing was dispatched.');
    expect(renderReport(factsOf({ taskText: null }))).not.toContain('<h2>Task</h2>');
  });
});

function fail(): never {
  throw new Error('the sample has it');
}
