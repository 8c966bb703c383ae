/** Bytes of a conversion, a payment, a funding, a beneficiary and an item of a batch in the memory of a store and in its append-only file, from many of them. */

import { isRefusal } from '../../engine/domain/core/refusal.js';
import { pairBySymbol } from '../../engine/domain/money/pair.js';
import { startPaymentWorker } from '../../engine/roles/payments/payment-worker.js';
import type { AnyOperationName } from '../../engine/service/operations.js';
import { SANDBOX, startPayments } from '../../test/payments/service/payment-rig.js';
import type { StoreKind } from '../goals.js';

export interface RecordSize {
  readonly kind: RecordKind;
  readonly memory: number;
  readonly file: number;
  /** In the file after a rewrite; absent for the embedded store, which rewrites only at its start. */
  readonly rewritten?: number;
}

export const RECORD_KINDS = [
  ...(['conversion', 'conversion of a cross', 'payment', 'funding'] as const),
  ...(['beneficiary', 'version of a beneficiary', 'item of a batch', 'payment of a batch'] as const),
  // The conversion included.
  ...(['conversion that is open', 'conversion that is cancelled', 'conversion whose gain awaits its payment'] as const),
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Created before those that are measured: streams and indexes allocate in blocks. */
const BEFORE = 200;
const AT_ONCE = 50;
const REWRITE_MS = 60_000;

/** `count`: in steps of 50. */
export async function recordSizes(
  store: StoreKind,
  kinds: readonly RecordKind[],
  count: number,
): Promise<RecordSize[]> {
  const rig = await startPayments({ prefer: store, redisServer: process.env.REDIS_SERVER });
  // As in a sidecar: it takes the payments that its own process creates.
  const worker = startPaymentWorker(rig.services, { ports: SANDBOX });
  try {
    const makers = await makersOn(rig);
    const found: RecordSize[] = [];
    for (const kind of kinds) found.push(await sizeOf(rig, kind, makers[kind], count));
    return found;
  } finally {
    await worker.stop();
    await rig.stop();
  }
}

type Rig = Awaited<ReturnType<typeof startPayments>>;
type Maker = (n: number) => Promise<unknown>;

async function sizeOf(rig: Rig, kind: RecordKind, make: Maker, count: number): Promise<RecordSize> {
  for (let n = 0; n < BEFORE; n++) await make(n);
  await allPaid(rig);
  const wasRewritten = await rewritten(rig);
  const before = await sizes(rig);
  for (let n = BEFORE; n < BEFORE + count; n += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => make(n + i)));
  await allPaid(rig);
  const after = await sizes(rig);
  const anew = wasRewritten === undefined ? undefined : await rewritten(rig);
  const each = (bytes: number) => Math.round(bytes / (Math.ceil(count / AT_ONCE) * AT_ONCE));
  return {
    kind,
    memory: each(after.memory - before.memory),
    file: each(after.file - before.file),
    ...(anew !== undefined && { rewritten: each(anew - before.file) }),
  };
}

async function allPaid({ services }: Rig): Promise<void> {
  const { steps } = services.store.payments;
  while (steps.get('PAID')! < steps.get('IN_PROCESS')!) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function sizes({ keyspace }: Rig): Promise<{ memory: number; file: number }> {
  const info = await keyspace.redis.info('everything');
  const value = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { memory: value('used_memory') - value('mem_not_counted_for_evict'), file: value('aof_current_size') };
}

/** The file right after a rewrite; undefined for a store that cannot rewrite it while it runs. */
async function rewritten(rig: Rig): Promise<number | undefined> {
  const { redis } = rig.keyspace;
  const isStarted = await redis.bgrewriteaof().catch(() => undefined);
  for (const late = performance.now() + REWRITE_MS; isStarted !== undefined; ) {
    const info = await redis.info('persistence');
    if (/aof_rewrite_in_progress:0/.test(info) && /aof_rewrite_scheduled:0/.test(info)) return (await sizes(rig)).file;
    if (performance.now() > late) throw new Error(`the file is not rewritten within ${REWRITE_MS / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return undefined;
}

/** Two providers with ids of quotes, the longest that are kept as they come: each conversion's proof has both of them. */
function nameQuotes({ services: { book } }: Rig): void {
  const second = book.registerProvider('SECOND-BANK');
  const first = book.registerProvider('FIRST-BANK');
  for (const [symbol, bid, offer] of [
    ['EUR/USD', 1.081_59, 1.081_63],
    ['USD/JPY', 151.235, 151.24],
  ] as const) {
    const { index, priceDigits } = pairBySymbol(symbol)!;
    const scaled = (price: number) => Math.round(price * 10 ** priceDigits);
    for (const [provider, worse] of [
      [second, 1],
      [first, 0],
    ] as const) {
      const { origin } = book;
      origin.isKnown = true;
      origin.bid.id.set(Buffer.from('Q-20251120-080000-11'), 0, 20);
      origin.offer.id.set(Buffer.from('Q-20251120-080000-12'), 0, 20);
      book.tick(provider, index, scaled(bid) - worse, scaled(offer) + worse, 0, 0, 1_763_625_600_123_456, 0);
    }
  }
}

async function makersOn(rig: Rig): Promise<Readonly<Record<RecordKind, Maker>>> {
  nameQuotes(rig);
  const client = await rig.client('acme', {
    EUR: '90000000.00',
    USD: '90000000.00',
    JPY: '9000000000',
    CHF: '90000000.00',
  });
  await rig.ask('setScheduledLimit', { clientId: 'acme', limit: '1000000000' });
  const eur = (await rig.services.store.accounts.list(client)).find(({ currency }) => currency === 'EUR')!;
  const must = async (name: AnyOperationName, input: object) => {
    const answer = await rig.as(client, name, input);
    if (isRefusal(answer)) throw new Error(`${name}: ${answer.text} ${JSON.stringify(answer.fields)}`);
    return answer as object;
  };
  const beneficiaries = new Map<number, string>();
  /** With items for the records from `n` on, which one call makes. */
  const batchOf = async (kind: string, n: number): Promise<string> => {
    const made = await must('createBatch', {
      requestId: `${kind}-${n}-0123456789abcdef`,
      sourceAccount: Number(eur.number),
    });
    const { id: batchId } = (made as { batch: { id: string } }).batch;
    const items = Array.from({ length: AT_ONCE }, (_, at) => batchItem(kind, n + at));
    await must('addBatchItems', { batchId, items });
    return batchId;
  };
  /** CHF of one provider: its price moves between booking and cancellation, down for a gain. */
  const scheduled = async (kind: string, n: number) => {
    rig.tick('EUR/CHF', '0.93000', '0.93005');
    const { id } = await rig.book('acme', {
      ...{ sellCurrency: 'EUR', buyCurrency: 'CHF', sellAmount: 100 + n, type: 'SCHEDULED2' },
      ...{ requestId: `${kind}-${n}-0123456789abcdef`, description: 'Invoice 2026-11-20 of a supplier' },
    });
    return id;
  };
  const cancelled = async (kind: string, n: number, bid: string, offer: string) => {
    const confirmationId = await scheduled(kind, n);
    rig.tick('EUR/CHF', bid, offer);
    const quote = (await must('quoteCancellation', { confirmationId })) as { quoteId: string };
    await must('cancelConversion', {
      confirmationId,
      quoteId: quote.quoteId,
      requestId: `${kind}-${n}-cancelled-01234567`,
    });
  };
  /** In turn: each has a price of its own. */
  const inTurn = async (n: number, make: (n: number) => Promise<unknown>) => {
    for (let i = 0; n % AT_ONCE === 0 && i < AT_ONCE; i++) await make(n + i);
  };
  return {
    'conversion that is open': (n) => scheduled('open', n),
    'conversion that is cancelled': (n) => inTurn(n, (one) => cancelled('loss', one, '0.93000', '0.93005')),
    'conversion whose gain awaits its payment': (n) => inTurn(n, (one) => cancelled('gain', one, '0.92000', '0.92005')),
    async beneficiary(n) {
      const requestId = `beneficiary-${n}-0123456789abcdef`;
      const made = await must('createBeneficiary', { requestId, destinationCurrency: 'EUR', beneficiary: payeeOf(n) });
      beneficiaries.set(n, (made as { beneficiary: { id: string } }).beneficiary.id);
    },
    async 'version of a beneficiary'(n) {
      await must('changeBeneficiary', {
        beneficiaryId: beneficiaries.get(n),
        beneficiary: { address: 'Hauptstrasse 14' },
      });
    },
    async 'item of a batch'(n) {
      if (n % AT_ONCE === 0) await batchOf('item', n);
    },
    async 'payment of a batch'(n) {
      if (n % AT_ONCE !== 0) return;
      const batchId = await batchOf('paid', n);
      for (const step of ['validateBatch', 'closeBatch', 'fundBatch'] as const) await must(step, { batchId });
      while ((await rig.services.store.batches.read(client, batchId))?.status !== 'DONE')
        await new Promise((resolve) => setTimeout(resolve, 20));
    },
    conversion: (n) =>
      rig.book('acme', {
        sellCurrency: 'EUR',
        buyCurrency: 'USD',
        sellAmount: 100 + n,
        type: 'PREFUNDING',
        requestId: `conversion-${n}-0123456789abcdef`,
        description: 'Invoice 2026-11-20 of a supplier',
      }),
    'conversion of a cross': (n) =>
      rig.book('acme', {
        sellCurrency: 'EUR',
        buyCurrency: 'JPY',
        sellAmount: 100 + n,
        type: 'PREFUNDING',
        requestId: `cross-${n}-0123456789abcdef-----`,
        description: 'Invoice 2026-11-20 of a supplier',
      }),
    async payment(n) {
      const remitter = { name: 'Acme Trading Limited', address: '1 High Street', city: 'London', countryCode: 'GB' };
      const beneficiary = {
        name: `Beneficiary ${n} GmbH`,
        address: 'Hauptstrasse 12',
        city: 'Berlin',
        countryCode: 'DE',
        accountNumber: 'DE89370400440532013000',
        accountType: 'Company',
      };
      const additionalInfo = { purposeCode: 'IR001', reference: `Invoice ${n} of 2026-11-20`, currency: 'EUR' };
      await rig.pay(client, beneficiary.name, {
        requestId: `payment-${n}-0123456789abcdef`,
        transactionNumber: `TRANSACTION-${n}`,
        details: { remitter, beneficiary, additionalInfo } as never,
      });
    },
    async funding(n) {
      const made = await rig.as(client, 'createFunding', {
        accountNumber: Number(eur.number),
        amount: 100,
        depositAccount: 'Bank-12345678-EUR',
        reference: `Wire ${n} of 2026-11-20`,
        requestId: `funding-${n}-0123456789abcdef`,
      });
      if ('refusal' in made) throw new Error(JSON.stringify(made));
      const { id } = (made as { funding: { id: string } }).funding;
      const done = await rig.ask('completeFunding', { fundingId: id });
      if ('refusal' in done) throw new Error(JSON.stringify(done));
    },
  };
}

/** Each with an account of its own. */
function payeeOf(n: number) {
  const bban = `37040044${String(n).padStart(10, '0')}`;
  const check = 98n - (BigInt(`${bban}131400`) % 97n);
  return {
    name: `Beneficiary ${n} GmbH`,
    address: 'Hauptstrasse 12',
    city: 'Berlin',
    countryCode: 'DE',
    accountNumber: `DE${String(check).padStart(2, '0')}${bban}`,
    accountType: 'Company',
  };
}

function batchItem(kind: string, n: number) {
  const payment = {
    transactionNumber: `${kind.toUpperCase()}-${n}`,
    statementNarrative: `Invoice ${n} of 2026-11-20`,
    destinationCurrency: 'EUR',
    destinationAmount: 50,
    feePayer: 'OUR',
    remitter: { accountType: 'Company', purposeCode: 'IR01802' },
    beneficiary: payeeOf(n),
  };
  return { itemId: `item-${n}`, payment };
}
