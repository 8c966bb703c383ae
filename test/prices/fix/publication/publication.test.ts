import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatScaled } from '../../../../engine/domain/money/money.js';
import { PAIRS } from '../../../../engine/domain/money/pair.js';
import { perform } from '../../../../engine/service/perform.js';
import { type ClientOf, type Rig, startRig } from '../../../fix/rig.js';
import type { Received, TestDesk } from '../../../support/desk.js';

let rig: Rig;
let clients = 0;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

/** A client of its own for each desk, for a CompID has one session. */
const client = (margin = '0.25'): Promise<ClientOf> => rig.client(`client${++clients}`, { margin });

interface Ask {
  readonly id?: string;
  readonly pairs?: readonly string[];
  readonly incremental?: boolean;
  readonly sides?: readonly (0 | 1)[];
}

/** Logs on and streams; resolves when the first W of each pair is there. */
async function streaming(
  of: ClientOf,
  { id = 'M1', pairs = ['EUR/USD'], incremental = false, sides = [0, 1] }: Ask = {},
) {
  const desk = rig.desk(of);
  const token = (await desk.logon()).get(20001)!;
  desk.stream(id, pairs, token, { incremental, sides });
  for (const pair of pairs) await desk.next('W', (message) => message.get(55) === pair);
  return desk;
}

/** Everything that the sessions of one tier share. */
const shared = (message: Received): string => /\|(55=.*)10=\d{3}\|$/.exec(message.text)![1]!;
const prices = (message: Received): string[] => message.all(270);

test('desks of one margin get the same bytes, another margin other prices', async () => {
  rig.tick('EUR/USD', '1.08150', '1.08160');
  const [one, two] = [await streaming(await client(), { id: 'A' }), await streaming(await client(), { id: 'B' })];
  const dear = await streaming(await client('1'));
  rig.tick('EUR/USD', '1.08158', '1.08164');
  const [first, second, third] = [await one.next('W'), await two.next('W'), await dear.next('W')];
  expect(prices(first)).toEqual(['1.0788760', '1.0843509']);
  expect(shared(first)).toBe(shared(second));
  expect(prices(third)).toEqual(['1.0707642', '1.0925657']);
  expect(third.get(299)).not.toBe(first.get(299));
});

test('every price of a turn is published, in order, each with an entry id of its own', async () => {
  const desk = await streaming(await client());
  const before = desk.count('W');
  for (const last of [1, 2, 3, 4]) rig.tick('EUR/USD', `1.0815${last}`, `1.0816${last}`);
  await desk.settle();
  const quoted = desk.received.filter((message) => message.get(35) === 'W').slice(before);
  expect(quoted.map((message) => message.get(270))).toEqual(['1.0788062', '1.0788162', '1.0788262', '1.0788362']);
  const ids = quoted.map((message) => Number.parseInt(message.get(299)!.split('.')[1]!, 36));
  expect(ids).toEqual(ids.map((_, i) => ids[0]! + i));
});

test('what a desk has on its screen may be booked by its entry id, by its client alone', async () => {
  rig.tick('EUR/USD', '1.08158', '1.08164');
  const mine = await client();
  const desk = await streaming(mine);
  rig.tick('EUR/USD', '1.08157', '1.08163');
  const price = await desk.next('W');
  const id = price.get(299)!;
  const { publication } = rig.gateway;
  const streamed = publication.streamedPrice(id, mine.id)!;
  expect([streamed.bid, streamed.offer].map((side) => formatScaled(side, 7))).toEqual(prices(price));
  expect(streamed).toMatchObject({ settlesOn: price.get(20012), isCurrent: true });
  expect(publication.streamedPrice(id, (await client()).id)).toBeUndefined();
});

test('more prices of one pair in a turn than are kept at once', async () => {
  const desk = await streaming(await client());
  const before = desk.count('W');
  for (let i = 0; i < 50; i++) rig.tick('EUR/USD', `1.08${100 + i}`, `1.08${200 + i}`);
  await desk.settle();
  expect(desk.count('W') - before).toBe(50);
});

test('a withdrawn price ends and begins again in X as delete and new', async () => {
  rig.tick('GBP/USD', '1.30000', '1.30010');
  const desk = await streaming(await client(), { pairs: ['GBP/USD'], incremental: true });
  rig.tick('GBP/USD', '1.30001', '1.30011');
  expect((await desk.next('X')).all(279)).toEqual(['1', '1']);
  rig.withdraw('GBP/USD');
  const gone = await desk.next('X');
  expect([gone.all(279), gone.all(276), gone.all(270), gone.get(299)]).toEqual([
    ['2', '2'],
    ['B', 'B'],
    ['0', '0'],
    undefined,
  ]);
  rig.tick('GBP/USD', '1.30002', '1.30012');
  const back = await desk.next('X');
  expect([back.all(279), back.all(278)]).toEqual([
    ['0', '0'],
    ['GBP/USD.B', 'GBP/USD.O'],
  ]);
});

test('one side alone', async () => {
  rig.tick('EUR/USD', '1.08158', '1.08164');
  const desk = await streaming(await client(), { sides: [1] });
  rig.tick('EUR/USD', '1.08157', '1.08163');
  const price = await desk.next('W');
  expect([price.get(268), price.all(269)]).toEqual(['1', ['1']]);
});

test('crosses a pair without a provider while it is streamed', async () => {
  rig.tick('NZD/USD', '0.60000', '0.60010');
  rig.tick('EUR/USD', '1.08000', '1.08010');
  const desk = await streaming(await client('0'), { pairs: ['EUR/NZD'] });
  rig.tick('EUR/USD', '1.08100', '1.08110');
  // 1.08100 / 0.60010 down, 1.08110 / 0.60000 up.
  expect(prices(await desk.next('W'))).toEqual(['1.8013664', '1.8018334']);
});

describe('a margin that changes', () => {
  test('moves the stream to its new price', async () => {
    rig.tick('EUR/USD', '1.08158', '1.08164');
    const moving = await client();
    const desk = await streaming(moving);
    await perform(rig.services, 'setMargin', undefined, {
      clientId: moving.id,
      pair: 'EUR/USD',
      type: '*',
      margin: '0.5',
    });
    const price = await desk.next('W');
    expect(prices(price)).toEqual(['1.0761721', '1.0870754']);
  });

  test('does not touch the streams of others', async () => {
    const other = await streaming(await client());
    const before = other.count('W');
    const { id } = await client();
    await perform(rig.services, 'setMargin', undefined, { clientId: id, pair: 'EUR/USD', type: '*', margin: '0.6' });
    await new Promise((resolve) => setTimeout(resolve, 700));
    await other.settle();
    expect(other.count('W')).toBe(before);
  });
});

describe('a desk that stops reading', () => {
  const symbols = PAIRS.slice(0, 40).map(({ symbol }) => symbol);

  test.each([40, 400])(
    'gets at most 256 KiB of old prices of its %i streams, then the newest of each; no other desk waits',
    async (streams) => {
      // Without a margin a desk's bid is the provider's.
      const slow = rig.desk(await client('0'));
      const token = (await slow.logon()).get(20001)!;
      for (const symbol of symbols) rig.tick(symbol, '1.0000', '1.0002');
      for (let i = 0; i < streams / symbols.length; i++) slow.stream(`M${i}`, symbols, token);
      await expect.poll(() => slow.count('W')).toBe(streams);
      const quick = await streaming(await client(), { pairs: symbols.slice(0, 1) });
      const { publication } = rig.gateway;
      const before = { quick: quick.count('W'), slow: slow.received.length, conflated: publication.conflated };

      slow.stopReading();
      const newest = new Map<string, number>();
      let ticks = 0;
      for (const most = 40_000; publication.conflated - before.conflated < 3 * streams && ticks < most; ticks++) {
        const symbol = symbols[ticks % symbols.length]!;
        const bid = (1 + (ticks + 1) / 1e4).toFixed(4);
        rig.tick(symbol, bid, (Number(bid) + 0.0002).toFixed(4));
        newest.set(symbol, Number(bid));
        if (ticks % 100 === 99) await quick.settle();
      }
      await quick.settle();
      expect(publication.conflated - before.conflated).toBeGreaterThanOrEqual(3 * streams);
      expect(quick.count('W') - before.quick).toBe(Math.ceil(ticks / symbols.length));

      slow.goOnReading();
      const streamOf = (message: Received) => `${message.get(262)} ${message.get(55)}`;
      const prices = () => slow.received.slice(before.slow).filter((message) => message.get(35) === 'W');
      const isNewest = (message: Received) => Number(message.get(270)) === newest.get(message.get(55)!);
      await expect.poll(() => new Set(prices().filter(isNewest).map(streamOf)).size).toBe(streams);
      await slow.settle();
      const old = prices().filter((message) => !isNewest(message));
      expect(old.reduce((bytes, { text }) => bytes + text.length, 0)).toBeLessThanOrEqual(256 * 1024);
      expect(old.length).toBeGreaterThan(500);
      expect(prices().length - old.length).toBe(streams);
      const numbers = slow.received.map((message) => Number(message.get(34)));
      expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    },
  );
});

test('a stream ends with its session, and with it what it held', async () => {
  const desk: TestDesk = await streaming(await client(), { pairs: ['EUR/USD', 'GBP/USD'] });
  const sessions = () => [...rig.gateway.sessions()].length;
  const before = sessions();
  desk.close();
  await expect.poll(sessions).toBe(before - 1);
  rig.tick('GBP/USD', '1.30005', '1.30015');
  const again = await streaming(await client(), { pairs: ['GBP/USD'] });
  expect(again.count('W')).toBe(1);
});
