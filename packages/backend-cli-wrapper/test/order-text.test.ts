import { supervisionOrderCodec } from '@bailiwick/dispatch-state';
import { expect, it, onTestFinished } from 'vitest';
import { orderText } from '../src/order-text.ts';
import { makeBatch } from './support/test-batch.ts';

it.each([1, 2, 40])('an order of %i jobs is one document, however many pieces it comes in', async (count) => {
  const batch = await makeBatch();
  onTestFinished(() => batch.remove());
  const jobs = Array.from({ length: count }, (_, at) => ({ ...batch.job, env: { NAME: `„${at}”` } }));
  const order = { ...batch.order(), jobs };
  const pieces = [...orderText(order)];
  expect(JSON.parse(pieces.join(''))).toEqual(supervisionOrderCodec.encode(order));
  expect(pieces).toHaveLength(count + 2);
});

it('of an order that is none there is not a piece', async () => {
  const batch = await makeBatch();
  onTestFinished(() => batch.remove());
  const order = { ...batch.order(), maxConcurrent: -1 };
  expect(() => orderText(order)).toThrowError(expect.objectContaining({ code: 'DOCUMENT_INVALID' }));
});
