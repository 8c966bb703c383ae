/** Many payments to PAID in this process: created and processed by the service's own functions, without REST and without its checks of fields. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Services } from '../../engine/service/core/services.js';
import type { PaymentOrder } from '../../engine/service/payments/pay.js';
import { built, type FundedClient } from './ledger.js';

const AT_ONCE = 64;
/** A payment that makes no progress for so long is an error. */
const STALL_MS = 30_000;

export async function payments(services: Services, clients: readonly FundedClient[], count: number): Promise<void> {
  const { pay } = await built<typeof import('../../engine/service/payments/pay.js')>('service/payments/pay.js');
  for (let first = 0; first < count; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, i) => first + i);
    await Promise.all(
      numbers.map(async (n) => {
        const client = (await services.store.clients.cached(clients[n % clients.length]!.id))!;
        const paid = await pay(services, client, order(n));
        if ('refusal' in paid) throw new Error(`${paid.refusal}: ${paid.text}`);
      }),
    );
    await processed(services);
  }
}

/** Resolves when no job is left. */
async function processed(services: Services): Promise<void> {
  const { processJob } = await built<typeof import('../../engine/service/payments/work-payment.js')>(
    'service/payments/work-payment.js',
  );
  const { SANDBOX_COMPLIANCE, SANDBOX_PAYOUT } = await built<
    typeof import('../../engine/service/payments/sandbox-ports.js')
  >('service/payments/sandbox-ports.js');
  const ports = { compliance: SANDBOX_COMPLIANCE, payout: SANDBOX_PAYOUT };
  const { work } = services.store;
  for (let late = performance.now() + STALL_MS; ; ) {
    const busy = await work.busyShards();
    if (busy.length === 0) return;
    const taken = await Promise.all(busy.map(({ shard }) => work.take(shard, 'benchmark', AT_ONCE)));
    const entries = taken.flat();
    await Promise.all(entries.map((entry) => processJob(services, ports, entry)));
    if (entries.length > 0) late = performance.now() + STALL_MS;
    else if (performance.now() > late) throw new Error('the payments make no progress');
    else await pause(10);
  }
}

const order = (n: number): PaymentOrder => ({
  version: 2,
  requestId: `growth-${n}-0123456789abcdef`,
  transactionNumber: `GROWTH-${n}`,
  currency: 'EUR',
  country: 'DE',
  method: 'BANK',
  amount: { kind: 'destination', minor: 100n },
  sourceAccount: undefined,
  feePayer: 'OUR',
  deduct: 0n,
  holdId: undefined,
  details: {
    remitter: { name: 'Acme Trading Limited', address: '1 High Street', city: 'London', countryCode: 'GB' },
    beneficiary: { name: `Beneficiary ${n} GmbH`, address: 'Hauptstrasse 12', city: 'Berlin', countryCode: 'DE' },
    additionalInfo: {},
  },
});
