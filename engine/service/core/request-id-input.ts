import { z } from 'zod';
import { ID_MAX } from '../../domain/text.js';
import { REQUEST_ID as FORM } from '../../store/keys/ledger-keys.js';

/** The client's own id of a request: the same id is the same command. */
export const REQUEST_ID = z
  .string({ error: 'a text' })
  .regex(FORM, { error: '1 to 64 of A-Z a-z 0-9 _ . -, beginning with a letter or digit' })
  .meta({ maxLength: ID_MAX });
