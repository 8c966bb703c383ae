import { composeIBAN, countrySpecs } from 'ibantools';

/** An IBAN that is right for its country and nobody's: noughts, and `A` where it takes letters alone. */
export function ibanExample(country: string): string {
  const parts = (countrySpecs[country]?.bban_regexp ?? '').matchAll(/\[([^\]]+)\]\{(\d+)\}/g);
  const bban = [...parts].map(([, letters, length]) => (letters!.includes('0-9') ? '0' : 'A').repeat(Number(length)));
  return composeIBAN({ countryCode: country, bban: bban.join('') }) ?? '';
}
