// The choice of what is killed is tried on process tables that no test could bring about, so it is imported by itself.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProcessRow } from '../../src/process/process-row.ts';
import { selectTree } from '../../src/process/select-tree.ts';

const SELF = 900;

function row(pid: number, changes: Partial<ProcessRow> = {}): ProcessRow {
  return {
    pid,
    parentPid: 1,
    groupId: pid,
    sessionId: pid,
    startTicks: `t${pid}`,
    isDead: false,
    fence: 'none',
    ...changes,
  };
}

function chosen(rows: readonly ProcessRow[], marks: Partial<Parameters<typeof selectTree>[1]> = {}): readonly number[] {
  return selectTree(rows, { isSessionOurs: false, selfPid: SELF, ...marks })
    .map(({ pid }) => pid)
    .sort((a, b) => a - b);
}

describe('selectTree', () => {
  const leader = { pid: 10, startTicks: 't10' };

  it('finds by fence, by descent, by session and by process group', () => {
    const rows = [
      row(10, { fence: 'ours' }),
      row(11, { parentPid: 10, groupId: 10, sessionId: 10 }),
      row(12, { groupId: 10, sessionId: 10 }),
      row(13, { fence: 'ours' }),
      row(14, { parentPid: 13 }),
      row(15, { groupId: 13, sessionId: 13 }),
      row(16),
    ];
    expect(chosen(rows)).toEqual([10, 11, 12, 13, 14, 15]);
  });

  it('does not take a pid that was given to another process for the leader, nor its session', () => {
    const rows = [row(10, { startTicks: 'later' }), row(11, { parentPid: 10, groupId: 10, sessionId: 10 })];
    expect(chosen(rows, { leader })).toEqual([]);
    expect(chosen(rows, { leader, isSessionOurs: true })).toEqual([]);
  });

  it('takes the session of a leader that has gone only where the leader was watched, or a marked process is in it', () => {
    const orphan = row(11, { groupId: 10, sessionId: 10 });
    expect(chosen([orphan], { leader })).toEqual([]);
    expect(chosen([orphan], { leader, isSessionOurs: true })).toEqual([11]);
    expect(chosen([orphan, row(12, { groupId: 10, sessionId: 10, fence: 'ours' })], { leader })).toEqual([11, 12]);
  });

  it('leaves alone a session that a stranger leads, even where one of ours is in it', () => {
    const rows = [
      row(20),
      row(21, { groupId: 20, sessionId: 20 }),
      row(22, { groupId: 20, sessionId: 20, fence: 'ours' }),
    ];
    expect(chosen(rows)).toEqual([22]);
  });

  it('leaves alone a session or group that whoever ends the tree shares, though its founder has gone', () => {
    const shared = { groupId: 20, sessionId: 20 };
    const ofSelf = [row(SELF, { parentPid: 30, ...shared }), row(30, { groupId: 31, sessionId: 20 })];
    const strangers = [row(21, shared), row(22, { groupId: 31, sessionId: 20 })];
    const command = row(23, { parentPid: SELF, fence: 'ours', ...shared });
    const ownGroup = [row(24, { fence: 'ours', groupId: 25, sessionId: 20 }), row(26, { groupId: 25, sessionId: 20 })];
    expect(chosen([...ofSelf, ...strangers, command, ...ownGroup])).toEqual([23, 24, 26]);
    const watched = { leader: { pid: 23, startTicks: 't23' }, isSessionOurs: true };
    expect(chosen([...ofSelf, ...strangers, command, ...ownGroup], watched)).toEqual([23, 24, 26]);
  });

  it('passes over another attempt that runs below this one, and what is dead', () => {
    const rows = [
      row(10, { fence: 'ours' }),
      row(11, { parentPid: 10, fence: 'foreign' }),
      row(12, { parentPid: 10, isDead: true }),
    ];
    expect(chosen(rows)).toEqual([10]);
  });

  it('works on systems that tell no session', () => {
    const rows = [row(10, { fence: 'ours', sessionId: null }), row(11, { groupId: 10, sessionId: null })];
    expect(chosen(rows)).toEqual([10, 11]);
  });

  it('whatever the table, it chooses no foreign, dead or own process, and no stranger unrelated to a mark', () => {
    const pid = fc.integer({ min: 1, max: 12 });
    const anyRow = fc.record({
      pid,
      parentPid: pid,
      groupId: pid,
      sessionId: fc.option(pid, { nil: null }),
      startTicks: fc.constantFrom('a', 'b'),
      isDead: fc.boolean(),
      fence: fc.constantFrom<ProcessRow['fence']>('ours', 'foreign', 'none'),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(anyRow, { selector: (r) => r.pid }),
        pid,
        fc.boolean(),
        (rows, selfPid, isSessionOurs) => {
          const selected = selectTree(rows, { leader: { pid: 3, startTicks: 'a' }, isSessionOurs, selfPid });
          for (const { isDead, fence, pid: chosenPid } of selected) {
            expect(isDead || fence === 'foreign' || chosenPid === selfPid).toBe(false);
          }
          const isMarked = rows.some((r) => r.fence === 'ours' || r.pid === 3) || isSessionOurs;
          if (!isMarked) expect(selected).toEqual([]);
          const owed = rows.filter((r) => r.fence === 'ours' && !r.isDead && !isAncestor(rows, r.pid, selfPid));
          expect(selected).toEqual(expect.arrayContaining(owed));
        },
      ),
    );
  });
});

function isAncestor(rows: readonly ProcessRow[], pid: number, of: number): boolean {
  const parents = new Map(rows.map((r) => [r.pid, r.parentPid]));
  const seen = new Set<number>();
  for (let at: number | undefined = of; at !== undefined && !seen.has(at); at = parents.get(at)) {
    if (at === pid) return true;
    seen.add(at);
  }
  return false;
}
