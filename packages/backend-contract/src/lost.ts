/**
 * The `by` of a stop that only ends what a dead supervisor has left behind. A backend then writes no terminal sidecar,
 * so that the attempt settles as lost (AW-4) and not as stopped by somebody. The caller holds the batch's launch and live
 * locks, which proves that no owner is left; the backend takes neither.
 */
export const STOPPED_AS_LOST = 'lost';
