import { countNights, overlaps } from './nights.js';

/** Takes a booking when its room is free for every night of it; gives back what was decided and why. */
export function book(bookings, wanted) {
  if (countNights(wanted) < 1) return { taken: false, reason: 'a stay has at least one night', bookings };
  const clash = bookings.find((known) => known.room === wanted.room && overlaps(wanted, known));
  if (clash !== undefined) return { taken: false, reason: `taken by ${clash.guest}`, bookings };
  return { taken: true, bookings: [...bookings, wanted] };
}

/** The rooms that are free for the whole stay, in the order given. */
export function freeRooms(rooms, bookings, stay) {
  return rooms.filter((room) => !bookings.some((known) => known.room === room && overlaps(known, stay)));
}
