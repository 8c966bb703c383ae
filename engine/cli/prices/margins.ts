/** Margins, and why a client's price is what it is. */
import { type Command, Option } from 'commander';
import { HOLD_PERIOD_NAMES } from '../../domain/conversions/hold-period.js';
import { formatMargin, formatMinor } from '../../domain/money/money.js';
import { pairBySymbol } from '../../domain/money/pair.js';
import { BOOK_FX_TYPES } from '../../domain/money/value-date.js';
import type { OutputOf } from '../../service/operations.js';
import type { Run } from '../run.js';
import { Shown, showRows } from '../show.js';

type Explained = OutputOf<'explainMargin'>;
type MarginRule = OutputOf<'listMargins'>['margins'][number];

const HOW = `
A rule is for a client, a pair and a type; * is all. The nearest rule wins: the client's own before everyone's, within that the pair's
before every pair's, within that the type's before every type's. What no rule covers is not offered. A rule with --above is for
larger amounts alone, in units of the pair's first currency; an amount in the second has the margin of the size that it comes to at that margin,
the larger one where two sizes or none are right. Of the rules in one place the one above the largest amount wins.

Examples:
  ratewire margins set acme EUR/USD 0.15
  ratewire margins set acme EUR/USD 0.12 --above 1000000
  ratewire margins set acme '*' 0.25
  ratewire margins set '*' '*' 0.5 --type SCHEDULED1
  ratewire margins remove '*' '*' --type SCHEDULED1
  ratewire margins remove acme EUR/USD --above 1000000
  ratewire margins explain acme EUR/USD
  ratewire margins list --client acme --json`;

const EXPLAIN = `
Every place where a rule could be, the most specific first, and the one that applies; then the arithmetic on the current price, which
comes from the engine that runs the feed. A client's bid is the provider's bid x (1 - margin), its offer the provider's offer / (1 - margin),
both rounded half-even to the decimals of the pair; what is bought is rounded down. Where rules of pricing change the margin (ratewire pricing list),
each side shows by what, and the effective margin, which is never below 0. What the house keeps of a hold's margin is never below the value of the option
(ratewire pricing set --volatility). Without --type it is the type that the client's bookings
have by default. With an amount it is the rule and the price of that size. Limits of pairs and of clients are not checked.

Examples:
  ratewire margins explain acme EUR/USD
  ratewire margins explain acme EUR/USD --amount 2500.00 --sell EUR
  ratewire margins explain acme EUR/USD --type SCHEDULED1 --hold 1_hour --json`;

const typeOption = () => new Option('--type <type>', 'settlement type');

export function addMarginCommands(program: Command, run: Run): void {
  const margins = program
    .command('margins')
    .description('margin percent by client, pair and type; * is all')
    .addHelpText('after', HOW);
  const anyType = () =>
    typeOption()
      .choices(['*', ...BOOK_FX_TYPES])
      .default('*');
  margins
    .command('set <client> <pair> <percent>')
    .description('set a margin, live everywhere within a second')
    .addOption(anyType())
    .option('--above <amount>', 'for amounts above so many units of the first currency alone')
    .action((clientId, pair, margin, { type, above }) =>
      run(async (ask) => marginRows([await ask('setMargin', { clientId, pair, type, above, margin })])[0]!),
    );
  margins
    .command('list')
    .description('the margin rules in force')
    .option('--client <client>', 'only those of this client')
    .action(({ client: clientId }) => run(async (ask) => marginRows((await ask('listMargins', { clientId })).margins)));
  margins
    .command('explain <client> <pair>')
    .description("which rule gives this client's price, with the arithmetic")
    .addOption(typeOption().choices(BOOK_FX_TYPES))
    .option('--amount <amount>', 'explain a conversion of so much too, such as 2500.00')
    .option('--sell <currency>', 'the currency that is sold of the pair')
    .addOption(new Option('--hold <period>', 'as a hold of it').choices(HOLD_PERIOD_NAMES))
    .option('--two-way', 'as a hold in either direction')
    .addHelpText('after', EXPLAIN)
    .action((clientId, pair, { type, amount, sell: sellCurrency, hold: holdPeriod, twoWay }) =>
      run(async (ask, { followRates }) => {
        await followRates();
        const input = { clientId, pair, type, amount, sellCurrency, holdPeriod, twoWay };
        const explained = await ask('explainMargin', input);
        return new Shown(explainedJson(explained), () => explainedText(explained));
      }),
    );
  margins
    .command('remove <client> <pair>')
    .description('take a rule away; what no rule covers is no longer offered')
    .addOption(anyType())
    .option('--above <amount>', 'the rule for amounts above this one')
    .action((clientId, pair, { type, above }) =>
      run((ask) => ask('removeMargin', { clientId, pair, type, ...(above !== undefined && { above }) })),
    );
}

function marginRows(rules: readonly MarginRule[]): object[] {
  const aboveOf = aboveColumn(rules);
  return rules.map((rule) => ({
    client: rule.clientId,
    pair: rule.pair,
    type: rule.type,
    ...aboveOf(rule),
    margin_percent: formatMargin(rule.marginPpm),
  }));
}

/** Shown where a rule is for larger amounts alone: without one every answer is as it was. */
function aboveColumn(rules: readonly { readonly above?: number | undefined }[]) {
  const isShown = rules.some(({ above }) => above !== undefined);
  return ({ above = null }: { readonly above?: number | null | undefined }) => (isShown ? { above } : {});
}

/** The owner of the rule in this place, and its scope. */
function whyOf({ clientId, pair, type }: Explained['rules'][number]): string {
  const whose = clientId === '*' ? 'for everyone' : "the client's own";
  const only = [...(pair === '*' ? [] : ['pair']), ...(type === '*' ? [] : ['type'])];
  return only.length === 0 ? whose : `${whose}, for this ${only.join(' and ')}`;
}

function ruleRows({ rules }: Explained): object[] {
  const aboveOf = aboveColumn(rules);
  return rules.map((rule) => ({
    client: rule.clientId,
    pair: rule.pair,
    type: rule.type,
    ...aboveOf(rule),
    margin_percent: rule.marginPpm === undefined ? 'no rule' : formatMargin(rule.marginPpm),
    why: `${whyOf(rule)}${rule.wins ? ': wins, the nearest that there is' : ''}`,
  }));
}

function explainedText(explained: Explained): string {
  const { clientId, pair, type, marginPpm, platformPpm, addOnPpm, floorPpm, holdPeriod, price, noPrice } = explained;
  const lines = [`${clientId}, ${pair}, ${type}`, showRows(ruleRows(explained)).trimEnd()];
  if (marginPpm === undefined) lines.push('No rule covers it: the pair is not offered to this client.');
  else {
    const added = holdPeriod ? ` + ${formatMargin(addOnPpm)} % for a hold of ${holdPeriod}` : '';
    const least = floorPpm === 0 ? 0 : floorPpm + Math.min(platformPpm, marginPpm);
    const totalPpm = Math.max(marginPpm + addOnPpm, least);
    const floor = totalPpm > marginPpm + addOnPpm ? ', the value of the hold at least' : '';
    const total = holdPeriod ? ` = ${formatMargin(totalPpm)} %${floor}` : '';
    lines.push(`margin         ${formatMargin(marginPpm)} %${added}${total}`);
    if (floorPpm > 0)
      lines.push(`hold           is worth ${formatMargin(floorPpm)} % at a volatility of ${explained.volatility} %`);
    if (platformPpm > 0)
      lines.push(`               of it the platform adds ${formatMargin(platformPpm)} %, and earns that part`);
  }
  if (noPrice && marginPpm !== undefined) lines.push(`No price now: ${noPrice.text} (${noPrice.refusal}).`);
  if (price) lines.push(...priceLines(explained, price));
  return `${lines.join('\n')}\n`;
}

function priceLines({ pair, conversion, addOnPpm }: Explained, price: NonNullable<Explained['price']>): string[] {
  const { ageMs, isCross, bid, offer } = price;
  const digits = pairBySymbol(pair)!.priceDigits;
  const source = isCross ? 'a cross of two other pairs' : price.providers.join(', ') || 'a provider';
  const rounded = `rounded half-even to ${digits} decimals`;
  const lines = [
    `provider       bid ${bid.provider}, offer ${offer.provider}, by ${source}, ${(ageMs / 1_000).toFixed(1)} s old`,
    ...(price.pricing ? pricingLines(price, addOnPpm) : []),
    `client's bid   ${bid.provider} x (1 - ${formatMargin(bid.rate.marginPpm)}/100) = ${bid.exact}, ${rounded}: ${bid.client}`,
    `client's offer ${offer.provider} / (1 - ${formatMargin(offer.rate.marginPpm)}/100) = ${offer.exact}, ${rounded}: ${offer.client}`,
  ];
  if (conversion === undefined) return lines;
  const { sellCurrency, buyCurrency, sellMinor, buyMinor, marginMinor, marginCurrency, exact } = conversion;
  const at = sellCurrency === pair.slice(0, 3) ? `x ${bid.client}` : `/ ${offer.client}`;
  const bought = `${formatMinor(buyMinor, buyCurrency)} ${buyCurrency}`;
  return [
    ...lines,
    `conversion     ${formatMinor(sellMinor, sellCurrency)} ${sellCurrency} ${at} = ${exact}, rounded down: ${bought}`,
    `               of it the house keeps ${formatMinor(marginMinor, marginCurrency)} ${marginCurrency}`,
  ];
}

/** What the rules of pricing make of the margin of each side. */
function pricingLines({ pricing, bid, offer }: NonNullable<Explained['price']>, addOnPpm: number): string[] {
  const { skew, widening, spreadMin, spreadMax } = pricing!;
  const pips = `skew ${skew}, wider by ${widening}, spread ${spreadMin} to ${spreadMax === '0' ? 'any' : spreadMax}`;
  const side = ({ margin, floorPpm, rate }: typeof bid) => {
    const { rulePpm, skewPpm, wideningPpm, spreadPpm } = margin;
    const isLimited = rulePpm + skewPpm + wideningPpm < 0;
    const spread = isLimited ? `, not below 0${signed(spreadPpm)}` : signed(spreadPpm);
    const held = addOnPpm + floorPpm;
    const hold = held === 0 ? '' : `${signed(held)} for the hold`;
    const parts = `${formatMargin(rulePpm)}${signed(skewPpm)} skew${signed(wideningPpm)} age${spread} spread${hold}`;
    return `${parts} = ${formatMargin(rate.marginPpm)} %`;
  };
  return [`pricing        ${pips} pips`, `  of the bid   ${side(bid)}`, `  of the offer ${side(offer)}`];
}

const percent = (ppm: number): string => `${ppm < 0 ? '-' : ''}${formatMargin(Math.abs(ppm))}`;
const signed = (ppm: number): string => ` ${ppm < 0 ? '-' : '+'} ${formatMargin(Math.abs(ppm))}`;

function explainedJson(explained: Explained): object {
  const { clientId, pair, type, rules, marginPpm, holdPeriod, addOnPpm, floorPpm, price, noPrice, conversion } =
    explained;
  const aboveOf = aboveColumn(rules);
  const side = ({
    provider,
    exact,
    client,
    margin,
    floorPpm: valuePpm,
    rate,
  }: NonNullable<Explained['price']>['bid']) => ({
    provider,
    exact,
    client,
    rule_percent: formatMargin(margin.rulePpm),
    skew_percent: percent(margin.skewPpm),
    widening_percent: percent(margin.wideningPpm),
    spread_percent: percent(margin.spreadPpm),
    hold_value_percent: holdPeriod && formatMargin(valuePpm),
    margin_percent: formatMargin(rate.marginPpm),
  });
  return {
    client: clientId,
    pair,
    type,
    rules: rules.map(({ clientId: client, marginPpm: ppm, ...rule }) => ({
      client,
      pair: rule.pair,
      type: rule.type,
      ...aboveOf(rule),
      margin_percent: ppm === undefined ? null : formatMargin(ppm),
      wins: rule.wins,
    })),
    margin_percent: marginPpm === undefined ? null : formatMargin(marginPpm),
    platform_percent: explained.platformPpm === 0 ? undefined : formatMargin(explained.platformPpm),
    hold: holdPeriod,
    hold_adds_percent: holdPeriod && formatMargin(addOnPpm),
    hold_floor_percent: holdPeriod && formatMargin(floorPpm),
    volatility_percent: holdPeriod && explained.volatility,
    no_price: noPrice?.refusal,
    price: price && {
      providers: price.providers,
      cross: price.isCross,
      age_ms: Math.round(price.ageMs),
      pricing: price.pricing && {
        skew_pips: price.pricing.skew,
        widening_pips: price.pricing.widening,
        spread_min_pips: price.pricing.spreadMin,
        spread_max_pips: price.pricing.spreadMax,
      },
      bid: side(price.bid),
      offer: side(price.offer),
    },
    conversion: conversion && {
      sell_currency: conversion.sellCurrency,
      sell_amount: formatMinor(conversion.sellMinor, conversion.sellCurrency),
      buy_currency: conversion.buyCurrency,
      exact: conversion.exact,
      buy_amount: formatMinor(conversion.buyMinor, conversion.buyCurrency),
      margin_currency: conversion.marginCurrency,
      margin_amount: formatMinor(conversion.marginMinor, conversion.marginCurrency),
    },
  };
}
