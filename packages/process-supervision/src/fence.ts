/** In the environment of every process of an attempt: its dispatch id. What carries another one is never touched. */
export const FENCE_VARIABLE = 'BAILIWICK_DISPATCH_ID';

/**
 * Which of the supervisor's places the attempt runs in, from 1 to `maxConcurrent`: a worker may derive ports from it.
 */
export const SLOT_VARIABLE = 'BAILIWICK_SLOT';
