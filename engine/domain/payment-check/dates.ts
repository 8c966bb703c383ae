/** Dates against today: births are past, a paying person is of age, a card has not expired (G7). */
import type { Examined } from './context.js';

export function checkDates({ given, found, circumstances, context }: Examined): void {
  const today = new Date(context.now).toISOString().slice(0, 10);
  for (const field of ['remitter.dob', 'beneficiary.dob'] as const) {
    const dob = given.text(field);
    if (dob === undefined || found.has(field)) continue;
    if (dob >= today) {
      found.add(field, 'incorrect_value', 'a day in the past', 'G7');
    } else if (field === 'remitter.dob' && circumstances.remitter === 'Individual') {
      const age = ageOn(today, dob);
      if (age < 18 || age > 120) found.add(field, 'incorrect_value', 'a person who pays is 18 to 120 years old', 'G7');
    }
  }
  const expiry = given.text('beneficiary.cardExpiryDate');
  if (expiry !== undefined && expiry < today.slice(0, 7))
    found.add('beneficiary.cardExpiryDate', 'incorrect_value', 'the card has expired', 'G7');
}

/** In full years; both as YYYY-MM-DD. */
function ageOn(today: string, dob: string): number {
  const years = Number(today.slice(0, 4)) - Number(dob.slice(0, 4));
  return today.slice(5) < dob.slice(5) ? years - 1 : years;
}
