/** The steps of a sub-client that post a share of the margin to its platform's ledger, in which a payment and conversions wait for it. */

import { createStep, PLAN, plannedSell } from '../../payments/store/payment-steps.js';
import { type ClientSteps, type LedgerSteps, NOW } from '../../store/ledger/ledger-steps.js';
import { HELD_UNTIL, held } from '../../store/ledger/money-steps.js';

/** A price with a margin of 0.25 percent, of which the platform has set 0.1. */
export const PROOF = 'm7 0123abcd t60lrc 3t   4xxg+rs';
const SCHEDULED = { settlesAtMs: NOW + 86_400_000, scheduledRoom: 10n ** 15n } as const;
/** Its value counts for the platform. */
const COUNTED = { platform: { limitUsd: 10n ** 12n, most: 5_000 } };
let platforms = 0;

export async function subClient(on: LedgerSteps): Promise<{ platform: ClientSteps; client: ClientSteps; usd: string }> {
  const id = `platform-${++platforms}`;
  const platform = await on.client(id);
  for (const currency of ['USD', 'EUR'] as const) {
    const number = await platform.open(currency, 100n);
    await on.keyspace.redis.zadd(platform.keys.overdue, 0, `${number}|BFX01KAGQ3V8S7M2Y5T9D`);
  }
  await on.store.payments.create(platform.of, createStep({}, { plan: undefined }));
  const client = await on.client(`${id}~one`);
  await client.open('EUR', 100_000n);
  return { platform, client, usd: await client.open('USD', 100_000n) };
}

async function booked(on: LedgerSteps, client: ClientSteps, more: object = {}) {
  const outcome = await on.store.bookings.book(client.of, client.step(more, { proof: PROOF }));
  if (outcome.kind !== 'booked') throw new Error(JSON.stringify(outcome));
  return outcome.booking;
}

type Row = readonly [step: string, what: string, prepare: (on: LedgerSteps) => Promise<() => Promise<unknown>>];

export const SHARE_STEPS: readonly Row[] = [
  [
    'book-fx',
    'of a sub-client, without a hold',
    async (on) => {
      const { client } = await subClient(on);
      const step = client.step({}, { proof: PROOF });
      return () => on.store.bookings.book(client.of, step);
    },
  ],
  [
    'book-fx',
    'of a sub-client',
    async (on) => {
      const { client } = await subClient(on);
      const step = client.step({ holdId: await held(client, COUNTED) }, { proof: PROOF });
      return () => on.store.bookings.book(client.of, step);
    },
  ],
  [
    'settle-fx',
    'of a sub-client',
    async (on) => {
      const { client } = await subClient(on);
      const booking = await booked(on, client, SCHEDULED);
      on.now = SCHEDULED.settlesAtMs;
      return () => on.store.dueQueue.settle(client.of, booking, 1);
    },
  ],
  [
    'amend-booking',
    'of a sub-client',
    async (on) => {
      const { client } = await subClient(on);
      const booking = await booked(on, client);
      const bust = { kind: 'bust', id: 'B1', actor: 'operator', reason: 'x' } as const;
      return () => on.store.amendments.amend(client.of, booking, bust);
    },
  ],
  [
    'pay',
    'of a sub-client',
    async (on) => {
      const { client, usd } = await subClient(on);
      const holdId = await held(client, COUNTED);
      const plan = { ...PLAN, sells: [plannedSell(usd, { share: '2', hold: holdId })] };
      return () => on.store.payments.create(client.of, createStep({ holdId }, { plan, draws: ['EUR', 'USD'] }));
    },
  ],
];

/** The steps that lock or end a hold which counts for a platform. */
export const PLATFORM_HOLD_STEPS: readonly Row[] = [
  [
    'lock-rate',
    'of a sub-client',
    async (on) => {
      const { client } = await subClient(on);
      await held(client, COUNTED);
      return () => held(client, COUNTED);
    },
  ],
  [
    'release-hold',
    'of a sub-client',
    async (on) => {
      const { client } = await subClient(on);
      const id = await held(client, COUNTED);
      return () => on.store.holds.release(client.of, id);
    },
  ],
  [
    'revoke-hold',
    'of a sub-client',
    async (on) => {
      const { client } = await subClient(on);
      const id = await held(client, COUNTED);
      return () => on.store.holds.revoke(client.of, id, 'DESK1', 'TRADING_HALTED');
    },
  ],
  [
    'expire-hold',
    'of a sub-client',
    async (on) => {
      const { client } = await subClient(on);
      const id = await held(client, COUNTED);
      on.now = HELD_UNTIL + 60_000;
      return () => on.store.dueQueue.expireHold(client.of, id, 'DESK1');
    },
  ],
];
