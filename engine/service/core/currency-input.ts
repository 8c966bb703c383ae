import type { z } from 'zod';
import { isAccountCurrency, isCurrency } from '../../domain/currency.js';
import { patternText } from './text-input.js';

const CODE = 'one code of three upper-case letters';

const CURRENCY_CODE = patternText(/^[A-Z]{3}$/, 3, CODE);
const NOT_OFFERED: z.core.$ZodCustomParams = { error: ({ input }) => `${input} is not offered` };

/** A currency that is converted here, by its exact upper-case code. */
export const CURRENCY = CURRENCY_CODE.refine(isCurrency, NOT_OFFERED);

/** A currency that is held and paid here, whether or not it is converted too. */
export const ACCOUNT_CURRENCY = CURRENCY_CODE.refine(isAccountCurrency, NOT_OFFERED);
