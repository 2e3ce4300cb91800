import type { SeatedAgents } from '../project/temp-project.ts';

/** What an attempt of a worker must have come to. */
export interface ExpectedAttempt {
  readonly worker: string;
  readonly status: string;
  readonly attempts?: number;
  readonly audit?: string;
  /** A part of the reason. */
  readonly reason?: RegExp;
}

/** One way a run can go, with its defined outcome. */
export interface Scenario {
  readonly name: string;
  readonly agents: SeatedAgents;
  readonly config?: Readonly<Record<string, unknown>>;
  /** `example` where there must be something to mend; default `tiny`, which is quicker. */
  readonly content?: 'example' | 'tiny';
  readonly exitCode: number;
  readonly state: string;
  readonly expected: readonly ExpectedAttempt[];
}

/** Half a second of silence and three in all: enough for a scripted agent that works, short for one that hangs. */
const TIGHT = { limits: { hardMinutes: 0.15, idleMinutes: 0.025 } };

/** The outcomes that the product defines for agents that do well, badly, or nothing. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'success',
    content: 'example',
    agents: {},
    exitCode: 0,
    state: 'verified',
    expected: [
      { worker: 'implementer', status: 'completed', audit: 'ok' },
      { worker: 'verifier-1', status: 'completed', audit: 'ok' },
      { worker: 'report-writer', status: 'completed', audit: 'ok' },
    ],
  },
  {
    name: 'exits 0 having done nothing',
    agents: { implementer: { as: 'nothing' } },
    exitCode: 1,
    state: 'failed',
    expected: [{ worker: 'implementer', status: 'error', attempts: 2, audit: 'failed-no-mutation', reason: /missing/ }],
  },
  {
    name: 'exits 0 without a word',
    agents: { implementer: { as: 'silent' } },
    exitCode: 1,
    state: 'failed',
    expected: [{ worker: 'implementer', status: 'error', attempts: 1, reason: /no evidence/ }],
  },
  {
    name: 'no result at first, then one',
    agents: { implementer: { as: 'no-result-once' } },
    exitCode: 0,
    state: 'verified',
    expected: [{ worker: 'implementer', status: 'completed', attempts: 2, audit: 'ok' }],
  },
  {
    name: 'leaves half an edit',
    agents: { implementer: { as: 'half' } },
    exitCode: 1,
    state: 'failed',
    expected: [{ worker: 'implementer', status: 'error', attempts: 1, audit: 'mutation-present-unresolved' }],
  },
  {
    name: 'prints 100 MB',
    agents: { implementer: { as: 'flood' } },
    exitCode: 0,
    state: 'verified',
    expected: [{ worker: 'implementer', status: 'completed' }],
  },
  {
    name: 'prints noise',
    agents: { implementer: { as: 'noise' } },
    exitCode: 0,
    state: 'verified',
    expected: [{ worker: 'implementer', status: 'completed' }],
  },
  {
    name: 'ignores SIGTERM and hangs',
    agents: { implementer: { as: 'ignore-sigterm' } },
    config: TIGHT,
    exitCode: 1,
    state: 'failed',
    expected: [{ worker: 'implementer', status: 'timeout', attempts: 1 }],
  },
  {
    name: 'drips for ever',
    agents: { implementer: { as: 'drip' } },
    config: { limits: { hardMinutes: 0.05, idleMinutes: 0.04 } },
    exitCode: 1,
    state: 'failed',
    expected: [{ worker: 'implementer', status: 'timeout', attempts: 1 }],
  },
  {
    name: 'leaves a grandchild holding its pipe',
    agents: { implementer: { as: 'grandchild' } },
    exitCode: 0,
    state: 'verified',
    expected: [{ worker: 'implementer', status: 'completed' }],
  },
  {
    name: 'dies by a signal',
    agents: { implementer: { as: 'signal' } },
    exitCode: 1,
    state: 'failed',
    expected: [{ worker: 'implementer', status: 'error', attempts: 1, reason: /SIGSEGV/ }],
  },
  {
    name: 'another model answers',
    agents: { implementer: { as: 'wrong-model' } },
    exitCode: 1,
    state: 'failed',
    expected: [{ worker: 'implementer', status: 'error', attempts: 1, reason: /served model/ }],
  },
  {
    name: 'the model changes half-way',
    agents: { implementer: { as: 'model-change' } },
    exitCode: 1,
    state: 'failed',
    expected: [{ worker: 'implementer', status: 'error', attempts: 1 }],
  },
  {
    name: 'a verifier edits source and git config',
    agents: { verifier: { as: 'meddle' } },
    exitCode: 1,
    state: 'failed',
    expected: [{ worker: 'verifier-1', status: 'error', audit: 'contract-failed-unattributed' }],
  },
  {
    name: 'commits although it may not',
    content: 'example',
    agents: { implementer: { as: 'commit' } },
    exitCode: 1,
    state: 'failed',
    expected: [{ worker: 'implementer', status: 'error', audit: 'contract-failed-unattributed' }],
  },
  {
    name: 'commits where it may',
    content: 'example',
    agents: { implementer: { as: 'commit' } },
    config: { git: 'commit' },
    exitCode: 0,
    state: 'verified',
    expected: [{ worker: 'implementer', status: 'completed', audit: 'ok' }],
  },
];
