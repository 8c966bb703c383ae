/** Directories of bank codes and countries, from the data files of this folder. */
import { readDataFile } from './data-file.js';

/** As runs: see identifiers/number-runs.ts. */
export const BSB_RUNS = textOf('bsb.txt');

/** A bank a line: see the header of the file. */
export const IFSC_DIRECTORY = textOf('ifsc.txt');

/** The first three digits of a CLABE. */
export const CLABE_BANKS = numbersOf('clabe-banks.txt');

/** Digits four to six of a CLABE. */
export const CLABE_PLACES = numbersOf('clabe-places.txt');

/** By country, `DE=8!n10!n`: see the header of the file. */
export const IBAN_STRUCTURES = textOf('iban-structures.txt');

/** The officially assigned two-letter codes of ISO 3166-1, and XK. */
export const COUNTRY_CODES: ReadonlySet<string> = new Set(textOf('iso-3166.txt').split(/\s+/));

function textOf(name: string): string {
  return readDataFile(name).lines.join('\n');
}

/** Numbers and ranges such as `126-141`. */
function numbersOf(name: string): ReadonlySet<number> {
  const all = new Set<number>();
  for (const part of textOf(name).split(/\s+/)) {
    const [first, last] = part.split('-').map(Number);
    for (let code = first!; code <= (last ?? first!); code += 1) all.add(code);
  }
  return all;
}
