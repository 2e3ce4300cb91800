import assert from 'node:assert/strict';
import { test } from 'node:test';
import { book, freeRooms } from '../src/bookings.js';

const known = [{ guest: 'Ada', room: 'garden', arrival: '2026-07-14', departure: '2026-07-17' }];

test('a room that is taken for one of the nights is refused, and the guest is named', () => {
  const outcome = book(known, { guest: 'Ben', room: 'garden', arrival: '2026-07-16', departure: '2026-07-18' });
  assert.equal(outcome.taken, false);
  assert.equal(outcome.reason, 'taken by Ada');
});

test('a guest may arrive on the day another one leaves', () => {
  const outcome = book(known, { guest: 'Cleo', room: 'garden', arrival: '2026-07-17', departure: '2026-07-19' });
  assert.equal(outcome.taken, true);
});

test('a guest may leave on the day another one arrives', () => {
  const outcome = book(known, { guest: 'Dora', room: 'garden', arrival: '2026-07-12', departure: '2026-07-14' });
  assert.equal(outcome.taken, true);
});

test('a stay without a night is refused', () => {
  const outcome = book([], { guest: 'Emil', room: 'attic', arrival: '2026-07-14', departure: '2026-07-14' });
  assert.equal(outcome.taken, false);
});

test('only rooms without an overlapping stay are free', () => {
  const stay = { arrival: '2026-07-15', departure: '2026-07-16' };
  assert.deepEqual(freeRooms(['garden', 'attic'], known, stay), ['attic']);
});
