/** The commands of conversions: show and cancel. */
import type { Command } from 'commander';
import { formatMargin, formatMinor, formatScaled } from '../domain/money.js';
import { pairBySymbol } from '../domain/pair.js';
import type { OutputOf } from '../service/core/operations.js';
import type { Run } from './run.js';
import { isoTime, type Shown, shownOne } from './show.js';

type Booking = OutputOf<'showBooking'>['booking'];
type CloseOut = NonNullable<Booking['closeOut']>;

const HOW = `
A conversion is booked by a client, at a held rate or at the rate of the moment. PREFUNDING settles at once; a scheduled one is OPEN until its
time, OVERDUE while the money is not there or an account is inactive, and may be given up until it is SETTLED. Clients see their own, by either
door.

Examples:
  ratewire bookings show acme BFX01K4M2V7Q8Z3X5YAB
  ratewire bookings cancel acme BFX01K4M2V7Q8Z3X5YAB`;

const CANCEL = `
Without --close-out no money moves. With it an OVERDUE conversion is unwound at the market of this moment: the sell amount is bought back at the
provider's price, and the difference to what the conversion would have brought is charged to its buy account, or credited to it, with an entry
of its own in the journal and in the statement. What the account does not have the client owes: \`ratewire accounts receivables\` lists it.

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
}

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
    ...(booking.closeOut && closeOutRow(booking.closeOut, priceDigits)),
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
