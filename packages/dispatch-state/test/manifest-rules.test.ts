import { parseParticipantRef, parseRoleExecutionRef, parseWorkerId } from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { findParticipant, findRoleExecution, roleExecutionsOfWorker, workTreeOf } from '../src/index.ts';
import { manifestLike } from './support/samples.ts';

const manifest = manifestLike('shared-tree');

describe('looking up in a manifest', () => {
  it('finds a role execution and a participant by their refs, and nobody else', () => {
    expect(findRoleExecution(manifest, parseRoleExecutionRef('role.verifier-1'))?.role).toBe('verifier');
    expect(findRoleExecution(manifest, parseRoleExecutionRef('role.Verifier-1'))).toBeUndefined();
    expect(findParticipant(manifest, parseParticipantRef('participant.implementer'))?.workerId).toBe('implementer');
    expect(findParticipant(manifest, parseParticipantRef('implementer'))).toBeUndefined();
  });

  it('finds all roles of a worker, in the order of the manifest', () => {
    const shared = manifestLike('two-roles-one-participant');
    const rolesOf = (worker: string) => roleExecutionsOfWorker(shared, parseWorkerId(worker)).map(({ role }) => role);
    expect(rolesOf('verifier-1')).toEqual(['verifier', 'report-writer']);
    expect(rolesOf('report-writer')).toEqual([]);
    expect(rolesOf('stranger')).toEqual([]);
  });
});

describe('workTreeOf', () => {
  it("WP-9 is the run's own worktree, else the project", () => {
    expect(workTreeOf(manifestLike('own-worktree'))).toBe('/shop/.bailiwick/worktrees/r-1');
    expect(workTreeOf(manifest)).toBe('/shop');
  });
});
