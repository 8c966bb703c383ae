import { isRefusal } from '../../domain/refusal.js';
import { clientOf } from '../core/caller.js';
import { ACCOUNT_NUMBER, CURRENCY } from '../core/inputs.js';
import { amountsAboveZero, BESIDE_OTHER_FAULTS, defineOperation } from '../core/operation.js';
import { bookFx } from './book-fx.js';
import { BOOK_FX_INPUT, needsAnAmount } from './book-fx-command.js';

/**
 * Converts between two accounts of the caller. A currency that is given must be its account's; an account that is left out is the
 * default one of the currency given in its place. Refuses as bookFx does.
 */
export const bookFxByAccount = defineOperation({
  input: BOOK_FX_INPUT.extend({
    sellAccount: ACCOUNT_NUMBER.optional(),
    buyAccount: ACCOUNT_NUMBER.optional(),
    sellCurrency: CURRENCY.optional(),
    buyCurrency: CURRENCY.optional(),
  })
    .superRefine(needsAnAmount, BESIDE_OTHER_FAULTS)
    .superRefine((input, context) => {
      for (const side of ['sell', 'buy'] as const) {
        if (input[`${side}Account`] !== undefined || input[`${side}Currency`] !== undefined) continue;
        context.addIssue({ code: 'custom', path: [`${side}Account`], message: 'required', input: undefined });
      }
    }, BESIDE_OTHER_FAULTS)
    .superRefine(amountsAboveZero('sellAmount', 'buyAmount'), BESIDE_OTHER_FAULTS),
  right: 'trade',
  grows: true,
  async execute(services, caller, input) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const leg = async (number: number | undefined, currency: string | undefined) => {
      const account = number === undefined ? undefined : String(number);
      if (account === undefined || currency !== undefined) return [account, currency] as const;
      return [account, await services.store.accounts.currencyOf(client, account)] as const;
    };
    const [sellAccount, sellCurrency] = await leg(input.sellAccount, input.sellCurrency);
    const [buyAccount, buyCurrency] = await leg(input.buyAccount, input.buyCurrency);
    return bookFx(services, client, { ...input, sellAccount, buyAccount, sellCurrency, buyCurrency });
  },
});
