import { describe, expect, it } from 'vitest';
import { checkModelPool, createModelPool, mergePool } from '../../src/index.ts';
import { channelRow, errorOf, row } from '../support.ts';

const shipped = [row(), channelRow()];

function merged(...additions: readonly unknown[]) {
  return createModelPool(mergePool(shipped, additions));
}

describe('mergePool', () => {
  it('appends a row with a new ref', () => {
    const pool = merged(row({ modelRef: 'acme/small', modelId: 'acme-small' }));
    expect(pool.refs).toEqual(['acme/large@1', 'acme/large', 'acme/small']);
  });

  it('puts a row in the place of the shipped one with its ref', () => {
    const pool = merged(channelRow({ modelId: 'acme-large-beta' }));
    expect(pool.size).toBe(2);
    expect(pool.entry('acme/large').modelId).toBe('acme-large-beta');
  });

  it('AR-7 adds names to a row that is there, each once', () => {
    const pool = merged({ modelRef: 'acme/large', aliases: ['gw-large', 'gw-large', 'acme-l'] });
    expect(pool.entry('acme/large').aliases).toEqual(['gw-large', 'acme-l']);
    expect(pool.findByName('acme', 'gw-large')?.modelRef).toBe('acme/large');
  });

  it('expands the short form to every host through the CLI wrapper', () => {
    const pool = merged({ modelRef: 'acme/tuned', executionValue: 'ft:acme-large:me', channelFamily: 'tuned' });
    expect(pool.entry('acme/tuned')).toMatchObject({
      providerId: 'acme',
      modelId: 'ft:acme-large:me',
      versionKind: 'pinned',
      channelFamily: 'tuned',
      aliases: [],
    });
    expect(pool.entry('acme/tuned').bindings).toHaveLength(5);
  });

  it('AR-4 a broken addition fails only when its own model is used', () => {
    const pool = merged(7, null, { modelRef: 'acme/broken' }, row({ modelRef: 'acme/odd', versionKind: 'x' }));
    expect(pool.entry('acme/large@1').modelId).toBe('acme-large-1');
    errorOf('MODEL_POOL_ROW_INVALID', () => pool.entry('acme/broken'));
    errorOf('MODEL_POOL_ROW_INVALID', () => pool.entry('acme/odd'));
  });

  it('a broken alias addition is not passed over in silence', () => {
    const pool = merged({ modelRef: 'acme/large', aliases: 'gw-large' });
    errorOf('MODEL_POOL_ROW_INVALID', () => pool.entry('acme/large'));
  });

  it('names for a model that is not there are a broken row', () => {
    const pool = merged({ modelRef: 'acme/none', aliases: ['x'] });
    errorOf('MODEL_POOL_ROW_INVALID', () => pool.entry('acme/none'));
  });

  it('two additions for one ref are shown as a conflict', () => {
    const pool = merged(row({ modelRef: 'acme/new' }), row({ modelRef: 'acme/new' }), channelRow(), channelRow());
    errorOf('MODEL_AMBIGUOUS', () => pool.entry('acme/new'));
    errorOf('MODEL_AMBIGUOUS', () => pool.entry('acme/large'));
  });

  it('leaves the shipped rows as they were', () => {
    const before = structuredClone(shipped);
    merged({ modelRef: 'acme/large', aliases: ['x'] }, row({ modelId: 'other' }));
    expect(shipped).toEqual(before);
  });
});

describe('checkModelPool', () => {
  it('finds every broken row at once, by its place', () => {
    const findings = checkModelPool([
      row(),
      null,
      row({ modelRef: 'acme/x', aliases: ['a', 'a'] }),
      { modelRef: 'acme/y' },
    ]);
    expect(findings.map((finding) => finding.row)).toEqual([1, 2, 3]);
    expect(findings[1]?.issues).toEqual([{ path: '/aliases/1', message: 'a is repeated' }]);
  });

  it('finds a ref that two rows have', () => {
    expect(checkModelPool([row(), row()])[0]?.issues[0]).toEqual({
      path: '/modelRef',
      message: 'row 0 has this ref already',
    });
  });

  it('finds a name that two models of one agent CLI share, and allows it between two', () => {
    const shared = row({ modelRef: 'acme/b', modelId: 'b', aliases: ['acme-large-1'] });
    const elsewhere = row({ modelRef: 'zeta/b', providerId: 'zeta' });
    expect(checkModelPool([row(), shared, elsewhere])).toEqual([
      {
        row: 1,
        modelRef: 'acme/b',
        issues: [{ path: '/aliases/0', message: 'acme/large@1 answers to acme-large-1 too' }],
      },
    ]);
  });

  it('finds what a schema cannot say: the provider of the ref, and two bindings for one host', () => {
    const { bindings } = row();
    const double = Array.isArray(bindings) ? [...bindings, ...bindings] : [];
    const findings = checkModelPool([row({ providerId: 'zeta', bindings: double })]);
    expect(findings[0]?.issues.map(({ path }) => path)).toEqual(['/providerId', '/bindings/1']);
  });
});
