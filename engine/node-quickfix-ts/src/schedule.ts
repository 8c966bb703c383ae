import type { Schedule } from './types.js';

/** Open at every moment, one period for ever. */
export const ALWAYS_OPEN: Schedule = { isOpen: () => true, periodStart: () => 0 };
