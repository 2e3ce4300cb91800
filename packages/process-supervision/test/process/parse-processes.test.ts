// Two systems' listings; a test can bring about one of them at most, so the parsers are imported by themselves.
import { describe, expect, it } from 'vitest';
import { fenceInEnvironment, parseLinuxStat } from '../../src/process/linux-processes.ts';
import { parsePsListing } from '../../src/process/macos-processes.ts';

describe('parseLinuxStat', () => {
  const rest = '4194304 100 0 0 0 1 2 0 0 20 0 1 0 777001 1 1 1';

  it('reads the fields behind a name with spaces and parentheses', () => {
    const stat = parseLinuxStat(`42 (a) (b c) S 7 8 9 0 -1 ${rest}`);
    expect(stat).toEqual({ pid: 42, parentPid: 7, groupId: 8, sessionId: 9, startTicks: '777001', isDead: false });
  });

  it('a zombie and a dead entry are dead', () => {
    for (const state of ['Z', 'X']) expect(parseLinuxStat(`42 (x) ${state} 7 8 9 0 -1 ${rest}`)?.isDead).toBe(true);
  });

  it('a line that is cut off is no process', () => {
    for (const text of ['', '42', '42 (x) S 7 8']) expect(parseLinuxStat(text)).toBeUndefined();
  });
});

describe('fenceInEnvironment', () => {
  const fence = fenceInEnvironment;

  it('is the whole value of its own variable alone', () => {
    expect(fence('A=1\0BAILIWICK_DISPATCH_ID=inv~1:attempt-1\0B=2\0')).toBe('inv~1:attempt-1');
    expect(fence('BAILIWICK_DISPATCH_ID=inv~1:attempt-10\0')).toBe('inv~1:attempt-10');
    expect(fence('X_BAILIWICK_DISPATCH_ID=inv~1:attempt-1\0')).toBeNull();
    expect(fence('')).toBeNull();
  });
});

describe('parsePsListing', () => {
  const listing = [
    '    1     0     1 Ss   Sat Nov 29 09:00:00 2026     /sbin/launchd',
    '  501     1   501 S    Sat Nov  9 16:22:01 2026     sh -c work HOME=/Users/a BAILIWICK_DISPATCH_ID=inv 1~1:attempt-1 TERM=dumb',
    '  502   501   501 Z    Sat Nov 29 16:22:02 2026     (sh)',
    '  503     1   503 R+   Sat Nov 29 16:22:03 2026     node BAILIWICK_DISPATCH_ID=other~1:attempt-1',
    'nonsense',
  ].join('\n');

  it('reads pids, start times, states and fences', () => {
    const rows = parsePsListing(listing);
    const marked = rows.map((row) => ({ ...row, fence: row.markFor('inv 1~1:attempt-1') }));
    expect(
      marked.map(({ pid, parentPid, groupId, isDead, fence }) => [pid, parentPid, groupId, isDead, fence]),
    ).toEqual([
      [1, 0, 1, false, 'none'],
      [501, 1, 501, false, 'ours'],
      [502, 501, 501, true, 'none'],
      [503, 1, 503, false, 'foreign'],
    ]);
    expect(rows[1]?.startTicks).toBe('Sat Nov 9 16:22:01 2026');
  });
});
