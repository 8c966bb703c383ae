/** Every booking and every hold stores why its price is what it is, in the step that writes it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Booking, BookingFacts, Hold } from '../../../engine/domain/conversions/booking.js';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { type Pair, pairBySymbol } from '../../../engine/domain/money/pair.js';
import {
  hitsBid,
  PROOF_BYTES,
  type PriceProof,
  priceProof,
  recomputePrice,
} from '../../../engine/domain/prices/price-proof.js';
import type { Services } from '../../../engine/service/core/services.js';
import { perform } from '../../../engine/service/perform.js';
import type { Client } from '../../../engine/store/access/clients.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { bookingFactsText, storedBooking } from '../../../engine/store/ledger/records.js';
import { random } from '../../domain/random.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';

let on: PaymentRig;
let acme: Client;
let requests = 0;
beforeAll(async () => {
  on = await startPayments();
  acme = await on.client('acme', { EUR: '9000000.00', USD: '9000000.00', JPY: '900000000' });
  const { book } = on.services;
  const other = book.registerProvider('OTHER');
  book.origin.isKnown = true;
  book.origin.bid.id.set(Buffer.from('B-1'), 0, 3);
  book.origin.offer.id.set(Buffer.from('O-1'), 0, 3);
  const { index } = pairBySymbol('EUR/USD')!;
  book.tick(other, index, 10_815_700, 10_816_500, 0, 0, 1_763_625_600_000_001, 0);
});
afterAll(() => on.stop());

async function must<T extends object>(answer: Promise<T>): Promise<Exclude<T, { refusal: unknown }>> {
  const given = await answer;
  if (isRefusal(given as never)) throw new Error(JSON.stringify(given));
  return given as Exclude<T, { refusal: unknown }>;
}

async function book(input: object, services: Services = on.services): Promise<Booking> {
  const order = { requestId: `proof-${++requests}`, description: 'proof', ...input };
  const booked = await must(perform(services, 'bookFxByCurrency', on.caller(acme.id), order as never));
  return (await on.services.store.bookings.read(acme, booked.booking.id))!;
}

type Proved = Pick<
  BookingFacts,
  'pair' | 'sellCurrency' | 'buyCurrency' | 'price' | 'providerPrice' | 'marginPpm' | 'proof'
>;

function proofOf(of: Proved): { readonly proof: PriceProof; readonly pair: Pair; readonly isBid: boolean } {
  const pair = pairBySymbol(of.pair)!;
  const isBid = hitsBid(of);
  expect(Buffer.byteLength(of.proof)).toBeLessThanOrEqual(PROOF_BYTES);
  const proof = priceProof(of.proof, pair, isBid);
  expect(recomputePrice(pair, isBid, proof)).toEqual({
    providerPrice: of.providerPrice,
    marginPpm: of.marginPpm,
    price: of.price,
  });
  return { proof, pair, isBid };
}

const legsOf = ({ legs }: PriceProof) =>
  legs.map(({ pair, isBid, provider, quoteId, price, runnerUp }) =>
    [pair.symbol, isBid ? 'bid' : 'offer', provider, quoteId, price, runnerUp?.provider, runnerUp?.price].join(' '),
  );

describe('a booking stores', () => {
  test('the quote, the runner-up, the rule and the process of a market price', async () => {
    const booking = await book({ sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 1_000.5 });
    const { proof } = proofOf(booking);
    expect(legsOf(proof)).toEqual(['EUR/USD bid test  10815800 OTHER 10815700']);
    expect(proof).toMatchObject({
      way: 'market',
      levels: 1,
      ageMs: 0,
      size: 1_000.5,
      isMost: false,
      scope: { client: false, pair: true, type: false, above: 0 },
      rulePpm: 2_500,
      addOnPpm: 0,
      priceDigits: 7,
      engine: on.services.store.engineId.slice(0, 8),
    });
  });

  test('both legs of a cross', async () => {
    const { proof } = proofOf(await book({ sellCurrency: 'JPY', buyCurrency: 'EUR', sellAmount: 100_000 }));
    expect(legsOf(proof)).toEqual(['EUR/USD offer test  10816400 OTHER 10816500', 'USD/JPY offer test  15124100  ']);
  });

  test('of a hold that of the hold, in its own direction, with what its period adds', async () => {
    for (const [sellCurrency, buyCurrency, side] of [
      ['EUR', 'USD', 'bid'],
      ['USD', 'EUR', 'offer'],
    ] as const) {
      const wanted = { sellCurrency: 'EUR', buyCurrency: 'USD', holdPeriod: '1_hour', sellAmount: 1_000, twoWay: true };
      const { rateSignature } = await must(on.as(acme, 'getLockableRate', wanted));
      const { hold } = await must(on.as(acme, 'lockRate', { rateSignature }));
      const held = (await on.services.store.holds.read(acme, hold.id)) as Hold;
      expect(legsOf(proofOf(held).proof)).toEqual(['EUR/USD bid test  10815800 OTHER 10815700']);
      const turned = { ...held, ...held.opposite!, sellCurrency: 'USD', buyCurrency: 'EUR' };
      expect(legsOf(proofOf(turned).proof)).toEqual(['EUR/USD offer test  10816400 OTHER 10816500']);
      // The market moves on: the hold's price and proof do not.
      on.tick('EUR/USD', '1.08160', '1.08166');
      const amount = side === 'bid' ? { sellAmount: 1_000 } : { buyAmount: 1_000 };
      const booking = await book({ sellCurrency, buyCurrency, holdId: hold.id, ...amount });
      on.tick('EUR/USD', '1.08158', '1.08164');
      expect(booking.proof).toBe(side === 'bid' ? held.proof : held.opposite!.proof);
      expect(proofOf(booking).proof).toMatchObject({ rulePpm: 2_500, addOnPpm: 200 });
    }
  });

  test('of a payment that of each of its conversions', async () => {
    for (const { number, currency } of await on.services.store.accounts.balances(acme))
      if (currency === 'USD')
        await must(on.ask('changeAccount', { accountNumber: number, autoBookFxSequence: 1 } as never));
    const usd = (await on.services.store.accounts.balances(acme)).find(({ currency }) => currency === 'USD')!;
    const paid = await on.pay(acme, 'Anna Schmidt', { sourceAccount: usd.number });
    expect(paid.bookingIds).toHaveLength(1);
    const booking = (await on.services.store.bookings.read(acme, paid.bookingIds[0]!))!;
    expect(booking.paymentId).toBe(paid.id);
    expect(legsOf(proofOf(booking).proof)).toEqual(['EUR/USD offer test  10816400 OTHER 10816500']);
  });

  test('what is under the hash of its facts: an altered proof is found', async () => {
    const booking = await book({ sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 10 });
    expect(await on.differences()).toEqual([]);
    const { bookings } = ledgerKeys(acme);
    const { redis } = on.keyspace;
    const [member] = await redis.zrange(bookings, `[${booking.id}|`, `(${booking.id}}`, 'BYLEX');
    const altered = member!.replace(booking.proof, booking.proof.replace('OTHER', 'OTTER'));
    expect(altered).not.toBe(member);
    await redis.zrem(bookings, member!);
    await redis.zadd(bookings, 0, altered);
    expect(await on.differences()).not.toEqual([]);
    await redis.zrem(bookings, altered);
    await redis.zadd(bookings, 0, member!);
    expect(await on.differences()).toEqual([]);
  });
});

test(`a proof adds ${PROOF_BYTES} bytes or fewer to a booking in the store's memory`, async () => {
  const next = random(5);
  const whole = (end: number) => Math.floor(next() * end);
  const { book: rates } = on.services;
  const far = rates.registerProvider('LP-LONDON-1');
  const { redis } = on.keyspace;
  const { bookings } = ledgerKeys(acme);
  const before = await redis.zcard(bookings);
  const currencies = ['EUR', 'USD', 'JPY'];
  for (let i = 0; i < 400; i++) {
    for (const [symbol, low] of [
      ['EUR/USD', 10_815_800],
      ['USD/JPY', 15_123_400],
    ] as const) {
      const id = Buffer.from(`Q-20261120-${String(whole(1e9)).padStart(9, '0')}`);
      rates.origin.isKnown = true;
      rates.origin.bid.id.set(id, 0, id.length);
      rates.origin.offer.id.set(id, 0, id.length);
      const bid = low + whole(60);
      const { index } = pairBySymbol(symbol)!;
      rates.tick(far, index, bid, bid + 300 + whole(90), 0, 0, 1_763_625_600_000_000 + i * 1_000_003, 0);
    }
    const sell = currencies[whole(3)]!;
    const buy = currencies.filter((currency) => currency !== sell)[whole(2)]!;
    await book({
      sellCurrency: sell,
      buyCurrency: buy,
      sellAmount: sell === 'JPY' ? 10_000 + whole(1e6) : 100 + whole(1e4),
    });
  }
  const members = (await redis.zrange(bookings, String(before), '-1')).map(
    (member) => [member, storedBooking(member)] as const,
  );
  expect(members).toHaveLength(400);
  const bytesOf = async (key: string, kept: readonly string[]) => {
    for (const member of kept) await redis.zadd(key, 0, member);
    return Number(await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'));
  };
  const stored = members.map(([member]) => member);
  const bare = members.map(([member, { booking, facts }]) =>
    member.replace(facts, bookingFactsText({ ...booking, proof: '' })),
  );
  const [withProof, without] = [await bytesOf('{x}:with', stored), await bytesOf('{x}:without', bare)];
  const written = stored.reduce((sum, member, i) => sum + member.length - bare[i]!.length, 0);
  expect(written / 400).toBeLessThanOrEqual(PROOF_BYTES);
  expect((withProof - without) / 400).toBeLessThanOrEqual(PROOF_BYTES);
  for (const [, { booking }] of members) proofOf(booking);
  await redis.del('{x}:with', '{x}:without');
});
