import { IdentityError, IdentityErrorCode, isIdentityError } from '../errors.ts';
import { buildDispatchId } from '../ids/dispatch-id.ts';
import type { DispatchId, ParticipantRef, RoleExecutionRef } from '../ids/ids.ts';
import { show } from '../show.ts';
import { reservationCodec } from '../wire/index.ts';
import type { Reservation } from './model.ts';

/** A JSON file of the reservation root, read but not yet judged. */
export interface ReservationFile {
  /** Absolute. */
  readonly path: string;
  /** Parsed JSON of any shape. */
  readonly value: unknown;
}

/** Whose reservation is looked for, and which dispatch ids are already used. */
export interface WantedReservation {
  /** The translator's participant. */
  readonly participantRef: ParticipantRef;
  /** The canonical translator's role execution (TR-1). */
  readonly roleExecutionRef: RoleExecutionRef;
  /** Whether an attempt of that id has a record; asked once per file. */
  readonly isDispatched: (id: DispatchId) => boolean;
}

/** The reservation to dispatch from, and the dispatch id that consumes it once it is claimed. */
export interface SelectedReservation {
  /** Of its file, absolute. */
  readonly path: string;
  /** What the file says. */
  readonly reservation: Reservation;
  /** Of `invocationId` and `attempt`. */
  readonly dispatchId: DispatchId;
}

/**
 * The one file that qualifies (TR-2): exactly the keys of a v2 reservation, the wanted participant and role execution,
 * a dispatch id that hasn't been dispatched. Others are passed over. Throws RESERVATION_NONE, which says why each was
 * passed over, or RESERVATION_SEVERAL, which names the files.
 */
export function selectReservation(files: readonly ReservationFile[], wanted: WantedReservation): SelectedReservation {
  const judged = files.map((file) => judge(file, wanted));
  const qualifying = judged.filter((one) => one.kind === 'qualifies').map((one) => one.selected);
  const [selected] = qualifying;
  if (selected !== undefined && qualifying.length === 1) return selected;
  const named = `role execution ${show(wanted.roleExecutionRef)}`;
  if (selected === undefined) {
    const passedOver = judged.filter((one) => one.kind === 'passed-over').map((one) => one.why);
    const because = passedOver.length === 0 ? 'there is no reservation file' : passedOver.join('; ');
    const hint = 'make a new reservation: each is consumed once';
    throw new IdentityError(IdentityErrorCode.reservationNone, `no reservation for ${named}: ${because}`, { hint });
  }
  const paths = qualifying.map((one) => one.path).join(', ');
  const hint = 'keep the one that is meant, move the others away';
  throw new IdentityError(IdentityErrorCode.reservationSeveral, `several reservations for ${named}: ${paths}`, {
    hint,
  });
}

type Judged =
  | { readonly kind: 'qualifies'; readonly selected: SelectedReservation }
  | { readonly kind: 'passed-over'; readonly why: string };

function judge(file: ReservationFile, wanted: WantedReservation): Judged {
  const reservation = decodeOrWhy(file);
  if (typeof reservation === 'string') return passedOver(reservation);
  for (const key of ['participantRef', 'roleExecutionRef'] as const) {
    if (reservation[key] !== wanted[key]) return passedOver(`${file.path}: names ${key} ${show(reservation[key])}`);
  }
  const dispatchId = buildDispatchId(reservation.invocationId, reservation.attempt);
  if (wanted.isDispatched(dispatchId)) return passedOver(`${file.path}: ${dispatchId} has been dispatched`);
  return { kind: 'qualifies', selected: { path: file.path, reservation, dispatchId } };
}

function passedOver(why: string): Judged {
  return { kind: 'passed-over', why };
}

function decodeOrWhy(file: ReservationFile): Reservation | string {
  try {
    return reservationCodec.decode(file.value, file.path);
  } catch (error) {
    if (isIdentityError(error)) return error.message;
    throw error;
  }
}
