/** How a change of a conversion looks: in the answer to the command, in the list of changes, and in the conversion itself. */
import { z } from 'zod';
import { asAmended, isChange, paysOn } from '../../../engine/domain/conversions/amendment.js';
import type { AgreedRate, Booking } from '../../../engine/domain/conversions/booking.js';
import {
  type Amendment,
  CHANGE_KINDS,
  type Reversal,
  STATUS_AFTER,
} from '../../../engine/domain/conversions/booking.js';
import { formatMargin, minorToNumber } from '../../../engine/domain/money/money.js';
import { agreedConversionRate, jsonNumber } from '../../../engine/domain/money/rate.js';
import type { BookingChange } from '../../../engine/service/conversions/index.js';
import { choiceField, currencyField, dateField, isoDate, numberField, textField, utc, utcField } from '../shapes.js';

const DUE = ['charge', 'gain', 'none'] as const;

/** What a quote and the change that is made of it have in common. */
export const TERMS = {
  confirmation_id: textField('Id of the conversion', 'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ'),
  type: choiceField(CHANGE_KINDS, 'Which change', 'cancel'),
  kind: choiceField(DUE, 'Whether the client is charged, gains, or neither', 'charge'),
  amount: numberField('The charge or the gain, 0 or more', 3.18),
  currency: currencyField('Its currency: that of the account sold from', 'EUR'),
  fx_rate: numberField(
    'Rate of the provider that the amount comes from: of a cancellation units of the sold currency for one of the bought, the opposite deal',
    0.9221,
  ),
  instarem_fx_rate: numberField('The same of the client, with the margin', 0.92118),
  margin_percent: numberField('Margin of the client in it, percent', 0.1),
  pays_on: textField(
    'The date on which a gain is paid, or margins of the cancellation are posted: the later of the booked and the present value date; empty: nothing',
    '2026-11-24',
  ),
  settlement_date: dateField('Value date after the change; of a cancellation the one that it had', '2026-11-24'),
};

const CHILD = {
  sell_amount: numberField('What it sells', 600),
  buy_amount: numberField('What it buys', 649.93),
};

export const PARTS = z
  .array(z.strictObject(CHILD))
  .describe('Of a split: the conversions that it makes; else empty')
  .meta({ examples: [[]] });

export const CHANGE_SHAPE = z
  .strictObject({
    ...TERMS,
    request_id: textField('The client’s id of the request', 'change-2026-11-20-1'),
    reason: textField('The client’s own words; empty without', 'the order was withdrawn'),
    status: choiceField(Object.values(STATUS_AFTER), 'Status of the conversion right after the change', 'CANCELLED'),
    receivable_amount: numberField('Part of a charge that the account did not have, and that is owed', 0),
    children: z
      .array(
        z.strictObject({
          confirmation_id: textField('Id of the conversion', 'BFX01KAGQ41B2C3D4E5F6G7H8J9K'),
          ...CHILD,
        }),
      )
      .describe('Of a split: the conversions that it has made; else empty')
      .meta({ examples: [[]] }),
    created_at: utcField('When it was made'),
  })
  .meta({ id: 'ConversionChange', description: 'A change of a conversion by its client' });

/** `before` is the conversion before the change, of which the quote or the change has these terms. */
export function termsBody(
  type: Amendment['kind'],
  before: Booking,
  { reversal, date }: { readonly reversal?: Reversal | undefined; readonly date?: Amendment['date'] },
) {
  const rate: Pick<AgreedRate, 'pair' | 'sellCurrency' | 'price' | 'providerPrice' | 'marginPpm'> = reversal
    ? { ...reversal, pair: before.pair, sellCurrency: before.buyCurrency }
    : before;
  const { providerRate, clientRate } = agreedConversionRate(rate);
  const minor = BigInt(reversal?.amount ?? '0');
  const kind = minor === 0n ? 'none' : reversal?.kind === 'charge' ? 'charge' : 'gain';
  return {
    confirmation_id: before.id,
    type: type as (typeof CHANGE_KINDS)[number],
    kind: kind as (typeof DUE)[number],
    amount: minorToNumber(minor, before.sellCurrency),
    currency: before.sellCurrency,
    fx_rate: jsonNumber(providerRate),
    instarem_fx_rate: jsonNumber(clientRate),
    margin_percent: Number(formatMargin(rate.marginPpm)),
    pays_on: paysOn(reversal) && isoDate(paysOn(reversal)),
    settlement_date: isoDate(date?.valueDate ?? before.valueDate),
  };
}

export const amountsBody = (
  { sellCurrency, buyCurrency }: Booking,
  { sell, buy }: { readonly sell: string; readonly buy: string },
) => ({
  sell_amount: minorToNumber(BigInt(sell), sellCurrency),
  buy_amount: minorToNumber(BigInt(buy), buyCurrency),
});

export function changeBody({ change, before }: Omit<BookingChange, 'booking'>): z.infer<typeof CHANGE_SHAPE> {
  const terms = termsBody(change.kind, before, change);
  return {
    ...terms,
    request_id: change.id,
    reason: change.reason ?? '',
    status: STATUS_AFTER[terms.type],
    receivable_amount: minorToNumber(BigInt(change.receivable ?? '0'), before.sellCurrency),
    children: (change.children ?? []).map((child) => ({ confirmation_id: child.id, ...amountsBody(before, child) })),
    created_at: utc(change.atMs),
  };
}

/** Those by the client alone. `booking` has its amendments, whatever its terms are. */
export function changesOf(booking: Booking): z.infer<typeof CHANGE_SHAPE>[] {
  return (booking.amendments ?? []).flatMap((change, i) =>
    isChange(change) ? [changeBody({ change, before: asAmended(booking, i) })] : [],
  );
}
