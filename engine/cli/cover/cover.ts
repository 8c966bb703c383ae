/** Cover: how the house covers its position with providers, and what became of each order. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { COVER_STATUSES } from '../../domain/cover/cover-words.js';
import { formatMinor } from '../../domain/money/money.js';
import type { OutputOf } from '../../service/operations.js';
import type { Run } from '../run.js';
import { isoTime, outsideName, Shown, showFields, showRows } from '../show.js';

type Listed = OutputOf<'listCovers'>;
type Cover = Listed['covers'][number];

const HOW = `
The risk role of an engine with COVER=auto sends an order when the net position of a pair leaves its band; with COVER=suggest it writes the
order, and \`ratewire cover send\` lets it be sent. An order is sent once. What a provider has not reported stays unknown until its answer to a
status request, or until you resolve it by hand. So does a disputed order, of which a provider says otherwise than what is booked.

Examples:
  ratewire cover set EUR/USD --band 1000000 --providers LP1,LP2
  ratewire cover set EUR/USD --ratio 80 --min 100000 --max 5000000 --step 10000 --every 2s --worst 3 --quote-age 500ms
  ratewire cover list
  ratewire cover show CVR0123456789ABCDEFG
  ratewire cover send CVR0123456789ABCDEFG
  ratewire cover dispute CVR0123456789ABCDEFG --reason "LP1 cancels it by telephone"
  ratewire cover resolve CVR0123456789ABCDEFG --filled 1000000 --price 1.08432 --reason "statement of LP1"
  ratewire cover adjust LP1 EUR credit 1000000.00 --reference MT940-17 --reason settlement --id mt940-17-1
  ratewire cover remove EUR/USD`;

const SET = `
What is not named stays, or is the default of a new rule: --ratio 100 --min 100000 --max 5000000 --step 10000 --every 1s --worst 5
--quote-age 1s --order limit --tif IOC. Amounts are whole units of the pair's first currency. An order covers --ratio percent of the net
position, at most --max, in multiples of --step, and none is below --min. --worst is in pips from the mid. Providers are tried in order.`;

const RESOLVE = `
--filled is all that was filled of the order, 0 for nothing, and --price the average price of it, by the provider's statement. What is
booked already is part of both. Of a disputed order what is booked is corrected to them: accounts, position and profit. A report of the
provider that comes later is booked all the same.`;

const whole = (text: string): number => {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('whole units, up to 12 digits');
  return Number(text);
};
const duration = (text: string): number => {
  const [, number, unit] = /^(\d{1,7})(ms|s)?$/.exec(text) ?? [];
  if (number === undefined)
    throw new InvalidArgumentError('a time such as 500ms or 2s; a number alone is milliseconds');
  return Number(number) * (unit === 's' ? 1_000 : 1);
};

export function addCoverCommands(program: Command, run: Run): void {
  const cover = program.command('cover').description('cover of the house with its providers').addHelpText('after', HOW);
  cover
    .command('list')
    .description('rules, balances with providers, and the newest orders')
    .option('--limit <n>', 'at most so many orders', whole, 50)
    .option('--pair <pair>', 'of this pair alone')
    .addOption(new Option('--status <status>', 'in this status alone').choices(COVER_STATUSES))
    .action(({ limit, pair, status }) =>
      run(async (ask) => {
        const listed = await ask('listCovers', { limit, pair, status });
        return new Shown(listedJson(listed), () => listedText(listed));
      }),
    );
  cover
    .command('show <id>')
    .description('one order, its fills, and the deals of clients that it covers, first in, first out')
    .action((id) =>
      run(async (ask) => {
        const shown = await ask('showCover', { id });
        return new Shown(shownJson(shown), () => shownText(shown));
      }),
    );
  cover
    .command('set <pair>')
    .description('how a pair is covered')
    .option('--band <amount>', 'a net position within it is not covered', whole)
    .option('--ratio <percent>', 'of the net position that an order covers', whole)
    .option('--min <amount>', 'the smallest order', whole)
    .option('--max <amount>', 'the largest order', whole)
    .option('--step <amount>', 'amounts are multiples of it', whole)
    .option('--every <time>', 'from one order to the next', duration)
    .option('--worst <pips>', 'from the mid')
    .option('--quote-age <time>', 'the oldest price to deal on', duration)
    .addOption(new Option('--order <type>', 'type of order').choices(['limit', 'market']))
    .addOption(new Option('--tif <time in force>', 'time in force').choices(['IOC', 'FOK']))
    .option('--providers <names>', 'in the order in which they are tried, separated by commas')
    .addHelpText('after', SET)
    .action((pair, { every: everyMs, quoteAge: quoteAgeMs, tif: timeInForce, providers, ...more }) =>
      run((ask) =>
        ask('setCoverRule', { pair, ...more, everyMs, quoteAgeMs, timeInForce, providers: providers?.split(',') }),
      ),
    );
  cover
    .command('remove <pair>')
    .description('take the rule of a pair away')
    .action((pair) => run((ask) => ask('removeCoverRule', { pair })));
  cover
    .command('send <id>')
    .description('let a suggested order be sent')
    .action((id) => run((ask) => ask('sendCover', { id })));
  cover
    .command('dispute <id>')
    .description('block the pair of an order of which the provider says otherwise than what is booked')
    .requiredOption('--reason <text>', 'what the provider says, for the audit log')
    .action((id, { reason }) => run((ask) => ask('disputeCover', { id, reason })));
  cover
    .command('resolve <id>')
    .description('state what became of an order whose outcome is unknown or disputed')
    .requiredOption('--filled <amount>', 'what was filled in all, in units of the first currency')
    .option('--price <price>', 'the average price of what was filled')
    .requiredOption('--reason <text>', 'the reason, for the audit log')
    .addHelpText('after', RESOLVE)
    .action((id, { filled, price, reason }) => run((ask) => ask('resolveCover', { id, filled, price, reason })));
  cover
    .command('adjust <provider> <currency> <direction> <amount>')
    .description("enter a movement of the provider's statement: credit is money received, debit money paid")
    .requiredOption('--reference <reference>', "of the provider's statement")
    .requiredOption('--reason <text>', 'the reason')
    .requiredOption('--id <id>', 'of this movement, a new one: the same again changes nothing')
    .action((provider, currency, direction, amount, { reference, reason, id }) =>
      run(async (ask) => {
        const found = await ask('adjustCover', { provider, currency, direction, amount, reference, reason, id });
        const money = (minor: bigint) => formatMinor(minor, currency);
        return { ...found, amount: money(found.amount), balance: money(found.balance) };
      }),
    );
}

function coverRow(cover: Cover): object {
  const { id, pair, side, amount, filled, quote, provider, order, worst, status, reason, atMs } = cover;
  const [base = '', quoteCurrency = ''] = pair.split('/');
  return {
    id,
    pair,
    side,
    amount: formatMinor(amount, base),
    filled: formatMinor(filled, base),
    quote: formatMinor(quote, quoteCurrency),
    provider,
    order: `${order} ${worst}`,
    status,
    reason,
    at: isoTime(atMs),
  };
}

const ruleRow = ({ providers, ...rule }: Listed['rules'][number]): object => ({
  ...rule,
  providers: providers.join(','),
});
const balanceRow = ({ provider, currency, balance }: Listed['balances'][number]): object => ({
  provider,
  currency,
  balance: formatMinor(balance, currency),
});

function listedJson({ covers, rules, balances }: Listed): object {
  // Within a list, names are those of the outside here.
  const ruleOf = (rule: Listed['rules'][number]) =>
    Object.fromEntries(Object.entries(rule).map(([name, value]) => [outsideName(name), value]));
  return { rules: rules.map(ruleOf), balances: balances.map(balanceRow), orders: covers.map(coverRow) };
}

function listedText({ covers, rules, balances }: Listed): string {
  const part = (name: string, rows: readonly object[]) => `${name}\n${showRows(rows)}`;
  return [
    part('rules', rules.map(ruleRow)),
    part('balances with providers', balances.map(balanceRow)),
    part('orders', covers.map(coverRow)),
  ].join('\n');
}

type Covered = OutputOf<'showCover'>;

function shownJson({ cover, deals, isWhole }: Covered): object {
  const { net, netAtMs, createdAtMs, sentAtMs, valueDate, timeInForce, fills, pair } = cover;
  const [base = '', quote = ''] = pair.split('/');
  return {
    ...coverRow(cover),
    timeInForce,
    valueDate,
    net: formatMinor(net, base),
    netAt: isoTime(netAtMs),
    createdAt: isoTime(createdAtMs),
    sentAt: sentAtMs === undefined ? undefined : isoTime(sentAtMs),
    fills: fills.map((fill) => ({
      execution: fill.execId,
      amount: formatMinor(fill.base, base),
      quote: formatMinor(fill.quote, quote),
      price: fill.price,
      entry: fill.entry,
    })),
    deals: deals.map((deal) => ({
      client: deal.clientId,
      confirmation: deal.confirmationId,
      at: isoTime(deal.createdAtMs),
      amount: formatMinor(deal.amount, base),
      covered: formatMinor(deal.covered, base),
    })),
    dealsComplete: isWhole,
  };
}

function shownText(covered: Covered): string {
  const { fills, deals, dealsComplete, ...order } = shownJson(covered) as {
    readonly fills: readonly object[];
    readonly deals: readonly object[];
    readonly dealsComplete: boolean;
  };
  const note = dealsComplete
    ? ''
    : 'Not all of its deals are listed: they were busted or corrected since, or are too many.\n';
  return `${showFields(order)}\nfills\n${showRows(fills)}\ndeals that it covers\n${showRows(deals)}${note}`;
}
