import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createModelPool,
  hostOf,
  type ProviderInstallation,
  type RoleExecutionBinding,
  revalidateAssignment,
  withRevalidated,
} from '../src/index.ts';
import { binding, channelRow, environment, errorOf, installed, job, poolOf, row, storedBinding } from './support.ts';

const stored = storedBinding(poolOf(row()));

function revalidate(
  change: { pool?: unknown[]; stored?: Partial<RoleExecutionBinding>; job?: Partial<typeof job> } = {},
) {
  return revalidateAssignment({
    job: { ...job, ...change.job },
    roleExecutions: [{ ...stored, ...change.stored }],
    pool: createModelPool(change.pool ?? [row()]),
    environment: environment(),
  });
}

function refused(change: Parameters<typeof revalidate>[0]) {
  return errorOf('BINDING_NO_LONGER_STANDS', () => revalidate(change));
}

describe('revalidateAssignment', () => {
  it('AR-3 passes when everything is as it was stored, and gives the binding', () => {
    expect(revalidate()).toMatchObject({
      ...job,
      providerId: 'acme',
      modelRef: 'acme/large@1',
      modelId: 'acme-large-1',
      binding: binding(),
      modelSpecDigest: stored.modelSpecDigest,
    });
  });

  it('AR-3 a role execution that is gone is refused by its ref', () => {
    const error = refused({ stored: { roleExecutionRef: 'role-2' } });
    expect(error.details.changed).toEqual([{ field: 'roleExecutionRef', old: 'role-1', new: null }]);
  });

  it('AR-3 a role execution that the manifest has twice is refused', () => {
    const act = () =>
      revalidateAssignment({ job, roleExecutions: [stored, stored], pool: poolOf(row()), environment: environment() });
    expect(errorOf('BINDING_NO_LONGER_STANDS', act).message).toContain('more than once');
  });

  it('AR-3 another participant and another label are refused, each with old and new', () => {
    expect(refused({ stored: { participantRef: 'part-9', executionLabel: 'other' } }).details.changed).toEqual([
      { field: 'participantRef', old: 'part-1', new: 'part-9' },
      { field: 'executionLabel', old: 'acme large', new: 'other' },
    ]);
    expect(refused({ job: { participantRef: 'part-2' } }).details.changed).toHaveLength(1);
  });

  it('AR-3 a changed model id is refused with old and new', () => {
    const { changed } = refused({ pool: [row({ modelId: 'acme-large-2' })] }).details;
    expect(changed?.[0]).toEqual({ field: 'modelId', old: 'acme-large-1', new: 'acme-large-2' });
  });

  it('AR-3 a changed provider in the manifest is refused with old and new', () => {
    const { changed } = refused({ stored: { provider: 'zeta' } }).details;
    expect(changed).toEqual([{ field: 'provider', old: 'zeta', new: 'acme' }]);
  });

  it.each([
    ['resolvedExecutionValue', 'acme-huge', 'binding.resolvedExecutionValue'],
    ['hostModelValue', 'large', 'binding.hostModelValue'],
    ['workerWriteCapability', { maxBoundaryPrecision: 'file' }, 'binding.workerWriteCapability.maxBoundaryPrecision'],
  ])('AR-3 a changed %s of the binding is refused', (field, value, named) => {
    const { changed } = refused({ pool: [row({ bindings: [binding({ [field]: value })] })] }).details;
    expect(changed?.map((change) => change.field)).toEqual([named, 'modelSpecDigest']);
  });

  it('AR-3 a change that only the digest shows is refused', () => {
    const { changed } = refused({ pool: [row({ aliases: ['big'] })] }).details;
    expect(changed?.map(({ field }) => field)).toEqual(['modelSpecDigest']);
  });

  it('AR-3 a stored binding with a field too many or too few is refused', () => {
    const { hostModelValue: _, ...short } = stored.binding ?? expect.unreachable();
    const long = { ...stored.binding, sandbox: 'none' };
    for (const changedBinding of [short, long]) {
      // A manifest from disk may hold what the type doesn't allow; that is the case under test.
      const { changed } = refused({ stored: { binding: changedBinding as RoleExecutionBinding['binding'] } }).details;
      expect(changed).toHaveLength(1);
    }
  });

  it('AR-3 any single changed field of the row is refused', () => {
    const fields = ['modelId', 'versionKind', 'channelFamily', 'aliases', 'roles', 'bindings'] as const;
    const other = {
      modelId: fc.stringMatching(/^[a-z]{3,9}$/),
      versionKind: fc.constant('channel'),
      channelFamily: fc.stringMatching(/^[a-z]{6,9}$/),
      aliases: fc.uniqueArray(fc.stringMatching(/^[a-z]{3,9}$/), { minLength: 1 }),
      roles: fc.constant(['implementer']),
      bindings: fc.stringMatching(/^[a-z]{3,9}$/).map((value) => [binding({ resolvedExecutionValue: value })]),
    };
    const change = fc.constantFrom(...fields).chain((field) => other[field].map((value) => ({ [field]: value })));
    fc.assert(
      fc.property(change, (fieldsChanged) => {
        const { changed } = refused({ pool: [row(fieldsChanged)] }).details;
        expect(changed?.at(-1)?.field).toBe('modelSpecDigest');
      }),
    );
  });

  it("AR-3 a failure to resolve is the refusal's cause", () => {
    const error = refused({ pool: [] });
    expect(error.cause).toMatchObject({ code: 'MODEL_UNKNOWN', details: { modelRef: 'acme/large@1' } });
    expect(refused({ pool: [row({ roles: ['verifier'] })] }).cause).toMatchObject({ code: 'ROLE_NOT_ALLOWED' });
    expect(refused({ pool: [row({ bindings: [] })] }).cause).toMatchObject({ code: 'MODEL_NOT_ON_HOST' });
    expect(refused({ pool: [row({ modelId: 7 })] }).cause).toMatchObject({ code: 'MODEL_POOL_ROW_INVALID' });
  });

  it('AR-3 a ref that has become a mere alias is refused', () => {
    const renamed = row({ modelRef: 'acme/large@2', aliases: ['acme/large@1'] });
    expect(refused({ pool: [renamed] }).cause).toMatchObject({ code: 'MODEL_UNKNOWN' });
  });

  it.each(['modelRef', 'modelId', 'modelSpecDigest', 'binding'] as const)(
    'AR-5 a row without %s is unbound',
    (field) => {
      expect(refused({ stored: { [field]: null } }).details).toMatchObject({ unbound: [field] });
      expect(refused({ stored: { [field]: undefined } }).details).toMatchObject({ unbound: [field] });
    },
  );

  it('AR-5 a binding that stands but is not the CLI wrapper is refused by its runner', () => {
    const pool = poolOf(row({ bindings: [binding({ runner: 'host-native' })] }));
    const act = () =>
      revalidateAssignment({ job, roleExecutions: [storedBinding(pool)], pool, environment: environment() });
    expect(errorOf('RUNNER_NOT_DISPATCHABLE', act).details.runner).toBe('host-native');
  });
});

describe('what revalidation touches', () => {
  const broken: readonly unknown[] = [
    null,
    undefined,
    7,
    'row',
    [],
    {},
    { modelRef: 7 },
    { modelRef: 'acme/large@1x' },
    { modelRef: 'acme/small', aliases: 'acme/large@1' },
    channelRow({ versionKind: 'latest' }),
    row({ modelRef: 'acme/tiny', bindings: [{ runner: 'ssh' }] }),
    row({ modelRef: 'zeta/x', bindings: null }),
    { modelRef: 'acme/odd', aliases: [1, null, {}], bindings: [null, 7] },
  ];

  it('AR-4 passes in a pool whose every other row is broken, and judges one row', () => {
    const judged: unknown[] = [];
    const good = row();
    const pool = createModelPool([...broken, good, ...broken], { inspect: (one) => judged.push(one) });
    const passed = revalidateAssignment({ job, roleExecutions: [stored], pool, environment: environment() });
    expect(passed.modelRef).toBe('acme/large@1');
    expect(judged).toEqual([good]);
    expect(pool.size).toBe(broken.length * 2 + 1);
  });

  it('AR-4 judges one row of a thousand', () => {
    let judged = 0;
    const many = Array.from({ length: 1000 }, (_, at) => row({ modelRef: `acme/m${at}`, channelFamily: `f${at}` }));
    const pool = createModelPool([...many, row()], { inspect: () => (judged += 1) });
    revalidateAssignment({ job, roleExecutions: [stored], pool, environment: environment() });
    expect(judged).toBe(1);
  });

  it("AR-4 looks at no installation but the job's own provider's", () => {
    const asked: string[] = [];
    const providers = new Map<string, ProviderInstallation>([
      ...installed('acme'),
      ['zeta', { providerId: 'zeta', installed: false, supported: false }],
    ]);
    const watched = new Proxy(providers, {
      get(target, property) {
        if (property !== 'get') throw new Error(`the providers' ${String(property)} was used`);
        return (id: string) => {
          asked.push(id);
          return target.get(id);
        };
      },
    });
    const env = environment({ providers: watched });
    revalidateAssignment({ job, roleExecutions: [stored], pool: poolOf(row()), environment: env });
    expect(asked).toEqual(['acme']);
  });

  it('AR-4 other role executions may be in any state', () => {
    const others: RoleExecutionBinding[] = [
      { ...stored, roleExecutionRef: 'role-2', binding: null, modelRef: null },
      { ...stored, roleExecutionRef: 'role-3', modelRef: 'gone/model' },
    ];
    const passed = revalidateAssignment({
      job,
      roleExecutions: [...others, stored],
      pool: poolOf(row()),
      environment: environment(),
    });
    expect(passed.roleExecutionRef).toBe('role-1');
  });

  it("AR-4 takes its host from the manifest's lead runtime", () => {
    const host = hostOf({ leadRuntime: 'codex', terminalBackend: 'none' });
    const act = () =>
      revalidateAssignment({ job, roleExecutions: [stored], pool: poolOf(row()), environment: environment({ host }) });
    expect(errorOf('BINDING_NO_LONGER_STANDS', act).cause).toMatchObject({ code: 'MODEL_NOT_ON_HOST' });
  });
});

describe('withRevalidated', () => {
  const options = { job, roleExecutions: [stored], pool: poolOf(row()), environment: environment() };

  it('AR-6 gives the callback the revalidated binding and returns what it returns', () => {
    expect(withRevalidated(options, (passed) => passed.binding.resolvedExecutionValue)).toBe('acme-large');
  });

  it('AR-6 never runs the callback when revalidation fails', () => {
    let runs = 0;
    const gone = { ...options, pool: poolOf() };
    errorOf('BINDING_NO_LONGER_STANDS', () => withRevalidated(gone, () => (runs += 1)));
    expect(runs).toBe(0);
  });

  it('AR-6 passes on what the callback throws', () => {
    const failure = new Error('from the callback');
    expect(() =>
      withRevalidated(options, () => {
        throw failure;
      }),
    ).toThrow(failure);
  });
});
