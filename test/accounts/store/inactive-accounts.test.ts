/** No step debits or credits an inactive account; the exceptions are rows of the table. */
import { basename } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Batch } from '../../../engine/domain/batches/batch.js';
import type { Booking } from '../../../engine/domain/conversions/booking.js';
import type { FundingFacts } from '../../../engine/domain/fundings/funding.js';
import type { PaymentStatus } from '../../../engine/domain/payments/payment-status.js';
import type { QueuedItem } from '../../../engine/store/batches/batches.js';
import { BatchSteps, queuedItem } from '../../batches/store/batch-steps.js';
import {
  along,
  create,
  created,
  createStep,
  move,
  PLAN,
  paymentFacts,
  plannedSell,
} from '../../payments/store/payment-steps.js';
import { type ClientSteps, type LedgerSteps, NOW, startLedgerSteps } from '../../store/ledger/ledger-steps.js';
import { changeTerms } from '../../store/ledger/money-steps.js';
import { filesEndingIn, read } from '../../tidy/tree.js';

let on: LedgerSteps;
let clients = 0;

beforeAll(async () => {
  on = await startLedgerSteps();
});
afterAll(() => on.stop());
beforeEach(() => {
  on.now = NOW;
});

const LATER = NOW + 86_400_000;
const FUNDED = 100_000n;

/** The accounts of one row: EUR is sold and pays, USD is bought into. */
interface Accounts {
  readonly client: ClientSteps;
  readonly eur: string;
  readonly usd: string;
  deactivate(): Promise<void>;
}

interface Row {
  /** The Lua file. */
  readonly step: string;
  readonly what: string;
  readonly inactive: 'sell' | 'buy';
  /** Runs the step after `deactivate`; returns its outcome. */
  run(accounts: Accounts): Promise<string>;
  readonly outcome: string;
  /** For the exceptions: minor units credited to the inactive account. */
  readonly credited?: bigint;
}

const SCHEDULED = { settlesAtMs: LATER, scheduledRoom: 10n ** 15n } as const;

async function book({ client }: Accounts, more: object = {}, type: 'PREFUNDING' | 'SCHEDULED1' = 'PREFUNDING') {
  const outcome = await on.store.bookings.book(client.of, client.step(more, { type }));
  return outcome.kind === 'booked' ? outcome : { ...outcome, booking: undefined };
}

async function scheduled(accounts: Accounts): Promise<Booking> {
  return (await book(accounts, SCHEDULED, 'SCHEDULED1')).booking!;
}

const bookRow = (what: string, inactive: Row['inactive'], more: object = {}): Row => ({
  step: 'book-fx',
  what,
  inactive,
  outcome: 'ACCOUNT_INACTIVE',
  async run(accounts) {
    await accounts.deactivate();
    const outcome = await book(accounts, more, 'settlesAtMs' in more ? 'SCHEDULED1' : 'PREFUNDING');
    return outcome.kind === 'refused' ? outcome.code : outcome.kind;
  },
});

const settleRow = (what: string, inactive: Row['inactive']): Row => ({
  step: 'settle-fx',
  what,
  inactive,
  outcome: 'overdue',
  async run(accounts) {
    const booking = await scheduled(accounts);
    await accounts.deactivate();
    on.now = LATER;
    return on.store.dueQueue.settle(accounts.client.of, booking, 1);
  },
});

const payRow = (
  what: string,
  inactive: Row['inactive'],
  step: (accounts: Accounts) => Parameters<typeof create>[2],
  outcome = 'ACCOUNT_INACTIVE',
): Row => ({
  step: 'pay',
  what,
  inactive,
  outcome,
  async run(accounts) {
    await accounts.deactivate();
    const answer = await create(on.store, accounts.client, step(accounts));
    return answer.kind === 'refused' ? answer.code : answer.kind;
  },
});

const moveRow = (to: PaymentStatus, way: readonly PaymentStatus[], credited: bigint): Row => ({
  step: 'move-payment',
  what: `the money of a payment comes back: ${to}`,
  inactive: 'sell',
  outcome: 'moved',
  credited,
  async run(accounts) {
    const payment = await along(on.store, accounts.client, await created(on.store, accounts.client), ...way);
    await accounts.deactivate();
    return (await move(on.store, accounts.client, payment, to)).kind;
  },
});

const fundingRow = (to: 'COMPLETED' | 'REVERSED'): Row => ({
  step: 'move-funding',
  what: `a funding becomes ${to}`,
  inactive: 'sell',
  outcome: 'ACCOUNT_INACTIVE',
  async run({ client, eur, deactivate }) {
    const id = `GLR${String(++clients).padStart(13, '0')}`;
    const facts: FundingFacts = {
      ...{ id, account: eur, currency: 'EUR', amount: '2500', depositAccount: 'Bank-1-EUR', reference: '' },
      ...{ requestId: '', createdAtMs: NOW },
    };
    const asked = { id, account: eur, facts, fingerprint: '', actor: 'client', requestId: undefined };
    const made = await on.store.fundings.create(client.of, asked);
    if (made.kind !== 'created') throw new Error(made.kind);
    const decide = (to: 'COMPLETED' | 'REVERSED') =>
      on.store.fundings.move(client.of, made.funding, { to, actor: 'operator', reason: '' });
    if (to === 'REVERSED') await decide('COMPLETED');
    await deactivate();
    const outcome = await decide(to);
    return outcome.kind === 'refused' ? outcome.code : outcome.kind;
  },
});

const closeOutRow = (kind: 'charge' | 'credit', inactive: Row['inactive'], outcome: string): Row => ({
  step: 'cancel-booking',
  what: `the close-out of an overdue conversion is a ${kind} on the account bought into`,
  inactive,
  outcome,
  async run(accounts) {
    const booking = await scheduled(accounts);
    await accounts.deactivate();
    on.now = LATER;
    expect(await on.store.dueQueue.settle(accounts.client.of, booking, 1)).toBe('overdue');
    const closeOut = { kind, currency: 'USD', amount: '500', cost: '11300', price: 11_300_000 };
    const cancellation = { actor: 'operator', reason: 'not funded', closeOut };
    const ended = await on.store.dueQueue.cancel(accounts.client.of, booking, cancellation);
    return ended.kind === 'refused' ? ended.code : ended.kind;
  },
});

const changeRow = (what: 'charge' | 'credit', inactive: Row['inactive'], outcome: string): Row => ({
  step: 'change-booking',
  what: `a cancellation by the client is a ${what} on the account sold from`,
  inactive,
  outcome,
  async run(accounts) {
    const booking = await scheduled(accounts);
    await accounts.deactivate();
    const step = { requestId: 'C1', fingerprint: 'print', reason: '', ...changeTerms(booking, what) };
    const ended = await on.store.changes.make(accounts.client.of, booking, step);
    return ended.kind === 'refused' ? ended.code : ended.kind;
  },
});

const gainRow: Row = {
  step: 'pay-gain',
  what: 'the gain of a cancellation comes to it',
  inactive: 'sell',
  outcome: 'later',
  async run(accounts) {
    const booking = await scheduled(accounts);
    const step = { requestId: 'C1', fingerprint: 'print', reason: '', ...changeTerms(booking, 'credit') };
    await on.store.changes.make(accounts.client.of, booking, step);
    await accounts.deactivate();
    on.now = LATER;
    const { changes } = await on.store.dueQueue.readGroup(accounts.client.of);
    return on.store.dueQueue.payGain(accounts.client.of, booking, { heldMinor: 0n, retryMs: 1, changes });
  },
};

const adjustRow = (kind: 'credit' | 'debit' | 'repay', outcome: string, credited?: bigint): Row => ({
  step: 'adjust-account',
  what: `an operator's adjustment: ${kind}`,
  inactive: 'sell',
  outcome,
  ...(credited !== undefined && { credited }),
  async run({ client, eur, deactivate }) {
    await deactivate();
    const asked = {
      id: 'ADJ1',
      kind,
      account: eur,
      amount: 100n,
      reference: 'bank-1',
      actor: 'operator',
      reason: 'wrong',
    };
    const adjusted = await on.store.accounts.adjust(client.of, asked);
    return adjusted.kind === 'refused' ? adjusted.code : 'adjusted';
  },
});

const amendRow = (kind: 'bust' | 'correct', inactive: Row['inactive']): Row => ({
  step: 'amend-booking',
  what: `an operator's amendment: ${kind}`,
  inactive,
  outcome: 'ACCOUNT_INACTIVE',
  async run(accounts) {
    const { booking } = await book(accounts);
    await accounts.deactivate();
    const terms = {
      price: 10_700_000,
      providerPrice: 10_825_000,
      marginPpm: 1,
      sell: '10000',
      buy: '10700',
      margin: '125',
    };
    const amendment = { kind, id: 'A1', ...(kind === 'correct' && { terms }), actor: 'operator', reason: 'x' };
    const amended = await on.store.amendments.amend(accounts.client.of, booking!, amendment);
    return amended.kind === 'refused' ? amended.code : amended.kind;
  },
});

/** USD is sold for a payment in EUR. */
const sold = ({ usd }: Accounts) => ({ plan: { ...PLAN, sells: [plannedSell(usd)] }, draws: ['EUR', 'USD'] });

/** 51.00 of a funded batch of one item. */
const batchRow = (
  step: string,
  what: string,
  outcome: string,
  run: (accounts: Accounts, batch: Batch, item: QueuedItem) => Promise<{ readonly kind: string } | string>,
  credited?: bigint,
): Row => ({
  step,
  what,
  inactive: 'sell',
  outcome,
  ...(credited !== undefined && { credited }),
  async run(accounts) {
    const { client, eur, deactivate } = accounts;
    const steps = new BatchSteps(on.store, client);
    const isFunded = step !== 'fund-batch';
    const funded = isFunded ? await steps.funded(eur, ['a']) : undefined;
    const batch = funded?.batch ?? (await steps.closed(eur, ['a']));
    await deactivate();
    const answer = await run(accounts, batch, funded?.items[0] ?? queuedItem(1, 'a'));
    if (typeof answer === 'string') return answer;
    return 'code' in answer ? String(answer.code) : answer.kind;
  },
});

const TABLE: readonly Row[] = [
  batchRow('fund-batch', 'a batch reserves its total', 'ACCOUNT_INACTIVE', ({ client }, batch, item) =>
    on.store.batches.fund(client.of, batch, [item]),
  ),
  batchRow('pay', 'an item of a batch becomes a payment', 'ACCOUNT_INACTIVE', ({ client }, batch, item) =>
    new BatchSteps(on.store, client).draw(batch, item),
  ),
  batchRow(
    'refuse-item',
    'the reserve of a refused item comes back',
    'refused',
    ({ client }, batch, item) => new BatchSteps(on.store, client).refuse(batch, item),
    5_100n,
  ),
  batchRow(
    'cancel-batch',
    'the reserve of a cancelled batch comes back',
    'moved',
    ({ client }, batch) =>
      on.store.batches.cancel(client.of, batch, { actor: 'client', reason: '', version: undefined }),
    5_100n,
  ),
  bookRow('a conversion sells from it', 'sell'),
  bookRow('a conversion buys into it', 'buy'),
  bookRow('a scheduled conversion will sell from it', 'sell', SCHEDULED),
  bookRow('a scheduled conversion will buy into it', 'buy', SCHEDULED),
  settleRow('a settlement sells from it', 'sell'),
  settleRow('a settlement buys into it', 'buy'),
  payRow('a payment leaves it', 'sell', () => createStep()),
  payRow('a payment that names it leaves it', 'sell', ({ eur }) =>
    createStep({ sourceAccount: eur, sourceCurrency: 'EUR' }),
  ),
  payRow('a payment names it, to be sold', 'buy', (accounts) =>
    createStep({ sourceAccount: accounts.usd, sourceCurrency: 'USD' }, sold(accounts)),
  ),
  payRow('a payment was planned to sell from it', 'buy', (accounts) => createStep({}, sold(accounts)), 'stale'),
  payRow('a payment buys into it', 'sell', (accounts) => createStep({}, sold(accounts))),
  {
    step: 'pay',
    what: 'a waiting payment is given its funds from it',
    inactive: 'sell',
    outcome: 'ACCOUNT_INACTIVE',
    async run({ client, deactivate }) {
      const facts = paymentFacts();
      await create(on.store, client, createStep(facts, { plan: undefined }));
      await deactivate();
      const answer = await on.store.payments.fund(client.of, createStep(facts));
      return answer.kind === 'refused' ? answer.code : answer.kind;
    },
  },
  moveRow('CANCELLED', [], 5_100n),
  moveRow('RETURNED', ['COMPLIANCE_APPROVED', 'PG_PROCESSING'], 5_000n),
  moveRow('RETURNED', ['COMPLIANCE_APPROVED', 'PG_PROCESSING', 'PAID'], 5_000n),
  fundingRow('COMPLETED'),
  fundingRow('REVERSED'),
  ...(['charge', 'credit'] as const).flatMap((kind) => [
    closeOutRow(kind, 'buy', 'ACCOUNT_INACTIVE'),
    closeOutRow(kind, 'sell', 'cancelled'),
  ]),
  ...(['bust', 'correct'] as const).flatMap((kind) => [amendRow(kind, 'sell'), amendRow(kind, 'buy')]),
  changeRow('charge', 'sell', 'ACCOUNT_INACTIVE'),
  changeRow('credit', 'sell', 'ACCOUNT_INACTIVE'),
  changeRow('charge', 'buy', 'changed-to'),
  gainRow,
  adjustRow('credit', 'adjusted', 100n),
  adjustRow('debit', 'ACCOUNT_INACTIVE'),
  adjustRow('repay', 'ACCOUNT_INACTIVE'),
  {
    step: 'credit-account',
    what: 'an operator credits it',
    inactive: 'sell',
    outcome: 'ACCOUNT_INACTIVE',
    async run({ client, eur, deactivate }) {
      await deactivate();
      const credited = await on.store.accounts.credit(client.of, 'late', eur, 100n);
      return typeof credited === 'string' ? credited : 'credited';
    },
  },
];

test.each(TABLE)('$step, $inactive account inactive, $what: $outcome', async (row) => {
  const client = await on.client(`client-${++clients}`);
  const [eur, usd] = [await client.open('EUR', FUNDED), await client.open('USD', FUNDED)];
  const number = row.inactive === 'sell' ? eur : usd;
  const frozen = async () => BigInt((await client.balances())[`${row.inactive === 'sell' ? 'EUR' : 'USD'}/${number}`]!);
  let before = 0n;
  const deactivate = async () => {
    expect(await on.store.accounts.change(client.of, number, { active: false })).toBe(true);
    before = await frozen();
  };
  expect(await row.run({ client, eur, usd, deactivate })).toBe(row.outcome);
  expect((await frozen()) - before).toBe(row.credited ?? 0n);
});

test('the table has every step that moves money', () => {
  const moving = filesEndingIn('.lua').filter((path) => {
    const file = basename(path);
    // Those of cover move money of the house alone, which no operator makes inactive; batches.lua and platforms.lua are parts of others.
    if (file === 'refuse-item.lua') return true;
    if (/^(prelude|batches|platforms|cover-fx|adjust-cover)\.lua$/.test(file)) return false;
    return /\bmove(_conversion)?\(/.test(read(path));
  });
  expect([...new Set(TABLE.map(({ step }) => `${step}.lua`))].sort()).toEqual(
    moving.map((path) => basename(path)).sort(),
  );
});
