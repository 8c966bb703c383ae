/** Accounts and names of payees where they must not be readable: in the index of accounts, and in tokens of verifications. */
import { createHmac } from 'node:crypto';
import { accountOf, type Payee } from '../../domain/beneficiaries/payee-account.js';
import type { SubKey } from '../../store/keys/master-key.js';

/** 132 bits. */
const LENGTH = 22;

/** An HMAC of the account in its one notation; with a name, of both. */
export function payeeHash(subKey: SubKey, payee: Payee, name = ''): string {
  const text = JSON.stringify([...accountOf(payee), name]);
  return createHmac('sha256', subKey('payees')).update(text).digest('base64url').slice(0, LENGTH);
}
