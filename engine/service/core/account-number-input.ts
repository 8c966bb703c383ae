import { z } from 'zod';

const AN_ACCOUNT = { error: 'an account number' };

/** Any whole number: one that is no account number is nobody's account. */
export const ACCOUNT_NUMBER = z.number(AN_ACCOUNT).int(AN_ACCOUNT).nonnegative(AN_ACCOUNT);
