import type { WorkerBackend } from '../../src/index.ts';

/** Accepts everything and does nothing. */
export function idleBackend(): WorkerBackend {
  return {
    kind: 'cli-wrapper',
    capabilities: {
      survivesCommand: 'absent',
      endsTree: 'absent',
      visible: 'absent',
      pushesHints: 'absent',
      local: true,
    },
    launch: async (_, { onReady }) => {
      onReady();
      return { started: [], queued: [], failed: [] };
    },
    probe: async () => 'alive',
    observe: async (attempts, onHint) => {
      for (const { dispatchId } of attempts) onHint({ dispatchId });
    },
    stop: async () => [],
    close: async () => undefined,
  };
}
