import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CmuxClient, type RelayedEvent, SidebarRelay } from '../../src/index.ts';
import { startTestFake, type TestFake } from '../support/fake.ts';

let test: TestFake;
let client: CmuxClient;
beforeEach(async () => {
  test = await startTestFake();
  client = test.client();
});
afterEach(() => test.remove());

const event = (more: Partial<RelayedEvent>): RelayedEvent => ({
  kind: 'launched',
  label: 'implementer',
  status: 'launching',
  reason: '',
  isRetried: false,
  ...more,
});
const relay = () => new SidebarRelay(async () => ({ client, workspaceId: test.ids.workspace_id }));
const sidebar = () => test.fake.app.active.selected.sidebar;

it('CX-5 each worker has a pill under its label, all have their progress, and every event a line in the log', async () => {
  const told = relay();
  told.tell(event({}));
  told.tell(event({ label: 'verifier-1' }));
  told.tell(event({ kind: 'settled', status: 'error', reason: "it's --odd", isRetried: true }));
  told.tell(event({ kind: 'retry-launched' }));
  told.tell(event({ kind: 'settled', status: 'completed' }));
  await told.clear();
  expect([...sidebar().status.keys()]).toEqual(['bailiwick_verifier-1']);
  expect(sidebar().progress).toEqual({ value: 0.5, label: '1 of 2 workers' });
  expect(sidebar().log.map(({ level, message }) => `${level} ${message}`)).toEqual([
    'progress implementer launched',
    'progress verifier-1 launched',
    "error implementer error, tried again: it's --odd",
    'progress implementer retry-launched',
    'success implementer completed',
  ]);
});

it('CX-5 at the end nothing of it is left but the log', async () => {
  const told = relay();
  told.tell(event({ kind: 'settled', status: 'completed' }));
  await told.clear();
  expect(sidebar().status.size).toBe(0);
  expect(sidebar().progress).toBeNull();
});

it('CX-5 a relay that fails is silent from then on, and nobody waits for it', async () => {
  const told = new SidebarRelay(async () => {
    throw new Error('nobody there');
  });
  told.tell(event({}));
  told.tell(event({ kind: 'settled', status: 'completed' }));
  await told.clear();
  expect(test.fake.conduct().connections).toBe(0);
});
