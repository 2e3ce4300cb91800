import { Role } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import {
  type AssignmentEnvironment,
  createModelPool,
  customAgentRow,
  hostOf,
  mergePool,
  type ProviderInstallation,
  requireDispatchable,
  resolveAssignment,
  shippedModelPool,
} from '../src/index.ts';
import { binding, environment, errorOf, installed, poolOf, row } from './support.ts';

function resolve(rows: readonly unknown[], modelRef: string, env: AssignmentEnvironment = environment()) {
  return resolveAssignment({
    role: Role.verifier,
    ordinal: 2,
    modelRef,
    pool: createModelPool(rows),
    environment: env,
  });
}

describe('resolveAssignment', () => {
  it('AR-1 yields provider, model id, binding and digest for a role instance', () => {
    expect(resolve([row()], 'acme/large@1')).toEqual({
      role: 'verifier',
      ordinal: 2,
      modelRef: 'acme/large@1',
      providerId: 'acme',
      modelId: 'acme-large-1',
      binding: binding(),
      modelSpecDigest: expect.stringMatching(/^sha256:/),
    });
  });

  it("AR-1 takes the binding of the session's host", () => {
    const bindings = [
      binding({ resolvedExecutionValue: 'a' }),
      binding({ hostId: 'codex', resolvedExecutionValue: 'b' }),
    ];
    const host = hostOf({ leadRuntime: 'codex', terminalBackend: 'cmux' });
    expect(resolve([row({ bindings })], 'acme/large@1', environment({ host })).binding).toMatchObject({
      hostId: 'codex',
      resolvedExecutionValue: 'b',
    });
  });

  it('AR-1 prefers the CLI wrapper where a host has both runners', () => {
    const bindings = [binding({ runner: 'host-native' }), binding()];
    expect(resolve([row({ bindings })], 'acme/large@1').binding.runner).toBe('cli-wrapper');
  });

  it('AR-1 resolves an alias to the row that has it', () => {
    expect(resolve([row({ aliases: ['big'] })], 'big').modelRef).toBe('acme/large@1');
    expect(resolve([row({ aliases: ['big'] })], 'acme/big').modelRef).toBe('acme/large@1');
  });

  it('AR-2 an unknown ref is refused with the nearest ones', () => {
    const error = errorOf('MODEL_UNKNOWN', () => resolve([row()], 'acme/lrage@1'));
    expect(error.details).toEqual({ modelRef: 'acme/lrage@1', suggestions: ['acme/large@1'] });
    expect(error.hint).toContain('acme/large@1');
  });

  it('AR-2 a name that two agent CLIs have is refused with both refs', () => {
    const rows = [row({ aliases: ['big'] }), row({ modelRef: 'zeta/large', providerId: 'zeta', aliases: ['big'] })];
    expect(errorOf('MODEL_AMBIGUOUS', () => resolve(rows, 'big')).details.candidates).toEqual([
      'acme/large@1',
      'zeta/large',
    ]);
  });

  it('AR-2 a ref that two rows have is refused', () => {
    const error = errorOf('MODEL_AMBIGUOUS', () => resolve([row(), row()], 'acme/large@1'));
    expect(error.hint).toContain('all but one');
  });

  it('AR-2 a model that the host does not offer is refused with the hosts that do', () => {
    const host = hostOf({ leadRuntime: 'opencode', terminalBackend: 'none' });
    const error = errorOf('MODEL_NOT_ON_HOST', () => resolve([row()], 'acme/large@1', environment({ host })));
    expect(error.details).toEqual({ modelRef: 'acme/large@1', hostId: 'opencode', offeredHosts: ['terminal'] });
  });

  it('AR-2 a model that is only known as a served name is refused as offered nowhere', () => {
    const error = errorOf('MODEL_NOT_ON_HOST', () => resolve([row({ bindings: [] })], 'acme/large@1'));
    expect(error.message).toContain('on no host');
  });

  const notThere: readonly (ProviderInstallation | undefined)[] = [
    undefined,
    { providerId: 'acme', installed: false, supported: false, reason: 'acme is not on the PATH' },
  ];
  it.each(notThere)('AR-2 a provider that is not installed is refused: %j', (installation) => {
    const providers = new Map(installation === undefined ? [] : [['acme', installation]]);
    const error = errorOf('PROVIDER_NOT_INSTALLED', () => resolve([row()], 'acme/large@1', environment({ providers })));
    expect(error.details.providerId).toBe('acme');
    if (installation !== undefined) expect(error.message).toContain('acme is not on the PATH');
  });

  it('AR-2 a provider that is installed but not supported is refused with the reason', () => {
    const acme = { providerId: 'acme', installed: true, supported: false, reason: 'version 0.1 is too old' };
    const env = environment({ providers: new Map([['acme', acme]]) });
    expect(errorOf('PROVIDER_UNSUPPORTED', () => resolve([row()], 'acme/large@1', env)).message).toContain('too old');
  });

  it('AR-2 a host without a binding that a worker may write through is refused', () => {
    const bindings = [binding({ workerWriteCapability: null })];
    const error = errorOf('NO_WORKER_BINDING', () => resolve([row({ bindings })], 'acme/large@1'));
    expect(error.details).toEqual({ modelRef: 'acme/large@1', hostId: 'terminal' });
  });

  it('AR-2 a role that the model is not allowed for is refused with the roles that are', () => {
    const roles = ['implementer', 'analyst'];
    const error = errorOf('ROLE_NOT_ALLOWED', () => resolve([row({ roles })], 'acme/large@1'));
    expect(error.details).toEqual({ modelRef: 'acme/large@1', role: 'verifier', allowedRoles: roles });
  });

  it('AR-2 a broken row is refused with its place and every bad path', () => {
    const broken = row({ versionKind: 'latest', bindings: [binding({ runner: 'ssh' })] });
    const error = errorOf('MODEL_POOL_ROW_INVALID', () => resolve([null, broken], 'acme/large@1'));
    expect(error.details.where).toBe('1 (acme/large@1)');
    expect(error.details.issues?.map(({ path }) => path)).toEqual(['/versionKind', '/bindings/0/runner']);
  });

  it('every message says what is missing, and every hint what would fix it', () => {
    const error = errorOf('MODEL_UNKNOWN', () => resolve([], 'nothing/like-it'));
    expect(error.message).toContain('nothing/like-it');
    expect(error.hint).toContain('config');
  });
});

describe('custom agents', () => {
  const rows = mergePool(shippedModelPool(), [customAgentRow({ name: 'aider', model: 'sonnet', roles: ['verifier'] })]);

  it('AR-1 an agent that a user declared resolves under custom/<name>', () => {
    const env = environment({ providers: installed('custom') });
    expect(resolve(rows, 'custom/aider', env)).toMatchObject({
      providerId: 'custom',
      binding: { resolvedExecutionValue: 'sonnet', workerWriteCapability: { maxBoundaryPrecision: 'none' } },
    });
  });

  it('AR-2 an agent with an installation of its own is judged by that one', () => {
    const own = { providerId: 'custom', installed: false, supported: false };
    const env = environment({ providers: new Map([...installed('custom'), ['custom/aider', own]]) });
    errorOf('PROVIDER_NOT_INSTALLED', () => resolve(rows, 'custom/aider', env));
  });

  it('a name that makes no ref is refused', () => {
    errorOf('MODEL_POOL_ROW_INVALID', () => customAgentRow({ name: 'a b' }));
  });
});

describe('requireDispatchable', () => {
  it('AR-5 refuses another runner than the CLI wrapper by name', () => {
    const bindings = [binding({ runner: 'host-native' })];
    const assignment = resolve([row({ bindings })], 'acme/large@1');
    const error = errorOf('RUNNER_NOT_DISPATCHABLE', () => requireDispatchable(assignment));
    expect(error.message).toContain('host-native');
    expect(error.details).toEqual({ modelRef: 'acme/large@1', hostId: 'terminal', runner: 'host-native' });
  });

  it('AR-5 passes the CLI wrapper', () => {
    const assignment = resolve([row()], 'acme/large@1');
    expect(() => requireDispatchable(assignment)).not.toThrow();
  });
});

describe('the rows of a pool', () => {
  it('AR-4 resolving by ref judges that one row', () => {
    const judged: unknown[] = [];
    const pool = createModelPool([row(), row({ modelRef: 'acme/small' })], { inspect: (one) => judged.push(one) });
    resolveAssignment({ role: 'verifier', ordinal: 1, modelRef: 'acme/small', pool, environment: environment() });
    expect(judged).toHaveLength(1);
    expect(poolOf(row()).size).toBe(1);
  });
});
