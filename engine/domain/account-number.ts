/**
 * Account numbers: 12 digits, the last of them a check digit (ISO 7064 MOD 11,10), so that a mistyped number is nobody's
 * account. The interface carries them as numbers, so the first digit is never 0.
 */

/** The account number of ten digits, drawn at random by whoever opens the account. */
export function accountNumber(digits10: string): string {
  if (!/^\d{10}$/.test(digits10)) throw new RangeError('an account number is made of ten digits');
  const digits = FIRST_DIGIT + digits10;
  return digits + checkDigit(digits);
}

/** Whether the text could be an account number of ours: its form and its check digit, not whether the account exists. */
export function isAccountNumber(text: string): boolean {
  return /^[1-9]\d{11}$/.test(text) && checkDigit(text.slice(0, -1)) === Number(text.slice(-1));
}

const FIRST_DIGIT = '1';

function checkDigit(digits: string): number {
  let carried = 10;
  for (const digit of digits) {
    const sum = (carried + Number(digit)) % 10;
    carried = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - carried) % 10;
}
