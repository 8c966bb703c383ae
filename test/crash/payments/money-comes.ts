/** Money credited while programs are killed: fundings that the sandbox completes, and an operator's deposits, for waiting payments. */
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../../engine/store/store.js';
import { SILENT } from '../../support/store.js';
import { type CrashClient, units } from '../clients.js';
import { wholeFrom } from '../commands.js';
import { isGiven, type RestCaller } from '../rest-caller.js';
import type { Site } from '../site.js';
import type { PaymentTurn } from './pay-by-rest.js';
import type { MoneyIntent } from './payment-log.js';

/** An account that some payment waits for, and the amount that it lacks. */
export interface Wanted {
  readonly client: CrashClient;
  readonly account: number;
  readonly currency: string;
  readonly minor: bigint;
}

const AGAIN_MS = 60;

export async function moneyComes(
  site: Site,
  caller: RestCaller,
  turn: PaymentTurn,
  wanted: readonly Wanted[],
): Promise<void> {
  const { random, payments, round } = turn;
  for (const { client, account, currency, minor } of wanted) {
    await pause(wholeFrom(random, 0, 300));
    const kind = random() < 0.6 ? 'funding' : 'credit';
    const isRejected = kind === 'funding' && random() < 0.15;
    const some = (minor * BigInt(wholeFrom(random, 60, 160))) / 100n + 1n;
    const intent = payments.openMoney(round, { kind, client, account, currency, minor: some, isRejected });
    await sendMoney(site, caller, intent, turn.isOver);
  }
}

/** Repeated until it is answered, or the load is over: money sent under one name is credited once. */
async function sendMoney(site: Site, caller: RestCaller, intent: MoneyIntent, isOver: () => boolean): Promise<void> {
  do {
    const told = intent.kind === 'funding' ? await fund(caller, intent) : await credit(site, intent);
    if (told !== undefined) return void intent.told.add(told);
    await pause(AGAIN_MS);
  } while (!isOver());
}

async function fund(caller: RestCaller, intent: MoneyIntent): Promise<string | undefined> {
  const { client, name, account, currency, minor, isRejected } = intent;
  intent.isSent = true;
  const reply = await caller.post(client, '/api/v1/fund/create', {
    account_number: account,
    amount: Number(units(minor, currency)),
    instarem_deposit_account: `Crash Bank-12345678-${currency}`,
    payment_reference: isRejected ? 'REJECTED' : 'for what waits',
    request_id: name,
  });
  return isGiven(reply) ? String(reply.body.gl_reference_number) : undefined;
}

/** As the operator's command does it, without a process for each. */
async function credit(site: Site, intent: MoneyIntent): Promise<string | undefined> {
  const where = site.storeOptions();
  if (!where) return undefined;
  const { client, name, account, minor } = intent;
  try {
    const store = await openStore({ ...where, own: 'start-if-absent', log: SILENT });
    try {
      intent.isSent = true;
      const credited = await store.accounts.credit(client, name, String(account), minor);
      return typeof credited === 'string' ? undefined : name;
    } finally {
      await store.close();
    }
  } catch {
    return undefined;
  }
}
