import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EventFeed } from '../../src/cmux/event-feed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('who asks for heartbeats gets one each 15 s, until it leaves', () => {
  const feed = new EventFeed();
  const frames: Readonly<Record<string, unknown>>[] = [];
  const leave = feed.subscribe({ include_heartbeats: true, names: ['surface.closed'] }, (frame) => frames.push(frame));
  feed.emit('surface.created', {});
  vi.advanceTimersByTime(30_000);
  leave();
  vi.advanceTimersByTime(30_000);
  expect(frames.map(({ type }) => type)).toEqual(['ack', 'heartbeat', 'heartbeat']);
  expect(frames.at(-1)).toEqual({ type: 'heartbeat', latest_seq: 1 });
});

it('nobody else gets any', () => {
  const frames: unknown[] = [];
  const leave = new EventFeed().subscribe({}, (frame) => frames.push(frame));
  vi.advanceTimersByTime(60_000);
  leave();
  expect(frames).toHaveLength(1);
});
