/** What a page is shown: a client's own prices, bookings and sessions; an operator's, those of all clients; never more than the page reads. */
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OPERATE } from '../../engine/domain/core/rights.js';
import { clientBid, clientOffer } from '../../engine/domain/money/rate.js';
import type { EngineStatus } from '../../engine/domain/system/engine-status.js';
import { startRiskRole } from '../../engine/roles/risk/risk-role.js';
import { perform } from '../../engine/service/perform.js';
import { tokenHash } from '../../engine/store/access/credentials.js';
import { ledgerKeys } from '../../engine/store/keys/redis-keys.js';
import { application, listen } from '../../rest/server.js';
import { BY_CURRENCY } from '../rest/money-door.js';
import { redisAt } from '../support/redis-client.js';
import { alterBooking } from '../support/stored.js';
import { SOON, until } from '../support/until.js';
import { indexOf, type LiveRig, startLive } from './live-rig.js';
import { connectPage, cookieOf, logIn, openStream, originOf, type Stream } from './page-client.js';

const EURUSD = indexOf('EUR/USD');
const EURJPY = indexOf('EUR/JPY');
const BID = 10_843_100;
const OFFER = 10_843_300;
/** A page asks again that has no answer yet, and not too often. */
const ASKED = { ...SOON, interval: 200 };

let rig: LiveRig;
beforeEach(async () => {
  rig = await startLive();
  // The book judges a jump by the last price; here prices move in small steps.
  rig.money.freshPrices();
});
afterEach(() => rig.stop());

const says = ({ texts }: Stream, word: string): boolean => texts.some((text) => text.includes(word));

const book = (client: { post: LiveRig['acme']['post'] }, id: string) =>
  client.post(BY_CURRENCY, {
    request_id: id,
    description: 'Invoice 8841',
    sell_amount: 100,
    sell_currency: 'EUR',
    buy_currency: 'USD',
  });

async function withMoney(): Promise<void> {
  for (const client of [rig.acme, rig.other]) {
    await client.account('EUR', 1_000_000n);
    await client.account('USD');
  }
}

describe('prices', () => {
  test('a client sees its own, with its margin; an operator the provider’s', async () => {
    const acme = await rig.stream('acme');
    const operator = await rig.operator();
    const margin = 2_500;
    await until(() => acme.price(EURUSD) !== undefined && operator.price(EURUSD) !== undefined);
    expect(acme.price(EURUSD)).toEqual({ list: 'r', bid: clientBid(BID, margin), offer: clientOffer(OFFER, margin) });
    expect(operator.price(EURUSD)).toEqual({ list: 'r', bid: BID, offer: OFFER });
    expect(acme.hello().operator).toBe(false);
    expect(operator.hello().operator).toBe(true);
    expect(says(acme, String(BID))).toBe(false);
  });

  test('follow the effective margins, which are sent with them; an operator’s have none', async () => {
    const acme = await rig.stream('acme');
    const operator = await rig.operator();
    await until(() => acme.price(EURUSD) !== undefined && operator.price(EURUSD) !== undefined);
    const { shifts } = rig.money.services.pricing;
    shifts.replace([{ pair: 'EUR/USD', skew: 1_000, skewMax: 20_000 }]);
    shifts.setPosition(() => 5e6);
    const shifted = { list: 'r', bid: clientBid(BID, 2_961), offer: clientOffer(OFFER, 2_039) };
    await until(() => acme.price(EURUSD)?.bid === shifted.bid);
    expect(acme.price(EURUSD)).toEqual(shifted);
    expect(says(acme, `"m":[${EURUSD},2961,2039]`)).toBe(true);
    expect(operator.price(EURUSD)).toEqual({ list: 'r', bid: BID, offer: OFFER });
    shifts.replace([]);
    await until(() => acme.price(EURUSD)?.bid === clientBid(BID, 2_500));
  });

  test('move within a frame or two, and a cross follows its legs', async () => {
    const operator = await rig.operator();
    rig.money.price('EUR/USD', '1.08440', '1.08445');
    await until(() => operator.price(EURUSD)?.bid === 10_844_000);
    await until(() => operator.price(EURJPY)?.list === 'c');
    const before = operator.price(EURJPY)!.bid;
    rig.money.price('USD/JPY', '151.300', '151.310');
    await until(() => operator.price(EURJPY)!.bid > before);
  });

  test('sends the last price of a pair that has ended or was halted, marked as such', async () => {
    const operator = await rig.operator();
    await until(() => operator.price(EURUSD)?.list === 'r' && operator.price(EURJPY)?.list === 'c');
    rig.money.withdraw('EUR/USD');
    await until(() => operator.price(EURUSD)?.list === 'x' && operator.price(EURJPY)?.list === 'y');
    expect(operator.price(EURUSD)).toMatchObject({ bid: BID, offer: OFFER });
    const late = await rig.operator();
    await until(() => late.price(EURUSD) !== undefined);
    expect(late.price(EURUSD)).toEqual({ list: 'x', bid: BID, offer: OFFER });
    rig.money.freshPrices();
    await until(() => operator.price(EURUSD)?.list === 'r');
    rig.money.services.book.halt(new Set([EURUSD]));
    await until(() => operator.price(EURUSD)?.list === 'z');
  });

  test('marks every price of a halted client as halted, and sends it no other until it is resumed', async () => {
    const [acme, operator] = [await rig.stream('acme'), await rig.operator()];
    await until(() => acme.price(EURUSD)?.list === 'r' && operator.price(EURUSD)?.list === 'r');
    const { states } = rig.money.services;
    states.replace([{ scope: 'client', name: 'acme', state: 'HALTED', by: 'x', reason: 'x', sinceMs: 0 }]);
    await until(() => acme.price(EURUSD)?.list === 'z');
    const { bid } = acme.price(EURUSD)!;
    rig.money.price('EUR/USD', '1.08450', '1.08455');
    await until(() => operator.price(EURUSD)?.bid === 10_845_000);
    expect(acme.price(EURUSD)).toMatchObject({ list: 'z', bid });
    expect(operator.price(EURUSD)?.list).toBe('r');
    states.replace([]);
    await until(() => acme.price(EURUSD)?.list === 'r');
    rig.money.freshPrices();
  });

  test('sends only pairs that the client is offered, and a changed margin at once', async () => {
    const { store } = rig.money.opened;
    await store.clients.create({ id: 'third', name: 'third', defaultType: 'PREFUNDING' });
    const third = await rig.stream('third');
    await until(() => third.messages.some(({ t }) => t === 'k'));
    expect(third.hello().pairs).toEqual([]);
    expect(third.price(EURUSD)).toBeUndefined();

    rig.money.services.margins.replace([{ clientId: 'third', pair: 'EUR/USD', type: '*', marginPpm: 1_000 }]);
    await until(() => third.hello().pairs.length === 1);
    expect(third.hello().pairs[0]).toEqual([EURUSD, 'EUR/USD', 7, 4, 5, 1_000]);
    await until(() => third.price(EURUSD)?.bid === clientBid(BID, 1_000));
    expect(third.price(EURJPY)).toBeUndefined();
  });

  test('sends none to a key without the right to see rates', async () => {
    const page = await rig.stream('acme', ['read']);
    await until(() => page.messages.some(({ t }) => t === 'b'));
    expect(page.hello()).toMatchObject({ sees: { rates: false, blotter: true }, pairs: [] });
    expect(page.messages.some(({ t }) => t === 'p')).toBe(false);
  });

  test('the last minutes of a pair, to who is offered it', async () => {
    const operator = await rig.operator();
    const mids = () => operator.messages.findLast((message) => message.t === 'h')?.mids ?? [];
    await vi.waitFor(() => {
      operator.socket.send(JSON.stringify({ history: EURUSD }));
      expect(mids().slice(0, 2)).toEqual([(BID + OFFER) / 2, (BID + OFFER) / 2]);
    }, ASKED);
  });
});

describe('bookings', () => {
  test('each client sees its own and never another’s; an operator all, as they are booked', async () => {
    await withMoney();
    const before = await book(rig.acme, 'before');
    const pages = { acme: await rig.stream('acme'), other: await rig.stream('other'), operator: await rig.operator() };
    await until(() => pages.acme.rows().length === 1 && pages.operator.rows().length === 1);
    expect(pages.acme.rows()[0]).toMatchObject({
      id: before.body.confirmation_id,
      kind: 'fx',
      status: 'SETTLED',
      sell: '100.00 EUR',
      pair: 'EUR/USD',
    });
    const { body } = await book(rig.acme, 'after');
    const has = (page: Stream) => page.rows().some(({ id }) => id === body.confirmation_id);
    await until(() => has(pages.acme) && has(pages.operator));
    const others = await book(rig.other, 'others');
    await until(() => pages.other.rows().length === 1 && pages.operator.rows().length === 3);
    expect(pages.other.rows()[0]!.id).toBe(others.body.confirmation_id);
    expect(says(pages.other, 'acme')).toBe(false);
    expect(says(pages.acme, '"other"')).toBe(false);
  });

  test('polls make up for a lost notification', async () => {
    await rig.stop();
    rig = await startLive({ isDeaf: true });
    rig.money.freshPrices();
    await withMoney();
    const acme = await rig.stream('acme');
    const operator = await rig.operator();
    await until(() => acme.messages.some(({ t }) => t === 'b'));
    await book(rig.acme, 'first');
    await until(() => acme.rows().length === 1 && operator.rows().length === 1);
  });

  test('sends none to a key without the right to read', async () => {
    await withMoney();
    const page = await rig.stream('acme', ['rates']);
    await book(rig.acme, 'one');
    await until(() => page.messages.filter(({ t }) => t === 'k').length > 2);
    expect(page.rows()).toEqual([]);
    expect(page.hello().sees).toEqual({ rates: true, blotter: false });
  });

  test('an unreadable record costs its page the rows, and affects no other page', async () => {
    await withMoney();
    const { body } = await book(rig.acme, 'one');
    const acme = (await rig.money.opened.store.clients.get('acme'))!;
    const redis = redisAt(rig.money.opened.redisUrl);
    await alterBooking(redis, ledgerKeys(acme), String(body.confirmation_id), { factsText: '1[' });
    redis.disconnect();
    const page = await rig.operator();
    await until(() => page.messages.filter(({ t }) => t === 'k').length > 2);
    expect(page.price(EURUSD)).toBeDefined();
    expect(page.rows()).toEqual([]);
    expect(page.socket.readyState).toBe(page.socket.OPEN);
  });
});

test('an operator sees what the house holds, with its age, and what bounds and covers it; a client never', async () => {
  await withMoney();
  await rig.money.opened.store.riskFigures.follow();
  const operator = await rig.operator();
  const acme = await rig.stream('acme');
  const figures = (page: Stream) => page.messages.findLast((message) => message.t === 'r');
  await until(() => figures(operator) !== undefined);
  expect(figures(operator)).toMatchObject({ atMs: 0, ageMs: -1, isStale: true, pairs: [] });

  const role = startRiskRole(rig.money.services, [
    {
      round: async () => ({
        limits: [{ subject: 'acme', limit: 'nop', of: 'EUR', used: 90_000, most: 100_000, mark: 'warned' }],
        states: [{ scope: 'client', subject: 'other', state: 'REDUCING', by: 'ann', reason: 'a test', sinceMs: 1 }],
        covers: [
          {
            ...{ id: 'C1', pair: 'EUR/USD', side: 'sell', amount: 10_000n, filled: 0n, provider: 'LP1' },
            ...{ status: 'sent', reason: '', atMs: 1 },
          },
        ],
      }),
    },
  ]);
  try {
    await book(rig.acme, 'one');
    await until(() => figures(operator)?.pairs[0]?.netBase === '100.00 EUR');
    expect(figures(operator)).toMatchObject({
      isStale: false,
      currency: 'USD',
      total: { total: '108.43', long: '108.43', short: '0.00', profit: '0.28' },
      pairs: [
        { pair: 'EUR/USD', netQuote: '-108.15 USD', bought: '1.0815000', sold: '', mid: '1.08432', value: '108.43' },
      ],
      currencies: [
        { currency: 'EUR', net: '100.00', value: '108.43' },
        { currency: 'USD', net: '-108.15' },
      ],
      limits: [{ subject: 'acme', limit: 'nop EUR', used: '900.00', most: '1000.00', percent: 90, mark: 'warned' }],
      states: [{ subject: 'client other', state: 'REDUCING', by: 'ann', reason: 'a test' }],
      covers: [{ id: 'C1', side: 'sell', amount: '100.00 EUR', filled: '0.00 EUR', provider: 'LP1', status: 'sent' }],
    });
    const ages = figures(operator)!;
    expect(ages.ageMs).toBeGreaterThanOrEqual(0);
    expect(ages.pairs[0]!.rateAgeMs).toBeGreaterThanOrEqual(ages.ageMs);
  } finally {
    await role.stop();
  }
  // Nothing renews them: the page still shows them, with their age.
  await until(() => figures(operator)!.isStale);
  expect(figures(operator)!.ageMs).toBeGreaterThan(3_000);
  expect(figures(acme)).toBeUndefined();
});

test('an operator sees all engines, providers and sessions; a client its own sessions alone', async () => {
  const session = (compId: string, clientId: string) => ({
    ...{ compId, clientId, keyId: 'CK_X', loggedOnAtMs: 1, nextOut: 2, nextIn: 3 },
    ...{ backlogBytes: 0, conflated: 0, streams: 1 },
  });
  const status: EngineStatus = {
    ...{ engineId: '0123456789abcdef', where: 'host:1', startedAtMs: 1, feed: 'runs', draining: false, desks: 2 },
    providers: [{ name: 'LP', up: true, ticks: 5, losses: 0, ageMs: 3 }],
    sessions: [session('ACME1', 'acme'), session('OTHER1', 'other')],
    tickToWire: { count: 7, p50: 10, p90: 20, p99: 30, max: 40 },
  };
  const away = rig.money.opened.store.engines.answer({
    status: () => status,
    takes: () => undefined,
    logOut: () => false,
    pairs: () => ({ feed: 'runs', pairs: [{ pair: 'EUR/USD', state: 'ready', providers: ['LP'] }] }),
  });
  const acme = await rig.stream('acme');
  const operator = await rig.operator();
  await until(() => (operator.engines()?.engines.length ?? 0) === 1 && (acme.engines()?.engines.length ?? 0) === 1);
  // A query may precede the operator's page: tick-to-wire comes with the next answer.
  await until(() => operator.messages.some((message) => message.t === 'w' && message.points[0]?.[1] === 10));
  const history = (page: Stream) => page.messages.findLast((message) => message.t === 'h');
  // An engine that takes too long to answer is asked again with the next query.
  await vi.waitFor(() => {
    for (const page of [acme, operator]) page.socket.send(JSON.stringify({ history: EURUSD }));
    expect(history(operator)?.providers).toEqual(['LP']);
  }, ASKED);
  await until(() => history(acme) !== undefined);
  expect(history(acme)).not.toHaveProperty('providers');
  away();
  expect(operator.engines()!.engines[0]).toMatchObject({ where: 'host:1', providers: [{ name: 'LP' }] });
  expect(operator.engines()!.engines[0]!.sessions.map(({ compId }) => compId)).toEqual(['ACME1', 'OTHER1']);
  expect(acme.engines()!.engines[0]).toMatchObject({ where: '', providers: [], sessions: [{ compId: 'ACME1' }] });
  expect(['OTHER1', 'host:1', 'CK_X'].filter((word) => says(acme, word))).toEqual([]);
  expect(says(operator, 'CK_X')).toBe(false);
  expect(acme.messages.some(({ t }) => t === 'w')).toBe(false);
});

test('an open page is not closed for idle connections', async () => {
  const app = application({ ...rig.money.door, live: rig.live });
  const { port, stop } = await listen(app, { host: '127.0.0.1', port: 0, limits: { connections: 2 } });
  const { clientKey, clientSecret } = await rig.key('acme');
  const page = await openStream(port, cookieOf(await logIn(port, clientKey, clientSecret)));
  const others = Array.from({ length: 4 }, () => connect(port, '127.0.0.1'));
  for (const other of others) other.on('error', () => undefined).resume();
  // The oldest of them are closed for the others; the page is not.
  await until(() => others.filter(({ closed }) => closed).length >= 2);
  expect(page.socket.readyState).toBe(page.socket.OPEN);
  for (const other of others) other.destroy();
  page.socket.terminate();
  await stop();
});

describe('the end of a stream', () => {
  test('a token revoked by any process ends it', async () => {
    const page = await rig.stream('acme');
    const other = await rig.stream('other');
    const elsewhere = await rig.money.opened.another();
    await elsewhere.tokens.revokeAll('acme');
    expect((await page.closed).code).toBe(4401);
    expect(other.socket.readyState).toBe(other.socket.OPEN);
  });

  test('so does a revocation before the page subscribed', async () => {
    await rig.stream('other');
    const cookie = await rig.cookie('acme');
    const token = cookie.split('=')[1]!;
    await rig.money.opened.store.tokens.read(token);
    const elsewhere = redisAt(rig.money.opened.redisUrl);
    // As another process does, the bell lost on its way: here the token is cached for a second.
    await elsewhere.hset(`token:${tokenHash(token)}`, 'revoked', '1');
    await elsewhere.incr('tokens:revocations');
    elsewhere.disconnect();
    await new Promise((resolve) => setTimeout(resolve, 900));
    const page = connectPage(rig.port, { cookie, origin: originOf(rig.port) });
    expect([4401, 401]).toContain((await page.closed).code);
  });

  test('so does a list of addresses for its key on which the page’s is not', async () => {
    const opened = async () => {
      const { clientKey, clientSecret } = await rig.key('acme');
      const page = await openStream(rig.port, cookieOf(await logIn(rig.port, clientKey, clientSecret)));
      return {
        page,
        allow: (...addresses: string[]) => perform(services, 'allowKey', undefined, { clientKey, addresses }),
      };
    };
    const { services } = rig.money;
    const [one, other] = [await opened(), await opened()];
    await one.allow('127.0.0.1', '10.0.0.0/8');
    await other.allow('10.0.0.0/8');
    expect((await other.page.closed).code).toBe(4401);
    // The same check has judged the key of this page, which is still answered.
    one.page.socket.send(JSON.stringify({ history: EURUSD }));
    await until(() => one.page.messages.some(({ t }) => t === 'h'));
    await one.allow('10.0.0.0/8');
    expect((await one.page.closed).code).toBe(4401);
  });

  test('so does the revocation of its key, also where its tokens were not revoked', async () => {
    const { clientKey, clientSecret } = await rig.key('acme');
    const page = await openStream(rig.port, cookieOf(await logIn(rig.port, clientKey, clientSecret)));
    await rig.money.services.store.keys.revoke(clientKey);
    expect((await page.closed).code).toBe(4401);
  });

  test('so does its expiry', async () => {
    const page = await rig.stream('acme');
    rig.money.services.nowMs += 24 * 60 * 60 * 1_000;
    expect(await page.closed).toEqual({ code: 4401, reason: 'The login has expired' });
  });

  test('so does a message that no page sends', async () => {
    const long = `{"history":${EURUSD}${' '.repeat(2_000)}}`;
    for (const [nonsense, code] of [
      ['{"history":-1}', 1008],
      ['hello', 1008],
      ['{"history":"1"}', 1008],
      [long, 1009],
    ] as const) {
      const page = await rig.stream('acme');
      page.socket.send(nonsense);
      expect([nonsense, (await page.closed).code]).toEqual([nonsense, code]);
    }
    const eager = await rig.stream('acme');
    for (let i = 0; i < 30; i++) eager.socket.send(`{"history":${EURUSD}}`);
    expect((await eager.closed).code).toBe(1008);
  });

  test('closes the twenty-first page of a client, and keeps the others', async () => {
    const cookie = await rig.cookie('acme');
    const pages = await Promise.all(Array.from({ length: 20 }, () => openStream(rig.port, cookie)));
    const late = connectPage(rig.port, { cookie, origin: originOf(rig.port) });
    expect((await late.closed).code).toBe(1013);
    expect(rig.live.viewers).toBe(20);
    expect(pages.every(({ socket }) => socket.readyState === socket.OPEN)).toBe(true);
    const other = await rig.stream('other');
    expect(other.hello().clientId).toBe('other');
    for (const { socket } of pages) socket.terminate();
    await until(() => rig.live.viewers === 1);
  });

  test('closes a page above the limit of the process, of any client, and keeps the others', async () => {
    await rig.stop();
    rig = await startLive({ most: 2 });
    const pages = [await rig.stream('acme'), await rig.stream('other')];
    const late = connectPage(rig.port, { cookie: await rig.cookie('other'), origin: originOf(rig.port) });
    expect(await late.closed).toEqual({ code: 1013, reason: 'Too many open pages: try again later' });
    expect(pages.every(({ socket }) => socket.readyState === socket.OPEN)).toBe(true);
    expect(rig.live.counts.refused).toBe(1);
    pages[0]!.socket.terminate();
    await until(() => rig.live.viewers === 1);
    await rig.stream('acme');
  });

  test('a page that reconnects repeatedly uses up the reads of its client alone', async () => {
    await rig.stop();
    rig = await startLive({ limits: { reads: 3 } });
    const [cookie, other] = [await rig.cookie('acme'), await rig.cookie('other')];
    for (let n = 0; n < 3; n++) (await openStream(rig.port, cookie)).socket.terminate();
    const tooOften = connectPage(rig.port, { cookie, origin: originOf(rig.port) });
    expect((await tooOften.closed).code).toBe(429);
    (await openStream(rig.port, other)).socket.terminate();
  });

  test('closes a page that never keeps up', async () => {
    await rig.stop();
    rig = await startLive({ viewer: { backlogBytes: -1, behindMs: 500 } });
    const page = connectPage(rig.port, { cookie: await rig.cookie('acme'), origin: originOf(rig.port) });
    expect(await page.closed).toEqual({ code: 1013, reason: 'The page does not keep up' });
    expect(page.messages).toEqual([]);
    expect(rig.live.counts.conflated).toBeGreaterThan(0);
  });

  test('notifies the pages when the server stops, and stops at once', async () => {
    const page = await rig.stream('acme', [OPERATE]);
    rig.live.stop();
    expect((await page.closed).code).toBe(1001);
  });

  test('notifies also a page that connects during the stop, which it does not delay', async () => {
    const cookie = await rig.cookie('acme');
    rig.live.stop();
    const late = connectPage(rig.port, { cookie, origin: originOf(rig.port) });
    expect((await late.closed).code).toBe(1001);
    expect(rig.live.viewers).toBe(0);
    // Nor does it receive changed margins.
    rig.money.services.margins.replace([]);
  });
});
