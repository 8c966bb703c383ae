/** A provider whose prices encode when they were made: one unit of the last decimal for each millisecond since its start. */
import { PAIRS } from '../../engine/domain/money/pair.js';
import type { LpTick } from '../../engine/tools/lp-simulator/lp-tick.js';
import { openWebSocketServer } from '../../engine/tools/lp-simulator/websocket-server.js';

export interface Provider {
  /** For FEED. */
  readonly feed: string;
  /**
   * When the provider made this price, epoch ms; undefined: it is not one of its prices. Of EUR/JPY, a cross of two of its pairs, as if
   * both were made at the same moment: they are sent together, so the error is at most one tick.
   */
  madeAtMs(symbol: string, side: 'bid' | 'offer', scaled: number): number | undefined;
  close(): Promise<void>;
}

/** Scaled by the price digits of the pair; they rise so little per tick that none is unconfirmed. */
const FIRST: Readonly<Record<string, number>> = { 'EUR/USD': 11_000_000, 'GBP/USD': 13_000_000, 'USD/JPY': 15_000_000 };
const SPREAD = 1_000;
/** EUR/USD has seven decimals, USD/JPY five; this is their cross. */
export const CROSS = 'EUR/JPY';
const CROSS_SCALE = 1e7;
const EVERY_MS = 25;
const LONGEST_MS = 600_000;

export async function startProvider(): Promise<Provider> {
  const beganAtMs = Date.now();
  const last = new Map<number, LpTick>();
  const server = await openWebSocketServer(0, { key: undefined, secret: undefined, last: (pair) => last.get(pair) });
  const pairs = PAIRS.filter(({ symbol }) => symbol in FIRST);
  const tick = () => {
    const nowMs = Date.now();
    for (const pair of pairs) {
      const bid = FIRST[pair.symbol]! + (nowMs - beganAtMs);
      const shown = { pair, bid, offer: bid + SPREAD, sourceTimeUs: nowMs * 1_000 };
      last.set(pair.index, shown);
      server.tick(shown);
    }
  };
  tick();
  const ticking = setInterval(tick, EVERY_MS);
  const symbols = pairs.map(({ base, quote }) => base + quote).join('+');
  return {
    feed: `ws://127.0.0.1:${server.port}/#provider=TIMED&symbols=${symbols}`,
    madeAtMs(symbol, side, scaled) {
      const sinceMs = symbol === CROSS ? sinceOfCross(side, scaled) : since(symbol, side, scaled);
      if (sinceMs === undefined) return undefined;
      return sinceMs >= 0 && sinceMs <= LONGEST_MS ? beganAtMs + sinceMs : undefined;
    },
    close() {
      clearInterval(ticking);
      return server.close();
    },
  };
}

function since(symbol: string, side: 'bid' | 'offer', scaled: number): number | undefined {
  const first = FIRST[symbol];
  return first === undefined ? undefined : scaled - first - (side === 'bid' ? 0 : SPREAD);
}

/** The price is (a + t)(b + t), which rises with t: 2.6 units in a millisecond. */
function sinceOfCross(side: 'bid' | 'offer', scaled: number): number {
  const spread = side === 'bid' ? 0 : SPREAD;
  const [a, b] = [FIRST['EUR/USD']! + spread, FIRST['USD/JPY']! + spread];
  return Math.round(Math.sqrt(((a - b) / 2) ** 2 + scaled * CROSS_SCALE) - (a + b) / 2);
}
