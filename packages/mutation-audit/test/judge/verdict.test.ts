import { describe, expect, it } from 'vitest';
import { type JudgeInput, judgeAttempt, unverifiableAudit } from '../../src/index.ts';
import { CALL, CONFINED, change, gitChange, input, job, verifier } from '../support/judge-input.ts';

describe('verdict', () => {
  it('MA-3 is ok where only what the policy allows has changed', () => {
    const audit = judgeAttempt(
      input(job('a'), { changes: [change('src/a.ts'), change('.bailiwick/out/a/result.json', { kind: 'created' })] }),
    );
    expect(audit).toMatchObject({
      status: 'ok',
      sourceChanged: true,
      gitChanged: false,
      retryAllowed: false,
      violations: [],
    });
    expect(audit.changedPaths.map(({ path }) => path)).toEqual(['src/a.ts', '.bailiwick/out/a/result.json']);
  });

  it('MA-3 puts unverifiable before every other verdict', () => {
    const audit = judgeAttempt(
      input(verifier('v', CALL, { ignored: 'free' }), {
        changes: [change('src/a.ts')],
        unverifiable: [{ path: '/p/src/x', reason: 'EACCES', ignored: false }],
      }),
    );
    expect(audit.status).toBe('unverifiable');
    expect(audit.violations.map(({ code }) => code)).toEqual(['unverifiable', 'outside-policy']);
  });

  it('MA-3 says contract-breached where the author of a change outside the policies is known', () => {
    const self = job('a', { policy: { plannedPaths: ['/p/src/a.ts'] }, enforcement: { ...CALL, wider: ['/p'] } });
    const audit = judgeAttempt(input(self, { changes: [change('src/b.ts')] }));
    expect(audit).toMatchObject({ status: 'contract-breached', attribution: 'call' });
    expect(audit.violations).toHaveLength(1);
    expect(audit.violations[0]).toMatchObject({ code: 'out-of-plan', path: 'src/b.ts' });
    expect(audit.violations[0]?.message).toMatch(/src\/b\.ts was modified by Worker a.*src\/a\.ts/);
  });

  it('MA-4 tells a job that hands in a result how to declare an edit, and no bare command', () => {
    const self = job('a', { policy: { plannedPaths: ['/p/src/a.ts'] }, enforcement: { ...CALL, wider: ['/p'] } });
    const seen = { changes: [change('src/b.ts')] };
    const said = (declaredEdits: JudgeInput['declaredEdits']) =>
      judgeAttempt(input(self, seen, { declaredEdits })).violations[0]?.message;
    expect(said(new Map([[self.dispatchId, []]]))).toMatch(/outOfPlanEdits.*then dispatch anew\.$/);
    expect(said(new Map())).toMatch(/may write src\/a\.ts\. .*then run it anew\.$/);
  });

  it('MA-3 says unattributed where a sole candidate was not confined, and names it', () => {
    const self = verifier('v');
    const audit = judgeAttempt(input(self, { changes: [change('src/b.ts')] }));
    expect(audit).toMatchObject({ status: 'contract-failed-unattributed', attribution: 'candidates' });
    expect(audit.changedPaths[0]?.candidates).toEqual(['v:attempt-1']);
    expect(audit.violations[0]?.message).toMatch(/Worker v or someone outside the batch/);
  });

  it('MA-3 says mutation-present-unresolved where a failed attempt changed source or git, or may have', () => {
    const failed = { attemptFailed: true, resultPresent: false };
    const a = job('a', { policy: { worktree: '/p/a' } });
    expect(judgeAttempt(input(a, { changes: [change('a/x')] }, failed)).status).toBe('mutation-present-unresolved');
    const b = job('b', { policy: { worktree: '/p/b' } });
    const others = judgeAttempt(input(b, { changes: [change('a/x')] }, { ...failed, batch: [a, b] }));
    expect(others).toMatchObject({ status: 'mutation-present-unresolved', sourceChanged: true, retryAllowed: false });
    const branch = gitChange({ what: 'ref', name: 'refs/heads/main', advances: true });
    const committer = job('c', { policy: { git: 'commit' } });
    expect(judgeAttempt(input(committer, { git: [branch] }, failed)).status).toBe('mutation-present-unresolved');
  });

  it('MA-3 allows a retry only where a failed attempt changed nothing of the kind', () => {
    const failed = { attemptFailed: true, resultPresent: false };
    const quiet = {
      changes: [
        change('.bailiwick/out/v/result.json', { kind: 'created' }),
        change('build/x.js', { ignored: true, tracked: false }),
      ],
      traces: [{ path: '/p/src/a.ts', kind: 'touched' }],
    } as const;
    const audit = judgeAttempt(input(verifier('v', {}, { ignored: 'free' }), quiet, failed));
    expect(audit).toMatchObject({ status: 'failed-no-mutation', retryAllowed: true, sourceChanged: false });
    const incomplete = { attemptFailed: false, resultPresent: false };
    expect(judgeAttempt(input(verifier('v'), {}, incomplete)).status).toBe('failed-no-mutation');
    expect(judgeAttempt(input(verifier('v'), {})).retryAllowed).toBe(false);
  });

  it("MA-3 does not hold a failed attempt back for what is provably another's", () => {
    const a = job('a', { policy: { worktree: '/p/a' }, enforcement: CONFINED });
    const b = job('b', { policy: { worktree: '/p/b' }, enforcement: CONFINED });
    const audit = judgeAttempt(
      input(b, { changes: [change('a/x')] }, { batch: [a, b], attemptFailed: true, resultPresent: false }),
    );
    expect(audit).toMatchObject({ status: 'failed-no-mutation', retryAllowed: true, changedPaths: [] });
  });

  it('MA-7 has an audit for an attempt that can not be compared at all', () => {
    expect(unverifiableAudit('the snapshot is gone')).toMatchObject({
      status: 'unverifiable',
      retryAllowed: false,
      beforeDigest: null,
      violations: [{ code: 'unverifiable', message: 'the snapshot is gone' }],
    });
  });

  it("MA-1 charges what was tampered with in the orchestrator's state", () => {
    const tampered = { orchestratorTampered: [{ path: '/p/.git/bailiwick/runs/r', message: 'the record differs' }] };
    const audit = judgeAttempt(input(job('a'), {}, tampered));
    expect(audit.status).toBe('contract-failed-unattributed');
    expect(audit.violations).toEqual([
      { code: 'orchestrator-tampered', path: '.git/bailiwick/runs/r', message: 'the record differs' },
    ]);
    const confined = judgeAttempt(input(job('a', { enforcement: CONFINED }), {}, tampered));
    expect(confined).toMatchObject({ status: 'ok', external: [{ reason: 'no-worker-could' }] });
  });

  it('MA-5 says what the scope was and holds a confined call to its write roots', () => {
    const audit = judgeAttempt(
      input(verifier('v', CALL), {
        changes: [change('src/a.ts'), change('.bailiwick/out/v/result.json')],
        unverifiable: [{ path: '/p/src/x', reason: 'EACCES', ignored: false }],
      }),
    );
    expect(audit).toMatchObject({ status: 'ok', scope: 'write-roots', attribution: 'call' });
    expect(audit.external.map(({ path }) => path)).toEqual(['src/a.ts']);
  });
});

describe('declared edits', () => {
  const planned = { policy: { plannedPaths: ['/p/src/a.ts'] } };

  it('MA-4 counts a declared edit outside the plan, for the audit of any job of the batch', () => {
    const self = job('a', planned);
    const other = verifier('v');
    const seen = {
      changes: [
        change('src/b.ts'),
        change('lib', { kind: 'created', fileType: 'directory' }),
        change('lib/c.ts', { kind: 'created' }),
      ],
    } as const;
    const declaredEdits = new Map([[self.dispatchId, ['src/b.ts', '/p/lib/c.ts']]]);
    for (const judged of [self, other]) {
      const audit = judgeAttempt(input(judged, seen, { batch: [self, other], declaredEdits }));
      expect(audit.violations).toEqual([]);
    }
    expect(judgeAttempt(input(self, seen)).violations.map(({ path }) => path)).toEqual(['src/b.ts', 'lib', 'lib/c.ts']);
  });

  it('MA-4 counts none outside the worktree, of nobody, of another, or of a verifier', () => {
    const self = job('a', planned);
    const other = job('b', { policy: { plannedPaths: ['/p/theirs/**'] } });
    const declaredEdits = new Map([
      [self.dispatchId, ['../outside', '.git/config', '.bailiwick/config.json', 'theirs/x', '/etc/passwd', '.']],
      ['v:attempt-1', ['src/c.ts']],
    ]);
    const seen = {
      changes: [change('/outside'), change('.git/config'), change('.bailiwick/config.json'), change('src/c.ts')],
    };
    const audit = judgeAttempt(input(self, seen, { batch: [self, other, verifier('v')], declaredEdits }));
    expect(audit.violations.map(({ code }) => code)).toEqual([
      'outside-policy',
      'never-writable',
      'never-writable',
      'out-of-plan',
    ]);
  });
});

describe('folders', () => {
  it('MA-11 charges an empty folder outside the policy, not one made for an allowed file', () => {
    const folder = { kind: 'created', fileType: 'directory', tracked: false } as const;
    const self = job('a', { policy: { plannedPaths: ['/p/src/new/**'] } });
    const audit = judgeAttempt(
      input(self, {
        changes: [
          change('src/new', folder),
          change('src/new/x.ts', { kind: 'created' }),
          change('.bailiwick', folder),
          change('.bailiwick/out', folder),
          change('.bailiwick/out/a', folder),
          change('.bailiwick/out/a/result.json', { kind: 'created' }),
          change('stray', folder),
        ],
      }),
    );
    expect(audit.violations.map(({ path }) => path)).toEqual(['stray']);
  });
});

describe('free places', () => {
  it('WP-10 reports ignored and scratch changes without charging them, but charges the fixed list', () => {
    const ignored = { ignored: true, tracked: false } as const;
    const self = verifier('v', {}, { ignored: 'free', scratch: ['/p/tmp'] });
    const audit = judgeAttempt(
      input(self, { changes: [change('cache/x', ignored), change('tmp/y'), change('.env', ignored)] }),
    );
    expect(audit.uncharged).toEqual([
      { area: 'ignored', count: 1, paths: ['cache/x'] },
      { area: 'scratch', count: 1, paths: ['tmp/y'] },
    ]);
    expect(audit.violations.map(({ code, path }) => [code, path])).toEqual([['protected-ignored', '.env']]);
  });

  it('WP-10 counts many free changes and names the first', () => {
    const changes = Array.from({ length: 1_000 }, (_, at) => change(`cache/${at}`, { ignored: true, tracked: false }));
    const audit = judgeAttempt(input(verifier('v', {}, { ignored: 'free' }), { changes }));
    expect(audit.uncharged[0]).toMatchObject({ count: 1_000 });
    expect(audit.uncharged[0]?.paths).toHaveLength(50);
    expect(audit.changedPaths).toEqual([]);
  });

  it('WP-10 does not let an unreadable ignored folder spoil the verdict', () => {
    const seen = { unverifiable: [{ path: '/p/build/db', reason: 'EACCES', ignored: true }] };
    expect(judgeAttempt(input(verifier('v', {}, { ignored: 'free' }), seen)).status).toBe('ok');
    expect(judgeAttempt(input(verifier('v'), seen)).status).toBe('unverifiable');
  });
});
