import { describe, expect, it } from 'vitest';
import { type MutationAudit, sarifOf, unverifiableAudit, VIOLATION_CODES } from '../src/index.ts';

const OPTIONS = { toolName: 'bailiwick', toolVersion: '1.2.3', projectRoot: '/work/guest house' };

interface Read {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
      readonly originalUriBaseIds: Readonly<Record<string, { readonly uri: string }>>;
      readonly results: readonly {
        readonly ruleId: string;
        readonly ruleIndex: number;
        readonly locations?: readonly [
          {
            readonly physicalLocation: {
              readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
            };
          },
        ];
        readonly properties?: Readonly<Record<string, unknown>>;
      }[];
    },
  ];
}

function read(audit: MutationAudit): Read['runs'][0] {
  return (JSON.parse(JSON.stringify(sarifOf(audit, OPTIONS))) as Read).runs[0];
}

describe('an audit as SARIF', () => {
  it('has a rule for every code, and names each violation by its rule, place, kind and candidates', () => {
    const audit: MutationAudit = {
      ...unverifiableAudit('x'),
      status: 'contract-failed-unattributed',
      changedPaths: [
        {
          ...{ path: 'src/ä b.ts', kind: 'modified', attribution: 'candidates', candidates: ['d-1'] },
          ...{ beforeDigest: null, afterDigest: null },
        },
      ],
      violations: [
        { code: 'out-of-plan', path: 'src/ä b.ts', message: 'it was modified' },
        { code: 'git-state', path: '/else/.git/config', message: 'it was changed' },
      ],
    };
    const run = read(audit);
    expect(run.tool.driver.rules.map((rule) => rule.id)).toEqual([...VIOLATION_CODES]);
    expect(run.originalUriBaseIds).toEqual({ PROJECTROOT: { uri: 'file:///work/guest%20house/' } });
    for (const result of run.results) expect(run.tool.driver.rules[result.ruleIndex]?.id).toBe(result.ruleId);
    expect(run.results.map((result) => result.locations?.[0].physicalLocation.artifactLocation)).toEqual([
      { uri: 'src/%C3%A4%20b.ts', uriBaseId: 'PROJECTROOT' },
      { uri: 'file:///else/.git/config' },
    ]);
    expect(run.results[0]?.properties).toEqual({ kind: 'modified', attribution: 'candidates', candidates: ['d-1'] });
  });

  it('tells names apart that are not UTF-8, and a violation without a path', () => {
    const path = { pathBytes: Buffer.from([0x61, 0xff, 0x2f, 0x25]).toString('base64') };
    const run = read({
      ...unverifiableAudit('x'),
      violations: [
        { code: 'unverifiable', path, message: 'unread' },
        { code: 'unverifiable', message: 'no baseline' },
      ],
    });
    expect(run.results[0]?.locations?.[0].physicalLocation.artifactLocation.uri).toBe('a%FF/%25');
    expect(run.results[1]?.locations).toBeUndefined();
  });

  it('has no result where nothing is charged', () => {
    expect(read({ ...unverifiableAudit('x'), status: 'ok', violations: [] }).results).toEqual([]);
  });
});
