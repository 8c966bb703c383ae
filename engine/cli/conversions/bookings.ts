/** The commands of conversions: show, cancel, bust, correct, and those that desks do not know. */
import type { Command } from 'commander';
import { paysOn } from '../../domain/conversions/amendment.js';
import { formatMargin, formatMinor, formatScaled } from '../../domain/money/money.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import type { OutputOf } from '../../service/operations.js';
import type { Run } from '../run.js';
import { isoTime, type Shown, shownOne } from '../show.js';

type Booking = OutputOf<'showBooking'>['booking'];
type CloseOut = NonNullable<Booking['closeOut']>;

const HOW = `
A conversion is booked by a client, at a held rate or at the rate of the moment. PREFUNDING settles at once; a scheduled one is OPEN until its
time, OVERDUE while the money is not there or an account is inactive, and may be given up until it is SETTLED. Clients see their own, by either
door.

Examples:
  ratewire bookings show acme BFX01K4M2V7Q8Z3X5YAB
  ratewire bookings cancel acme BFX01K4M2V7Q8Z3X5YAB
  ratewire bookings bust acme BFX01K4M2V7Q8Z3X5YAB --reason "off-market rate"
  ratewire bookings correct acme BFX01K4M2V7Q8Z3X5YAB --rate 1.0843509 --reason "off-market rate"`;

const DONT_KNOW = `
A desk sends DontKnowTrade(Q) where a report does not agree with its own records. Nothing is undone: talk to the desk, then bust or correct the
conversion, or leave it. \`amendment\` is 0 for the booking itself, else the number of the bust or correction that is not known.

Examples:
  ratewire bookings dont-know
  ratewire bookings dont-know acme --days 30`;

const BUST = `
Everything that it has moved is moved back, with one entry in the journal and in the statements; one that has not settled ends. The desk that
booked it gets ExecutionReport(8) with 150=H, at its next logon where it is away; sessions with copies get one too. Refused for a conversion that
was made for a payment, and where the bought amount is no longer in its account. The client may be left out: all are searched.

Examples:
  ratewire bookings bust acme BFX01K4M2V7Q8Z3X5YAB --reason "off-market rate"
  ratewire bookings bust BFX01K4M2V7Q8Z3X5YAB --reason "off-market rate" --request ticket-4711`;

const CORRECT = `
What it has moved is moved back, and what the new rate and amount give is moved instead, with one entry in the journal and in the statements; one
that has not settled settles with the new ones, and the client's limit of scheduled sells is not applied. The amount is in the currency in which
the client gave it; the other one is computed. The client's rate is never better than the provider's: give --provider-rate too where that one was
wrong. The desk gets ExecutionReport(8) with 150=G. Refused for a conversion that was made for a payment.

Examples:
  ratewire bookings correct acme BFX01K4M2V7Q8Z3X5YAB --rate 1.0843509 --reason "off-market rate"
  ratewire bookings correct BFX01K4M2V7Q8Z3X5YAB --amount 25000 --reason "wrong amount" --request ticket-4712`;

const CANCEL = `
Without --close-out no money moves. With it an OVERDUE conversion is unwound at the market of this moment: the sell amount is bought back at the
provider's price, and the difference to what the conversion would have brought is charged to its buy account, or credited to it, with an entry
of its own in the journal and in the statement. What the account does not have the client owes: \`ratewire accounts receivables\` lists it.
The desk that booked it gets ExecutionReport(8) with 150=H; sessions with copies get one too.

Examples:
  ratewire bookings cancel acme BFX01K4M2V7Q8Z3X5YAB
  ratewire bookings cancel acme BFX01K4M2V7Q8Z3X5YAB --close-out --reason "not funded for two days"`;

export function addBookingCommands(program: Command, run: Run): void {
  const bookings = program.command('bookings').description('conversions').addHelpText('after', HOW);
  bookings
    .command('show <client> <id>')
    .description('a conversion in its current state, by its confirmation id')
    .action((clientId, confirmationId) =>
      run(async (ask) => shown(clientId, (await ask('showBooking', { clientId, confirmationId })).booking)),
    );
  bookings
    .command('cancel <client> <id>')
    .description('give up a scheduled conversion that is OPEN or OVERDUE')
    .option('--reason <text>', 'why; needed with --close-out')
    .option('--close-out', 'charge or credit what an OVERDUE one costs or brings at the market of this moment')
    .addHelpText('after', CANCEL)
    .action((clientId, confirmationId, { reason, closeOut }) =>
      run(async (ask, { followRates }) => {
        if (closeOut) await followRates();
        const { booking } = await ask('cancelBooking', { clientId, confirmationId, reason, closeOut });
        return shown(clientId, booking);
      }),
    );
  bookings
    .command('dont-know [client]')
    .description('conversions that desks have said they do not know, newest first')
    .option('--days <n>', 'of so many days, 30 at most', Number, 7)
    .addHelpText('after', DONT_KNOW)
    .action((clientId, { days }) =>
      run(async (ask) => (await ask('listDontKnowTrades', { clientId, days })).trades.map(dontKnowRow)),
    );
  const amending = (name: string, description: string, help: string) =>
    bookings
      .command(`${name} <client> [id]`)
      .description(description)
      .requiredOption('--reason <text>', 'why; the journal keeps it')
      .option(
        '--request <id>',
        'an id of your own, for one command of this client: the same command again changes nothing',
      )
      .addHelpText('after', help);
  amending('bust', 'undo a conversion', BUST).action((client, id, { reason, request }) =>
    run(async (ask) => {
      const { clientId, booking } = await ask('bustBooking', { ...named(client, id), reason, requestId: request });
      return shown(clientId, booking);
    }),
  );
  amending('correct', 'give a conversion another rate or amount', CORRECT)
    .option('--rate <rate>', "the client's, in market convention")
    .option('--provider-rate <rate>', "the provider's")
    .option('--amount <amount>', 'in the currency in which the client gave it')
    .action((client, id, { reason, request, rate, providerRate, amount }) =>
      run(async (ask) => {
        const terms = { rate, providerRate, amount };
        const of = { ...named(client, id), reason, requestId: request };
        const { clientId, booking } = await ask('correctBooking', { ...of, ...terms });
        return shown(clientId, booking);
      }),
    );
}

/** DKReason(127). */
const DK_REASONS: Readonly<Record<string, string>> = {
  A: 'unknown symbol',
  B: 'wrong side',
  C: 'quantity exceeds order',
  D: 'no matching order',
  E: 'price exceeds limit',
  F: 'calculation difference',
  Z: 'other',
};

const dontKnowRow = (trade: OutputOf<'listDontKnowTrades'>['trades'][number]): object => ({
  at: isoTime(trade.atMs),
  client: trade.clientId,
  comp_id: trade.compId,
  confirmation_id: trade.confirmationId,
  amendment: trade.amendment,
  reason: DK_REASONS[trade.reason] ?? trade.reason,
  text: trade.text,
});

/** The id alone, or after its client. */
const named = (client: string, id: string | undefined) =>
  id === undefined ? { confirmationId: client } : { clientId: client, confirmationId: id };

function shown(client: string, booking: Booking): Shown {
  const row = bookingRow(client, booking);
  return shownOne(row);
}

function bookingRow(client: string, booking: Booking): object {
  const { priceDigits } = pairBySymbol(booking.pair)!;
  const { sellCurrency, buyCurrency, marginCurrency, valueDate, settledAtMs, status } = booking;
  return {
    confirmation_id: booking.id,
    client,
    request_id: booking.requestId,
    status,
    type: booking.type,
    sell_amount: formatMinor(BigInt(booking.sell), sellCurrency),
    sell_currency: sellCurrency,
    sell_account: booking.sellAccount,
    buy_amount: formatMinor(BigInt(booking.buy), buyCurrency),
    buy_currency: buyCurrency,
    buy_account: booking.buyAccount,
    pair: booking.pair,
    price: formatScaled(booking.price, priceDigits),
    provider_price: formatScaled(booking.providerPrice, priceDigits),
    margin_percent: formatMargin(booking.marginPpm),
    margin_amount: formatMinor(BigInt(booking.margin), marginCurrency),
    margin_currency: marginCurrency,
    hold_id: booking.holdId,
    description: booking.description,
    created_at: isoTime(booking.createdAtMs),
    settlement_date: `${valueDate.slice(0, 4)}-${valueDate.slice(4, 6)}-${valueDate.slice(6)}`,
    settles_at: status === 'OPEN' || status === 'OVERDUE' ? isoTime(booking.expiryMs) : '',
    settled_at: settledAtMs === undefined ? '' : isoTime(settledAtMs),
    ...(booking.parentId !== undefined && { parent: booking.parentId }),
    ...(booking.closeOut && closeOutRow(booking.closeOut, priceDigits)),
    ...amendmentRow(booking),
  };
}

const AMENDMENTS = {
  bust: 'BUST',
  correct: 'CORRECTION',
  cancel: 'CANCELLED BY THE CLIENT',
  date: 'OTHER DATE',
  split: 'SPLIT',
} as const;

function amendmentRow(booking: Booking): object {
  const last = booking.amendments?.at(-1);
  if (last === undefined) return {};
  const amendment = AMENDMENTS[last.kind];
  const { reversal, children, receivable = '0' } = last;
  const { priceDigits } = pairBySymbol(booking.pair)!;
  return {
    amendment,
    amendments: booking.amendments!.length,
    amended_at: isoTime(last.atMs),
    amendment_id: last.id,
    ...(reversal && {
      reversal: reversal.kind,
      reversal_amount: formatMinor(BigInt(reversal.amount), reversal.currency),
      reversal_currency: reversal.currency,
      reversal_price: formatScaled(reversal.price, priceDigits),
      reversal_provider_price: formatScaled(reversal.providerPrice, priceDigits),
      reversal_margin_percent: formatMargin(reversal.marginPpm),
      reversal_margin: formatMinor(BigInt(reversal.margin), reversal.currency),
      receivable: formatMinor(BigInt(receivable), reversal.currency),
      ...(reversal.paysAtMs !== undefined && { pays_on: paysOn(reversal) }),
    }),
    ...(children && { children: children.map(({ id }) => id).join(' ') }),
  };
}

function closeOutRow({ kind, currency, amount, cost, price, receivable }: CloseOut, priceDigits: number): object {
  return {
    close_out: kind,
    close_out_amount: formatMinor(BigInt(amount), currency),
    close_out_currency: currency,
    close_out_price: formatScaled(price, priceDigits),
    bought_back_for: formatMinor(BigInt(cost), currency),
    receivable: formatMinor(BigInt(receivable), currency),
  };
}
