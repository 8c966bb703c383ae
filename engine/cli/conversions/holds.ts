/** Rates that clients hold. */
import type { Command } from 'commander';
import { holdSelling } from '../../domain/conversions/booking.js';
import { formatMinor, formatScaled } from '../../domain/money/money.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import type { OutputOf } from '../../service/operations.js';
import type { Run } from '../run.js';
import { isoTime } from '../show.js';

type Hold = OutputOf<'listHolds'>['holds'][number];

const HOW = `
A hold is a rate that is firm for one conversion until it expires, asked for by a desk or over REST. owner is the desk's CompID, or /rest;
an amount is there where the hold is for that amount alone, a maximum where it is for any amount up to that. usd is what the hold counts against
the limit of its client (\`ratewire clients change --hold-limit-usd\`). A payment that
awaits its funds reserves its hold, whose status is reserved: nothing else can use it. A two-way hold has side both: its one conversion sells either currency of
its pair, at the first rate where it sells the pair's first currency, at the second where it buys it.

Examples:
  ratewire holds list acme
  ratewire holds revoke acme HLD01K4M2V7Q8Z3X5YAB`;

const REVOKE = `
It can no longer be booked over FIX or REST, and its desk gets the same report as when the market closes. One that is booked, released or expired
is rejected with WRONG_STATE. A payment that waits with this rate ends as when the hold expires.

Examples:
  ratewire holds revoke acme HLD01K4M2V7Q8Z3X5YAB`;

export function addHoldCommands(program: Command, run: Run): void {
  const holds = program.command('holds').description('rates that clients hold').addHelpText('after', HOW);
  holds
    .command('list <client>')
    .description("a client's open holds")
    .action((clientId) => run(async (ask) => (await ask('listHolds', { clientId })).holds.map(row)));
  holds
    .command('revoke <client> <hold>')
    .description('take a held rate back')
    .addHelpText('after', REVOKE)
    .action((clientId, holdId) => run((ask) => ask('revokeHold', { clientId, holdId })));
}

function row(hold: Hold): object {
  const { id, owner, pair, sellCurrency, buyCurrency, amount, maximum, usd, type, status, expiryMs } = hold;
  const [base = '', quote = ''] = pair.split('/');
  const rateSelling = (currency: string): string =>
    formatScaled(holdSelling(hold, currency).price, pairBySymbol(pair)?.priceDigits ?? 0);
  const isTwoWay = hold.opposite !== undefined;
  const dealt = amount?.side === 'sell' ? sellCurrency : buyCurrency;
  return {
    hold: id,
    owner,
    pair,
    side: isTwoWay ? 'both' : undefined,
    sells: isTwoWay ? undefined : sellCurrency,
    buys: isTwoWay ? undefined : buyCurrency,
    rate: isTwoWay ? `${rateSelling(base)}/${rateSelling(quote)}` : rateSelling(sellCurrency),
    amount: amount && `${formatMinor(BigInt(amount.minor), dealt)} ${dealt}`,
    maximum: maximum && `${formatMinor(BigInt(maximum), base)} ${base}`,
    usd: usd && formatMinor(BigInt(usd), 'USD'),
    type,
    status,
    expires_at: isoTime(expiryMs),
  };
}
