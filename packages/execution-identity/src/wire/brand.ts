import { parseDigest } from '@bailiwick/durable-files';
import type { z } from 'zod';
import { parseDispatchKind } from '../dispatch-kind.ts';
import {
  parseDutyId,
  parseExecutionLabel,
  parseInvocationId,
  parseInvocationRef,
  parseParticipantRef,
  parseRoleExecutionRef,
  parseWorkerId,
} from '../ids/ids.ts';
import type { PromptAssignment, PromptMetadataV1, PromptMetadataV2 } from '../metadata/model.ts';
import type { Reservation } from '../reservation/model.ts';
import type { PromptMetadataV1Document, PromptMetadataV2Document } from './prompt-metadata.ts';
import type { ReservationV2Document } from './reservation.ts';

type CommonDocument = Pick<
  z.output<typeof PromptMetadataV2Document>,
  'invocationId' | 'audience' | 'assignmentRef' | 'assignment' | 'dispatchKind' | 'inputDigest'
>;

/** Documents that have passed their schema, as domain types: every id goes through the parser that brands it. */
export function brandMetadataV1(document: z.output<typeof PromptMetadataV1Document>): PromptMetadataV1 {
  const { workerId } = document;
  return {
    generation: 'v1',
    schemaVersion: 1,
    ...brandCommon(document),
    ...(workerId === undefined ? {} : { workerId: parseWorkerId(workerId) }),
  };
}

export function brandMetadataV2(document: z.output<typeof PromptMetadataV2Document>): PromptMetadataV2 {
  return {
    generation: 'v2',
    schemaVersion: '2.0',
    executionIdentityVersion: 2,
    ...brandCommon(document),
    ...brandRefs(document),
    executionLabel: parseExecutionLabel(document.executionLabel),
  };
}

export function brandReservation(document: z.output<typeof ReservationV2Document>): Reservation {
  const { invocationId, dispatchKind, ...rest } = document;
  return {
    ...rest,
    invocationId: parseInvocationId(invocationId),
    dispatchKind: parseDispatchKind(dispatchKind),
    ...brandRefs(document),
  };
}

function brandCommon(document: CommonDocument) {
  return {
    invocationId: parseInvocationId(document.invocationId),
    audience: document.audience,
    assignmentRef: document.assignmentRef,
    assignment: withoutUndefined(document.assignment),
    dispatchKind: parseDispatchKind(document.dispatchKind),
    inputDigest: parseDigest(document.inputDigest),
  };
}

function brandRefs(
  document: Pick<
    z.output<typeof ReservationV2Document>,
    'participantRef' | 'roleExecutionRef' | 'invocationRef' | 'dutyId' | 'attempt'
  >,
) {
  return {
    participantRef: parseParticipantRef(document.participantRef),
    roleExecutionRef: parseRoleExecutionRef(document.roleExecutionRef),
    invocationRef: parseInvocationRef(document.invocationRef),
    dutyId: parseDutyId(document.dutyId),
    attempt: document.attempt,
  };
}

function withoutUndefined(assignment: CommonDocument['assignment']): PromptAssignment {
  const { hostModelValue, modelRef, provider, runner, modelExecutionValue } = assignment;
  return {
    hostModelValue,
    ...(modelRef === undefined ? {} : { modelRef }),
    ...(provider === undefined ? {} : { provider }),
    ...(runner === undefined ? {} : { runner }),
    ...(modelExecutionValue === undefined ? {} : { modelExecutionValue }),
  };
}
