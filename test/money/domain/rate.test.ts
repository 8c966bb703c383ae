import { describe, expect, test } from 'vitest';
import { type Pair, pairBySymbol } from '../../../engine/domain/money/pair.js';
import {
  agreedConversionRate,
  clientBid,
  clientOffer,
  jsonNumber,
  scaledFromText,
} from '../../../engine/domain/money/rate.js';

describe('the rate of a conversion', () => {
  test.each([
    // sell   buy    bid        offer      ppm   provider's       client's        margin value     side
    ['EUR', 'USD', '1.08158', '1.08164', 2500, '1.08158', '1.078876', '0.002704', 'bid'],
    ['USD', 'EUR', '1.08158', '1.08164', 2500, '0.9245220221', '0.9222106977', '0.0023113244', 'offer'],
    ['USD', 'JPY', '151.234', '151.241', 0, '151.234', '151.234', '0', 'bid'],
    ['JPY', 'USD', '151.234', '151.241', 3500, '0.006611963687', '0.006588821932', '0.000023141755', 'offer'],
  ])('%s to %s', (sell, buy, bid, offer, marginPpm, providerRate, clientRate, marginValue, side) => {
    const pair = (pairBySymbol(`${sell}/${buy}`) ?? pairBySymbol(`${buy}/${sell}`)) as Pair;
    const providerBid = scaledFromText(bid, pair.priceDigits, 'down');
    const providerOffer = scaledFromText(offer, pair.priceDigits, 'up');
    const [price, providerPrice] =
      sell === pair.base
        ? [clientBid(providerBid, marginPpm), providerBid]
        : [clientOffer(providerOffer, marginPpm), providerOffer];
    expect(agreedConversionRate({ pair: pair.symbol, sellCurrency: sell, price, providerPrice })).toEqual({
      providerRate,
      clientRate,
      marginValue,
      side,
    });
  });

  test.each([
    // pair     sell   price       provider's   provider's rate   client's rate   margin value      side
    ['EUR/USD', 'EUR', '1.078876', '1.08158', '1.08158', '1.078876', '0.002704', 'bid'],
    ['EUR/USD', 'USD', '1.0843509', '1.08164', '0.9245220221', '0.9222106977', '0.0023113244', 'offer'],
    ['USD/JPY', 'JPY', '151.77220', '151.241', '0.006611963687', '0.006588821932', '0.000023141755', 'offer'],
    ['EUR/USD', 'EUR', '1.08158', '1.08158', '1.08158', '1.08158', '0', 'bid'],
  ])('agreed on %s, %s sold at %s, is shown as it was', (symbol, sellCurrency, client, provider, ...shown) => {
    const { priceDigits } = pairBySymbol(symbol) as Pair;
    const scaled = (text: string) => scaledFromText(text, priceDigits, 'down');
    const agreed = { pair: symbol, sellCurrency, price: scaled(client), providerPrice: scaled(provider) };
    const [providerRate, clientRate, marginValue, side] = shown;
    expect(agreedConversionRate(agreed)).toEqual({ providerRate, clientRate, marginValue, side });
  });

  test('no agreed rate for an unknown pair or without a price', () => {
    const agreed = { pair: 'EUR/USD', sellCurrency: 'EUR', price: 1, providerPrice: 1 };
    for (const wrong of [{ pair: 'USD/EUR' }, { price: 0 }, { providerPrice: 0 }, { price: Number.NaN }])
      expect(() => agreedConversionRate({ ...agreed, ...wrong })).toThrow('no agreed rate');
  });
});

describe('a JSON number', () => {
  test.each(['0', '1.078876', '0.006611963687', '0.0000005', '24691.3580247', '999999999999.999'])(
    '%s keeps its digits',
    (text) => {
      expect(JSON.parse(JSON.stringify(jsonNumber(text)))).toBe(Number(text));
    },
  );

  test('keeps every digit', () => {
    expect(() => jsonNumber('0.12345678901234567891')).toThrow('does not fit a JSON number');
  });
});
