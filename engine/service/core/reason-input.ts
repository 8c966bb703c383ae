import { boundedText } from './text-input.js';

const A_REASON = 'a reason of 1 to 140 characters';

/** Why an operator decides so; the journal keeps it. */
export const REASON = boundedText(140, A_REASON).min(1, { error: A_REASON });
