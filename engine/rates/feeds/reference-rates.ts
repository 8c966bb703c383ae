import { readFileSync } from 'node:fs';
import { dataFile } from '../data-file.js';

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
 * all. With AED by its peg, and CNH taken for CNY, which is an assumption: nobody publishes a reference rate for it.
 */
export function referenceRates(date: string): ReferenceRates {
  const [header, ...lines] = readFileSync(dataFile('ecb-reference-rates.csv'), 'utf8').trim().split('\n');
  const codes = header.split(',').slice(1);
  const [day, ...perEur] = (lines.findLast((line) => line.slice(0, 10) <= date) ?? lines[0]).split(',');

  const eurUsd = Number(perEur[codes.indexOf('USD')]);
  const perUsd = new Map(codes.map((code, i) => [code, Number(perEur[i]) / eurUsd]));
  perUsd.set('EUR', 1 / eurUsd);
  perUsd.set('AED', AED_PER_USD);
  perUsd.set('CNH', perUsd.get('CNY') ?? Number.NaN);
  return { date: day, perUsd };
}
