import { normalize } from 'node:path';
import { IdentityError, IdentityErrorCode } from '../errors.ts';
import { metadataPathOf } from '../metadata/metadata-file.ts';
import type { PromptMetadata } from '../metadata/model.ts';
import { show } from '../show.ts';
import type { Reservation } from './model.ts';

const TRANSLATOR = 'translator';
const TRANSLATOR_FIELDS = ['audience', 'assignmentRef', 'dutyId', 'dispatchKind'] as const;
const SHARED_FIELDS = [
  'schemaVersion',
  'executionIdentityVersion',
  'invocationId',
  'assignmentRef',
  'audience',
  'dispatchKind',
  'invocationRef',
  'participantRef',
  'roleExecutionRef',
  'dutyId',
  'attempt',
] as const satisfies readonly (keyof Reservation)[];

/**
 * A translator's reservation and the metadata that it points to say the same (TR-3). Throws, in this order,
 * RESERVATION_METADATA_V1, RESERVATION_NOT_BESIDE_PROMPT, RESERVATION_DISAGREES (the first shared field that differs),
 * RESERVATION_NOT_TRANSLATOR (audience, assignment, duty or kind).
 */
export function checkReservation(reservation: Reservation, metadata: PromptMetadata): void {
  const named = `reservation of ${reservation.invocationId}`;
  if (metadata.generation === 'v1') {
    const message = `${named}: its metadata is of the first generation, which a reservation can't name`;
    throw new IdentityError(IdentityErrorCode.reservationMetadataV1, message, { field: 'schemaVersion' });
  }
  requireBesidePrompt(reservation, named);
  const differing = SHARED_FIELDS.find((field) => reservation[field] !== metadata[field]);
  if (differing !== undefined) {
    const message = `${named}: ${differing} is ${show(reservation[differing])}, but its metadata has ${show(metadata[differing])}`;
    throw new IdentityError(IdentityErrorCode.reservationDisagrees, message, { field: differing });
  }
  const foreign = TRANSLATOR_FIELDS.find((field) => reservation[field] !== TRANSLATOR);
  if (foreign === undefined) return;
  const message = `${named}: ${foreign} is ${show(reservation[foreign])}, not "${TRANSLATOR}"`;
  throw new IdentityError(IdentityErrorCode.reservationNotTranslator, message, { field: foreign });
}

function requireBesidePrompt(reservation: Reservation, named: string): void {
  const expected = metadataPathOf(reservation.promptPath);
  if (normalize(reservation.metadataPath) === normalize(expected)) return;
  const message = `${named}: metadataPath is ${show(reservation.metadataPath)}, but the metadata of its prompt is ${show(expected)}`;
  const fields = { field: 'metadataPath', path: reservation.metadataPath };
  throw new IdentityError(IdentityErrorCode.reservationNotBesidePrompt, message, fields);
}
