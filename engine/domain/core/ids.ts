/**
 * The forms of all ids, names and account numbers. A text from a wire is matched first, so that no key, hash tag or log line can be forged.
 */

/** TargetCompID(56) of every desk: our side of their sessions. */
export const ENGINE_COMP_ID = 'FXENGINE';

/** A client, or behind `~` a sub-client of it: `acme~shop-1`. The id of a sub-client names its platform, so that nothing has to look it up. */
export const CLIENT_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}(~[A-Za-z0-9][A-Za-z0-9_-]{0,30})?$/;
/** What a platform names a sub-client by: the part behind `~`. */
export const SUB_CLIENT_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,30}$/;

/** The client whose sub-client this is; undefined: it is no sub-client. */
export function platformOf(clientId: string): string | undefined {
  const at = clientId.indexOf('~');
  return at < 0 ? undefined : clientId.slice(0, at);
}

/** The scope of a platform's rule for all its sub-clients. */
export const SUB_CLIENTS = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}~\*$/;
export const subClientsOf = (platform: string): string => `${platform}~*`;

export const subClientId = (platform: string, name: string): string => `${platform}~${name}`;

/** The house's own ledger: an id that no client can have. */
export const HOUSE_ID = '_house';
/** Whose journal it is: a client's, or the house's own. */
export const LEDGER_ID = new RegExp(`^${HOUSE_ID}$|${CLIENT_ID.source}`);
/** As the session layer takes them: points alone are none. */
export const COMP_ID = /^(?!\.+$)[A-Za-z0-9._-]{1,32}$/;
/** Client keys that we issue are `CK_` and 24 letters; one brought along (`keys.provision`) may be any such name. */
export const CLIENT_KEY = /^[A-Za-z0-9][A-Za-z0-9_.-]{2,63}$/;
/** 32 bytes in base64url. */
export const TOKEN = /^[A-Za-z0-9_-]{43}$/;
export const TOKEN_HASH = /^[0-9a-f]{64}$/;

/** An IPv4 or IPv6 address, or a block of them. */
export const ADDRESS_BLOCK = /^[0-9A-Fa-f.:]{2,45}(\/\d{1,3})?$/;

/** In market convention, or every pair. */
export const PAIR_OR_ALL = /^(\*|[A-Z]{3}\/[A-Z]{3})$/;

/** The client's own id of a request. */
export const REQUEST_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** ClOrdID(11) of an order: the request id of its conversion, which may have any visible character of ASCII. */
export const CL_ORD_ID = /^[\x21-\x7e]{1,64}$/;
export const BOOKING_ID = /^BFX[0-9A-Z]{10,20}$/;
export const PAYMENT_ID = /^PAY[0-9A-Z]{10,20}$/;
export const HOLD_ID = /^HLD[0-9A-Z]{10,20}$/;
export const FUNDING_ID = /^GLR[0-9A-Z]{10,20}$/;
export const BENEFICIARY_ID = /^BNF[0-9A-Z]{10,20}$/;
export const BATCH_ID = /^BAT[0-9A-Z]{10,20}$/;
/** A client's own id of an item of a batch: with the batch's id and a point it is a request id. */
export const ITEM_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/;
export const COVER_ID = /^CVR[0-9A-Z]{10,20}$/;
export const EVENT_ID = /^EVT[0-9A-HJKMNP-TV-Z]{18}$/;
/** A liquidity provider, as `provider=` of FEED and of COVER_SESSIONS names it. */
export const PROVIDER = /^[A-Za-z0-9._-]{1,32}$/;

/** Crockford's base 32, in ascending order: no letters that look like digits. */
export const ID_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 9;
const TIME_MAX = ID_DIGITS.length ** TIME_DIGITS - 1;

/** The time, epoch ms, behind the prefix of an id: ids of one kind sort by it. Times before 1970 or after 3084 are the first or the last. */
export function idTime(ms: number): string {
  let text = '';
  let rest = Math.min(Math.max(ms, 0), TIME_MAX);
  for (let i = 0; i < TIME_DIGITS; i++, rest = Math.floor(rest / 32)) text = ID_DIGITS[rest % 32] + text;
  return text;
}

/** The time of an id, epoch ms; 0 where it has none. */
export function timeOfId(id: string): number {
  let ms = 0;
  for (const digit of id.slice(3, 3 + TIME_DIGITS)) ms = ms * 32 + Math.max(0, ID_DIGITS.indexOf(digit));
  return ms;
}

export const ACCOUNT_NUMBER = /^[1-9]\d{11}$/;

/**
 * Account numbers: 12 digits, the last of them a check digit (ISO 7064 MOD 11,10), so that a mistyped number is no account.
 * The interface carries them as numbers, so the first digit is never 0. The ten digits are drawn at random by the caller.
 */
export function accountNumber(digits10: string): string {
  if (!/^\d{10}$/.test(digits10)) throw new RangeError('an account number is made of ten digits');
  const digits = FIRST_DIGIT + digits10;
  return digits + checkDigit(digits);
}

/** Whether the text could be an account number of ours: its form and its check digit, not whether the account exists. */
export function isAccountNumber(text: string): boolean {
  return ACCOUNT_NUMBER.test(text) && checkDigit(text.slice(0, -1)) === Number(text.slice(-1));
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
