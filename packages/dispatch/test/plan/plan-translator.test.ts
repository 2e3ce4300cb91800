import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunManifest } from '@bailiwick/dispatch-state';
import { requireDocument } from '@bailiwick/durable-files';
import {
  metadataCodec,
  metadataPathOf,
  parseDutyId,
  parseExecutionLabel,
  type Reservation,
} from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { planTranslator } from '../../src/index.ts';
import { codeOf } from '../support/errors.ts';
import { sampleManifest } from '../support/sample-manifest.ts';
import { makeScene, writePrompt } from '../support/scene.ts';

/** The sample run with its report writer's seat turned into the translator's. */
function withTranslator(): Partial<RunManifest> {
  const { roleExecutions, recommendedWorkers } = sampleManifest('/project', '/state');
  const seat = roleExecutions.find((row) => row.role === 'report-writer');
  if (seat?.binding == null) throw new Error('the sample has a bound report writer');
  const { provider, binding } = seat;
  const translator = { ...seat, role: 'translator', executionLabel: parseExecutionLabel('translator') } as const;
  return {
    roleExecutions: roleExecutions.map((row) => (row === seat ? translator : row)),
    recommendedWorkers: recommendedWorkers.filter((workerId) => workerId !== 'report-writer'),
    invocationAssignments: {
      translator: {
        provider,
        runner: 'cli-wrapper',
        modelExecutionValue: binding.resolvedExecutionValue,
        hostModelValue: null,
      },
    },
  };
}

/** A prompt for the translator with its metadata, and a reservation made from these, as it is changed. */
async function reserved(changes: Partial<Record<keyof Reservation, unknown>> = {}) {
  const scene = await makeScene({ manifest: withTranslator() });
  const promptPath = await writePrompt(scene, 'translator', {
    metadata: { assignmentRef: 'translator', dispatchKind: 'translator', dutyId: parseDutyId('translator') },
  });
  const metadataPath = metadataPathOf(promptPath);
  const metadata = await requireDocument(metadataPath, metadataCodec);
  if (metadata.generation !== 'v2') throw new Error('it was written as v2');
  const { schemaVersion, executionIdentityVersion, invocationId, assignmentRef, audience, dispatchKind } = metadata;
  const { invocationRef, participantRef, roleExecutionRef, dutyId, attempt } = metadata;
  const reservation: Reservation = {
    ...{ schemaVersion, executionIdentityVersion, invocationId, assignmentRef, audience, dispatchKind },
    ...{ promptPath, metadataPath, invocationRef, participantRef, roleExecutionRef, dutyId, attempt },
  };
  const file = join(scene.context.layout.reservationsFolder, 'translator.json');
  await writeFile(file, JSON.stringify({ ...reservation, ...changes }));
  return scene;
}

describe('the plan of a translator', () => {
  it('TR-2 TR-4 is its one reservation, and both of its outputs are owed', async () => {
    const { context } = await reserved();
    const { jobs, skipped } = await planTranslator(context, 'cli-wrapper');
    expect(jobs.map((job) => [job.metadata.audience, job.completionPaths])).toEqual([
      ['translator', [jobs[0]?.resultPath, jobs[0]?.workerResultPath]],
    ]);
    expect(skipped).toEqual([]);
  });

  it.each([
    ['TR-3 another duty than its metadata', { dutyId: 'another' }, 'RESERVATION_DISAGREES'],
    ['TR-3 metadata that lie elsewhere', { metadataPath: 'elsewhere.meta.json' }, 'RESERVATION_NOT_BESIDE_PROMPT'],
    ['TR-2 another participant', { participantRef: 'participant.verifier-1' }, 'RESERVATION_NONE'],
  ])('is refused where its reservation names %s', async (_, changes, code) => {
    const { context } = await reserved(changes);
    expect(await codeOf(() => planTranslator(context, 'cli-wrapper'))).toBe(code);
  });
});
