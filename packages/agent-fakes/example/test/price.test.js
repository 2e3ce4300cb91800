import assert from 'node:assert/strict';
import { test } from 'node:test';
import { priceOfStay } from '../src/price.js';

test('weeknights cost the plain price', () => {
  assert.equal(priceOfStay({ arrival: '2026-07-13', departure: '2026-07-15' }, 8000), 16_000);
});

test('Friday and Saturday nights cost more', () => {
  assert.equal(priceOfStay({ arrival: '2026-07-17', departure: '2026-07-20' }, 8000), 27_000);
});

test('a stay of a week gets a tenth off', () => {
  assert.equal(priceOfStay({ arrival: '2026-07-13', departure: '2026-07-20' }, 8000), 53_100);
});
