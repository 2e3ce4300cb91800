import { countNights, nightsOf } from './nights.js';

const WEEKEND_SURCHARGE_CENTS = 1500;
const LONG_STAY_NIGHTS = 7;
const LONG_STAY_DISCOUNT = 0.1;

/** What a stay costs in cents: weekend nights cost more, stays of a week or longer get a discount. */
export function priceOfStay(stay, centsPerNight) {
  const surcharges = nightsOf(stay).filter(isWeekendNight).length * WEEKEND_SURCHARGE_CENTS;
  const full = countNights(stay) * centsPerNight + surcharges;
  return countNights(stay) >= LONG_STAY_NIGHTS ? Math.round(full * (1 - LONG_STAY_DISCOUNT)) : full;
}

function isWeekendNight(day) {
  const weekday = new Date(day).getUTCDay();
  return weekday === 5 || weekday === 6;
}
