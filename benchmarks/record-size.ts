/**
 * Bytes of a conversion, a payment and a funding in the memory of redis-server and in its append-only file:
 *
 *   RATEWIRE_TEST_STORE=redis-server npx tsx benchmarks/record-size.ts [--count 2000]
 *
 * The source of the figures in docs/scale.md and in `ratewire store forecast`.
 */
import { parseArgs } from 'node:util';
import { startPayments } from '../test/service/payments/payment-rig.js';

const { values } = parseArgs({ options: { count: { type: 'string', default: '2000' } } });
const count = Number(values.count);
const rig = await startPayments();
const { redis } = rig.keyspace;

async function sizes(): Promise<{ memory: number; file: number }> {
  const info = await redis.info('everything');
  const value = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { memory: value('used_memory') - value('mem_not_counted_for_evict'), file: value('aof_current_size') };
}

/** The file right after a rewrite. */
async function rewritten(): Promise<number> {
  await redis.bgrewriteaof();
  for (;;) {
    const info = await redis.info('persistence');
    if (/aof_rewrite_in_progress:0/.test(info) && /aof_rewrite_scheduled:0/.test(info)) return (await sizes()).file;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const client = await rig.client('acme', { EUR: '90000000.00', USD: '90000000.00' });
const eur = (await rig.services.store.accounts.list(client)).find(({ currency }) => currency === 'EUR')!;

const KINDS: Readonly<Record<string, (n: number) => Promise<unknown>>> = {
  conversion: (n) =>
    rig.book('acme', {
      sellCurrency: 'EUR',
      buyCurrency: 'USD',
      sellAmount: 100 + n,
      type: 'PREFUNDING',
      requestId: `conversion-${n}-0123456789abcdef`,
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
    if (n % 100 === 99) await rig.work();
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

const round = (bytes: number) => Math.round(bytes / count);
for (const [kind, make] of Object.entries(KINDS)) {
  for (let n = 0; n < 200; n++) await make(n);
  await rig.work();
  await rewritten();
  const before = await sizes();
  for (let n = 200; n < 200 + count; n += 50) await Promise.all(Array.from({ length: 50 }, (_, i) => make(n + i)));
  await rig.work();
  const after = await sizes();
  const anew = await rewritten();
  const [memory, file] = [after.memory - before.memory, after.file - before.file].map(round);
  process.stdout.write(
    `${kind}: memory ${memory} B, file ${file} B as it grows, ${round(anew - before.file)} B rewritten\n`,
  );
}
await rig.stop();
process.exit(0);
