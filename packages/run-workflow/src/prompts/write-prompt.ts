import { join } from 'node:path';
import { dropBoxOf, saveSchemaExcerpt } from '@bailiwick/dispatch';
import {
  findParticipant,
  type RoleExecution,
  type RunLayout,
  type RunManifest,
  workTreeOf,
} from '@bailiwick/dispatch-state';
import {
  digestOfBytes,
  encodeFileName,
  readDocument,
  readTextFile,
  writeDocument,
  writeTextFile,
} from '@bailiwick/durable-files';
import {
  audienceOfRole,
  type DispatchKind,
  type InvocationRef,
  invocationIdOf,
  metadataCodec,
  metadataPathOf,
  type PromptMetadataV2,
  parseDutyId,
  parseInvocationRef,
  Role,
} from '@bailiwick/execution-identity';
import { parseTask } from '../task/read-task.ts';
import { OWED, promptText } from './prompt-text.ts';

/** Whose prompt, for which of their invocations. */
export interface PromptRequest {
  readonly execution: RoleExecution;
  /** 1 for the first invocation of a duty; each recovery is one more. */
  readonly ordinal: number;
  readonly dossier: string;
  /** What a translator translates into. */
  readonly language?: string | undefined;
  /** A report's prompt follows what was handed in for as long as nobody has claimed its invocation. */
  readonly isUnclaimed?: boolean;
  /** Where a prompt is made that isn't there yet; absent: in the run. A dry run names a throw-away folder. */
  readonly folder?: string | undefined;
}

/** The file a prompt lies at; its invocation's ref is part of the name. */
function promptPathOf(folder: string, invocationRef: InvocationRef): string {
  return join(folder, `${encodeFileName(invocationRef)}.md`);
}

/** The n-th invocation of a role execution's duty in a run. */
export function invocationRefOf(manifest: RunManifest, execution: RoleExecution, ordinal: number): InvocationRef {
  return parseInvocationRef(`${manifest.runId}.${execution.executionLabel}.${ordinal}`);
}

/**
 * Writes prompt and metadata of one invocation where they aren't there yet, or no longer say what they have to, and gives the
 * prompt's path.
 */
export async function writePrompt(layout: RunLayout, manifest: RunManifest, request: PromptRequest): Promise<string> {
  const invocationRef = invocationRefOf(manifest, request.execution, request.ordinal);
  const stored = promptPathOf(layout.promptsFolder, invocationRef);
  const metadata = await readDocument(metadataPathOf(stored), metadataCodec);
  if (metadata !== undefined && request.isUnclaimed !== true) return stored;
  const text = await textOf(manifest, request, invocationRef);
  if (metadata?.generation === 'v2' && metadata.inputDigest === digestOfBytes(text)) return stored;
  const promptPath = promptPathOf(request.folder ?? layout.promptsFolder, invocationRef);
  await writeTextFile(promptPath, text);
  const { role } = request.execution;
  await saveSchemaExcerpt(promptPath, role, OWED[role]);
  const made = metadataOf(manifest, request, { invocationRef, text });
  await writeDocument(metadataPathOf(promptPath), metadataCodec, made);
  return promptPath;
}

async function textOf(manifest: RunManifest, request: PromptRequest, invocationRef: InvocationRef): Promise<string> {
  const taskText = (await readTextFile(manifest.taskPath)) ?? '';
  const { role, modelRef } = request.execution;
  const box = dropBoxOf(manifest.projectRoot, invocationRef);
  return promptText({
    role,
    title: parseTask(taskText).title,
    taskText,
    modelRef: modelRef ?? 'unbound',
    resultPath: join(box, RESULT_NAMES[role]),
    workerResultPath: join(box, 'worker-result.md'),
    workTree: workTreeOf(manifest),
    plannedPaths: manifest.plan.paths,
    mayCommit: manifest.git === 'commit',
    dossier: request.dossier,
    language: request.language ?? null,
  });
}

const RESULT_NAMES: Readonly<Record<Role, string>> = {
  implementer: 'result.json',
  verifier: 'result.json',
  analyst: 'result.json',
  'report-writer': 'report.md',
  translator: 'report.md',
};

function metadataOf(
  manifest: RunManifest,
  { execution }: PromptRequest,
  made: { readonly invocationRef: InvocationRef; readonly text: string },
): PromptMetadataV2 {
  const workerId = findParticipant(manifest, execution.participantRef)?.workerId ?? execution.executionLabel;
  return {
    generation: 'v2',
    schemaVersion: '2.0',
    executionIdentityVersion: 2,
    invocationId: invocationIdOf(made.invocationRef, 1),
    audience: audienceOfRole(execution.role),
    assignmentRef: workerId,
    assignment: { hostModelValue: execution.binding?.hostModelValue ?? null },
    dispatchKind: kindOf(execution.role),
    inputDigest: digestOfBytes(made.text),
    participantRef: execution.participantRef,
    roleExecutionRef: execution.roleExecutionRef,
    invocationRef: made.invocationRef,
    executionLabel: execution.executionLabel,
    dutyId: parseDutyId(DUTY_IDS[execution.role]),
    attempt: 1,
  };
}

const DUTY_IDS: Readonly<Record<Role, string>> = {
  implementer: 'implement',
  verifier: 'verify',
  analyst: 'analyse',
  'report-writer': 'report',
  translator: 'translator',
};

function kindOf(role: Role): DispatchKind {
  if (role === Role.reportWriter) return 'report';
  return role === Role.translator ? 'translator' : 'initial';
}
