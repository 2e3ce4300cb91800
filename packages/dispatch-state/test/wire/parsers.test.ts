import { type DocumentCodec, isDurableFileError } from '@bailiwick/durable-files';
import { type Refusal, trialRuns, tryParser } from '@bailiwick/tooling/parser-trial';
import { describe, expect, it } from 'vitest';
import {
  dispatchRecordCodec,
  invocationCodec,
  isDispatchStateError,
  runManifestCodec,
  statusSidecarCodec,
  stopIntentCodec,
  supervisionOrderCodec,
  teamStateCodec,
  unauditedRecordCodec,
} from '../../src/index.ts';
import { acceptedOf, type Format } from '../support/fixtures.ts';

const runs = trialRuns(200);
const codecs = [
  ['dispatch-record', dispatchRecordCodec],
  ['invocation', invocationCodec],
  ['run-manifest', runManifestCodec],
  ['status-sidecar', statusSidecarCodec],
  ['stop-intent', stopIntentCodec],
  ['supervision-order', supervisionOrderCodec],
  ['team-state', teamStateCodec],
  ['unaudited-record', unauditedRecordCodec],
] as readonly (readonly [Format, DocumentCodec<unknown>])[];

describe.each(codecs)('%s', (name, codec) => {
  it('ends in acceptance or a coded error, and a changed field is refused for its path', {
    timeout: 30_000 + runs * 5,
  }, () => {
    const accepted = acceptedOf(name).map(({ document }) => document);
    const refusalOf = (document: unknown) => refusalIn(() => codec.decode(document, 'trial'));
    // The pool's rows go to the supervisor as they came: who uses one judges it (AR-4).
    const isJudged = (place: readonly string[]) => !place.includes('poolEntries');
    const { documents, changed } = tryParser({ name, accepted, refusalOf, isJudged }, runs);
    expect(changed / documents).toBeGreaterThan(0.3);
  });
});

function refusalIn(act: () => unknown): Refusal | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (!isDurableFileError(error) && !isDispatchStateError(error)) return { isCoded: false };
    return { isCoded: true, paths: error.issues?.map(({ path }) => path) ?? [] };
  }
}
