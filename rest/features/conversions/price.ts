/** GET /api/v1/bookfx/{confirmation_id}/price: why the rate of a conversion was what it was. */

import { z } from 'zod';
import { Decimal } from '../../../engine/domain/money/decimal.js';
import { formatMargin } from '../../../engine/domain/money/money.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { agreedConversionRate, jsonNumber } from '../../../engine/domain/money/rate.js';
import { PRICE_WAYS } from '../../../engine/domain/prices/price-proof.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import type { Reference } from '../../openapi/reference.js';
import type { Route } from '../routes.js';
import { currencyField, numberField, textField } from '../shapes.js';

const PRICE_RESPONSE = z
  .strictObject({
    confirmation_id: textField('Id of the conversion', 'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ'),
    sell_currency: currencyField('Currency that was sold', 'EUR'),
    buy_currency: currencyField('Currency that was bought', 'USD'),
    fx_rate: numberField('Rate of the provider: units of the bought currency for one of the sold', 1.08431),
    instarem_fx_rate: numberField('Rate of the client', 1.0832257),
    margin_percent: numberField('Margin of the client, percent, in all its parts', 0.1),
    margin_value: numberField('Distance between the two rates', 0.0010843),
    mid_rate: numberField(
      'Mid of the provider’s best prices at that moment; absent where it is not known',
      1.08432,
    ).optional(),
    age_ms: numberField(
      'Age of the oldest quote of the price, when it was made; of a streamed price when it was booked.',
      42,
    ),
    source: z
      .enum(PRICE_WAYS)
      .describe('market: the price of the moment; streamed, quote: one that a desk had been sent')
      .meta({ examples: ['market'] }),
    fx_hold_id: textField('The hold whose price it is, else empty', ''),
    providers: z
      .array(textField('Name of a provider', 'LP-1'))
      .describe('Providers of the price, of a cross those of both legs; empty where they are not disclosed')
      .meta({ examples: [['LP-1']] }),
  })
  .meta({ id: 'BookFxPrice', description: 'Why the rate of a conversion was what it was' });

const PRICE_REFERENCE: Reference = {
  tag: 'Book FX',
  summary: 'Read why a rate was what it was',
  description:
    'The provider’s rate, the mid and the age of the price of a conversion of the client, with the margin, as they were when it was booked; later corrections do not change them. It is stored with the booking, and covered by the hash of the record.',
  example: { confirmation_id: 'BFX01KAGQ3V8S7M2Y5T9D4N6W1RZ' },
  fields: { confirmation_id: 'Id returned by the booking' },
};

const SHOWN_DIGITS = 10;

function priceBody({ booking, proof, mid, providers }: OutputOf<'readPrice'>): z.infer<typeof PRICE_RESPONSE> {
  const { providerRate, clientRate, marginValue } = agreedConversionRate(booking);
  const sellsBase = booking.sellCurrency === pairBySymbol(booking.pair)?.base;
  const midRate = mid && (sellsBase ? mid : new Decimal(1).div(mid).toSignificantDigits(SHOWN_DIGITS));
  return {
    confirmation_id: booking.id,
    sell_currency: booking.sellCurrency,
    buy_currency: booking.buyCurrency,
    fx_rate: jsonNumber(providerRate),
    instarem_fx_rate: jsonNumber(clientRate),
    margin_percent: Number(formatMargin(booking.marginPpm)),
    margin_value: jsonNumber(marginValue),
    ...(midRate && { mid_rate: midRate.toNumber() }),
    age_ms: proof.ageMs,
    source: proof.way,
    fx_hold_id: booking.holdId,
    providers: [...providers],
  };
}

export const PRICE_ROUTES = {
  readPrice: {
    method: 'get',
    path: '/api/v1/bookfx/:confirmation_id/price',
    limit: 'reads',
    input: ({ params }) => ({ confirmationId: params.confirmation_id }),
    response: PRICE_RESPONSE,
    reference: PRICE_REFERENCE,
    body: priceBody,
    names: { confirmationId: 'confirmation_id' },
  } satisfies Route<'readPrice'>,
};
