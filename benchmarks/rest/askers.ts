/** Clients over REST, each with accounts and one record of each kind that can be read. */
import { randomUUID } from 'node:crypto';
import type { Store } from '../../engine/store/store.js';
import type { FundedClient } from '../booking/ledger.js';
import { REST_PORT, tokensOf } from '../load/ground.js';
import type { HttpRequest } from '../load/requests.js';
import { UNIQUE } from '../load/requests.js';
import { bookFxByAccount, funding, payment } from './rows.js';

export interface Asker {
  readonly token: string;
  readonly key: string;
  readonly secret: string;
  readonly eurAccount: number;
  readonly usdAccount: number;
  readonly bookingId: string;
  readonly fundingId: string;
  readonly paymentId: string;
  /** The payment's transaction number. */
  readonly reference: string;
}

const EUR = 1_000_000_00n;

export async function askersOf(store: Store, clients: readonly FundedClient[]): Promise<Asker[]> {
  const tokens = await tokensOf(store, clients);
  const askers: Asker[] = [];
  for (const [i, client] of clients.entries()) {
    const accounts = await store.accounts.list(client);
    const numberOf = (currency: string) => Number(accounts.find((account) => account.currency === currency)!.number);
    await store.accounts.credit(client, randomUUID(), String(numberOf('EUR')), EUR);
    const n = client.id.slice('bench'.length);
    const bare = { token: tokens[i]!, key: `key${n}`, secret: `secret${n}` };
    const asker = { ...bare, eurAccount: numberOf('EUR'), usdAccount: numberOf('USD') };
    askers.push(await withThings({ ...asker, bookingId: '', fundingId: '', paymentId: '', reference: '' }));
  }
  return askers;
}

/** Creates a record of each kind; without such a route yet it is left out. */
async function withThings(asker: Asker): Promise<Asker> {
  const create = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const { body: answer } = await ask({
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${asker.token}`, 'content-type': 'application/json' },
      body,
    });
    return answer;
  };
  const booked = await create('/api/v1/bookfx/account/create', bookFxByAccount(asker));
  const funded = await create('/api/v1/fund/create', funding(asker));
  const reference = randomUUID();
  const paid = await create('/api/v1/payments/create', { ...payment(asker), transaction_number: reference });
  return {
    ...asker,
    bookingId: String(booked.confirmation_id),
    fundingId: String(funded.gl_reference_number),
    paymentId: String(paid.payment_id),
    reference,
  };
}

/** One request, sent by this process. */
export async function ask(request: HttpRequest): Promise<{ status: number; body: Record<string, unknown> }> {
  const { method, path, headers, body } = request;
  const filled = (text: string) => text.replaceAll(UNIQUE, () => randomUUID());
  const answer = await fetch(`http://127.0.0.1:${REST_PORT}${path}`, {
    signal: AbortSignal.timeout(10_000),
    method,
    ...(headers && { headers }),
    ...(body && { body: filled(JSON.stringify(body)) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
