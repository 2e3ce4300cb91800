import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayPath, type JobContract, judgeAttempt } from '../../src/index.ts';
import { CALL, CONFINED, change, input, job, verifier } from '../support/judge-input.ts';

describe('attribution', () => {
  it('MA-10 says call where an operating-system boundary confined the one that could', () => {
    const audit = judgeAttempt(input(verifier('v', CALL), { changes: [change('.bailiwick/out/v/result.json')] }));
    expect(audit.attribution).toBe('call');
  });

  it('MA-10 says exclusive where a boundary kept every other live worker out', () => {
    const self = job('a');
    const audit = judgeAttempt(input(self, { changes: [change('src/x')] }, { batch: [self, verifier('v', CONFINED)] }));
    expect(audit).toMatchObject({ attribution: 'exclusive', status: 'ok' });
  });

  it('MA-10 says candidates, owner first, where several could, and counts workers of other batches', () => {
    const self = job('a', { policy: { plannedPaths: ['/p/a/**'] } });
    const owner = job('b', { policy: { plannedPaths: ['/p/b/**'] } });
    const elsewhere = verifier('e');
    const audit = judgeAttempt(
      input(self, { changes: [change('b/x')] }, { batch: [self, owner], liveElsewhere: [elsewhere] }),
    );
    expect(audit.changedPaths).toMatchObject([
      { attribution: 'candidates', candidates: ['b:attempt-1', 'a:attempt-1', 'e:attempt-1'] },
    ]);
    expect(audit.violations).toEqual([]);
  });

  it("MA-10 does not take an agent's own sandbox as proof", () => {
    const self = job('a');
    const other = verifier('v', { boundary: 'provider', boundaryPrecision: 'file' });
    const audit = judgeAttempt(input(self, { changes: [change('src/x')] }, { batch: [self, other] }));
    expect(audit.attribution).toBe('candidates');
  });

  it('MA-10 says unattributed, or claimed by the stream, for a file that has links elsewhere', () => {
    const self = verifier('v', CALL);
    const seen = { changes: [change('src/x')], aliased: ['/p/src/x'] };
    const audit = judgeAttempt(input(self, seen));
    expect(audit).toMatchObject({
      attribution: 'unattributed',
      status: 'contract-failed-unattributed',
      aliased: ['src/x'],
    });
    const claimedEdits = new Map([[self.dispatchId, ['/p/src/x']]]);
    expect(judgeAttempt(input(self, seen, { claimedEdits })).attribution).toBe('claimed');
  });

  it('MA-10 gives the attempt the weakest grade of its paths', () => {
    const self = verifier('v', CALL);
    const seen = { changes: [change('.bailiwick/out/v/result.json'), change('src/x')], aliased: ['/p/src/x'] };
    expect(judgeAttempt(input(self, seen)).attribution).toBe('unattributed');
    expect(judgeAttempt(input(self, {})).attribution).toBe('none');
  });

  it('MA-9 allows one job what another of the batch may write, and judges each', () => {
    const a = job('a', { policy: { worktree: '/p/a' } });
    const v = verifier('v');
    const audit = judgeAttempt(input(v, { changes: [change('a/x')] }, { batch: [a, v] }));
    expect(audit).toMatchObject({ status: 'ok', sourceChanged: true });
  });

  it('MA-14 reports as external what no worker could have written', () => {
    const audit = judgeAttempt(input(verifier('v', CONFINED), { changes: [change('src/x')] }));
    expect(audit).toMatchObject({ status: 'ok', sourceChanged: false, changedPaths: [] });
    expect(audit.external).toEqual([{ path: 'src/x', kind: 'modified', reason: 'no-worker-could' }]);
  });

  it('MA-10 never attributes wrongly: 1,000 random batches and ledgers of who really wrote', () => {
    const boundaries = fc.constantFrom({}, CONFINED, CALL, {
      boundary: 'provider',
      boundaryPrecision: 'file',
    } as const);
    const worker = fc.record({
      folder: fc.constantFrom('w0', 'w1', 'w2', 'w3'),
      enforcement: boundaries,
      isVerifier: fc.boolean(),
    });
    const write = fc.record({
      by: fc.nat(3),
      folder: fc.constantFrom('w0', 'w1', 'w2', 'w3', 'other'),
      name: fc.nat(3),
    });
    fc.assert(
      fc.property(
        fc.array(worker, { minLength: 1, maxLength: 4 }),
        fc.array(write, { maxLength: 12 }),
        (workers, writes) => {
          const batch = workers.map(({ folder, enforcement, isVerifier }, at) =>
            isVerifier
              ? verifier(`j${at}`, enforcement)
              : job(`j${at}`, { policy: { worktree: `/p/${folder}` }, enforcement }),
          );
          const ledger = realWrites(batch, writes);
          const changes = [...ledger.keys()].map((path) => change(path));
          const authors = new Map<string, Set<string>>();
          for (const self of batch) {
            const audit = judgeAttempt(input(self, { changes }, { batch }));
            for (const { path, attribution, candidates } of audit.changedPaths) {
              const writers = ledger.get(`/p/${displayPath(path ?? '')}`) ?? new Set();
              for (const writer of writers) expect(candidates).toContain(writer);
              if (attribution === 'call' || attribution === 'exclusive') expect([...writers]).toEqual(candidates);
            }
            if (audit.status === 'contract-breached') {
              const breaches = audit.violations.map(({ path }) => ledger.get(`/p/${displayPath(path ?? '')}`));
              expect(breaches.some((writers) => writers?.has(self.dispatchId))).toBe(true);
            }
            for (const { path } of audit.external)
              authors.set(displayPath(path ?? ''), ledger.get(`/p/${displayPath(path ?? '')}`) ?? new Set());
          }
          expect([...authors.values()].every((writers) => writers.size === 0)).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

/** Path → who really wrote it: a confined worker's write outside its worktree never happens. */
function realWrites(
  batch: readonly JobContract[],
  writes: readonly { by: number; folder: string; name: number }[],
): Map<string, Set<string>> {
  const ledger = new Map<string, Set<string>>();
  for (const { by, folder, name } of writes) {
    const writer = batch[by % batch.length];
    if (writer === undefined) continue;
    const { policy, enforcement } = writer.contract;
    const path = `/p/${folder}/${name}`;
    const isConfined = enforcement.boundary === 'bubblewrap';
    const reaches = policy.role === 'implementer' && path.startsWith(`${policy.worktree}/`);
    if (isConfined && !reaches) continue;
    ledger.set(path, (ledger.get(path) ?? new Set()).add(writer.dispatchId));
  }
  return ledger;
}
