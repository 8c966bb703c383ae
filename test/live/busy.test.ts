/** A hundred pairs, each ten times a second, in a real Chromium: what it costs is printed, and what is shown in the end is the newest. */
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAIRS, type Pair } from '../../engine/domain/money/pair.js';
import { until } from '../support/until.js';
import { DESKTOP, executable, type LiveRun, logInTo, openPage, startLiveRun } from './browser.js';

/** All of one shape, so that any price will do. */
const HUNDRED = PAIRS.filter(({ marketDigits, pipDigits }) => marketDigits === 5 && pipDigits === 4).slice(0, 100);
const PER_SECOND = 10;
const TICKS = 4 * PER_SECOND * HUNDRED.length;

describe.skipIf(executable === undefined)('a hundred pairs at ten updates a second', { timeout: 120_000 }, () => {
  let run: LiveRun;

  beforeAll(async () => {
    run = await startLiveRun(HUNDRED, ({ index }) => 120_000 + index * 10, PER_SECOND);
  });
  afterAll(() => run?.stop());

  test('the newest price of each is shown in the end', async () => {
    const { provider, demo } = run;
    const opened = await openPage(run, DESKTOP);
    const { page } = opened;
    await logInTo(opened, demo.operator_key, demo.operator_secret);
    await expect.poll(() => page.locator('#tiles .tile[data-state=quoted]').count(), { timeout: 120_000 }).toBe(100);
    const devtools = await page.context().newCDPSession(page);
    // CPU time of the page's thread: what else the machine does is not the page's.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.evaluate(WATCH);
    const [before, drawnBefore, sentBefore] = [await figures(devtools), await drawn(), provider.sent];
    const beganMs = performance.now();
    await until(() => provider.sent >= sentBefore + TICKS);
    const seconds = (performance.now() - beganMs) / 1_000;
    const [after, drawnAfter] = [await figures(devtools), await drawn()];
    const watched = (await page.evaluate('window.watched')) as { frames: number; long: number[]; bytes: number };

    const perSecond = (name: keyof Figures) => ((after[name] - before[name]) / seconds) * 1_000;
    const frames = drawnAfter.frames - drawnBefore.frames;
    const lines = [
      `ticks sent ${Math.round((provider.sent - sentBefore) / seconds)}/s, tiles drawn ${Math.round((drawnAfter.tiles - drawnBefore.tiles) / seconds)}/s`,
      `animation frames ${(watched.frames / seconds).toFixed(1)}/s, of which ${(frames / seconds).toFixed(1)}/s draw tiles`,
      `script of a drawing frame ${((drawnAfter.ms - drawnBefore.ms) / frames).toFixed(2)} ms`,
      `CPU time per second: script ${perSecond('ScriptDuration').toFixed(0)} ms, style ${perSecond('RecalcStyleDuration').toFixed(0)} ms, layout ${perSecond('LayoutDuration').toFixed(0)} ms, all tasks ${perSecond('TaskDuration').toFixed(0)} ms`,
      `long tasks ${watched.long.length}, the longest ${Math.round(Math.max(0, ...watched.long))} ms`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);

    provider.walk(0);
    const shown = (pair: Pair) => (provider.lastBid(pair) / 10 ** pair.marketDigits).toFixed(pair.marketDigits);
    const expected = HUNDRED.map((pair) => `${pair.symbol} ${shown(pair)}`).toSorted();
    const onPage = async () =>
      (
        await page
          .locator('#tiles li')
          .evaluateAll((items) =>
            items.map(
              (item) => `${item.getAttribute('data-symbol')} ${item.querySelector('.bid .price')?.textContent}`,
            ),
          )
      ).toSorted();
    await expect.poll(onPage, { timeout: 120_000 }).toEqual(expected);
    expect(opened.faults).toEqual([]);

    async function drawn() {
      return (await page.evaluate('window.ratewireDrawn')) as { frames: number; tiles: number; ms: number };
    }
  });
});

interface Figures {
  readonly ScriptDuration: number;
  readonly RecalcStyleDuration: number;
  readonly LayoutDuration: number;
  readonly TaskDuration: number;
}

/** Seconds since the page was opened. */
async function figures(devtools: CDPSession): Promise<Figures> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value])) as unknown as Figures;
}

const WATCH = `(() => {
  const watched = { frames: 0, long: [] };
  window.watched = watched;
  const next = () => { watched.frames++; requestAnimationFrame(next); };
  requestAnimationFrame(next);
  new PerformanceObserver((list) => watched.long.push(...list.getEntries().map((entry) => entry.duration)))
    .observe({ entryTypes: ['longtask'] });
})()`;
