/** The live page in a real Chromium, with the real programs behind it and a provider that the test runs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Pair, pairBySymbol } from '../../engine/domain/money/pair.js';
import {
  DESKTOP,
  executable,
  type LiveRun,
  logInTo,
  type Opened,
  openPage,
  PHONE,
  startLiveRun,
  tile,
} from './browser.js';
import { UNREADABLE } from './readable.js';

const PAIRS: readonly Pair[] = ['EUR/USD', 'GBP/USD', 'USD/JPY', 'USD/CHF'].map((symbol) => pairBySymbol(symbol)!);
const START: Readonly<Record<string, number>> = { 'EUR/USD': 108_431, 'GBP/USD': 127_012, 'USD/JPY': 151_234 };
const EURUSD = tile('EUR/USD');
const SLOW = { timeout: 120_000 };

describe.skipIf(executable === undefined)('the live page', { timeout: 300_000 }, () => {
  let run: LiveRun;
  let client: Opened;
  let operator: Opened;

  beforeAll(async () => {
    run = await startLiveRun(PAIRS, ({ symbol }) => START[symbol] ?? 88_210, 5);
  });
  afterAll(() => run?.stop());

  test('a wrong secret shows an error; the right one shows prices that move', async () => {
    client = await openPage(run, { ...DESKTOP, colorScheme: 'dark' });
    await logInTo(client, run.demo.client_key, 'wrong');
    await expect.poll(() => client.page.textContent('#login-fault'), SLOW).toMatch(/./);
    // The browser itself says that a request was answered 401.
    client.faults.length = 0;
    await logInTo(client, run.demo.client_key, run.demo.client_secret);
    await client.page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
    const price = () => client.page.textContent(`${EURUSD} .bid .price`);
    const before = await price();
    expect(before).toMatch(/^1\.0\d{6}$/);
    await expect.poll(price, SLOW).not.toBe(before);
    await expect.poll(() => client.page.textContent(`${EURUSD} .bid .arrow`), SLOW).toMatch(/[▲▼]/);
    expect(await client.page.textContent('#who')).toBe('demo');
  });

  test('an operator sees the provider’s own prices, the provider and the engine', async () => {
    operator = await openPage(run, { ...DESKTOP, colorScheme: 'light' });
    await logInTo(operator, run.demo.operator_key, run.demo.operator_secret);
    await operator.page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
    expect(await operator.page.textContent(`${EURUSD} .bid .price`)).toMatch(/^1\.08\d{3}$/);
    expect(await operator.page.textContent(`${EURUSD} .spread`)).toMatch(/^0\.3 pips/);
    await expect.poll(() => operator.page.textContent('#providers'), SLOW).toMatch(/LP● up/);
    await expect.poll(() => operator.page.textContent('#engines'), SLOW).toMatch(/runs it/);
    expect(await client.page.isVisible('#providers')).toBe(false);
  });

  test('a price goes stale when the provider falls silent, says how old it is, and comes back', async () => {
    run.provider.walk(0);
    for (const { page } of [client, operator]) {
      await page.waitForSelector(`${EURUSD}[data-state=stale]`, SLOW);
      await expect.poll(() => page.textContent(EURUSD)).toMatch(/stale/);
      await expect.poll(() => page.textContent(`${EURUSD} .age`), SLOW).toMatch(/^(6|7|8|9|1\d) s$/);
    }
    run.provider.walk(5);
    await client.page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
    await operator.page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
  });

  test('a booking over REST arrives, at its client and at the operator', async () => {
    const login = await fetch(`${run.base}/api/v1/authentication`, {
      method: 'POST',
      headers: { client_key: run.demo.client_key, client_secret: run.demo.client_secret },
    });
    const { token } = (await login.json()) as { token: string };
    const answer = await fetch(`${run.base}/api/v1/bookfx/currency/create`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        request_id: 'seen',
        description: 'Invoice 8841',
        sell_amount: 1000,
        sell_currency: 'EUR',
        buy_currency: 'USD',
      }),
    });
    const { confirmation_id: id } = (await answer.json()) as { confirmation_id: string };
    expect(id).toMatch(/^BFX/);
    for (const { page } of [client, operator]) {
      const row = page.locator(`#rows tr[data-id="${id}"]`);
      await row.waitFor(SLOW);
      expect(await row.textContent()).toMatch(/EUR\/USD.*Settled.*1,000\.00 EUR.*USD1\.08/);
    }
    expect(await operator.page.textContent(`#rows tr[data-id="${id}"] .client`)).toBe('demo');
  });

  test('is operable by keyboard', async () => {
    const { page } = operator;
    const focused = () => page.evaluate('document.activeElement?.closest("li")?.dataset.symbol ?? ""');
    await page.keyboard.press('r');
    expect(await focused()).toBe('EUR/USD');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('GBP/USD');
    await page.keyboard.press('End');
    expect(await focused()).not.toBe('GBP/USD');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#details:visible');
    expect(await page.textContent('#details-title')).toBe('EUR/USD');
    await expect.poll(() => page.textContent('#details-chart figcaption'), SLOW).toMatch(/^Mid of EUR\/USD over/);
    await expect.poll(() => page.textContent('#details-facts'), SLOW).toMatch(/Made fromLP/);
    await page.keyboard.press('Escape');
    expect(await page.isVisible('#details')).toBe(false);
    expect(await focused()).toBe('EUR/USD');

    await page.keyboard.press('/');
    await page.keyboard.type('jpy');
    await expect.poll(() => page.locator('#tiles li').count(), SLOW).toBeGreaterThan(0);
    const found = await page
      .locator('#tiles li')
      .evaluateAll((items) => items.map((item) => item.getAttribute('data-symbol')));
    expect(found.every((symbol) => symbol?.includes('JPY'))).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('#tiles li').count()).toBe(PAIRS.length);
    await page.keyboard.press('?');
    expect(await page.isVisible('#keys')).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.isVisible('#keys')).toBe(false);
  });

  test('needs no horizontal scrolling on a phone', async () => {
    const phone = await openPage(run, { ...PHONE, colorScheme: 'dark' });
    const { page } = phone;
    const tooWide = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(await tooWide()).toBe(0);
    await logInTo(phone, run.demo.client_key, run.demo.client_secret);
    await page.waitForSelector(`${EURUSD}[data-state=quoted]`, SLOW);
    expect(await tooWide()).toBe(0);
    await page.click('#tabs [data-kind=blotter]');
    await page.waitForSelector('#rows tr[data-id]:visible', SLOW);
    expect(await tooWide()).toBe(0);
    await page.click('#tabs [data-kind=engines]');
    expect(await tooWide()).toBe(0);
    await page.click('#tabs [data-kind=rates]');
    await page.click(EURUSD);
    await page.waitForSelector('#details:visible');
    expect(await tooWide()).toBe(0);
    expect(phone.faults).toEqual([]);
    await page.context().close();
  });

  test('is readable in dark and light, chosen by the system or by the user', async () => {
    const ground = ({ page }: Opened) => page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await ground(client)).not.toBe(await ground(operator));
    for (const { page } of [client, operator]) expect(await page.evaluate(UNREADABLE)).toEqual([]);
    await operator.page.click('body');
    const chosen = () => operator.page.evaluate('document.documentElement.dataset.chosen');
    for (const expected of ['light', 'dark', 'auto']) {
      await operator.page.click('#theme');
      expect(await chosen()).toBe(expected);
    }
  });

  test('exposes no secret to scripts, and logs no browser error', async () => {
    for (const { page, faults } of [client, operator]) {
      expect(faults).toEqual([]);
      expect(await page.evaluate('document.cookie + JSON.stringify(localStorage)')).not.toMatch(/[\w-]{43}/);
      const cookies = await page.context().cookies();
      expect(cookies).toMatchObject([{ name: 'ratewire_live', path: '/live', httpOnly: true, sameSite: 'Strict' }]);
      expect(page.url()).toBe(`${run.base}/live`);
    }
  });

  test('shows the form after the logout, and stale prices with a message after the server stops', async () => {
    await operator.page.click('#logout');
    await operator.page.waitForSelector('#login-form:visible', SLOW);
    run.launcher.process.kill('SIGINT');
    await run.launcher.ended;
    await client.page.waitForSelector('#banner:visible', SLOW);
    expect(await client.page.textContent('#banner')).toMatch(/stale/);
    await client.page.waitForSelector(`${EURUSD}[data-state=stale]`, SLOW);
    expect(await client.page.isVisible('#market')).toBe(false);
  });
});
