import { isRefusal } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { CURRENCY } from '../core/inputs.js';
import { amountsAboveZero, BESIDE_OTHER_FAULTS, defineOperation } from '../core/operation.js';
import { bookFx } from './book-fx.js';
import { BOOK_FX_INPUT, needsAnAmount } from './book-fx-command.js';

/** Converts between the default accounts of two currencies. Refuses as bookFx does. */
export const bookFxByCurrency = defineOperation({
  input: BOOK_FX_INPUT.extend({ sellCurrency: CURRENCY, buyCurrency: CURRENCY })
    .superRefine(needsAnAmount, BESIDE_OTHER_FAULTS)
    .superRefine(amountsAboveZero('sellAmount', 'buyAmount'), BESIDE_OTHER_FAULTS),
  right: 'trade',
  grows: true,
  async execute(services, caller, input) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    return bookFx(services, client, input);
  },
});
