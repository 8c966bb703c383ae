/** Card numbers of payments at rest, bound to one payment. The step that pays or ends the payment erases them. */

import type { Log } from '../../domain/log.js';
import { hasCards, withoutCards } from '../../domain/payments/card.js';
import type { Payment } from '../../domain/payments/payment.js';
import type { Client } from '../../store/access/clients.js';
import type { SubKey } from '../../store/keys/master-key.js';
import type { Store } from '../../store/store.js';
import { openCards, sealCards } from '../core/sealed-cards.js';

/** The payment with its card numbers in clear, for the bank only. Throws where they cannot be decrypted; without any it is unchanged. */
export function withClearCards(subKey: SubKey, payment: Payment): Payment {
  if (payment.sealedCards === '') return payment;
  const cards = openCards(subKey, payment.id, payment.sealedCards);
  const { details } = payment;
  return { ...payment, details: { ...details, beneficiary: { ...details.beneficiary, ...cards } } };
}

const PAGE = 200;

/**
 * Runs once in the life of a store: card numbers that 0.1.0 stored in clear are encrypted, or erased where the payment has ended, and the
 * append-only file is rewritten without them. After a crash the next start continues; two concurrent processes do no harm.
 */
export async function sealOldCards(store: Store, log: Log): Promise<void> {
  const state = await store.payments.cardsState();
  if (state === 'sealed' || !store.canRewrite) return;
  let count = 0;
  for await (const client of everyClient(store)) {
    for (let after: string | undefined; ; ) {
      const page = await store.lists.page(client, 'payments', {}, after, PAGE);
      for (const { id } of page) if (await sealOld(store, client, id, count)) count++;
      after = page.at(-1)?.place;
      if (after === undefined || page.length < PAGE) break;
    }
  }
  if (count > 0 || state === 'sealing') {
    const isRewritten = await store.rewriteFile();
    const text = isRewritten
      ? 'the append-only file is rewritten without them'
      : 'the append-only file could not be rewritten: run BGREWRITEAOF on each server of the store';
    log[isRewritten ? 'info' : 'warn'](
      { payments: count },
      `card numbers of an earlier release are encrypted; ${text}`,
    );
  }
  await store.payments.setCardsState('sealed');
}

async function sealOld(store: Store, client: Client, paymentId: string, before: number): Promise<boolean> {
  const payment = await store.payments.read(client, paymentId);
  if (payment === undefined || !hasCards(payment)) return false;
  // First: after a crash the file is rewritten even where nothing is left to encrypt.
  if (before === 0) await store.payments.setCardsState('sealing');
  const { cards } = withoutCards(payment);
  return store.payments.seal(
    client,
    paymentId,
    sealCards(store.subKey, paymentId, cards),
    (facts) => withoutCards(facts).facts,
  );
}

async function* everyClient({ clients }: Store): AsyncGenerator<Client> {
  for (let after: string | undefined; ; ) {
    const page = await clients.list({ limit: PAGE, ...(after !== undefined && { after }) });
    yield* page;
    after = page.at(-1)?.id;
    if (after === undefined || page.length < PAGE) return;
  }
}
