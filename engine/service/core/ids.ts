import { randomBytes, randomFillSync } from 'node:crypto';
import { EVENT_ID, ID_DIGITS, idTime } from '../../domain/core/ids.js';
import { sha256 } from '../../store/keys/redis-keys.js';
import { FINGERPRINT_LENGTH } from '../../store/ledger/records.js';

const RANDOM_DIGITS = 8;
const POOL = new Uint8Array(4_096);
let used = POOL.length;

/** A new id: the prefix, the time, so that ids sort by age, and 40 random bits. */
export function newId(
  prefix:
    | 'BAT'
    | 'BFX'
    | 'CVR'
    | 'PAY'
    | 'GLR'
    | 'BNF'
    | 'VRF'
    | 'DEP'
    | 'ADJ'
    | 'AMD'
    | 'IND'
    | 'STR'
    | 'WHK'
    | 'CHL'
    | 'E',
  nowMs: number,
): string {
  if (used + RANDOM_DIGITS > POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  let random = '';
  for (const byte of POOL.subarray(used, used + RANDOM_DIGITS)) random += ID_DIGITS[byte % 32];
  used += RANDOM_DIGITS;
  return prefix + idTime(nowMs) + random;
}

/** The bytes as digits, five bits each. */
export function idText(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let carried = 0;
  for (const byte of bytes) {
    carried = (carried << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += ID_DIGITS[(carried >> (bits - 5)) & 31];
    carried &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ID_DIGITS[(carried << (5 - bits)) & 31] : text;
}

const SEQUENCE_DIGITS = 8;

/** The id of an event, the same at each delivery: 50 bits of the SHA-256 of its client's id, and its sequence. */
export function eventId(clientId: string, sequence: number): string {
  let digits = '';
  for (let i = 0, rest = sequence; i < SEQUENCE_DIGITS; i++, rest = Math.floor(rest / 32))
    digits = ID_DIGITS[rest % 32] + digits;
  return eventsOf(clientId) + digits;
}

/** Undefined: not an id of an event of this client. */
export function sequenceOfEvent(clientId: string, id: string): number | undefined {
  const digits = id.slice(-SEQUENCE_DIGITS);
  if (!EVENT_ID.test(id) || id !== eventsOf(clientId) + digits) return undefined;
  let sequence = 0;
  for (const digit of digits) sequence = sequence * 32 + ID_DIGITS.indexOf(digit);
  return sequence;
}

const eventsOf = (clientId: string): string =>
  `EVT${idText(Buffer.from(sha256(clientId, 'hex').slice(0, 14), 'hex')).slice(0, 10)}`;

/** The first bits of the SHA-256 of a command: the same for the same command. */
export function fingerprintOf(command: readonly unknown[]): string {
  return sha256(JSON.stringify(command), 'base64url').slice(0, FINGERPRINT_LENGTH);
}

// Random once per process, then counted: unique across all sidecars and cheap enough for every request.
const lifetime = randomBytes(9).toString('base64url');
let served = 0;

export function nextRequestId(): string {
  return `${lifetime}-${(++served).toString(36)}`;
}
