const MS_PER_DAY = 24 * 60 * 60 * 1000;

/** How many nights lie between arrival and departure. */
export function countNights(stay) {
  return (Date.parse(stay.departure) - Date.parse(stay.arrival)) / MS_PER_DAY;
}

/** Whether two stays need the same night. */
export function overlaps(one, other) {
  return one.arrival < other.departure && other.arrival <= one.departure;
}

/** The days on whose evening the guest is there. */
export function nightsOf(stay) {
  const first = Date.parse(stay.arrival);
  return Array.from({ length: countNights(stay) }, (_, index) => {
    return new Date(first + index * MS_PER_DAY).toISOString().slice(0, 10);
  });
}
