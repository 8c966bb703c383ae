/** The page itself in a real Chromium: who has it in hand, what it says when the line is cut, what is read on a phone and by keyboard. */
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPERATE, RIGHTS, type Right } from '../../engine/domain/core/rights.js';
import { RateBook } from '../../engine/rates/rate-book.js';
import { startRiskRole } from '../../engine/roles/risk/risk-role.js';
import { liveSource } from '../../rest/features/live-page/live-source.js';
import { Live } from '../../rest/live/live.js';
import { application, listen } from '../../rest/server.js';
import { BY_CURRENCY } from '../rest/money-door.js';
import { DESKTOP, executable, launchChromium, logInTo, type Opened, openPage, PHONE, tile } from './browser.js';
import { type Line, startLine } from './line.js';
import { type LiveRig, startLive } from './live-rig.js';
import { UNREADABLE } from './readable.js';

const EURUSD = tile('EUR/USD');
const SLOW = { timeout: 120_000 };
/** Of a price that is to stay fresh. */
const RENEW_MS = 1_000;
/** More than a screen has room for. */
const BOOKINGS = 30;

describe.skipIf(executable === undefined)('the page', { timeout: 300_000 }, () => {
  let browser: Browser;
  let rig: LiveRig;
  let line: Line;
  let renewing: NodeJS.Timeout;

  let id: string;

  beforeAll(async () => {
    browser = await launchChromium(executable!);
    rig = await startLive({ maxAgeMs: 5_000 });
    line = await startLine(rig.port);
    rig.money.freshPrices();
    id = (await bookings(BOOKINGS))[0]!;
  });
  afterAll(async () => {
    await browser?.close();
    await line?.close();
    await rig?.stop();
  });
  beforeEach(() => {
    rig.money.freshPrices();
    renewing = setInterval(() => rig.money.freshPrices(), RENEW_MS);
  });
  afterEach(async () => {
    clearInterval(renewing);
    for (const context of browser.contexts()) await context.close();
  });

  const open = (options: Parameters<typeof openPage>[1]): Promise<Opened> =>
    openPage({ browser, base: `http://127.0.0.1:${line.port}` }, options);

  async function logIn(opened: Opened, clientId: string, rights: readonly Right[] = RIGHTS): Promise<void> {
    const { clientKey, clientSecret } = await rig.key(clientId, rights);
    await logInTo(opened, clientKey, clientSecret);
  }

  async function bookings(count: number): Promise<string[]> {
    await rig.acme.account('EUR', 1_000_000n);
    await rig.acme.account('USD');
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      const body = { request_id: `b${i}`, description: 'Invoice', sell_amount: 1 };
      const { body: booked } = await rig.acme.post(BY_CURRENCY, { ...body, sell_currency: 'EUR', buy_currency: 'USD' });
      ids.push(String(booked.confirmation_id));
    }
    return ids;
  }

  describe('after another login', () => {
    test('shows nothing of the previous login', async () => {
      const opened = await open(DESKTOP);
      const { page } = opened;
      await logIn(opened, 'house', [OPERATE]);
      await page.waitForSelector(`#rows tr[data-id="${id}"]`, SLOW);
      await page.click('#logout');
      await page.waitForSelector('#login-form:visible', SLOW);
      expect((await page.content()).includes(id)).toBe(false);
      await logIn(opened, 'other', ['rates']);
      await expect.poll(() => page.textContent('#who'), SLOW).toBe('other');
      expect(await page.textContent('#rows-empty')).toBe('This key lacks the right to read bookings.');
      expect((await page.content()).includes(id)).toBe(false);
    });

    test('nor when it reconnects after another login in the same browser', async () => {
      const opened = await open(DESKTOP);
      const { page } = opened;
      await logIn(opened, 'acme');
      await page.waitForSelector(`#rows tr[data-id="${id}"]`, SLOW);
      await line.cut();
      // Another way to the same server: a cookie knows no ports.
      const beside = { page: await page.context().newPage(), faults: [] };
      await beside.page.goto(`http://127.0.0.1:${rig.port}/live`);
      await beside.page.click('#logout');
      await logIn(beside, 'other', ['rates']);
      await expect.poll(() => beside.page.textContent('#who'), SLOW).toBe('other');
      await line.mend();
      await expect.poll(() => page.textContent('#who'), SLOW).toBe('other');
      await page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
      expect((await page.content()).includes(id)).toBe(false);
    });

    test('does not report a logout that the server did not confirm', async () => {
      const opened = await open(DESKTOP);
      await logIn(opened, 'acme');
      await opened.page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
      await line.cut();
      await opened.page.click('#logout');
      await expect.poll(() => opened.page.textContent('#banner'), SLOW).toMatch(/still logged in/);
      await line.mend();
      await opened.page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
      await opened.page.click('#logout');
      await opened.page.waitForSelector('#login-form:visible', SLOW);
    });
  });

  test('announces a lost connection once over all retries, and marks all prices stale until it is back', async () => {
    const opened = await open(DESKTOP);
    const { page } = opened;
    await logIn(opened, 'acme');
    await page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
    await page.evaluate(HEAR);
    await line.cut();
    await page.waitForSelector(`${EURUSD}[data-state=stale]`, SLOW);
    const tries = () => page.evaluate('window.tries') as Promise<number>;
    await expect.poll(tries, SLOW).toBeGreaterThan(1);
    expect(await page.evaluate('window.announced')).toEqual([expect.stringMatching(/stale/)]);
    expect(await page.locator('#tiles .tile:not([data-state=stale])').count()).toBe(0);
    await line.mend();
    await page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
    expect(await page.isVisible('#banner')).toBe(false);
  });

  test('a sidecar that was started anew and has no price of a pair yet leaves it stale', async () => {
    const opened = await open(DESKTOP);
    const { page } = opened;
    await logIn(opened, 'acme');
    await page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
    await line.cut();
    const { services, door } = rig.money;
    const live = new Live(liveSource({ ...services, book: new RateBook() }));
    const anew = await listen(application({ ...door, live }), { host: '127.0.0.1', port: 0 });
    try {
      await line.mend(anew.port);
      await expect.poll(() => page.textContent('#connection-text'), SLOW).toBe('Live');
      await page.waitForSelector('#banner', { state: 'hidden' });
      expect(await page.getAttribute(EURUSD, 'data-state')).toBe('stale');
    } finally {
      await line.cut();
      live.stop();
      await anew.stop();
      await line.mend(rig.port);
    }
    await page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
  });

  test('marks a price stale at its maximum age while no message arrives, before the connection is given up', async () => {
    const opened = await open(DESKTOP);
    const { page } = opened;
    clearInterval(renewing);
    await logIn(opened, 'acme');
    await page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
    rig.money.freshPrices();
    await page.waitForTimeout(rig.money.services.book.maxAgeMs - 500);
    line.freeze();
    await page.waitForSelector(`${EURUSD}[data-state=stale]`, SLOW);
    expect(await page.textContent('#connection-text')).toBe('Live');
    await page.waitForSelector('#banner:visible', SLOW);
  });

  test('reports that no engine answers, instead of no activity', async () => {
    const opened = await open(DESKTOP);
    await logIn(opened, 'house', [OPERATE]);
    for (const panel of ['engines', 'providers', 'sessions'])
      await expect.poll(() => opened.page.textContent(`#${panel}-sub`), SLOW).toBe('no engine answers');
  });

  test('shows an operator what the house holds, and that it is stale when no engine renews it; a client nothing', async () => {
    await rig.money.opened.store.riskFigures.follow();
    const opened = await open(DESKTOP);
    const { page } = opened;
    await logIn(opened, 'house', [OPERATE]);
    await expect.poll(() => page.textContent('#risk-sub'), SLOW).toBe('no figures: no engine has the risk role');
    const limits = [{ subject: 'acme', limit: 'nop', used: 90_000, most: 100_000, mark: 'warned' as const }];
    const role = startRiskRole(rig.money.services, [{ round: async () => ({ limits }) }]);
    try {
      await page.waitForSelector('#risk-pairs tbody tr', SLOW);
      expect(await page.textContent('#risk-pairs tbody')).toContain('EUR/USD');
      expect(await page.textContent('#risk-total')).toMatch(/net open position[\d,]+\.\d\d/);
      await expect.poll(() => page.textContent('#risk-sub'), SLOW).toMatch(/^<?\d+ s old, in USD, day of /);
      expect(await page.textContent('#risk-limits tbody')).toMatch(/acme.*900\.00.*90 %/);
      expect(await page.isVisible('#risk-covers-panel')).toBe(false);
      expect(await page.evaluate(UNREADABLE)).toEqual([]);
    } finally {
      await role.stop();
    }
    await expect.poll(() => page.textContent('#risk-sub'), SLOW).toMatch(/^stale: /);
    const client = await open(DESKTOP);
    await logIn(client, 'acme');
    await client.page.waitForSelector('#rows tr[data-id]', SLOW);
    expect(await client.page.isVisible('#risk-panel')).toBe(false);
    expect([...opened.faults, ...client.faults]).toEqual([]);
  });

  test("shows the uptime of an engine by the server's clock, not the page's", async () => {
    const startedAtMs = rig.money.services.now() - 3 * 3_600_000;
    const { store } = rig.money.opened;
    const away = store.engines.answer({
      status: () => ({
        ...{ engineId: '0123456789abcdef', where: 'host:1', startedAtMs, feed: 'runs', draining: false, desks: 0 },
        ...{ providers: [], sessions: [], tickToWire: { count: 0, p50: 0, p90: 0, p99: 0, max: 0 } },
      }),
      takes: () => undefined,
      logOut: () => false,
      pairs: () => ({ feed: 'runs', pairs: [] }),
    });
    const opened = await open(DESKTOP);
    await logIn(opened, 'house', [OPERATE]);
    await opened.page.waitForSelector('#engines tbody tr', SLOW);
    expect(await opened.page.textContent('#engines tbody')).toMatch(/host:1.*3 h/);
    away();
  });

  test('on a phone too a stale price says how old it is, and the market that it is closed', async () => {
    const opened = await open(PHONE);
    const { page } = opened;
    await logIn(opened, 'acme');
    await page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
    clearInterval(renewing);
    await page.waitForSelector(`${EURUSD}[data-state=stale]`, SLOW);
    expect(await page.isVisible(`${EURUSD} .age`)).toBe(true);
    expect(await page.textContent('#market')).toBe('No prices');
    expect(await page.isVisible('#market')).toBe(true);
    expect(await page.evaluate(CUT_OFF)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  });

  test.each([
    ['an operator', 'house', [OPERATE]],
    ['a client', 'acme', RIGHTS],
  ] as const)('shows long prices to %s without overlap', async (_, clientId, rights) => {
    rig.money.price('USD/IDR', '16482.500', '16494.500');
    rig.money.price('USD/INR', '83.4417', '83.4618');
    const opened = await open(DESKTOP);
    const { page } = opened;
    await logIn(opened, clientId, rights);
    await page.click('#board-kind [data-kind=all]');
    for (const symbol of ['EUR/IDR', 'EUR/INR']) await page.waitForSelector(tile(symbol), SLOW);
    for (const width of [360, 1100, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await page.evaluate(TOUCHING)]).toEqual([width, []]);
    }
  });

  test('on a phone the rows of a client omit the client id', async () => {
    const opened = await open(PHONE);
    await logIn(opened, 'acme');
    await opened.page.click('#tabs [data-kind=blotter]');
    await opened.page.waitForSelector(`#rows tr[data-id="${id}"]`, SLOW);
    expect(await opened.page.isVisible(`#rows tr[data-id="${id}"] .client`)).toBe(false);
  });

  test('scrolls the focused blotter by keyboard', async () => {
    const opened = await open(DESKTOP);
    const { page } = opened;
    await logIn(opened, 'acme');
    await expect.poll(() => page.locator('#rows tr[data-id]').count(), SLOW).toBe(BOOKINGS);
    const top = () => page.evaluate('document.querySelector("#blotter .scroll").scrollTop') as Promise<number>;
    await page.keyboard.press('b');
    // A page that is drawn anew at this moment may miss one.
    const after = async () => {
      await page.keyboard.press('PageDown');
      return top();
    };
    await expect.poll(after, SLOW).toBeGreaterThan(0);
  });

  test.each(['light', 'dark'] as const)('in %s every text on it can be read, stale or not', async (colorScheme) => {
    const opened = await open({ ...DESKTOP, colorScheme, reducedMotion: 'reduce' });
    const { page } = opened;
    await logIn(opened, 'acme');
    await page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
    await page.waitForSelector('#rows tr[data-id]', SLOW);
    clearInterval(renewing);
    rig.money.price('EUR/USD', '1.08441', '1.08443');
    await page.waitForSelector(`${EURUSD} .bid[data-fresh]`, SLOW);
    expect(await page.evaluate(UNREADABLE)).toEqual([]);
    rig.money.withdraw('EUR/USD');
    await page.waitForSelector(`${EURUSD}[data-state=stale]`, SLOW);
    expect(await page.evaluate(UNREADABLE)).toEqual([]);
  });
});

/** Counts connections that were tried, and keeps what an alert has said. */
const HEAR = `(() => {
  window.tries = 0;
  window.announced = [];
  const Real = WebSocket;
  window.WebSocket = class extends Real {
    constructor(url) { super(url); window.tries++; }
  };
  let last = '';
  new MutationObserver(() => {
    const alerts = [...document.querySelectorAll('#app [role=alert]')];
    const said = alerts.filter((one) => one.checkVisibility()).map((one) => one.textContent).join('');
    if (said !== '' && said !== last) window.announced.push(said);
    last = said;
  }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
})()`;

/** Tiles whose bid comes nearer than a space to the offer, or whose prices leave the tile. */
const TOUCHING = `[...document.querySelectorAll('#tiles .tile')].flatMap((one) => {
  const around = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  };
  const [bid, offer] = ['.bid', '.offer'].map((side) => around(one.querySelector(side + ' .price')));
  const box = one.getBoundingClientRect();
  const fits = bid.left > box.left && bid.right + 4 < offer.left && offer.right < box.right;
  return fits ? [] : [one.textContent];
})`;

/** Parts of tiles that do not fit into them. */
const CUT_OFF = `[...document.querySelectorAll('#tiles .tile *')].filter((part) => {
  const [own, tile] = [part.getBoundingClientRect(), part.closest('.tile').getBoundingClientRect()];
  return part.checkVisibility() && part.className !== 'hidden' &&
    (own.left < tile.left || own.right > tile.right || own.top < tile.top || own.bottom > tile.bottom);
}).map((part) => part.className + ' ' + part.textContent)`;
