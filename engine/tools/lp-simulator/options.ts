import { parseArgs } from 'node:util';
import { INSTANT_SAYS, instantOf } from '../../domain/core/instant.js';
import { PAIRS } from '../../domain/money/pair.js';
import { pairOfSymbol } from '../../rates/feeds/symbol-bytes.js';
import { isOrderCommand, ORDER_COMMANDS } from './order-faults.js';
import type { LpSimulatorOptions } from './simulator.js';

export const USAGE = `npm run lp-simulator -- [--ws PORT] [--fix PORT] [--file TICKS [--provider NAME] [--at 2014-05-06T12:15:00Z]]
  [--speed N] [--seed S] [--pairs EURUSD,USDJPY] [--key K --secret S]
  [--mass-quotes] [--settl-dates] [--orders FILE] [--store DIRECTORY] [--deal WORDS]
  [--stall-after s] [--resume-after s] [--disconnect-after s] [--cross-after s] [--jump-after s] [--jump-percent p]
At least one of --ws and --fix; port 0 lets the system choose. Without --file a seeded walk of --pairs is shown.
Over FIX, --mass-quotes answers V by MassQuote(i), and --settl-dates names a SettlDate(64) in each entry.
--orders keeps the orders that it takes and fills in a file, --store sequence numbers and reports; --deal is a command of orders, as 'partial 40'.`;

/** A command to give by itself, so many seconds after the start. */
export interface TimedCommand {
  readonly afterS: number;
  readonly line: string;
}

/** Throws Error with one line when the arguments make no sense. */
export function readOptions(args: readonly string[]): {
  readonly options: LpSimulatorOptions;
  /** How orders are dealt from the start. */
  readonly deal: string | undefined;
  readonly timed: readonly TimedCommand[];
} {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      ws: text,
      fix: text,
      file: text,
      provider: text,
      at: text,
      speed: text,
      seed: text,
      pairs: text,
      key: text,
      secret: text,
      'mass-quotes': { type: 'boolean' },
      'settl-dates': { type: 'boolean' },
      orders: text,
      store: text,
      deal: text,
      'stall-after': text,
      'resume-after': text,
      'disconnect-after': text,
      'cross-after': text,
      'jump-after': text,
      'jump-percent': text,
    },
  });
  if (values.ws === undefined && values.fix === undefined) throw new Error('give --ws PORT, --fix PORT or both');
  if (values.file === undefined && (values.provider ?? values.at) !== undefined)
    throw new Error('--provider and --at choose from a file: give --file TICKS too');
  if (values.file !== undefined && (values.seed ?? values.pairs) !== undefined)
    throw new Error('--seed and --pairs are for the walk: leave them or --file out');
  if ((values.key === undefined) !== (values.secret === undefined)) throw new Error('give --key and --secret together');
  if (values.fix === undefined && (values.orders ?? values.store ?? values.deal) !== undefined)
    throw new Error('--orders, --store and --deal are of the FIX server: give --fix PORT too');
  const options = {
    ws: number(values.ws, '--ws', 0, 65_535),
    fix: number(values.fix, '--fix', 0, 65_535),
    file: values.file,
    provider: values.provider,
    atMs: time(values.at),
    speed: number(values.speed, '--speed', 0.01, 10_000),
    seed: number(values.seed, '--seed', 0, 999_999_999),
    pairs: values.pairs?.split(/[,+]/).map(pair),
    key: values.key,
    secret: values.secret,
    dialect: { massQuotes: values['mass-quotes'], settlDates: values['settl-dates'] },
    kept: { orders: values.orders, store: values.store },
  };
  const jump = `jump ${number(values['jump-percent'], '--jump-percent', -99, 1_000) ?? 5}`;
  const timed = [
    [values['stall-after'], 'stall'],
    [values['resume-after'], 'resume'],
    [values['disconnect-after'], 'disconnect'],
    [values['cross-after'], 'cross'],
    [values['jump-after'], jump],
  ] as const;
  if (values.deal !== undefined && !isOrderCommand(values.deal)) throw new Error(`--deal: ${ORDER_COMMANDS}`);
  return {
    options,
    deal: values.deal,
    timed: timed.flatMap(([after, line]) => {
      const afterS = number(after, `--${line.split(' ')[0]}-after`, 0, 1_000_000);
      return afterS === undefined ? [] : [{ afterS, line }];
    }),
  };
}

function number(text: string | undefined, name: string, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= least && value <= most)) throw new Error(`${name} must be a number from ${least} to ${most}`);
  return value;
}

function time(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = instantOf(text);
  if (typeof ms !== 'number') throw new Error(`--at must be ${INSTANT_SAYS}`);
  return ms;
}

function pair(symbol: string) {
  const index = pairOfSymbol(symbol);
  if (index < 0) throw new Error(`--pairs names '${symbol}', which we do not offer; write EURUSD,USDJPY`);
  return PAIRS[index];
}
