/** ExecutionReport(8) of a conversion that an operator busts or corrects. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { perform } from '../../../../engine/service/perform.js';
import { type Rig, startRig } from '../../../fix/rig.js';
import { logonAgain, type Order, startOffice, startTrader, type Trader, type traderOf } from '../../../fix/trader.js';
import type { Received } from '../../../support/desk.js';
import { requestOrders, requestTrades } from './trades.js';

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

const tags = (message: Received, ...asked: number[]) => asked.map((tag) => message.get(tag));
const ask = async (
  name: 'bustBooking' | 'correctBooking' | 'cancelBooking',
  confirmationId: string,
  more: object = {},
) => {
  const answer = await perform(rig.services, name, undefined, {
    clientId: 'acme',
    confirmationId,
    reason: 'x',
    ...more,
  });
  if ('refusal' in answer) throw new Error(answer.text);
};

async function booked(id: string, of: Trader = acme, more: Order = {}): Promise<Received> {
  of.order({ 11: id, 58: 'Invoice 1', ...more });
  return of.report(id);
}
const amended = (id: string, execType: string, of: Pick<Trader, 'desk'> = acme) =>
  of.desk.next('8', (message) => message.get(11) === id && message.get(150) === execType);

test('a bust: 150=H with ExecRefID(19), and nothing is filled any more', async () => {
  const filled = await booked('B1');
  await ask('bustBooking', filled.get(37)!);
  const report = await amended('B1', 'H');
  expect(tags(report, 19, 39, 14, 151, 6, 32, 31, 97)).toEqual([
    filled.get(17),
    '4',
    '0',
    '0',
    '0',
    undefined,
    undefined,
    undefined,
  ]);
  const same = [37, 11, 55, 54, 38, 15, 75, 64, 58, 20005];
  expect(tags(report, ...same)).toEqual(tags(filled, ...same));
  expect(report.get(17)).toBe(`${filled.get(17)}-1`);

  const copy = await amended('B1', 'H', office);
  expect(tags(copy, 797, 39, 19)).toEqual(['Y', '4', filled.get(17)]);
  acme.status('B1');
  const status = await amended('B1', 'I');
  expect(tags(status, 39, 14, 6, 17, 19, 31)).toEqual(['4', '0', '0', report.get(17), undefined, undefined]);
});

test('corrections: 150=G with the new rate and amounts, each naming the report before it', async () => {
  const filled = await booked('C1');
  await ask('correctBooking', filled.get(37)!, { rate: '1.0851', providerRate: '1.0850' });
  const first = await amended('C1', 'G');
  expect(tags(first, 19, 17, 39, 32, 31, 14, 6, 151, 119, 120, 20003, 20004)).toEqual([
    ...[filled.get(17), `${filled.get(17)}-1`, '2', '1000', '1.0851000', '1000', '1.0851000', '0', '1085.10', 'USD'],
    ...['0.0092', '1.085'],
  ]);
  await ask('correctBooking', filled.get(37)!, { amount: '2000' });
  const second = await amended('C1', 'G');
  expect(tags(second, 19, 17, 38, 32, 31, 119)).toEqual([
    ...[first.get(17), `${filled.get(17)}-2`, '2000', '2000', '1.0851000', '2170.20'],
  ]);
  acme.status('C1');
  expect(tags(await amended('C1', 'I'), 39, 17, 31, 14, 119)).toEqual([
    '2',
    second.get(17),
    '1.0851000',
    '2000',
    '2170.20',
  ]);
  // An order that is sent again is not booked again, whatever has become of it.
  acme.order({ 11: 'C1', 58: 'Invoice 1' });
  expect(tags(await amended('C1', 'I'), 39, 17, 119)).toEqual(['2', second.get(17), '2170.20']);
  await ask('bustBooking', filled.get(37)!);
  expect(tags(await amended('C1', 'H'), 19, 17, 38)).toEqual([second.get(17), `${filled.get(17)}-3`, '2000']);
});

test('a cancelled conversion is reported as a bust', async () => {
  await rig.services.store.clients.setScheduledLimit('acme', '1000000');
  const filled = await booked('S1', acme, { 20005: 'SCHEDULED1' });
  await ask('cancelBooking', filled.get(37)!);
  const report = await amended('S1', 'H');
  expect(tags(report, 37, 17, 19, 39, 14, 151, 6, 32, 31, 75)).toEqual([
    ...[filled.get(37), `${filled.get(17)}-1`, filled.get(17), '4', '0', '0', '0', undefined, undefined],
    filled.get(75),
  ]);
  expect(report.get(60)! > filled.get(60)!).toBe(true);
  expect(tags(await amended('S1', 'H', office), 797, 39, 17)).toEqual(['Y', '4', report.get(17)]);
  acme.status('S1');
  expect(tags(await amended('S1', 'I'), 39, 14, 17, 60)).toEqual(['4', '0', report.get(17), report.get(60)]);
  // The desk may say of this report too that it does not know it.
  const notKnown = { 37: filled.get(37)!, 17: report.get(17)!, 127: 'D', 55: 'EUR/USD', 54: 1, 38: 1000 };
  acme.desk.send(
    'Q',
    Object.entries(notKnown).map(([tag, value]) => [Number(tag), value]),
  );
  await acme.desk.settle();
  const found = await perform(rig.services, 'listDontKnowTrades', undefined, {});
  expect(found).toMatchObject({ trades: [{ confirmationId: filled.get(37), amendment: 1 }] });
});

test('reports of the session that booked it are routed as its order was', async () => {
  const routed = await startTrader(rig, 'routed');
  // As many as an order may have, each as long as it may be.
  const sent = [50, 57, 115, 116, 128, 129, 142, 143, 144, 145];
  const route = [57, 50, 128, 129, 115, 116, 143, 142, 145, 144];
  const own = sent.map((tag) => String(tag).padEnd(128, 'x'));
  routed.order({ 11: 'RT1' }, { more: sent.map((tag, i) => [tag, own[i]!]) });
  const filled = await routed.report('RT1');
  expect(tags(filled, ...route)).toEqual(own);
  const of = { clientId: 'routed' };
  await ask('correctBooking', filled.get(37)!, { ...of, rate: '1.0851' });
  expect(tags(await amended('RT1', 'G', routed), ...route)).toEqual(own);
  // Not from the memory of the session.
  routed.desk.close();
  await routed.desk.untilClosed();
  await ask('bustBooking', filled.get(37)!, of);
  const back = await logonAgain(rig, routed);
  expect(tags(await amended('RT1', 'H', back), ...route)).toEqual(own);
});

test('lists of trades and orders state what has become of each', async () => {
  const one = await startTrader(rig, 'lists');
  await rig.services.store.clients.setScheduledLimit('lists', '1000000');
  const [, corrected, busted] = [await booked('L1', one), await booked('L2', one), await booked('L3', one)];
  const cancelled = await booked('L4', one, { 20005: 'SCHEDULED1' });
  const of = { clientId: 'lists' };
  await ask('correctBooking', corrected.get(37)!, { ...of, rate: '1.0851' });
  await ask('bustBooking', busted.get(37)!, of);
  await ask('cancelBooking', cancelled.get(37)!, of);
  requestTrades(one, 'T', 0);
  const reports: Received[] = [];
  for (let left = 4; left > 0; left--) reports.push(await one.desk.next('AE'));
  expect(reports.map((report) => tags(report, 11, 487, 856, 150, 39, 31, 20019))).toEqual([
    ['L1', '0', '0', 'F', '2', '1.0843509', '1'],
    ['L2', '2', '0', 'G', '2', '1.0851000', '2'],
    ['L3', '1', '6', 'H', '4', '1.0843509', '3'],
    ['L4', '1', '6', 'H', '4', '1.0843509', '4'],
  ]);
  expect(reports.map((report) => report.get(17) === report.get(571))).toEqual([true, true, true, true]);
  requestOrders(one, 'M');
  const orders: Received[] = [];
  for (let left = 4; left > 0; left--) orders.push(await one.desk.next('8', (message) => message.get(584) === 'M'));
  expect(orders.map((report) => tags(report, 11, 150, 39, 14))).toEqual([
    ['L1', 'I', '2', '1000'],
    ['L2', 'I', '2', '1000'],
    ['L3', 'I', '4', '0'],
    ['L4', 'I', '4', '0'],
  ]);
});

test('a desk that is away gets each report at its next logon, in order', async () => {
  const away = await startTrader(rig, 'away');
  const filled = await booked('A1', away);
  away.desk.close();
  await away.desk.untilClosed();
  const of = { clientId: 'away' };
  await ask('correctBooking', filled.get(37)!, { ...of, rate: '1.0851' });
  await ask('bustBooking', filled.get(37)!, of);
  const back = await logonAgain(rig, away);
  expect(tags(await amended('A1', 'G', back), 97, 31, 17)).toEqual(['Y', '1.0851000', `${filled.get(17)}-1`]);
  expect(tags(await amended('A1', 'H', back), 97, 19)).toEqual(['Y', `${filled.get(17)}-1`]);
  // It has left the outbox: a later logon gets no report of it.
  back.desk.close();
  await back.desk.untilClosed();
  const again = await logonAgain(rig, { ...back, accounts: away.accounts });
  await again.desk.settle();
  expect(again.desk.received.filter((message) => message.get(35) === '8' && !message.get(43))).toEqual([]);
});

test('a conversion by REST is reported to sessions with copies only', async () => {
  const caller = { clientId: 'acme', keyId: acme.clientKey, rights: new Set(['trade'] as const) };
  const command = { requestId: 'R1', description: 'by REST', sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 10 };
  const answer = await perform(rig.services, 'bookFxByCurrency', caller, command);
  await ask('bustBooking', (answer as { booking: { id: string } }).booking.id);
  expect(tags(await amended('R1', 'H', office), 797)).toEqual(['Y']);
  await acme.desk.settle();
  expect(acme.desk.received.filter((message) => message.get(11) === 'R1')).toEqual([]);
});
