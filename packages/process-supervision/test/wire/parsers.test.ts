import { trialRuns, tryParser } from '@bailiwick/tooling/parser-trial';
import { describe, expect, it } from 'vitest';
import { parseLaunchLine } from '../../src/wire/launch-line.ts';
import { parseStageMessage, parseStopMessage } from '../../src/wire/socket-messages.ts';

const runs = trialRuns(400);
const process = { hostId: 'h', bootId: 'b', pidNamespace: 'n', pid: 7, startTicks: '9' };

const parsers = [
  [
    'launch line',
    parseLaunchLine,
    [
      { kind: 'refused', code: 'C', reason: 'r' },
      { kind: 'ready', supervisorVersion: '1', pid: 4, socketPath: null },
      { kind: 'started', dispatchId: 'i-1~1:attempt-1', process },
      { kind: 'queued', dispatchId: 'i-1~1:attempt-1' },
      { kind: 'failed', dispatchId: 'i-1~1:attempt-1', reason: 'r' },
      { kind: 'launched' },
    ],
  ],
  ['stage message', parseStageMessage, [{ dispatchId: 'i-1~1:attempt-1', stage: 'exited' }]],
  ['stop message', parseStopMessage, [{ stop: ['i-1~1:attempt-1'], by: 'ann', graceMs: 10 }]],
] as const;

describe.each(parsers)('%s', (name, parse, accepted) => {
  it('passes over what is no such line, and one with a changed field', { timeout: 30_000 + runs * 5 }, () => {
    const refusalOf = (document: unknown) => (parse(lineOf(document)) === undefined ? { isCoded: true } : undefined);
    const { documents, changed } = tryParser({ name, accepted, refusalOf }, runs);
    expect(changed / documents).toBeGreaterThan(0.3);
  });
});

/** The document as a line; what JSON can't hold stands there as its words. */
function lineOf(document: unknown): string {
  try {
    return JSON.stringify(document) ?? String(document);
  } catch {
    return 'neither here nor there';
  }
}
