/** `reconcile` finds what was altered of a conversion that its client has cancelled, moved or split, in each place where it is kept. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { scaledFromText } from '../../../engine/domain/money/rate.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { factsHash } from '../../../engine/store/connection/fields.js';
import { type LedgerKeys, ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import type { JournalEntry } from '../../../engine/store/ledger/journal.js';
import { bookingFactsText, memberOf, storedBooking } from '../../../engine/store/ledger/records.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { rewriteJournal } from '../../support/stored.js';

let rig: LedgerRig;
let acme: RigClient;
let keys: LedgerKeys;
/** The one that is moved and split, its parts, the first of which is cancelled at a charge, and one that is cancelled with a gain. */
const ids: Record<'whole' | 'charged' | 'part' | 'gained', string> = { whole: '', charged: '', part: '', gained: '' };

async function change<Name extends 'cancelConversion' | 'changeConversionDate' | 'splitConversion'>(
  [quoting, doing]: readonly ['quoteCancellation' | 'quoteDateChange' | 'quoteSplit', Name],
  confirmationId: string,
  terms: object = {},
): Promise<OutputOf<Name>> {
  const caller = { clientId: 'acme', keyId: 'CK_X', rights: new Set(RIGHTS) };
  const quote = await perform(rig.services, quoting, caller, { confirmationId, ...terms });
  if (isRefusal(quote)) throw new Error(quote.text);
  const command = { confirmationId, quoteId: quote.quoteId, requestId: `${doing}-${confirmationId}` };
  const done = await perform(rig.services, doing, caller, command as never);
  if (isRefusal(done)) throw new Error(done.text);
  return done as OutputOf<Name>;
}
const CANCEL = ['quoteCancellation', 'cancelConversion'] as const;

beforeAll(async () => {
  rig = await startLedgerRig(Date.parse('2028-06-26T10:00:00.000Z'));
  acme = await rig.client('acme', { EUR: '5000.00', USD: '0' }, '1000000');
  keys = ledgerKeys((await rig.services.store.clients.get('acme'))!);
  const [whole, gained] = [
    await acme.book('EUR/USD', 1_000, { type: 'SCHEDULED1' }),
    await acme.book('EUR/USD', 700, { type: 'SCHEDULED1' }),
  ];
  await change(['quoteDateChange', 'changeConversionDate'], whole.id, { settlementDate: '2028-06-28' });
  const split = await change(['quoteSplit', 'splitConversion'], whole.id, { sellAmounts: [600, 400] });
  const [charged, part] = split.change.children!.map(({ id }) => id);
  await change(CANCEL, charged!);
  const { index, priceDigits } = pairBySymbol('EUR/USD')!;
  const [low = 0, high = 0] = ['1.05', '1.0501'].map((text) => scaledFromText(text, priceDigits, 'down'));
  const { book } = rig.services;
  book.tick(book.registerProvider('test'), index, low, high, 0, 0, 0, 0);
  const { change: gain } = await change(CANCEL, gained.id);
  expect(gain.reversal).toMatchObject({ kind: 'credit', amount: expect.stringMatching(/^\d{4}$/) });
  Object.assign(ids, { whole: whole.id, charged, part, gained: gained.id });
});
afterAll(() => rig.stop());

const whatDiffers = async (): Promise<string[]> =>
  (await rig.ask('reconcile', { clientId: 'acme' })).differences.map(({ what }) => what);

/** Writes the record anew; the returned function restores it. */
async function member(id: string, alter: (text: string) => string): Promise<() => Promise<unknown>> {
  const [before = ''] = await rig.redis.zrange(keys.bookings, ...memberOf(id));
  const after = alter(before);
  expect(after).not.toBe(before);
  await rig.redis.zrem(keys.bookings, before);
  await rig.redis.zadd(keys.bookings, 0, after);
  return async () => {
    await rig.redis.zrem(keys.bookings, after);
    await rig.redis.zadd(keys.bookings, 0, before);
  };
}

async function journal(of: (entry: JournalEntry) => Partial<JournalEntry>): Promise<() => Promise<unknown>> {
  const all = await rig.redis.xrange(keys.journal, '-', '+');
  await rewriteJournal(rig.redis, keys.journal, (entry) => ({ ...entry, ...of(entry) }));
  expect(await rig.redis.xrange(keys.journal, '-', '+')).not.toEqual(all);
  return async () => {
    await rig.redis.del(keys.journal);
    for (const [id, fields] of all) await rig.redis.xadd(keys.journal, id, ...fields);
  };
}

/** An entry of a sorted set that ends so is removed. */
async function without(key: string, end: string): Promise<() => Promise<unknown>> {
  const all = await rig.redis.zrange(key, '0', '-1', 'WITHSCORES');
  const at = all.findIndex((text, i) => i % 2 === 0 && text.endsWith(end));
  expect(at).toBeGreaterThanOrEqual(0);
  await rig.redis.zrem(key, all[at]!);
  return () => rig.redis.zadd(key, all[at + 1]!, all[at]!);
}

const next = (text: string): string => String(BigInt(text) + 1n);
/** The first number under this name, one larger. */
const more = (name: string) => (text: string) =>
  text.replace(new RegExp(`"${name}":"(\\d+)"`), (_, minor: string) => `"${name}":"${next(minor)}"`);

test.each<[what: string, alter: () => Promise<() => Promise<unknown>>, finds: RegExp]>([
  ['the sold amount of a part, in the split', () => member(ids.whole, more('sell')), /of its children, minor units$/],
  ['the same, by its hash', () => member(ids.whole, more('sell')), /: hash of amendment of journal/],
  ['the margin of a part, in the split', () => member(ids.whole, more('margin')), /of its children, minor units$/],
  ['the date that it was moved to', () => member(ids.whole, more('valueDate')), /: hash of amendment of journal/],
  [
    'the status of the one that is split',
    () => member(ids.whole, (text) => text.replace('|SPLIT|', '|OPEN|')),
    /: status$/,
  ],
  [
    'the status of the cancelled one',
    () => member(ids.charged, (text) => text.replace('|CANCELLED|', '|OPEN|')),
    /: status$/,
  ],
  ['the charge', () => member(ids.charged, more('amount')), /unwind-fx .*: moves$/],
  ['what is owed of it', () => member(ids.charged, more('receivable')), /unwind-fx .*: moves$/],
  ['the margin of the opposite deal', () => member(ids.charged, more('margin')), /unwind-fx .*: moves$/],
  ['a gain', () => member(ids.gained, more('amount')), /^gain of /],
  [
    'a gain that is credited twice',
    async () => {
      const balance = `EUR/${await acme.account('EUR')}`;
      await rig.redis.hincrby(keys.balances, balance, 1_000);
      return () => rig.redis.hincrby(keys.balances, balance, -1_000);
    },
    /^balance EUR/,
  ],
  [
    'the rate of the opposite deal',
    () => member(ids.charged, (text) => text.replace(/"price":(\d+)/, '"price":1$1')),
    /: hash of amendment/,
  ],
  [
    'the moves of a charge',
    () => journal(({ step, moves }) => (step === 'unwind-fx' ? { moves: moves.replace(/ \d+;/, ' 1;') } : {})),
    /unwind-fx .*: moves$/,
  ],
  [
    'the kind of a change, in the journal',
    () => journal(({ step }) => (step === 'date-fx' ? { step: 'split-fx' } : {})),
    /: amendment of journal/,
  ],
  [
    'the entry of a split',
    () => journal(({ step }) => (step === 'split-fx' ? { step: 'overdue-fx' } : {})),
    /^booking/,
  ],
  ['the due entry of a part', () => without(keys.due, `:${ids.part}`), /due/],
  [
    'the accounts of a part',
    () => member(ids.part, (text) => text.replace(/(\|OPEN\|)(\d+)\|(\d+)/, '$1$3|$2')),
    /: accounts$/,
  ],
  ['the list of changes', () => without(keys.changes, `${ids.charged}.1`), /changes/],
])('%s', async (_what, alter, finds) => {
  expect(await whatDiffers()).toEqual([]);
  const restore = await alter();
  expect(await whatDiffers()).toEqual(expect.arrayContaining([expect.stringMatching(finds)]));
  await restore();
  expect(await whatDiffers()).toEqual([]);
});

test.each([
  ['the amounts of a part', { sell: '40001' }, /sell, buy, margin, minor units$/],
  ['the rate of a part', { price: 10_000_000 }, /: rate and date$/],
  ['the date of a part', { valueDate: '20280627' }, /: rate and date$/],
  ['the time of a part', { expiryMs: 1_845_800_000_000 }, /: rate and date$/],
  ['the changes of date that it had before', { dateChanges: 3 }, /: changes of date before it$/],
  ['the one that it is a part of', { parentId: 'BFX1NPVYFV80F74SC7ER' }, /that it is of$/],
])('%s, with the hash of its entry', async (_what, changed, finds) => {
  const [text = ''] = await rig.redis.zrange(keys.bookings, ...memberOf(ids.part));
  const { facts, booking } = storedBooking(text);
  const altered = bookingFactsText({ ...booking, ...changed });
  const restore = await member(ids.part, (one) => one.replace(facts, altered));
  const restoreJournal = await journal(({ id, step }) =>
    id === ids.part && step === 'book-fx' ? { hash: factsHash(altered) } : {},
  );
  expect(await whatDiffers()).toEqual(expect.arrayContaining([expect.stringMatching(finds)]));
  await restoreJournal();
  await restore();
  expect(await whatDiffers()).toEqual([]);
});
