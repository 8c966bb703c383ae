import { z } from 'zod';
import { BOOK_FX_TYPES, DEFAULT_BOOK_FX_TYPE } from '../../domain/book-fx-type.js';
import { refuse } from '../../domain/refusal.js';
import { RIGHTS } from '../../domain/rights.js';
import { boundedText, CLIENT_ID } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import { clientAudited } from './client-audited.js';

const A_NAME = '1 to 140 characters';
export const CLIENT_NAME = boundedText(140, A_NAME).min(1, { error: A_NAME });

/** A new client, without keys or margins. Refuses with CLIENT_EXISTS. */
export const createClient = defineOpenOperation({
  input: z.object({
    id: CLIENT_ID,
    name: CLIENT_NAME,
    defaultType: z.enum(BOOK_FX_TYPES).default(DEFAULT_BOOK_FX_TYPE),
    rights: z
      .array(z.enum(RIGHTS))
      .min(1)
      .default([...RIGHTS]),
  }),
  audited: clientAudited('id'),
  async execute({ store }, _operator, input) {
    return (await store.clients.create(input)) ?? refuse('CLIENT_EXISTS');
  },
});
