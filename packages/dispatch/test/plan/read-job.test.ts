import { rm, writeFile } from 'node:fs/promises';
import { digestOfBytes } from '@bailiwick/durable-files';
import {
  metadataPathOf,
  parseExecutionLabel,
  parseParticipantRef,
  parseRoleExecutionRef,
} from '@bailiwick/execution-identity';
import { describe, expect, it } from 'vitest';
import { buildPlan, type DispatchPlan } from '../../src/index.ts';
import { codeOf, errorOf } from '../support/errors.ts';
import { makeScene, type PromptOptions, type Scene, writePrompt } from '../support/scene.ts';

async function plan({ manifest, context }: Scene, promptPath: string): Promise<DispatchPlan> {
  return buildPlan({ manifest, requests: [{ promptPath, backend: 'cli-wrapper' }], backends: context.backends });
}

/** The code of the refusal of a worker's prompt, once it was changed. */
async function refusal(o: PromptOptions, label = 'implementer'): Promise<string> {
  const scene = await makeScene();
  const promptPath = await writePrompt(scene, label, o);
  return codeOf(() => plan(scene, promptPath));
}

function without(header: string): PromptOptions {
  return {
    edit: (text) =>
      text
        .split('\n')
        .filter((line) => !line.startsWith(`**${header}:**`))
        .join('\n'),
  };
}

describe('a prompt that is read into a job', () => {
  it('PL-5 TR-4 gives the job its identity, its outputs, which are both owed, and the digest of its bytes', async () => {
    const scene = await makeScene();
    const promptPath = await writePrompt(scene, 'verifier-1');
    const { jobs } = await plan(scene, promptPath);
    expect(jobs).toHaveLength(1);
    expect(jobs[0]).toMatchObject({
      workerId: 'verifier-1',
      dispatchId: `${scene.manifest.runId}.verifier-1.1~1:attempt-1`,
      promptPath,
      metadataPath: metadataPathOf(promptPath),
      recoveryOf: null,
    });
    expect(jobs[0]?.completionPaths).toEqual([jobs[0]?.resultPath, jobs[0]?.workerResultPath]);
  });

  it('PL-5 is refused where it is missing or says nothing', async () => {
    const scene = await makeScene();
    const refused = async (promptPath: string) => errorOf(() => plan(scene, promptPath));
    for (const text of ['', ' \n\t\n']) {
      const empty = await writePrompt(scene, 'implementer', { edit: () => text });
      expect(await refused(empty)).toMatchObject({ code: 'PROMPT_INVALID', message: 'the prompt is empty' });
    }
    const promptPath = await writePrompt(scene, 'implementer');
    await rm(promptPath);
    expect(await refused(promptPath)).toMatchObject({ code: 'PROMPT_INVALID', message: 'the prompt is missing' });
  });

  it('PL-5 is refused where it is not UTF-8', async () => {
    const scene = await makeScene();
    const promptPath = await writePrompt(scene, 'implementer');
    await writeFile(promptPath, Buffer.from([0x2a, 0xff, 0xfe]));
    expect(await codeOf(() => plan(scene, promptPath))).toBe('FILE_NOT_UTF8');
  });

  it.each(['Role', 'Task', 'Model', 'Result Path', 'Worker Result Path'])(
    'PL-5 is refused without its header %s',
    async (header) => {
      expect(await refusal(without(header))).toBe('PROMPT_INVALID');
    },
  );

  it('PL-5 is refused with a header twice, even where only another program would see a line break before it', async () => {
    expect(await refusal({ edit: (text) => `${text}\n**Role:** verifier\n` })).toBe('PROMPT_INVALID');
    const scene = await makeScene();
    const promptPath = await writePrompt(scene, 'implementer', {
      edit: (text) => `${text}\n> a\u2028**Role:** verifier\r> b\r**Task:** other\n`,
    });
    expect((await plan(scene, promptPath)).jobs).toHaveLength(1);
  });

  it('PL-5 ID-1 is refused without metadata beside it', async () => {
    const scene = await makeScene();
    const promptPath = await writePrompt(scene, 'implementer');
    await rm(metadataPathOf(promptPath));
    const error = await errorOf(() => plan(scene, promptPath));
    expect(error).toMatchObject({ code: 'METADATA_MISSING', path: metadataPathOf(promptPath) });
  });

  it('PL-5 is refused where its bytes are not those that its metadata were made for', async () => {
    expect(await refusal({ metadata: { inputDigest: digestOfBytes('other') } })).toBe('INPUT_DIGEST_DIFFERS');
    const scene = await makeScene();
    const promptPath = await writePrompt(scene, 'implementer', { edit: (text) => `${text} ` });
    await writePrompt(scene, 'implementer', { metadata: { inputDigest: digestOfBytes('x') } });
    expect(await codeOf(() => plan(scene, promptPath))).toBe('INPUT_DIGEST_DIFFERS');
  });

  it.each([
    ['somewhere else', '/tmp/result.json'],
    ['in the project, not in the drop box', 'ROOT/result.json'],
    ['in the drop box of another invocation', 'BOX/../other/result.json'],
    ['the drop box itself', 'BOX'],
    ['relative', '.bailiwick/out/result.json'],
  ])('PL-5 WP-2 is refused with an output %s', async (_, path) => {
    const scene = await makeScene();
    const usual = await plan(scene, await writePrompt(scene, 'implementer'));
    const box = usual.jobs[0]?.dropBoxPath ?? '';
    const result = path.replace('BOX', box).replace('ROOT', scene.manifest.projectRoot);
    const promptPath = await writePrompt(scene, 'implementer', {
      edit: (text) => text.replace(/^\*\*Result Path:.*$/m, `**Result Path:** ${result}`),
    });
    expect(await codeOf(() => plan(scene, promptPath))).toBe('OUTPUT_OUTSIDE_DROP_BOX');
  });

  it('PL-5 TR-4 is refused with one file for both outputs', async () => {
    const same = (text: string) =>
      text.replace(
        /^\*\*Worker Result Path:.*$/m,
        (/^\*\*Result Path:.*$/m.exec(text)?.[0] ?? '').replace('**R', '**Worker R'),
      );
    expect(await refusal({ edit: same })).toBe('PROMPT_INVALID');
  });

  it('PL-5 is refused where it is larger than its agent CLI takes', async () => {
    const large = `> ${'x'.repeat(1_000)}\n`.repeat(12_000);
    expect(await refusal({ edit: (text) => text + large })).toBe('PROMPT_TOO_LARGE');
  });

  it('ID-2 is refused with metadata of a later attempt', async () => {
    expect(await refusal({ metadata: { attempt: 2 } })).toBe('ATTEMPT_NOT_FIRST');
  });

  it('ID-1 is refused with metadata of generation v1, which nobody could audit', async () => {
    const scene = await makeScene();
    const promptPath = await writePrompt(scene, 'implementer');
    const v1 = {
      schemaVersion: 1,
      invocationId: 'i-1',
      audience: 'implementation-executor',
      assignmentRef: 'implementer',
      assignment: { hostModelValue: null },
      dispatchKind: 'initial',
      inputDigest: digestOfBytes('x'),
      workerId: 'implementer',
    };
    await writeFile(metadataPathOf(promptPath), JSON.stringify(v1));
    expect(await codeOf(() => plan(scene, promptPath))).toBe('GENERATION_UNAUDITED');
  });

  it.each([
    ['role execution', { roleExecutionRef: parseRoleExecutionRef('role.nobody') }, 'ROLE_EXECUTION_UNKNOWN'],
    ['participant', { participantRef: parseParticipantRef('participant.verifier-1') }, 'PARTICIPANT_DISAGREES'],
    ['label', { executionLabel: parseExecutionLabel('somebody') }, 'LABEL_DISAGREES'],
    ['audience', { audience: 'implementation-verifier' }, 'AUDIENCE_ROLE_DISAGREES'],
  ] as const)('ID-3 ID-10 is refused where its %s is not the manifest’s', async (_, metadata, code) => {
    expect(await refusal({ metadata })).toBe(code);
  });

  it('AR-5 is refused for a role execution that no model is bound to', async () => {
    const scene = await makeScene();
    const promptPath = await writePrompt(scene, 'implementer');
    const roleExecutions = scene.manifest.roleExecutions.map((row) => ({
      ...row,
      modelRef: null,
      modelId: null,
      modelSpecDigest: null,
      binding: null,
    }));
    const manifest = { ...scene.manifest, roleExecutions };
    const error = await errorOf(() => plan({ ...scene, manifest }, promptPath));
    expect(error).toMatchObject({ code: 'RUNNER_NOT_DISPATCHED', message: expect.stringContaining('implementer') });
  });

  it('AR-5 is refused, by name, for a runner that is no cli-wrapper', async () => {
    const scene = await makeScene();
    const promptPath = await writePrompt(scene, 'implementer');
    const roleExecutions = scene.manifest.roleExecutions.map((row) => ({
      ...row,
      binding: row.binding === null ? null : { ...row.binding, runner: 'host-native' as const },
    }));
    const manifest = { ...scene.manifest, roleExecutions };
    const error = await errorOf(() => plan({ ...scene, manifest }, promptPath));
    expect(error).toMatchObject({ code: 'RUNNER_NOT_DISPATCHED', message: expect.stringContaining('host-native') });
  });
});
