import { readFileSync } from 'node:fs';
import { Decimal } from '../../domain/money/decimal.js';
import { dataFile } from './port.js';

/** What one euro and one dollar were worth on a day. */
export interface ReferenceRates {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Units of currency for one US dollar; USD itself is 1. */
  readonly perUsd: ReadonlyMap<string, number>;
}

// The dirham's published peg to the dollar.
const AED_PER_USD = 3.6725;

/**
 * The ECB's reference rates of the last day on file at or before `date` (YYYY-MM-DD), or of the first on file when `date` is before
 * all. With AED by its peg, and CNH taken for CNY, which is an assumption: no reference rate is published for it.
 */
export function referenceRates(date: string): ReferenceRates {
  const { day, perEur } = published(date);
  const eurUsd = Number(perEur.get('USD'));
  const perUsd = new Map([...perEur].map(([code, rate]) => [code, Number(rate) / eurUsd]));
  perUsd.set('EUR', 1 / eurUsd);
  perUsd.set('AED', AED_PER_USD);
  perUsd.set('CNH', perUsd.get('CNY') ?? Number.NaN);
  return { date: day, perUsd };
}

let newest: ReadonlyMap<string, string> | undefined;

/** US dollars for one unit of a currency on the newest day on file, as exactly as it was published; undefined: none was published. */
export function referenceUsdWorth(currency: string): Decimal | undefined {
  if (currency === 'USD') return new Decimal(1);
  if (currency === 'AED') return new Decimal(1).div(AED_PER_USD);
  newest ??= published('9999-12-31').perEur;
  const perEur = currency === 'EUR' ? '1' : newest.get(currency === 'CNH' ? 'CNY' : currency);
  return perEur === undefined ? undefined : new Decimal(newest.get('USD')!).div(perEur);
}

/** The last line on file at or before `date`: units of currency for one euro, as published. */
function published(date: string): { day: string; perEur: ReadonlyMap<string, string> } {
  const [header, ...lines] = readFileSync(dataFile('ecb-reference-rates.csv'), 'utf8').trim().split('\n');
  const [day, ...rates] = (lines.findLast((line) => line.slice(0, 10) <= date) ?? lines[0]).split(',');
  const codes = header.split(',').slice(1);
  return { day, perEur: new Map(codes.map((code, i) => [code, rates[i]])) };
}
