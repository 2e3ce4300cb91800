import type { DocumentCodec, JsonValue } from '@bailiwick/durable-files';
import type { PromptMetadata } from '../metadata/model.ts';
import type { Reservation } from '../reservation/model.ts';
import { brandMetadataV1, brandMetadataV2, brandReservation } from './brand.ts';
import { decodeDocument, requireDocument } from './decode-document.ts';
import { generationOf } from './generation.ts';
import { PromptMetadataV1Document, PromptMetadataV2Document } from './prompt-metadata.ts';
import { ReservationV2Document } from './reservation.ts';

/**
 * Reads and writes `<prompt>.meta.json` of both generations. `decode` throws IdentityError: NOT_AN_OBJECT,
 * GENERATIONS_MIXED, NEWER_VERSION, FIELD_MISSING, FIELD_UNKNOWN or the code of the wrong field, with every finding's
 * JSON pointer in `issues`. `encode` refuses, in the same way, what `decode` would not take back.
 */
export const metadataCodec: DocumentCodec<PromptMetadata> = {
  name: 'prompt metadata',
  version: '2.0',
  decode: decodeMetadata,
  encode: encodeMetadata,
};

/** Reads and writes a reservation; throws as metadataCodec does. */
export const reservationCodec: DocumentCodec<Reservation> = {
  name: 'reservation',
  version: '2.0',
  decode: decodeReservation,
  encode: (reservation) => ({ ...decodeReservation(reservation, 'a reservation to be written') }),
};

function decodeMetadata(value: unknown, where: string): PromptMetadata {
  const document = requireDocument(value, where);
  return generationOf(document, where) === 'v1'
    ? brandMetadataV1(decodeDocument(PromptMetadataV1Document, document, where))
    : brandMetadataV2(decodeDocument(PromptMetadataV2Document, document, where));
}

function encodeMetadata(metadata: PromptMetadata): JsonValue {
  const { generation: _, ...document } = metadata;
  const { generation: __, ...checked } = decodeMetadata(document, 'metadata to be written');
  return { ...checked, assignment: { ...checked.assignment } };
}

function decodeReservation(value: unknown, where: string): Reservation {
  const document = requireDocument(value, where);
  generationOf(document, where);
  return brandReservation(decodeDocument(ReservationV2Document, document, where));
}
