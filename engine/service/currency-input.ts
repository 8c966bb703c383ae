import { z } from 'zod';
import { isCurrency } from '../domain/currency.js';

const CODE = { error: 'one code of three upper-case letters' };

/** A currency that is offered, by its exact upper-case code. */
export const CURRENCY = z
  .string(CODE)
  .regex(/^[A-Z]{3}$/, { ...CODE, abort: true })
  .refine(isCurrency, { error: ({ input }) => `${input} is not offered` });
