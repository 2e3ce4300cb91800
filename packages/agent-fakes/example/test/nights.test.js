import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countNights, nightsOf, overlaps } from '../src/nights.js';

test('a stay is counted in nights, not in days', () => {
  assert.equal(countNights({ arrival: '2026-07-14', departure: '2026-07-17' }), 3);
});

test('a stay over the end of a month has all its nights', () => {
  assert.deepEqual(nightsOf({ arrival: '2026-07-30', departure: '2026-08-02' }), [
    '2026-07-30',
    '2026-07-31',
    '2026-08-01',
  ]);
});

test('stays that share a night overlap, whichever comes first', () => {
  const early = { arrival: '2026-07-14', departure: '2026-07-17' };
  const late = { arrival: '2026-07-16', departure: '2026-07-20' };
  assert.equal(overlaps(early, late), true);
  assert.equal(overlaps(late, early), true);
});

test('a stay overlaps one that lies within it', () => {
  const long = { arrival: '2026-07-01', departure: '2026-07-31' };
  assert.equal(overlaps(long, { arrival: '2026-07-14', departure: '2026-07-15' }), true);
  assert.equal(overlaps({ arrival: '2026-07-14', departure: '2026-07-15' }, long), true);
});

test('stays in different weeks do not overlap', () => {
  const july = { arrival: '2026-07-01', departure: '2026-07-05' };
  const august = { arrival: '2026-08-01', departure: '2026-08-05' };
  assert.equal(overlaps(july, august), false);
  assert.equal(overlaps(august, july), false);
});
