import { describe, expect, it } from 'vitest';
import {
  BackendKind,
  DispatchStatus,
  EndProof,
  Isolation,
  isTerminalStage,
  isTerminalStatus,
  Stage,
  TERMINAL_STATUSES,
  WorkerStatus,
} from '../src/index.ts';

describe('the states', () => {
  it('are named by these words, which stand in files', () => {
    expect(Object.values(DispatchStatus)).toEqual(['launching', 'running', 'completed', 'error', 'timeout', 'stopped']);
    expect(Object.values(Stage)).toEqual([
      'starting',
      'running',
      'exited',
      'timed-out',
      'idle-timed-out',
      'stopped',
      'served-model-mismatch',
      'launch-failed',
      'waiting-for-input',
    ]);
    expect(Object.values(WorkerStatus)).toEqual([
      'pending',
      'in-progress',
      'completed',
      'error',
      'timeout',
      'stopped',
      'skipped',
    ]);
    expect(Object.values(EndProof)).toEqual(['namespace', 'cgroup', 'search', 'unknown']);
    expect(Object.values(BackendKind)).toEqual(['cli-wrapper', 'cmux-pane']);
    expect(Object.values(Isolation)).toEqual(['tree', 'worktree']);
  });

  it('of an attempt end in one of four', () => {
    expect(TERMINAL_STATUSES).toEqual(['completed', 'error', 'timeout', 'stopped']);
    expect(Object.values(DispatchStatus).filter((status) => !isTerminalStatus(status))).toEqual([
      'launching',
      'running',
    ]);
  });

  it('of a supervisor are terminal but for those in which the process may run', () => {
    expect(Object.values(Stage).filter((stage) => !isTerminalStage(stage))).toEqual([
      'starting',
      'running',
      'waiting-for-input',
    ]);
  });
});
