/** Money: the currencies, amounts as whole minor units, and the texts of amounts, margins and prices. It loads no package: help prints fast. */
import { type Refusal, refuse } from '../core/refusal.js';

/** One currency; `exponent` is the number of decimals of its minor unit (ISO 4217). */
export interface CurrencyInfo {
  readonly code: string;
  readonly exponent: 0 | 2 | 3;
  readonly name: string;
}

/** The currencies offered: each has a place in the market's pair order and a calendar of its own. */
export const CURRENCIES: readonly CurrencyInfo[] = [
  { code: 'EUR', exponent: 2, name: 'Euro' },
  { code: 'GBP', exponent: 2, name: 'Pound Sterling' },
  { code: 'AUD', exponent: 2, name: 'Australian Dollar' },
  { code: 'NZD', exponent: 2, name: 'New Zealand Dollar' },
  { code: 'USD', exponent: 2, name: 'US Dollar' },
  { code: 'CAD', exponent: 2, name: 'Canadian Dollar' },
  { code: 'CHF', exponent: 2, name: 'Swiss Franc' },
  { code: 'CZK', exponent: 2, name: 'Czech Koruna' },
  { code: 'DKK', exponent: 2, name: 'Danish Krone' },
  { code: 'HUF', exponent: 2, name: 'Forint' },
  { code: 'PLN', exponent: 2, name: 'Zloty' },
  { code: 'RON', exponent: 2, name: 'Romanian Leu' },
  { code: 'SEK', exponent: 2, name: 'Swedish Krona' },
  { code: 'NOK', exponent: 2, name: 'Norwegian Krone' },
  { code: 'TRY', exponent: 2, name: 'Turkish Lira' },
  { code: 'ILS', exponent: 2, name: 'New Israeli Sheqel' },
  { code: 'AED', exponent: 2, name: 'UAE Dirham' },
  { code: 'BRL', exponent: 2, name: 'Brazilian Real' },
  { code: 'MXN', exponent: 2, name: 'Mexican Peso' },
  { code: 'ZAR', exponent: 2, name: 'Rand' },
  { code: 'CNY', exponent: 2, name: 'Yuan Renminbi' },
  // Not an ISO code: the market's name for renminbi delivered in Hong Kong.
  { code: 'CNH', exponent: 2, name: 'Offshore Renminbi' },
  { code: 'HKD', exponent: 2, name: 'Hong Kong Dollar' },
  { code: 'IDR', exponent: 2, name: 'Rupiah' },
  { code: 'INR', exponent: 2, name: 'Indian Rupee' },
  { code: 'KRW', exponent: 0, name: 'Won' },
  { code: 'MYR', exponent: 2, name: 'Malaysian Ringgit' },
  { code: 'PHP', exponent: 2, name: 'Philippine Peso' },
  { code: 'SGD', exponent: 2, name: 'Singapore Dollar' },
  { code: 'THB', exponent: 2, name: 'Baht' },
  { code: 'JPY', exponent: 0, name: 'Yen' },
];

// ISO 4217 active codes of money in use; no account is in a fund, a metal or a test code.
const ISO_TWO_DECIMALS =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE ' +
  'CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR ' +
  'KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB ' +
  'PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY ' +
  'TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG';
const ISO_NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';
const ISO_THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND';

const EXPONENTS = new Map<string, 0 | 2 | 3>([
  ...ISO_TWO_DECIMALS.split(' ').map((code) => [code, 2] as const),
  ...ISO_NO_DECIMALS.split(' ').map((code) => [code, 0] as const),
  ...ISO_THREE_DECIMALS.split(' ').map((code) => [code, 3] as const),
]);
/**
 * The money of corridors that no provider quotes: held and paid, never converted, because it has neither a place in the market's pair
 * order nor a calendar.
 */
const NEVER_CONVERTED = new Set(['BDT', 'KES', 'NGN', 'VND']);
const OFFERED = new Map(CURRENCIES.map((currency) => [currency.code, currency]));

/** Is this currency offered here, with conversions from and into it? Exact upper-case code. */
export function isCurrency(code: string): boolean {
  return OFFERED.has(code);
}

/** May an account be in this currency, whether or not it is converted here? Exact upper-case code. */
export function isAccountCurrency(code: string): boolean {
  return OFFERED.has(code) || NEVER_CONVERTED.has(code);
}

/** Is this an active ISO 4217 currency code, offered here or not? Exact upper-case code; CNH is not one. */
export function isIsoCurrency(code: string): boolean {
  return EXPONENTS.has(code);
}

/** Decimals of the currency's minor unit. Throws for a code that is neither ISO nor offered: check it first. */
export function exponentOf(code: string): number {
  const exponent = OFFERED.get(code)?.exponent ?? EXPONENTS.get(code);
  if (exponent === undefined) throw new RangeError(`no such currency: ${code}`);
  return exponent;
}

/** The largest amount and the largest balance of a client, in minor units. */
export const MAX_MINOR = 999_999_999_999_999n;

/**
 * An amount from outside, as whole minor units of a known currency. A number counts by its shortest text. 0 is
 * allowed; whether it makes sense is the operation's matter. Refuses with BAD_AMOUNT: no plain decimal, a sign or an
 * exponent, more decimals than the currency has, more than 15 digits.
 */
export function parseAmount(amount: string | number, currency: string): bigint | Refusal {
  const parts = /^(\d{1,15})(?:\.(\d+))?$/.exec(String(amount));
  if (!parts)
    return refuse('BAD_AMOUNT', 'Amount must be a plain decimal of at most 15 digits, without sign or exponent');
  const [, whole = '', decimals = ''] = parts;
  const exponent = exponentOf(currency);
  if (decimals.length > exponent) {
    return refuse(
      'BAD_AMOUNT',
      `Amount has ${decimals.length} decimals and ${currency} has ${exponent}: round it first`,
    );
  }
  const minor = BigInt(whole + decimals.padEnd(exponent, '0'));
  return minor <= MAX_MINOR ? minor : refuse('BAD_AMOUNT', 'Amount above 999,999,999,999,999 minor units: send less');
}

/** An amount that a command moves: as parseAmount, and above 0. */
export function parsePositive(amount: string | number, currency: string): bigint | Refusal {
  const minor = parseAmount(amount, currency);
  return minor === 0n ? refuse('BAD_AMOUNT', 'Amount must be above 0') : minor;
}

/** Minor units as a decimal text with all the currency's decimals: 27108773n in USD is '271087.73'. */
export function formatMinor(minor: bigint, currency: string): string {
  const exponent = exponentOf(currency);
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0');
  const sign = minor < 0n ? '-' : '';
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/**
 * Minor units as the JSON number that reads the same, without idle zeros: 27108770n in USD is 271087.7. A number keeps
 * 15 digits; throws RangeError rather than lose one.
 */
export function minorToNumber(minor: bigint, currency: string): number {
  if (minor > MAX_MINOR || minor < -MAX_MINOR) throw new RangeError(`${minor} minor units do not fit a JSON number`);
  const text = formatMinor(minor, currency);
  return Number(text);
}

/** The percent of a margin in parts per million, as MarginPercent(20003) and REST show it: 2500 is '0.25'. */
export function formatMargin(ppm: number): string {
  const whole = (ppm - (ppm % 10_000)) / 10_000;
  const decimals = String(ppm % 10_000)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return decimals ? `${whole}.${decimals}` : String(whole);
}

/** The price as text with all its decimals: 10788760 with 7 digits is '1.0788760'. */
export function formatScaled(scaled: number | bigint, digits: number): string {
  const text = String(scaled).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
