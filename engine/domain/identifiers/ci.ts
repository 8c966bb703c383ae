import { compact, WRONG_CHECK_DIGIT, weightedSum } from './written.js';

/** CI, identity card: Ecuador 10 digits, Uruguay 7 or 8 digits, Bolivia 5 to 10 digits with complement and department. */
export function ciFault(value: string, country: 'EC' | 'UY' | 'BO'): string | undefined {
  const ci = compact(value, '.');
  if (country === 'EC') return ecuadorianFault(ci);
  return country === 'UY' ? uruguayanFault(ci) : bolivianFault(ci);
}

/** Province (01 to 24, 30 and 50 for holders abroad), kind (0 to 6), check digit: every other digit doubled, as Luhn's. */
export function ecuadorianFault(ci: string): string | undefined {
  if (!/^\d{10}$/.test(ci)) return 'a CI has 10 digits';
  if (!isProvince(ci)) return 'no province has these first two digits';
  if (Number(ci[2]) > 6) return 'the third digit is above 6';
  let sum = 0;
  for (let at = 0; at < ci.length; at += 1) {
    const product = Number(ci[at]) * (2 - (at % 2));
    sum += product > 9 ? product - 9 : product;
  }
  return sum % 10 === 0 ? undefined : WRONG_CHECK_DIGIT;
}

/** Whether the first two digits of a CI or RUC of Ecuador are a province's. */
export function isProvince(number: string): boolean {
  const province = number.slice(0, 2);
  return (province >= '01' && province <= '24') || province === '30' || province === '50';
}

/** The old numbers of six digits and their check digit are written with or without the leading zero. */
function uruguayanFault(ci: string): string | undefined {
  if (!/^\d{7,8}$/.test(ci)) return 'a CI has 7 or 8 digits with its check digit';
  const digits = ci.padStart(8, '0');
  return (10 - (weightedSum(digits, URUGUAYAN) % 10)) % 10 === Number(digits[7]) ? undefined : WRONG_CHECK_DIGIT;
}

const URUGUAYAN = [2, 9, 8, 7, 6, 3, 4];

/** No check digit: the number, a complement where two persons had the same one, the department that issued it. */
function bolivianFault(ci: string): string | undefined {
  return /^\d{5,10}(\d[A-Z])?(LP|CB|CH|OR|PT|PO|TJ|SC|SCZ|BE|BN|PA|PD|PN|QR)?$/.test(ci)
    ? undefined
    : 'a CI has 5 to 10 digits';
}
