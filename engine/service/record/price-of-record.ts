/** Why the price of a conversion or a hold was what it was: for its client what concerns it, for the operator all of it, computed again. */
import { z } from 'zod';
import { type AgreedRate, type Booking, holdSelling } from '../../domain/conversions/booking.js';
import { isRefusal, refuse } from '../../domain/core/refusal.js';
import { convert } from '../../domain/money/conversion.js';
import { type Decimal, decimalFromScaled } from '../../domain/money/decimal.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import { hitsBid, mid2Of, type PriceProof, priceProof, recomputePrice } from '../../domain/prices/price-proof.js';
import type { HeldRate } from '../../store/conversions/holds.js';
import { ID } from '../core/inputs.js';
import { defineFind } from '../core/lists.js';
import { defineOpenOperation } from '../core/operation.js';
import { everyClient } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';

/** A conversion's price as its client may know it: that of its booking, whatever was corrected since. */
export interface ClientPrice {
  readonly booking: Booking;
  readonly proof: PriceProof;
  /** Of the provider's best prices at that moment, market convention; undefined: not known. */
  readonly mid: Decimal | undefined;
  /** Names of the providers of its legs; empty where they are not disclosed. */
  readonly providers: readonly string[];
}

/** The price of a conversion of the caller. Refuses with NOT_FOUND. */
export const readPrice = defineFind({
  input: z.object({ confirmationId: ID }),
  missing: refuse('NOT_FOUND', 'No such conversion of yours: check the confirmation id'),
  async find(services, client, { confirmationId }): Promise<ClientPrice | undefined> {
    const booking = await services.store.bookings.read(client, confirmationId);
    return booking && clientPriceOf(booking, services.settings.disclosesProviders ?? false);
  },
});

/** The same of a booking that was read. */
export function clientPriceOf(booking: Booking, disclosesProviders: boolean): ClientPrice {
  const proof = proofOf(booking);
  const pair = pairBySymbol(booking.pair)!;
  const mid2 = mid2Of(pair, hitsBid(booking), proof);
  return {
    booking,
    proof,
    mid: mid2 === undefined ? undefined : decimalFromScaled(mid2, pair.priceDigits).div(2),
    providers: disclosesProviders ? [...new Set(proof.legs.map(({ provider }) => provider))] : [],
  };
}

const proofOf = (rate: AgreedRate): PriceProof => priceProof(rate.proof, pairBySymbol(rate.pair)!, hitsBid(rate));

/** A value of a record, and what it is when it is computed again; undefined: the proof does not have what it is computed from. */
export interface Recomputed {
  readonly what: 'provider price' | 'margin' | 'client price' | 'sold' | 'bought' | 'margin in money';
  /** Scaled prices, parts per million and minor units, as digits. */
  readonly stored: string;
  readonly recomputed: string | undefined;
}

export interface ExplainedRate {
  readonly rate: AgreedRate;
  readonly proof: PriceProof;
  readonly values: readonly Recomputed[];
}

export interface ExplainedPrice {
  readonly clientId: string;
  readonly id: string;
  /** The conversion, of which the terms are those of its booking; or the hold. */
  readonly booking?: Booking | undefined;
  readonly hold?: HeldRate | undefined;
  /** One, of a two-way hold two. */
  readonly rates: readonly ExplainedRate[];
  /** Every value that could be computed again is the stored one. */
  readonly agrees: boolean;
}

/**
 * A conversion or a hold of any client by its id, with its price computed again from its proof to the last digit. Without a client all are
 * searched. Refuses with UNKNOWN_CLIENT, NOT_FOUND.
 */
export const explainPrice = defineOpenOperation({
  input: z.object({ id: ID, clientId: ID.optional() }),
  async execute(services, _operator, { id, clientId }) {
    const { store } = services;
    const missing = refuse(
      'NOT_FOUND',
      'No conversion and no hold has this id: a hold is kept for 7 days after its end',
    );
    if (clientId !== undefined) {
      const client = await store.clients.get(clientId);
      if (client === undefined) return refuse('UNKNOWN_CLIENT');
      return (await explained(services, client, id)) ?? missing;
    }
    const asked: Promise<ExplainedPrice | undefined>[] = [];
    for await (const client of everyClient(services)) {
      asked.push(explained(services, client, id));
      if (asked.length < AT_ONCE) continue;
      const found = (await Promise.all(asked.splice(0))).find((one) => one !== undefined);
      if (found) return found;
    }
    return (await Promise.all(asked)).find((one) => one !== undefined) ?? missing;
  },
});

/** Clients that are searched at once. */
const AT_ONCE = 200;

type Of = Parameters<Services['store']['bookings']['read']>[0];

async function explained({ store }: Services, client: Of, id: string): Promise<ExplainedPrice | undefined> {
  const of = { clientId: client.id, id };
  const booking = await store.bookings.read(client, id);
  if (booking) return { ...of, booking, ...ratesOf([explainedRate(booking, booking)]) };
  const hold = await store.holds.read(client, id);
  if (hold === undefined) return undefined;
  const turned = hold.opposite && holdSelling(hold, hold.buyCurrency);
  return { ...of, hold, ...ratesOf([hold, ...(turned ? [turned] : [])].map((rate) => explainedRate(rate))) };
}

function ratesOf(rates: readonly ExplainedRate[]): Pick<ExplainedPrice, 'rates' | 'agrees'> {
  const agrees = rates.every(({ values }) => values.every((one) => (one.recomputed ?? one.stored) === one.stored));
  return { rates, agrees };
}

function explainedRate(rate: AgreedRate, booking?: Booking): ExplainedRate {
  const pair = pairBySymbol(rate.pair)!;
  const proof = proofOf(rate);
  const { providerPrice, marginPpm, price } = rate;
  const again = recomputePrice(pair, hitsBid(rate), proof, providerPrice);
  const values: Recomputed[] = [
    { what: 'provider price', stored: String(providerPrice), recomputed: textOf(again.providerPrice) },
    { what: 'margin', stored: String(marginPpm), recomputed: textOf(again.marginPpm) },
    { what: 'client price', stored: String(price), recomputed: textOf(again.price) },
  ];
  if (booking === undefined) return { rate, proof, values };
  const { dealt, sell, buy, margin, parentId } = booking;
  // The amounts of a child are parts of those of the conversion that was split.
  if (parentId !== undefined) return { rate, proof, values: [...values, ...partsOf(booking)] };
  const conversion = convert({
    pair,
    sell: rate.sellCurrency,
    price: again.price ?? price,
    providerPrice: again.providerPrice ?? providerPrice,
    amount: { side: dealt, minor: BigInt(dealt === 'sell' ? sell : buy) },
  });
  const { sellMinor, buyMinor, marginMinor } = isRefusal(conversion)
    ? { sellMinor: undefined, buyMinor: undefined, marginMinor: undefined }
    : conversion;
  values.push(
    { what: 'sold', stored: sell, recomputed: textOf(sellMinor) },
    { what: 'bought', stored: buy, recomputed: textOf(buyMinor) },
    { what: 'margin in money', stored: margin, recomputed: textOf(marginMinor) },
  );
  return { rate, proof, values };
}

const partsOf = ({ sell, buy, margin }: Booking): Recomputed[] => [
  { what: 'sold', stored: sell, recomputed: undefined },
  { what: 'bought', stored: buy, recomputed: undefined },
  { what: 'margin in money', stored: margin, recomputed: undefined },
];

const textOf = (value: number | bigint | undefined): string | undefined =>
  value === undefined ? undefined : String(value);
