/** Whole reports, as fix-config/rules-of-engagement.md shows them. */
import { readFileSync } from 'node:fs';
import { Dictionary, MessageView, validate } from 'node-quickfix-ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { perform } from '../../../../engine/service/perform.js';
import { type Rig, startRig } from '../../../fix/rig.js';
import { account, startTrader, type Trader, traderOf, utc } from '../../../fix/trader.js';
import type { Received } from '../../../support/desk.js';
import { quote } from '../quotes/quoting.js';

let now = Date.parse('2026-11-20T08:01:00.000Z');
let rig: Rig;
let acme: Trader;

beforeAll(async () => {
  rig = await startRig({ now: () => now });
  acme = await startTrader(rig, 'acme');
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(() => rig.stop());

/** What changes from run to run, replaced by what the golden messages have in its place. */
const golden = (text: string): string =>
  text
    .replace(/^8=FIX\.4\.4\|9=\d+\|/, '')
    .replace(/10=\d{3}\|$/, '')
    .replace(/\|34=\d+\|49=FXENGINE\|52=[\d:.-]+\|56=ACME1\|/, '|HEADER|')
    .replace(/37=BFX[0-9A-Z]{17}/, '37=BFX')
    .replace(/17=E[0-9A-Z]{17,24}/, '17=E')
    .replace(/HLD[0-9A-Z]+/g, 'HLD')
    .replaceAll(acme.accounts.EUR!, 'EURACCOUNT')
    .replaceAll(acme.accounts.USD!, 'USDACCOUNT');

const FILLED_FROM_55 =
  '55=EUR/USD|460=4|54=1|38=250000|40=D|15=EUR|59=4|32=250000|31=1.0843509|194=1.0843509|195=0|' +
  '151=0|14=250000|6=1.0843509|75=20261120|60=20261120-08:01:10.005|64=20261124|119=271087.73|120=USD|' +
  '126=20261120-20:01:10.005|58=Invoice 8841|20003=0.25|20004=1.08164|20005=PREFUNDING|20006=HLD|20007=EURACCOUNT|' +
  '20008=USDACCOUNT|20009=0.0027109|20013=EUR|20014=USD|20015=250000.00|20016=271087.73|';
const ON_HOLD = { 54: 1, 38: 250_000, 40: 'D', 59: 4, 58: 'Invoice 8841' };

test('filled on a hold, and reported again', async () => {
  const hold = (await quote(acme.desk, 'RQ1', acme.token, { 63: 0, 62: '20261120-08:01:30.000' })).get(117)!;
  now = Date.parse('2026-11-20T08:01:10.005Z');
  const order = { 11: 'REQ-000123', ...ON_HOLD, 117: hold };
  acme.order(order);
  const filled = await acme.report('REQ-000123');
  expect(golden(filled.text)).toBe(`35=8|HEADER|37=BFX|11=REQ-000123|17=E|150=F|39=2|${FILLED_FROM_55}`);
  expect(filled.get(20006)).toBe(hold);
  expect(`BFX${filled.get(17)!.slice(1)}`).toBe(filled.get(37));
  acme.order(order);
  expect(golden((await acme.report('REQ-000123')).text)).toBe(
    `35=8|HEADER|37=BFX|11=REQ-000123|17=E|150=I|39=2|${FILLED_FROM_55}`,
  );
});

test('rejected: the hold has expired', async () => {
  const until = { 62: utc(now + 20_000) };
  const hold = (await quote(acme.desk, 'RQ2', acme.token, until)).get(117)!;
  now = Date.parse('2026-11-20T08:02:00.001Z');
  acme.order({ 11: 'REQ-000124', ...ON_HOLD, 117: hold, 59: undefined });
  expect(golden((await acme.report('REQ-000124')).text)).toBe(
    '35=8|HEADER|37=NONE|11=REQ-000124|17=E|150=8|39=8|103=8|55=EUR/USD|54=1|38=250000|40=D|15=EUR|151=0|14=0|6=0|' +
      '60=20261120-08:02:00.001|58=Hold HLD expired at 20261120-08:01:30.005|20006=HLD|20011=HOLD_EXPIRED|',
  );
});

test('a limit order from an account that is named', async () => {
  acme.order({ 11: 'LIMIT', 54: 2, 40: 2, 44: '1.07', 59: 3, 1: acme.accounts.EUR! });
  expect(golden((await acme.report('LIMIT')).text)).toBe(
    '35=8|HEADER|37=BFX|11=LIMIT|17=E|150=F|39=2|55=EUR/USD|460=4|54=2|38=1000|40=2|15=EUR|44=1.07|59=3|32=1000|' +
      '31=1.0788760|194=1.0788760|195=0|151=0|14=1000|6=1.0788760|75=20261120|60=20261120-08:02:00.001|64=20261124|' +
      '119=1078.87|120=USD|126=20261120-20:02:00.001|58=FIX LIMIT|1=EURACCOUNT|20003=0.25|20004=1.08158|' +
      '20005=PREFUNDING|20007=USDACCOUNT|20008=EURACCOUNT|20009=0.002704|20013=USD|20014=EUR|20015=1078.87|' +
      '20016=1000.00|',
  );
});

test('an amount with decimals, into a currency without any', async () => {
  rig.tick('USD/JPY', '150.00', '150.01');
  await account(rig, 'acme', 'JPY');
  acme.order({ 11: 'YEN', 55: 'USD/JPY', 54: 2, 38: '10.50', 15: 'USD' });
  const report = await acme.report('YEN');
  expect([38, 32, 14, 119, 120, 20015, 20016].map((tag) => report.get(tag))).toEqual([
    '10.5',
    '10.5',
    '10.5',
    '1571',
    'JPY',
    '1571',
    '10.50',
  ]);
});

/** MidPrice(20020), PriceAge(20021), PriceProviders(20022) of a report. */
const priceOf = (report: Received) => [20020, 20021, 20022].map((tag) => report.get(tag));

test('mid and age of the price where they are agreed, and names where they are disclosed', async () => {
  rig.tick('EUR/USD', '1.08158', '1.08165');
  for (const [compId, disclosePrice, disclosesProviders, shown] of [
    ['PRICES1', false, true, [undefined, undefined, undefined]],
    ['PRICES2', true, false, ['1.081615', '0', undefined]],
    ['PRICES3', true, true, ['1.081615', '0', 'test']],
  ] as const) {
    Object.assign(rig.services.settings, { disclosesProviders });
    await perform(rig.services, 'assignCompId', undefined, { compId, clientId: 'acme', disclosePrice });
    const desk = rig.desk({ ...acme, compId });
    const own = { ...acme, ...traderOf(rig, acme, desk, (await desk.logon()).get(20001)!) };
    own.order({ 11: compId });
    const filled = await own.report(compId);
    const age = filled.get(20021);
    expect(priceOf(filled)).toEqual(shown[1] === undefined ? shown : [shown[0], age, shown[2]]);
    expect(age === undefined || Number(age) < 60_000).toBe(true);
    own.status(compId);
    expect(priceOf(await own.report(compId))).toEqual(priceOf(filled));
    acme.desk.received.push(...desk.received);
  }
  // Another client's desk, and one without the option, have none of it.
  acme.order({ 11: 'NO-OPTION' });
  expect(priceOf(await acme.report('NO-OPTION'))).toEqual([undefined, undefined, undefined]);
});

test('a corrected conversion is reported without the mid of the price that it had', async () => {
  await perform(rig.services, 'assignCompId', undefined, { compId: 'PRICES4', clientId: 'acme', disclosePrice: true });
  const desk = rig.desk({ ...acme, compId: 'PRICES4' });
  const own = { ...acme, ...traderOf(rig, acme, desk, (await desk.logon()).get(20001)!) };
  own.order({ 11: 'CORRECTED' });
  const filled = await own.report('CORRECTED');
  expect(filled.get(20020)).toBe('1.081615');
  const confirmationId = filled.get(37)!;
  const corrected = { clientId: 'acme', confirmationId, requestId: 'c-1', rate: '1.09', reason: 'wrong rate' };
  expect(await perform(rig.services, 'correctBooking', undefined, corrected as never)).not.toHaveProperty('refusal');
  const report = await desk.next('8', (message) => message.get(150) === 'G');
  expect(priceOf(report)).toEqual([undefined, undefined, undefined]);
  acme.desk.received.push(...desk.received);
});

test('each of them is as the dictionary has it', () => {
  const xml = readFileSync(new URL('../../../../fix-config/FIX44-ratewire.xml', import.meta.url), 'utf8');
  const dictionary = Dictionary.parse(xml);
  const reports = acme.desk.received.filter((message) => message.get(35) === '8');
  expect(reports.length).toBeGreaterThan(4);
  for (const { text } of reports) {
    const bytes = Buffer.from(text.replaceAll('|', '\x01'), 'latin1');
    const view = new MessageView();
    expect(view.index(bytes, 0, bytes.length)).toBe(true);
    expect(validate(view, dictionary, { userTags: 'strict' })).toBeUndefined();
  }
});
