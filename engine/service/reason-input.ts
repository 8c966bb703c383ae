import { z } from 'zod';

const A_REASON = { error: 'a reason of 1 to 140 characters, no control characters' };

/** Why an operator decides so; the journal keeps it. */
export const REASON = z.string(A_REASON).regex(/^[^\p{Cc}\p{Cs}]{1,140}$/u, A_REASON);
