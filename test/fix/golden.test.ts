/** Whole messages as fix-config/rules-of-engagement.md shows them: field order, texts and framing. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tagsOfTable } from '../../docs/field-tables.js';
import { isRefusal, type Refusal } from '../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../engine/domain/core/rights.js';
import { settleDue } from '../../engine/roles/conversions/settle-due.js';
import { perform } from '../../engine/service/perform.js';
import { quote } from '../conversions/fix/quotes/quoting.js';
import type { TestDesk } from '../support/desk.js';
import { read } from '../tidy/tree.js';
import { type ClientOf, type Rig, startRig } from './rig.js';
import { account, traderOf } from './trader.js';

// A Friday as that of the golden messages, 104 weeks later: the store forgets by its own clock.
const NOW = Date.parse('2028-11-17T08:00:00.004Z');
const GOLDEN_DATES = { 20281117: '20261120', 20281118: '20261121', 20281120: '20261123', 20281121: '20261124' };

let rig: Rig;
let acme: ClientOf;
let desk: TestDesk;
let token: string;

beforeAll(async () => {
  rig = await startRig({ now: () => NOW });
  acme = await rig.client('acme');
  desk = rig.desk(acme, { compId: acme.compId });
  token = (await desk.logon()).get(20001)!;
});
afterAll(() => rig.stop());

const caller = () => ({ clientId: 'acme', keyId: acme.clientKey, rights: new Set(RIGHTS) });

function must<Output extends object>(answer: Output | Refusal): Output {
  if (isRefusal(answer)) throw new Error(answer.text);
  return answer;
}

/** What changes from run to run, replaced by what the golden messages have in its place. */
function golden(text: string): string {
  return text
    .replace(/^8=FIX\.4\.4\|9=\d+\|/, '')
    .replace(/10=\d{3}\|$/, '')
    .replace(/\|34=\d+\|/, '|')
    .replace(/\b202811\d\d\b/g, (date) => GOLDEN_DATES[date as unknown as keyof typeof GOLDEN_DATES] ?? date)
    .replace('|49=FXENGINE|52=20261120-08:00:00.004|56=ACME1|', '|HEADER|')
    .replace(acme.clientKey, 'CK_7f3a')
    .replace(/20001=[\w-]{43}/, '20001=TOKEN')
    .replace(/299=\w+\.(\w+)/g, '299=TIER.$1')
    .replace(/117=HLD[0-9A-Z]+/, '117=HLD')
    .replace(/117=IND[0-9A-Z]+/, '117=IND')
    .replace(/117=STR[0-9A-Z]+/, '117=STR')
    .replace(/\b(17|19|37|571)=E[0-9A-Z]+/g, '$1=EXEC')
    .replace(/60=20261120-08:0\d:\d\d\.\d{3}\|64=/, '60=20261120-08:00:00.004|64=')
    .replace(/37=BFX[0-9A-Z]+/, '37=BFX');
}

test('Logon(A)', () => {
  expect(golden(desk.received[0]!.text)).toBe('35=A|HEADER|98=0|108=30|141=Y|20001=TOKEN|20002=20261121-08:00:00.004|');
});

test('UserResponse(BF)', async () => {
  desk.send('BE', [
    [923, 'U1'],
    [924, 1],
    [553, acme.clientKey],
    [554, acme.clientSecret],
  ]);
  expect(golden((await desk.next('BF')).text)).toBe(
    '35=BF|HEADER|923=U1|553=CK_7f3a|926=1|20001=TOKEN|20002=20261121-08:00:00.004|',
  );
  desk.send('BE', [
    [923, 'U1'],
    [924, 1],
    [553, acme.clientKey],
    [554, 'wrong'],
  ]);
  expect(golden((await desk.next('BF')).text)).toBe(
    '35=BF|HEADER|923=U1|553=CK_7f3a|926=4|927=Authentication failed|20011=BAD_CREDENTIALS|',
  );
});

test('MarketDataSnapshotFullRefresh(W), a price and its withdrawal', async () => {
  rig.tick('EUR/USD', '1.08158', '1.08164');
  desk.stream('MD1', ['EUR/USD'], token, { more: [[20005, 'PREFUNDING']] });
  expect(golden((await desk.next('W')).text)).toBe(
    '35=W|HEADER|262=MD1|55=EUR/USD|460=4|268=2|269=0|270=1.0788760|15=EUR|271=1000000|276=A|299=TIER.1|' +
      '269=1|270=1.0843509|15=EUR|271=1000000|276=A|299=TIER.1|20012=20261124|',
  );
  rig.withdraw('EUR/USD');
  expect(golden((await desk.next('W')).text)).toBe(
    '35=W|HEADER|262=MD1|55=EUR/USD|460=4|268=2|269=0|270=0|15=EUR|271=0|276=B|269=1|270=0|15=EUR|271=0|276=B|',
  );
});

test('MarketDataRequestReject(Y)', async () => {
  desk.stream('MD2', ['EUR/USD'], undefined);
  expect(golden((await desk.next('Y')).text)).toBe(
    '35=Y|HEADER|262=MD2|281=3|58=Token required: tag 20001 missing|20011=TOKEN_REQUIRED|',
  );
  desk.stream('MD3', ['EUR/QQQ'], token);
  expect(golden((await desk.next('Y')).text)).toBe(
    '35=Y|HEADER|262=MD3|281=0|58=Unknown symbol EUR/QQQ|20011=UNKNOWN_SYMBOL|',
  );
});

test('Quote(S), tradeable, two-way and indicative', async () => {
  rig.tick('EUR/USD', '1.08158', '1.08164');
  const until = { 63: 0, 62: '20281117-08:00:30.000', 20005: 'PREFUNDING' };
  expect(golden((await quote(desk, 'RQ1', token, until)).text)).toBe(
    '35=S|HEADER|131=RQ1|117=HLD|537=1|55=EUR/USD|460=4|54=1|38=250000|15=EUR|64=20261124|133=1.0843509|135=250000|' +
      '62=20261120-08:00:30.000|190=1.0843509|191=0|60=20261120-08:00:00.004|20003=0.25|20004=1.08164|20005=PREFUNDING|' +
      '20013=EUR|20014=USD|20015=250000.00|20016=271087.73|',
  );
  expect(golden((await quote(desk, 'RQ4', token, { ...until, 54: undefined, 62: '20281117-08:01:00.000' })).text)).toBe(
    '35=S|HEADER|131=RQ4|117=HLD|537=1|55=EUR/USD|460=4|38=250000|15=EUR|64=20261124|132=1.0788760|133=1.0843509|' +
      '134=250000|135=250000|62=20261120-08:01:00.000|188=1.0788760|190=1.0843509|189=0|191=0|' +
      '60=20261120-08:00:00.004|20003=0.25|20005=PREFUNDING|',
  );
  expect(golden((await quote(desk, 'RQ2', token, { 537: 0, 54: undefined })).text)).toBe(
    '35=S|HEADER|131=RQ2|117=IND|537=0|55=EUR/USD|460=4|38=250000|15=EUR|64=20261124|132=1.0788760|133=1.0843509|' +
      '134=250000|135=250000|62=20261120-08:00:30.004|188=1.0788760|190=1.0843509|189=0|191=0|' +
      '60=20261120-08:00:00.004|20003=0.25|20005=PREFUNDING|',
  );
});

test('Quote(S) of a stream, one-sided and two-way, and QuoteCancel(Z)', async () => {
  const until = { 62: '20281117-08:30:00.000', 20018: 'Y' };
  expect(golden((await quote(desk, 'RQ5', token, { ...until, 54: undefined })).text)).toBe(
    '35=S|HEADER|131=RQ5|117=STR.1|537=1|55=EUR/USD|460=4|38=250000|15=EUR|64=20261124|132=1.0788760|133=1.0843509|' +
      '134=250000|135=250000|62=20261120-08:30:00.000|188=1.0788760|190=1.0843509|189=0|191=0|' +
      '60=20261120-08:00:00.004|20003=0.25|20005=PREFUNDING|',
  );
  expect(golden((await quote(desk, 'RQ6', token, until)).text)).toBe(
    '35=S|HEADER|131=RQ6|117=STR.1|537=1|55=EUR/USD|460=4|54=1|38=250000|15=EUR|64=20261124|133=1.0843509|135=250000|' +
      '62=20261120-08:30:00.000|190=1.0843509|191=0|60=20261120-08:00:00.004|20003=0.25|20004=1.08164|20005=PREFUNDING|' +
      '20013=EUR|20014=USD|20015=250000.00|20016=271087.73|',
  );
  rig.withdraw('EUR/USD');
  expect(golden((await desk.next('Z')).text)).toBe('35=Z|HEADER|131=RQ5|117=STR.1|298=1|20011=RATE_UNAVAILABLE|');
  desk.send('Z', [
    [131, 'RQ5'],
    [117, '*'],
    [298, 1],
    [20001, token],
  ]);
  expect(golden((await desk.next('AI')).text)).toBe(
    '35=AI|HEADER|131=RQ5|117=STR.1|55=EUR/USD|62=20261120-08:30:00.000|297=6|',
  );
  rig.tick('EUR/USD', '1.08158', '1.08164');
});

test('QuoteRequestReject(AG)', async () => {
  expect(golden((await quote(desk, 'RQ3', token, { 38: 5_000_001 })).text)).toBe(
    '35=AG|HEADER|131=RQ3|658=3|146=1|55=EUR/USD|58=Amount above pair limit 5000000|20011=AMOUNT_ABOVE_LIMIT|',
  );
});

test('BusinessMessageReject(j)', async () => {
  const number = desk.nextOut;
  desk.sendUntaken();
  expect(golden((await desk.next('j')).text)).toBe(
    `35=j|HEADER|45=${number}|372=E|380=3|58=Unsupported Message Type|20011=UNSUPPORTED_MSGTYPE|`,
  );
});

test('TradeCaptureReportRequestAck(AQ), rejected, and OrderMassStatusRequest(AF) without an order', async () => {
  desk.send('AD', [
    [568, 'T2'],
    [569, 0],
  ]);
  expect(golden((await desk.next('AQ')).text)).toBe(
    '35=AQ|HEADER|568=T2|569=0|748=0|749=9|750=2|55=[N/A]|58=Token required: tag 20001 missing|20011=TOKEN_REQUIRED|',
  );
  desk.send('AF', [
    [584, 'M1'],
    [585, 7],
    [20001, token],
  ]);
  expect(golden((await desk.next('8')).text)).toBe(
    '35=8|HEADER|37=NONE|584=M1|911=0|912=Y|17=EXEC|150=I|39=8|103=5|55=[N/A]|54=7|151=0|14=0|6=0|' +
      '60=20261120-08:00:00.004|58=No order of this trade date|20011=UNKNOWN_ORDER|',
  );
});

test('OrderMassCancelReport(r)', async () => {
  const stopping = await rig.client('stopping');
  const stopped = rig.desk(stopping);
  const stop = { 11: 'STOP-1', 530: 7, 60: '20261120-08:00:00.000', 58: 'orders without end' };
  const fields = Object.entries({ ...stop, 20001: (await stopped.logon()).get(20001)! });
  stopped.send(
    'q',
    fields.map(([tag, value]) => [Number(tag), value] as const),
  );
  expect(golden((await stopped.next('r')).text.replace('STOPPING1', 'ACME1'))).toBe(
    '35=r|HEADER|11=STOP-1|37=EXEC|530=7|531=7|533=0|60=20261120-08:00:00.004|58=Your trading is halted: ask us to resume it|',
  );
});

test('TradeCaptureReport(AE)', async () => {
  const [usd, eur] = [await account(rig, 'acme', 'USD', '1000000'), await account(rig, 'acme', 'EUR')];
  const order = { 11: 'REQ-000123', 38: 250_000, 58: 'Invoice 8841' };
  const trader = traderOf(rig, acme, desk, token);
  rig.tick('EUR/USD', '1.08158', '1.08164');
  trader.order(order);
  await trader.report('REQ-000123');
  desk.send('AD', [
    [568, 'T1'],
    [569, 1],
    [580, 1],
    [75, '20281117'],
    [20001, token],
  ]);
  expect(golden((await desk.next('AQ')).text)).toBe('35=AQ|HEADER|568=T1|569=1|748=1|749=0|750=0|55=[N/A]|');
  expect(
    golden((await desk.next('AE')).text)
      .replace(eur, '100000000001')
      .replace(usd, '100000000002'),
  ).toBe(
    '35=AE|HEADER|571=EXEC|487=0|856=0|568=T1|150=F|748=1|912=Y|17=EXEC|39=2|570=N|55=EUR/USD|460=4|38=250000|' +
      '32=250000|31=1.0843509|194=1.0843509|195=0|75=20261120|60=20261120-08:00:00.004|64=20261124|573=0|552=1|54=1|' +
      '37=BFX|11=REQ-000123|15=EUR|40=1|119=271087.73|120=USD|58=Invoice 8841|20003=0.25|20004=1.08164|' +
      '20005=PREFUNDING|20007=100000000001|20008=100000000002|20009=0.0027109|20013=EUR|20014=USD|' +
      '20015=250000.00|20016=271087.73|20019=1|',
  );
});

test('DontKnowTrade(Q) of no trade of the client', async () => {
  const number = desk.nextOut;
  desk.send('Q', [
    [37, 'BFX01J9Z6X0QT'],
    [17, 'E01J9Z6X0QT'],
    [127, 'D'],
    [55, 'EUR/USD'],
    [54, 1],
    [38, 250_000],
    [58, 'not in our book'],
  ]);
  expect(golden((await desk.next('j')).text)).toBe(
    `35=j|HEADER|45=${number}|372=Q|380=1|58=OrderID(37) and ExecID(17) are not those of a trade of yours|20011=UNKNOWN_ORDER|`,
  );
});

test('ExecutionReport(8) of a bust', async () => {
  const { items } = await perform(rig.services, 'listBookings', caller(), {}).then(must);
  const [{ id, buyAccount, sellAccount }] = items as [(typeof items)[number]];
  must(await perform(rig.services, 'bustBooking', undefined, { clientId: 'acme', confirmationId: id, reason: 'x' }));
  const report = golden((await desk.next('8', (message) => message.get(150) === 'H')).text);
  expect(report.replace(buyAccount, '100000000001').replace(sellAccount, '100000000002')).toBe(
    '35=8|HEADER|37=BFX|11=REQ-000123|17=EXEC-1|19=EXEC|150=H|39=4|55=EUR/USD|460=4|54=1|38=250000|40=1|15=EUR|59=4|' +
      '151=0|14=0|6=0|75=20261120|60=20261120-08:00:00.004|64=20261124|119=271087.73|120=USD|126=20261120-20:00:00.004|' +
      '58=Invoice 8841|20003=0.25|20004=1.08164|20005=PREFUNDING|20007=100000000001|20008=100000000002|' +
      '20009=0.0027109|20013=EUR|20014=USD|20015=250000.00|20016=271087.73|',
  );
});

test('ExecutionReport(8) of another date, and of a part of a split', async () => {
  await rig.services.store.clients.setScheduledLimit('acme', '1000000');
  const trader = traderOf(rig, acme, desk, token);
  trader.order({ 11: 'REQ-000124', 38: 1_000, 58: 'Invoice 8842', 20005: 'SCHEDULED1' });
  const booked = await trader.report('REQ-000124');
  const confirmationId = booked.get(37)!;
  const change = async (
    quoting: 'quoteDateChange' | 'quoteSplit',
    doing: 'changeConversionDate' | 'splitConversion',
    terms: object,
    reason?: string,
  ) => {
    const { quoteId } = must(await perform(rig.services, quoting, caller(), { confirmationId, ...terms }));
    const input = { confirmationId, quoteId, requestId: doing, reason };
    must(await perform(rig.services, doing, caller(), input));
  };
  const shown = (text: string) =>
    golden(text)
      .replace(booked.get(20007)!, '100000000001')
      .replace(booked.get(20008)!, '100000000002')
      .replace(/BFX[0-9A-Z]{10,}/g, 'BFX');
  await change('quoteDateChange', 'changeConversionDate', { settlementDate: '2028-11-21' }, 'the supplier ships later');
  const moved = await desk.next('8', (message) => message.get(150) === 'D');
  const lines = read('fix-config/rules-of-engagement.md')
    .split('\n')
    .filter((line) => line.startsWith('35=8|') && line.includes('|150=D|'));
  const examples = lines.map((line) =>
    line
      .replace('35=8|', '35=8|HEADER|')
      .replace(/\b(17|19)=E[0-9A-Z]+/g, '$1=EXEC')
      .replace(/BFX[0-9A-Z]{10,}/g, 'BFX'),
  );
  expect(shown(moved.text)).toBe(examples[0]);
  await change('quoteSplit', 'splitConversion', { buyAmounts: [600, 400] });
  const part = await desk.next('8', (message) => message.get(38) === '600');
  expect(shown(part.text)).toBe(examples[1]);
});

test('QuoteStatusReport(AI) at the end of a hold', async () => {
  await rig.skip(30_000);
  await settleDue(rig.services, 100);
  expect(golden((await desk.next('AI')).text)).toBe(
    '35=AI|HEADER|131=RQ1|117=HLD|55=EUR/USD|62=20261120-08:00:30.000|297=7|20011=HOLD_EXPIRED|',
  );
});

test('every message that the engine has sent here has the fields of its table in the rules of engagement', () => {
  const page = read('fix-config/rules-of-engagement.md');
  const header = [...tagsOfTable(page, 'header').all, ...tagsOfTable(page, 'trailer').all, 35];
  const faults = desk.received.flatMap(({ text, fields, get }) => {
    const { all, required } = tagsOfTable(page, get(35)!);
    const tags = fields.map(([tag]) => tag);
    const wrong = [
      ...tags.filter((tag) => !all.includes(tag) && !header.includes(tag)),
      ...required.filter((tag) => !tags.includes(tag)),
    ];
    return wrong.map((tag) => `${tag} in ${text}`);
  });
  expect(faults).toEqual([]);
  expect(new Set(desk.received.map(({ get }) => get(35))).size).toBeGreaterThan(8);
});
