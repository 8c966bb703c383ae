/** An operator busts or corrects a conversion: the journal reverses what was moved, and the desk gets a report. */
import { z } from 'zod';
import { asAmended, CORRECTIONS_MAX, isBusted } from '../../domain/conversions/amendment.js';
import type { Booking, Terms } from '../../domain/conversions/booking.js';
import { isRefusal, type Refusal, refuse, refuseField } from '../../domain/core/refusal.js';
import { baseMinorOf, checkDealtSize, convert } from '../../domain/money/conversion.js';
import { formatMinor, formatScaled, parsePositive } from '../../domain/money/money.js';
import { type Pair, pairBySymbol } from '../../domain/money/pair.js';
import { MAX_SCALED, scaledFromText, WHOLE_PPM } from '../../domain/money/rate.js';
import type { Client } from '../../store/access/clients.js';
import type { NewAmendment } from '../../store/conversions/amendments.js';
import { insufficientBalance } from '../core/booking-refusal.js';
import { newId } from '../core/ids.js';
import { boundedText, CLIENT_ID, ID, REASON, REQUEST_ID } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';
import { clientsOf, DEACTIVATED } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';

const NAMED = z.object({
  /** Absent: every client is looked at. */
  clientId: CLIENT_ID.optional(),
  confirmationId: ID,
  reason: REASON,
  /** The operator's own id of the request, one of the client: repeated, it changes nothing. */
  requestId: REQUEST_ID.optional(),
});
type Named = z.infer<typeof NAMED>;

interface OfClient {
  readonly client: Client;
  readonly booking: Booking;
}

/** Refuses with UNKNOWN_CLIENT, NOT_FOUND. */
export async function findConversion(
  services: Services,
  { clientId, confirmationId }: Omit<Named, 'reason'>,
): Promise<OfClient | Refusal> {
  const clients = await clientsOf(services, clientId);
  if (isRefusal(clients)) return clients;
  for await (const client of clients) {
    const booking = await services.store.bookings.read(client, confirmationId);
    if (booking !== undefined) return { client, booking };
  }
  return refuse('NOT_FOUND', `No such conversion${clientId ? ` of ${clientId}` : ''}: check the confirmation id`);
}

export const AUDITED_CONVERSION: Audited<Named> = {
  subject: ({ clientId, confirmationId }) =>
    `conversion ${confirmationId}${clientId === undefined ? '' : ` of client ${clientId}`}`,
  async state(services, named) {
    const found = await findConversion(services, named);
    if (isRefusal(found)) return found;
    const booking = asAmended(found.booking);
    const { status, sell, sellCurrency, buy, buyCurrency } = booking;
    return {
      clientId: found.client.id,
      status,
      amendments: booking.amendments?.length ?? 0,
      rate: formatScaled(booking.price, pairBySymbol(booking.pair)!.priceDigits),
      sold: `${formatMinor(BigInt(sell), sellCurrency)} ${sellCurrency}`,
      bought: `${formatMinor(BigInt(buy), buyCurrency)} ${buyCurrency}`,
    };
  },
  made: 'amendmentId',
};

/**
 * Undoes a conversion: every move that it has made is reversed, and one that has not settled ends. Refuses with UNKNOWN_CLIENT, NOT_FOUND,
 * REQUEST_ID_REUSED, WRONG_STATE, REQUEST_ID_REUSED (of another conversion of the client, or of an adjustment), ACCOUNT_INACTIVE,
 * INSUFFICIENT_BALANCE, BALANCE_LIMIT.
 */
export const bustBooking = defineOpenOperation({
  input: NAMED,
  audited: AUDITED_CONVERSION,
  execute: (services, _operator, named) => bustConversion(services, named, 'operator'),
});

/** Refuses as `bustBooking` does. */
export const bustConversion = (services: Services, named: Named, actor: string) =>
  amend(services, named, actor, 'bust', () => undefined);

const DECIMAL = boundedText(32);

/**
 * Gives a conversion another rate, another amount, or both. What it moved is reversed, and moved anew; one that has not settled settles with the
 * new terms, whatever the client's limit of scheduled sells. Refuses with UNKNOWN_CLIENT,
 * NOT_FOUND, REQUEST_ID_REUSED, WRONG_STATE, VALIDATION_FAILED (no rate), BAD_MARGIN (better than the provider's rate), BAD_AMOUNT,
 * AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT, WRONG_STATE (it has these terms), REQUEST_ID_REUSED (as of a bust), ACCOUNT_INACTIVE, INSUFFICIENT_BALANCE, BALANCE_LIMIT.
 */
export const correctBooking = defineOpenOperation({
  input: NAMED.extend({
    /** The client's and the provider's rate, decimal text in market convention; absent: as it is. */
    rate: DECIMAL.optional(),
    providerRate: DECIMAL.optional(),
    /** Decimal text in units of the currency in which the client gave the amount; absent: as it is. */
    amount: DECIMAL.optional(),
  }).refine(({ rate, providerRate, amount }) => (rate ?? providerRate ?? amount) !== undefined, {
    path: ['rate'],
    error: 'a correction needs a rate or an amount',
  }),
  audited: AUDITED_CONVERSION,
  execute: (services, _operator, { rate, providerRate, amount, ...named }) =>
    amend(services, named, 'operator', 'correct', (booking) => correctedTerms(booking, { rate, providerRate, amount })),
});

/** Of a sandbox: a rate that is worse for the client by a hundredth. Refuses as `correctBooking` does. */
export const correctForWorse = (services: Services, named: Named, actor: string) =>
  amend(services, named, actor, 'correct', (booking) => {
    const pair = pairBySymbol(booking.pair)!;
    const isBid = booking.sellCurrency === pair.base;
    const hundredth = Number((BigInt(booking.price) + 99n) / 100n);
    const price = isBid ? booking.price - hundredth : booking.price + hundredth;
    return correctedTerms(booking, { rate: formatScaled(price, pair.priceDigits) });
  });

/** How often the conversion is read again when it has changed between reading and the step. */
const READS_MAX = 5;

async function amend(
  services: Services,
  named: Named,
  actor: string,
  kind: NewAmendment['kind'],
  termsOf: (booking: Booking) => Terms | Refusal | undefined,
) {
  const { reason } = named;
  for (let reads = 1; ; reads++) {
    const found = await findConversion(services, named);
    if (isRefusal(found)) return found;
    const { client, booking } = found;
    const id = named.requestId ?? newId('AMD', services.now());
    const shown = (of: Booking, replayed: boolean) => ({
      clientId: client.id,
      booking: asAmended(of),
      amendmentId: id,
      replayed,
    });
    const before = booking.amendments?.findIndex((amendment) => amendment.id === id) ?? -1;
    if (before >= 0) return isSame(booking, before, kind, termsOf) ? shown(booking, true) : REUSED;
    const wrong = refuseByState(booking, kind);
    if (wrong) return wrong;
    const terms = termsOf(asAmended(booking));
    if (isRefusal(terms)) return terms;
    if (terms && !changes(asAmended(booking), terms)) return refuse('WRONG_STATE', 'It has this rate and this amount');
    const amendment: NewAmendment = { kind, id, ...(terms && { terms }), actor, reason };
    const outcome = await services.store.amendments.amend(client, booking, amendment);
    if (outcome.kind === 'amended') return shown(outcome.booking, false);
    if (outcome.kind === 'refused') {
      if (outcome.code === 'REQUEST_ID_REUSED') return REUSED;
      if (outcome.code === 'ACCOUNT_INACTIVE' && actor === 'operator') return DEACTIVATED;
      return outcome.code === 'INSUFFICIENT_BALANCE'
        ? insufficientBalance(outcome.more, 'the client has spent what would be taken back')
        : refuse(outcome.code);
    }
    if (reads === READS_MAX) return refuse('WRONG_STATE', 'The conversion changes all the time: try again');
  }
}

const REUSED = refuse('REQUEST_ID_REUSED', 'This id has another amendment, or an adjustment: use a new one');

/** The same command, given again: what it names is what the amendment has made of the conversion. */
function isSame(
  booking: Booking,
  index: number,
  kind: NewAmendment['kind'],
  termsOf: (booking: Booking) => Terms | Refusal | undefined,
): boolean {
  const amendment = booking.amendments![index]!;
  const terms = termsOf(asAmended(booking, index));
  return amendment.kind === kind && !isRefusal(terms) && JSON.stringify(amendment.terms) === JSON.stringify(terms);
}

const changes = (booking: Booking, { price, providerPrice, sell, buy }: Terms): boolean =>
  booking.price !== price || booking.providerPrice !== providerPrice || booking.sell !== sell || booking.buy !== buy;

function refuseByState(booking: Booking, kind: NewAmendment['kind']): Refusal | undefined {
  const { status, paymentId, amendments = [] } = booking;
  if (isBusted(booking)) return refuse('WRONG_STATE', 'The conversion was busted already');
  if (status === 'CANCELLED') return refuse('WRONG_STATE', 'The conversion is CANCELLED');
  if (status === 'SPLIT') return refuse('WRONG_STATE', 'The conversion was split: bust or correct its children');
  if (paymentId !== undefined)
    return refuse('WRONG_STATE', `The conversion was made for payment ${paymentId}: adjust the account instead`);
  if (kind === 'bust') return undefined;
  if (amendments.length < CORRECTIONS_MAX) return undefined;
  return refuse('WRONG_STATE', `The conversion was corrected ${CORRECTIONS_MAX} times: bust it instead`);
}

interface Corrected {
  readonly rate?: string | undefined;
  readonly providerRate?: string | undefined;
  readonly amount?: string | undefined;
}

/** Refuses with VALIDATION_FAILED, BAD_MARGIN, BAD_AMOUNT, AMOUNT_BELOW_MIN, AMOUNT_ABOVE_LIMIT. */
function correctedTerms(booking: Booking, { rate, providerRate, amount }: Corrected): Terms | Refusal {
  const pair = pairBySymbol(booking.pair)!;
  const { dealt, sellCurrency, buyCurrency } = booking;
  const price = rate === undefined ? booking.price : priceOf(rate, pair, 'rate');
  if (isRefusal(price)) return price;
  const providerPrice =
    providerRate === undefined ? booking.providerPrice : priceOf(providerRate, pair, 'providerRate');
  if (isRefusal(providerPrice)) return providerPrice;
  const sellsBase = sellCurrency === pair.base;
  if (sellsBase ? price > providerPrice : price < providerPrice)
    return refuse('BAD_MARGIN', 'The rate is better than the provider’s: the margin would be below 0');
  const dealtCurrency = dealt === 'sell' ? sellCurrency : buyCurrency;
  const minor = amount === undefined ? BigInt(booking[dealt]) : parsePositive(amount, dealtCurrency);
  if (isRefusal(minor)) return minor;
  const conversion = convert({ pair, sell: sellCurrency, price, providerPrice, amount: { side: dealt, minor } });
  if (isRefusal(conversion)) return conversion;
  const size = checkDealtSize(pair, baseMinorOf(pair, sellCurrency, conversion));
  if (size) return size;
  const isPriced = price !== booking.price || providerPrice !== booking.providerPrice;
  return {
    price,
    providerPrice,
    marginPpm: isPriced ? marginPpmOf(price, providerPrice) : booking.marginPpm,
    sell: String(conversion.sellMinor),
    buy: String(conversion.buyMinor),
    margin: String(conversion.marginMinor),
  };
}

/** Scaled, without rounding. */
function priceOf(text: string, { priceDigits }: Pair, field: string): number | Refusal {
  const scaled = scaledFromText(text, priceDigits, 'down');
  const isExact = scaled > 0 && scaled <= MAX_SCALED && scaledFromText(text, priceDigits, 'up') === scaled;
  return isExact ? scaled : refuseField(field, `a rate above 0 with at most ${priceDigits} decimals`);
}

/** The margin that leads from the provider's price to the client's: of a bid 1 - price / provider, of an offer 1 - provider / price. */
function marginPpmOf(price: number, providerPrice: number): number {
  const [less, more] = [BigInt(Math.min(price, providerPrice)), BigInt(Math.max(price, providerPrice))];
  return Number((2n * (more - less) * BigInt(WHOLE_PPM) + more) / (2n * more));
}
