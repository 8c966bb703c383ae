/** The token of a verification: sealed, so that nothing is stored; bound to the client, the name, its type and the account. */
import type { Payee } from '../../domain/beneficiaries/payee-account.js';
import type { PayeeAnswer, PayeeVerification } from '../../domain/beneficiaries/payee-verification.js';
import { type Refusal, refuse } from '../../domain/core/refusal.js';
import { TEXT_MAX } from '../../domain/core/text.js';
import type { SubKey } from '../../store/keys/master-key.js';
import { openSealed, seal } from '../core/aead.js';
import { payeeHash } from './payee-hash.js';

/** How long a payment may carry it. */
export const VERIFICATION_MS = 600_000;

/** Of account, name, and whether it is a company: a bank that is asked for no type is asked for a person. */
function hashOf(subKey: SubKey, payee: Payee): string {
  const { name = '', accountType } = payee.details.beneficiary;
  return payeeHash(subKey, payee, `${accountType === 'Company' ? 'Company' : 'Individual'} ${comparable(name)}`);
}

/** A name as it is compared: without regard to case and spaces. */
const comparable = (name: string): string => name.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();

export function verificationToken(
  subKey: SubKey,
  clientId: string,
  payee: Payee,
  { answer, code, verifiedAtMs }: PayeeVerification,
): string {
  const text = [answer, code, verifiedAtMs, hashOf(subKey, payee)].join('|');
  return seal(subKey('payee-verifications'), text, clientId);
}

/** Refuses with VERIFICATION_INVALID (also another client's), VERIFICATION_EXPIRED, VERIFICATION_MISMATCH (another payee). */
export function openVerification(
  subKey: SubKey,
  clientId: string,
  payee: Payee,
  token: string,
  nowMs: number,
): PayeeVerification | Refusal {
  const opened = openSealed(subKey('payee-verifications'), token, TEXT_MAX, clientId);
  if (opened === undefined) return refuse('VERIFICATION_INVALID');
  const [answer, code = '', at, hash] = opened.text.split('|');
  const verifiedAtMs = Number(at);
  if (nowMs >= verifiedAtMs + VERIFICATION_MS) return refuse('VERIFICATION_EXPIRED');
  if (hash !== hashOf(subKey, payee)) return refuse('VERIFICATION_MISMATCH');
  return { answer: answer as PayeeAnswer, code, verifiedAtMs };
}
