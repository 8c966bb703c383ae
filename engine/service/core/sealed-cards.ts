/** Card numbers at rest: AES-256-GCM under a sub-key of the master key, bound to the payment or beneficiary that they are of. */
import type { Cards } from '../../domain/payments/card.js';
import type { SubKey } from '../../store/keys/master-key.js';
import { openSealed, seal } from './aead.js';

/** Identifies the sub-key; prefix of what it has encrypted. */
const KEY_ID = 'cards-1';
const LENGTH_MAX = 1_024;

/** '' without a card. `of` is the id of the record. */
export function sealCards(subKey: SubKey, of: string, cards: Cards): string {
  const isNone = cards.cardNumber === undefined && cards.accountNumber === undefined;
  return isNone ? '' : `${KEY_ID}.${seal(subKey('cards'), JSON.stringify(cards), of)}`;
}

/** Empty without any. Throws where they cannot be decrypted. */
export function openCards(subKey: SubKey, of: string, sealedCards: string): Cards {
  if (sealedCards === '') return {};
  const [keyId, sealed = ''] = sealedCards.split('.');
  const opened = keyId === KEY_ID ? openSealed(subKey('cards'), sealed, LENGTH_MAX, of) : undefined;
  if (opened === undefined)
    throw new Error('a card number cannot be decrypted: see that MASTER_KEY and the release are right');
  return JSON.parse(opened.text) as Cards;
}
