import { digestOfBytes } from '@bailiwick/durable-files';
import {
  type IdentityManifest,
  metadataCodec,
  type PromptMetadataV1,
  type PromptMetadataV2,
  parseExecutionLabel,
  parseParticipantRef,
  parseRoleExecutionRef,
  parseWorkerId,
  type Reservation,
  Role,
  reservationCodec,
} from '../src/index.ts';

export const PROMPT = '# Implement it\n\n**Role:** implementer\r\nno newline at the end';

/** A manifest of an implementer, a verifier and a translator, each with its participant and worker. */
export const manifest: IdentityManifest = {
  participants: ['claude', 'codex', 'gemini'].map((provider) => ({
    participantRef: parseParticipantRef(`p-${provider}`),
    workerId: parseWorkerId(`${provider}-worker`),
    provider,
  })),
  roleExecutions: [
    roleExecution('re-implementer-1', 'p-claude', Role.implementer),
    roleExecution('re-verifier-1', 'p-codex', Role.verifier),
    roleExecution('re-translator-1', 'p-gemini', Role.translator),
  ],
};

/** v2 metadata of the implementer, with these fields changed; must be valid. */
export function metadataV2(changed: Readonly<Record<string, unknown>> = {}): PromptMetadataV2 {
  const metadata = metadataCodec.decode({ ...documentV2, ...changed }, 'a sample');
  if (metadata.generation !== 'v2') throw new Error('the sample is of v2');
  return metadata;
}

export function metadataV1(): PromptMetadataV1 {
  const { invocationId, audience, assignmentRef, assignment, dispatchKind, inputDigest } = documentV2;
  const document = { schemaVersion: 1, invocationId, audience, assignmentRef, assignment, dispatchKind, inputDigest };
  const metadata = metadataCodec.decode(document, 'a sample');
  if (metadata.generation !== 'v1') throw new Error('the sample is of v1');
  return metadata;
}

/** v2 metadata of the translator, and the reservation that agrees with it. */
export function translatorMetadata(changed: Readonly<Record<string, unknown>> = {}): PromptMetadataV2 {
  return metadataV2({ ...translatorIdentity, executionLabel: 'Label of re-translator-1', ...changed });
}

export function reservation(changed: Readonly<Record<string, unknown>> = {}): Reservation {
  return reservationCodec.decode({ ...reservationDocument, ...changed }, 'a sample');
}

export const documentV2 = {
  schemaVersion: '2.0',
  executionIdentityVersion: 2,
  invocationId: 'inv-1~1',
  audience: 'implementation-executor',
  assignmentRef: 'executor',
  assignment: { hostModelValue: 'opus', modelRef: 'claude/opus' },
  dispatchKind: 'initial',
  inputDigest: digestOfBytes(PROMPT),
  participantRef: 'p-claude',
  roleExecutionRef: 're-implementer-1',
  invocationRef: 'inv-1',
  executionLabel: 'Label of re-implementer-1',
  dutyId: 'implement',
  attempt: 1,
};

const translatorIdentity = {
  invocationId: 'inv-tr~1',
  audience: 'translator',
  assignmentRef: 'translator',
  dispatchKind: 'translator',
  participantRef: 'p-gemini',
  roleExecutionRef: 're-translator-1',
  invocationRef: 'inv-tr',
  dutyId: 'translator',
};

export const reservationDocument = {
  schemaVersion: '2.0',
  executionIdentityVersion: 2,
  ...translatorIdentity,
  attempt: 1,
  promptPath: 'prompts/translate.md',
  metadataPath: 'prompts/translate.md.meta.json',
};

function roleExecution(ref: string, participant: string, role: Role): IdentityManifest['roleExecutions'][number] {
  return {
    roleExecutionRef: parseRoleExecutionRef(ref),
    participantRef: parseParticipantRef(participant),
    executionLabel: parseExecutionLabel(`Label of ${ref}`),
    role,
    ordinal: 1,
  };
}
