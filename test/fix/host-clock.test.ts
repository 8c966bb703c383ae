/** An engine whose clock differs from the store's quotes, holds and names value dates by the clock of the store. */
import { afterEach, expect, test } from 'vitest';
import { quote } from '../conversions/fix/quotes/quoting.js';
import { type Rig, startRig } from './rig.js';

// A Friday; spot of EUR/USD is Tuesday the 21st.
const NOW = Date.parse('2028-11-17T08:00:00.000Z');
const HALF_DAY_MS = 12 * 3_600_000;

let rig: Rig | undefined;
afterEach(() => rig?.stop());

test.each([-HALF_DAY_MS, -60_000, 60_000, HALF_DAY_MS])(
  'the clock of the engine is ahead by %d ms',
  async (hostAheadMs) => {
    rig = await startRig({ now: () => NOW });
    rig.host.aheadMs = hostAheadMs;
    rig.tick('EUR/USD', '1.08158', '1.08164');
    const acme = await rig.client('acme');
    const desk = rig.desk(acme);
    const token = (await desk.logon()).get(20001)!;
    const shown = await quote(desk, 'Q1', token, { 537: 0 });
    expect([35, 60, 62, 64].map((tag) => shown.get(tag))).toEqual([
      ...['S', '20281117-08:00:00.000', '20281117-08:00:30.000', '20281121'],
    ]);
    const held = await quote(desk, 'Q2', token);
    expect([35, 60, 62, 64].map((tag) => held.get(tag))).toEqual([
      ...['S', '20281117-08:00:00.000', '20281117-08:00:30.000', '20281121'],
    ]);
    expect((await quote(desk, 'Q3', token, { 62: '20281117-08:00:00.000' })).get(20011)).toBe('BAD_VALID_UNTIL');
    expect((await quote(desk, 'Q4', token, { 62: '20281117-08:00:10.000' })).get(62)).toBe('20281117-08:00:10.000');

    desk.stream('M1', ['EUR/USD'], token);
    expect((await desk.next('W')).text).toContain('|20012=20281121|');
  },
);
