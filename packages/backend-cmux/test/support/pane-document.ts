import type { PaneDocument } from '../../src/index.ts';

/** What stands on record of an open pane. */
export function openPane(o: Partial<PaneDocument> & Pick<PaneDocument, 'workspaceId' | 'surfaceId'>): PaneDocument {
  return {
    schemaVersion: '1.0',
    state: 'open',
    dispatchIds: ['a~1:attempt-1'],
    title: 'implementer',
    marker: '/tmp',
    isOwnWorkspace: false,
    liveLockPath: '/none',
    openedAt: '2026-11-29T12:00:00.000Z',
    ...o,
  };
}
