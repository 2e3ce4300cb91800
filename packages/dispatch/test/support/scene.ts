import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createUnsignedSealer } from '@bailiwick/attempt-evidence';
import type { WorkerBackend } from '@bailiwick/backend-contract';
import {
  type BackendKind,
  createRun,
  type DispatchRecord,
  layoutOfRun,
  type RoleExecution,
  type RunManifest,
  readAllRecords,
  readLeadEvents,
  type SupervisedJob,
} from '@bailiwick/dispatch-state';
import { digestOfBytes, writeDocument } from '@bailiwick/durable-files';
import {
  audienceOfRole,
  invocationIdOf,
  metadataCodec,
  metadataPathOf,
  type PromptMetadataV2,
  parseDutyId,
  parseInvocationRef,
} from '@bailiwick/execution-identity';
import { buildPlan, type DispatchContext, type DispatchPlan, dropBoxOf } from '../../src/index.ts';
import { createFakeBackend } from './fake-backend.ts';
import { ENVIRONMENT, POOL, sampleManifest } from './sample-manifest.ts';
import { tempFolder } from './temp-folder.ts';

/** A run on the real disk, in a folder without git, with one source file. */
export interface Scene {
  readonly context: DispatchContext;
  readonly manifest: RunManifest;
  readonly sourcePath: string;
}

export interface SceneOptions {
  readonly backend?: WorkerBackend;
  readonly manifest?: Partial<RunManifest>;
  readonly context?: Partial<DispatchContext>;
}

export async function makeScene(o: SceneOptions = {}): Promise<Scene> {
  const base = tempFolder();
  const projectRoot = join(base, 'shop');
  const stateRoot = join(base, 'state');
  await mkdir(join(projectRoot, 'src'), { recursive: true });
  const sourcePath = join(projectRoot, 'src', 'cart.js');
  await writeFile(sourcePath, 'export const total = 1;\n');
  const manifest = sampleManifest(projectRoot, stateRoot, o.manifest);
  const layout = layoutOfRun(stateRoot, manifest.runId);
  await createRun(layout, manifest);
  const backend = o.backend ?? createFakeBackend();
  const context: DispatchContext = {
    layout,
    manifest,
    stateRoot,
    gitCommonDirectory: null,
    backends: new Map([[backend.kind, backend]]),
    pool: POOL,
    environment: ENVIRONMENT,
    commands: {},
    agentEnvironment: {},
    runtimeFolder: null,
    maxConcurrent: 4,
    maxLogBytes: 1_000_000,
    guardedFiles: [],
    now: () => new Date(),
    sealer: async () => createUnsignedSealer({ reason: 'no worker of a test is confined' }),
    postProcess: async () => ({ ok: true, steps: ['read-report'], reason: '' }),
    onProgress: () => undefined,
    ...o.context,
  };
  return { context, manifest, sourcePath };
}

export interface PromptOptions {
  readonly ordinal?: number;
  readonly metadata?: Partial<PromptMetadataV2>;
  /** Makes the prompt's text from the usual one. */
  readonly edit?: (text: string) => string;
}

/** Writes the prompt of a worker's first invocation, with its metadata, and gives its path. */
export async function writePrompt({ manifest, context }: Scene, label: string, o: PromptOptions = {}): Promise<string> {
  const execution = executionOf(manifest, label);
  const invocationRef = parseInvocationRef(`${manifest.runId}.${label}.${o.ordinal ?? 1}`);
  const box = dropBoxOf(manifest.projectRoot, invocationRef);
  const usual = [
    `**Role:** ${execution.role}`,
    '**Task:** Fix the cart',
    `**Model:** ${execution.modelRef}`,
    `**Result Path:** ${join(box, execution.role === 'report-writer' ? 'report.md' : 'result.json')}`,
    `**Worker Result Path:** ${join(box, 'worker-result.md')}`,
    '',
    '> # Fix the cart',
    '',
  ].join('\n');
  const text = (o.edit ?? ((same: string) => same))(usual);
  const promptPath = join(context.layout.promptsFolder, `${label}.${o.ordinal ?? 1}.md`);
  await writeFile(promptPath, text);
  const metadata: PromptMetadataV2 = {
    generation: 'v2',
    schemaVersion: '2.0',
    executionIdentityVersion: 2,
    invocationId: invocationIdOf(invocationRef, 1),
    audience: audienceOfRole(execution.role),
    assignmentRef: label,
    assignment: { hostModelValue: null },
    dispatchKind: execution.role === 'report-writer' ? 'report' : 'initial',
    inputDigest: digestOfBytes(text),
    participantRef: execution.participantRef,
    roleExecutionRef: execution.roleExecutionRef,
    invocationRef,
    executionLabel: execution.executionLabel,
    dutyId: parseDutyId('duty'),
    attempt: 1,
    ...o.metadata,
  };
  await writeDocument(metadataPathOf(promptPath), metadataCodec, metadata);
  return promptPath;
}

/** A plan for workers whose prompts are written first. */
export async function planFor(
  scene: Scene,
  labels: readonly string[],
  backend: BackendKind = 'cli-wrapper',
): Promise<DispatchPlan> {
  const requests = [];
  for (const label of labels) requests.push({ promptPath: await writePrompt(scene, label), backend });
  return buildPlan({ manifest: scene.manifest, requests, backends: scene.context.backends });
}

/** Leaves in its drop box all that a worker owes. */
export async function handIn(job: SupervisedJob): Promise<void> {
  await mkdir(job.dropBoxPath, { recursive: true });
  await writeFile(join(job.dropBoxPath, 'result.json'), '{"schemaVersion":"1.0","implementation":{"summary":"done"}}');
  await writeFile(join(job.dropBoxPath, 'report.md'), '# Report\n');
  await writeFile(join(job.dropBoxPath, 'worker-result.md'), 'done\n');
}

/** What an agent prints goes to its log. */
export async function printToLog(job: SupervisedJob, text: string): Promise<void> {
  await mkdir(dirname(job.logPath), { recursive: true });
  await writeFile(job.logPath, text);
}

/** The run's records by label and attempt. */
export async function recordsOf({ context }: Scene): Promise<ReadonlyMap<string, DispatchRecord>> {
  const records = await readAllRecords(context.layout);
  return new Map(records.map((record) => [`${record.executionLabel} ${record.attempt}`, record]));
}

/** The run's events as `label attempt type`, in the order of appending. */
export async function eventsOf({ context }: Scene): Promise<readonly string[]> {
  const { events } = await readLeadEvents(context.layout.eventLogPath);
  return events.map(({ type, details }) => `${details.executionLabel} ${details.attempt} ${type}`);
}

function executionOf(manifest: RunManifest, label: string): RoleExecution {
  const found = manifest.roleExecutions.find((row) => row.executionLabel === label);
  if (found === undefined) throw new Error(`the sample run has no ${label}`);
  return found;
}
