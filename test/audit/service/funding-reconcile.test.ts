/** Fundings, their journal entries, receipts and list compared: every alteration is named. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { LedgerWatch } from '../../../engine/service/audit/ledger-watch.js';
import { perform } from '../../../engine/service/perform.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { entryFields } from '../../support/stored.js';

const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');
const DAY_MS = 24 * 3_600_000;
const AT_ONCE = { page: 2, pause: async () => {} };

let rig: LedgerRig;
let acme: RigClient;
let pending: string;
let completed: string;
let reversed: string;
let rejected: string;
let watch: LedgerWatch;

beforeEach(async () => {
  rig = await startLedgerRig(MONDAY);
  acme = await rig.client('acme', { EUR: '100.00' });
  await rig.client('beta', { EUR: '100.00' });
  pending = await announce('pending');
  completed = await announce('completed');
  reversed = await announce('reversed');
  rejected = await announce('rejected');
  await rig.ask('completeFunding', { fundingId: completed });
  await rig.ask('completeFunding', { fundingId: reversed });
  await rig.ask('reverseFunding', { fundingId: reversed });
  await rig.ask('rejectFunding', { fundingId: rejected, reason: 'no such transfer' });
  watch = new LedgerWatch(rig.services);
  await watch.round(AT_ONCE);
  expect(watch.seen?.differences).toBe(0);
  expect((await rig.ask('reconcile', {})).receipts).toBe(4);
});
afterEach(() => rig.stop());

async function announce(requestId: string): Promise<string> {
  const caller = { clientId: 'acme', keyId: 'CK_X', rights: new Set(RIGHTS) };
  const answer = await perform(rig.services, 'createFunding', caller, {
    accountNumber: Number(await acme.account('EUR')),
    amount: 25,
    depositAccount: 'DBS Bank-0012345678-EUR',
    reference: 'Invoice 417',
    requestId,
  });
  if ('refusal' in answer) throw new Error(answer.text);
  return answer.funding.id;
}
const record = (id: string) => acme.key(`funding:${id}`);
const entryOf = async (id: string, step: string) =>
  (await rig.ask('readJournal', { clientId: 'acme' })).entries.find((entry) => entry.id === id && entry.step === step)!
    .entry;

/**
 * As the command reports it, and as many differences as an engine counts that has already played the journal, within a
 * day.
 */
async function reported(): Promise<string[]> {
  const { differences } = await rig.ask('reconcile', {});
  for (const { client } of differences) expect(client).toBe('acme');
  rig.now += DAY_MS;
  await watch.round(AT_ONCE);
  expect(watch.seen?.differences).toBe(differences.length);
  return differences.map(({ what, expected, found }) => `${what}: ${expected} | ${found}`).sort();
}

test('reports no difference for a step taken between two rounds', async () => {
  await rig.ask('cancelFunding', { fundingId: pending });
  await rig.ask('reverseFunding', { fundingId: completed });
  expect(await reported()).toEqual([]);
});

test('names an erased lookup key of a funding', async () => {
  await rig.redis.del(`funding:${completed}`);
  expect(await reported()).toEqual([`client of funding ${completed}: acme | none`]);
});

test('names an altered amount', async () => {
  const facts = (await rig.redis.hget(record(completed), 'facts'))!;
  await rig.redis.hset(record(completed), 'facts', facts.replace('"amount":"2500"', '"amount":"2600"'));
  const eur = await acme.account('EUR');
  const entry = await entryOf(completed, 'complete-funding');
  expect(await reported()).toEqual([
    expect.stringMatching(`^funding ${completed}: hash of its facts: [0-9a-f]{16} \\| [0-9a-f]{16}$`),
    `journal ${entry} (complete-funding ${completed}): moves: EUR nostro ${eur} 2600 | EUR nostro ${eur} 2500`,
  ]);
});

test('names a status without a journal entry', async () => {
  await rig.redis.hset(record(pending), 'status', 'COMPLETED');
  expect(await reported()).toEqual([`funding ${pending}: status: PENDING | COMPLETED`]);
});

test('names a status that is behind the journal', async () => {
  await rig.redis.hset(record(rejected), 'status', 'PENDING');
  expect(await reported()).toEqual([`funding ${rejected}: status: REJECTED | PENDING`]);
});

test('names a step without its journal id', async () => {
  const place = `${Number.parseInt(await entryOf(pending, 'fund'), 10)}-77`;
  await rig.redis.hset(record(pending), 'status', 'CANCELLED', 'journal:CANCELLED', place);
  expect(await reported()).toEqual([`funding ${pending}: journal entry: ${place} | none`]);
});

test('names money credited twice', async () => {
  const eur = await acme.account('EUR');
  const moves = `EUR nostro ${eur} 2500`;
  const twice = entryFields({ step: 'complete-funding', id: completed, atMs: MONDAY, moves });
  const entry = await rig.redis.xadd(acme.key('journal'), '*', ...twice);
  await rig.redis.hincrby(acme.key('balances'), `EUR/${eur}`, 2_500);
  await rig.redis.hincrby(acme.key('balances'), 'EUR/nostro', -2_500);
  const first = await rig.redis.hget(record(completed), 'journal:COMPLETED');
  expect(await reported()).toEqual([`funding ${completed}: journal entry of COMPLETED: ${entry} | ${first}`]);
});

test('names a missing funding', async () => {
  await rig.redis.del(record(completed));
  const [fund, complete] = [await entryOf(completed, 'fund'), await entryOf(completed, 'complete-funding')];
  expect(await reported()).toEqual([
    `funding ${completed}: as in journal ${fund} (fund ${completed}) | none`,
    `funding ${completed}: as in journal ${complete} (complete-funding ${completed}) | none`,
    `list of fundings: record of ${completed}: a funding | none`,
    `receipt completed: a funding | ${completed}, which there is not`,
  ]);
});

test('names an unreadable record', async () => {
  await rig.redis.hset(record(pending), 'facts', '{');
  expect(await reported()).toEqual([
    `funding ${pending}: as in journal ${await entryOf(pending, 'fund')} (fund ${pending}) | none`,
    `list of fundings: record of ${pending}: a funding | none`,
    `receipt pending: a funding | ${pending}, which there is not`,
  ]);
});

test('names a receipt that is missing or names another funding', async () => {
  await rig.redis.del(acme.key('receipt:pending'));
  await rig.redis.set(acme.key('receipt:rejected'), `1|funding|${completed}|x`, 'KEEPTTL');
  expect(await reported()).toEqual(
    [
      `receipt pending: ${pending} | none`,
      `receipt rejected: ${completed} under completed | ${completed}`,
      `receipt rejected: ${rejected} | ${completed}`,
    ].sort(),
  );
});

test('names a list without the funding', async () => {
  await rig.redis.zrem(acme.key('index:fundings'), `${MONDAY}|${pending}`);
  expect(await reported()).toEqual([`list of fundings: ${pending}: there | none`]);
});
