/** A session that receives a copy of every conversion of its client. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import type { Services } from '../../../engine/service/core/services.js';
import { perform } from '../../../engine/service/perform.js';
import { type Rig, startRig } from '../../fix/rig.js';
import { startOffice, startTrader, type Trader, traderOf } from '../../fix/trader.js';

let rig: Rig;
let acme: Trader;
/** The session that gets copies. */
let office: ReturnType<typeof traderOf>;

beforeAll(async () => {
  const began = Date.now();
  rig = await startRig({ now: () => Date.parse('2026-11-20T08:00:00Z') + Date.now() - began });
  rig.tick('EUR/USD', '1.08158', '1.08164');
  acme = await startTrader(rig, 'acme');
  office = await startOffice(rig, acme);
});
afterAll(() => rig.stop());

const assign = (dropCopy: boolean) =>
  perform(rig.services, 'assignCompId', undefined, { compId: 'OFFICE', clientId: 'acme', dropCopy });

/** As REST does. */
async function book(requestId: string, more: object = {}, services: Services = rig.services, clientId = 'acme') {
  const caller = { clientId, keyId: 'CK', rights: new Set(RIGHTS) };
  const command = {
    requestId,
    description: 'by REST',
    sellCurrency: 'USD',
    buyCurrency: 'EUR',
    buyAmount: 10,
    ...more,
  };
  return perform(services, 'bookFxByCurrency', caller, command);
}

let rounds = 0;
/** Resolves when the office has received every copy until now. */
async function copies(): Promise<(string | undefined)[]> {
  const last = `LAST-${++rounds}`;
  await book(last);
  await office.report(last);
  return office.desk.received.filter((message) => message.get(150) === 'F').map((report) => report.get(11));
}

test('gets a conversion by REST at once, complete, and marked as a copy', async () => {
  const answer = await book('REST-1', { description: 'Rent for \u0141\u00f3d\u017a' });
  if (isRefusal(answer)) throw new Error(answer.text);
  const copy = await office.report('REST-1');
  const { booking } = answer;
  expect([37, 17, 150, 39, 797, 97].map((tag) => copy.get(tag))).toEqual([
    booking.id,
    `E${booking.id.slice(3)}`,
    'F',
    '2',
    'Y',
    undefined,
  ]);
  expect([54, 38, 15, 40, 119, 120, 20007, 20008].map((tag) => copy.get(tag))).toEqual([
    '1',
    '10',
    'EUR',
    '1',
    '10.85',
    'USD',
    booking.buyAccount,
    booking.sellAccount,
  ]);
  // Letters that FIX does not have are question marks.
  expect(copy.get(58)).toBe('Rent for ?\u00f3d?');
});

test("gets another session's order, which that session gets as its own", async () => {
  acme.order({ 11: 'D-1', 40: 2, 44: '1.09' });
  const own = await acme.report('D-1');
  const copy = await office.report('D-1');
  expect([own.get(797), copy.get(797)]).toEqual([undefined, 'Y']);
  const rest = (fields: typeof own.fields) =>
    fields.filter(([tag]) => ![9, 10, 34, 52, 56, 797].includes(tag)).map(String);
  expect(rest(copy.fields)).toEqual(rest(own.fields));
});

test('gets its own orders as its own', async () => {
  office.order({ 11: 'OWN-1' });
  expect((await office.report('OWN-1')).get(797)).toBeUndefined();
  expect((await copies()).filter((id) => id === 'OWN-1')).toHaveLength(1);
});

test('gets neither refusals, nor repeats, nor conversions of other clients', async () => {
  const other = await startTrader(rig, 'other');
  await book('REST-1', { description: 'Rent' });
  acme.order({ 11: 'D-1', 40: 2, 44: '1.09' });
  expect((await acme.report('D-1')).get(150)).toBe('I');
  acme.order({ 11: 'D-2', 40: 2, 44: '1.05' });
  expect((await acme.report('D-2')).get(150)).toBe('8');
  expect(await book('OTHER', {}, rig.services, other.id)).toHaveProperty('booking');
  const ids = await copies();
  expect(ids.filter((id) => id === 'REST-1' || id === 'D-1').sort()).toEqual(['D-1', 'REST-1']);
  expect(ids.filter((id) => id === 'D-2' || id === 'OTHER')).toEqual([]);
});

test('gets the bookings of another engine', async () => {
  const beside = await startRig({ beside: rig });
  beside.tick('EUR/USD', '1.08158', '1.08164');
  await book('BESIDE', {}, beside.services);
  expect((await office.report('BESIDE')).get(797)).toBe('Y');
  await beside.stop();
});

test('gets at its logon the bookings from before it', async () => {
  office.desk.send('5', []);
  await office.desk.untilClosed();
  await book('AWAY');
  const { nextOut } = office.desk;
  const desk = rig.desk(acme, { compId: 'OFFICE' });
  desk.nextOut = nextOut;
  await desk.connect();
  desk.send('A', [
    [98, 0],
    [108, 30],
    [553, acme.clientKey],
    [554, acme.clientSecret],
  ]);
  office = traderOf(rig, acme, desk, (await desk.next('A')).get(20001)!);
  const copy = await office.report('AWAY');
  expect([copy.get(97), copy.get(797)]).toEqual(['Y', 'Y']);
});

test('gets nothing any more when drop copies are disabled or its CompID is removed', async () => {
  const redis = new Redis(rig.redisUrl);
  const { shard } = (await rig.services.store.clients.get('acme'))!;
  const tag = `{s${String(shard).padStart(2, '0')}}`;
  const copied = () => redis.smembers(`${tag}:client:acme:drop-copies`);
  /** What the step that books has written to the office's outbox, delivered or not. */
  const written = async () =>
    Number(
      new Map(pairs(await redis.call('XINFO', 'STREAM', `${tag}:fix:FXENGINE:OFFICE:outbox`))).get('entries-added'),
    );
  const before = await written();
  expect(await copied()).toEqual(['OFFICE']);

  await assign(false);
  expect(await copied()).toEqual([]);
  await book('SILENT-1');
  await assign(true);
  await rig.services.store.compIds.remove('OFFICE', 'acme');
  expect(await copied()).toEqual([]);
  await book('SILENT-2');
  expect(await written()).toBe(before);
  redis.disconnect();
});

function pairs(flat: unknown): [string, unknown][] {
  const list = flat as readonly unknown[];
  return list.flatMap((name, i) => (i % 2 === 0 ? [[String(name), list[i + 1]] as [string, unknown]] : []));
}
