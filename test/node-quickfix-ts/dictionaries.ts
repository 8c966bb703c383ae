/** The data dictionaries of test/data/fix. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Dictionary } from 'node-quickfix-ts';

const NAMES = ['FIX40', 'FIX41', 'FIX42', 'FIX43', 'FIX44', 'FIX50', 'FIX50SP1', 'FIX50SP2', 'FIXT11'] as const;
export type DictionaryName = (typeof NAMES)[number];

export function dictionaryXml(name: DictionaryName): string {
  return gunzipSync(readFileSync(new URL(`../data/fix/${name}.xml.gz`, import.meta.url))).toString('utf8');
}

const parsed = new Map<DictionaryName, Dictionary>();

/** The dictionary, parsed once. */
export function readDictionary(name: DictionaryName = 'FIX44'): Dictionary {
  let dictionary = parsed.get(name);
  if (dictionary === undefined) {
    dictionary = Dictionary.parse(dictionaryXml(name));
    parsed.set(name, dictionary);
  }
  return dictionary;
}
