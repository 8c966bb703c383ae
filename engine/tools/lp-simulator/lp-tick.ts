import { Ladder } from '../../domain/money/ladder.js';
import { formatScaled } from '../../domain/money/money.js';
import type { Pair } from '../../domain/money/pair.js';
import { threeLevels } from '../../rates/feeds/walk.js';

/** One price of the simulated provider. It may be crossed, where a fault requires it. */
export interface LpTick {
  readonly pair: Pair;
  /** Scaled by the pair's price digits. */
  readonly bid: number;
  readonly offer: number;
  /** Epoch microseconds. */
  readonly sourceTimeUs: number;
}

/** A server of the simulator: WebSocket or FIX. */
export interface LpServer {
  readonly port: number;
  tick(tick: LpTick): void;
  /** Cuts every connection, as a network would; FIX by a Logout(5) with this Text(58). */
  disconnect(reason?: string): void;
  close(): Promise<void>;
}

/** What both servers need: the credentials, and the current price. */
export interface LpTerms {
  /** No key: every client may log on. */
  readonly key?: string | undefined;
  readonly secret?: string | undefined;
  last(pairIndex: number): LpTick | undefined;
}

export const MAX_CLIENTS = 64;

/** Three levels of a price; of one that is crossed, or none, that price alone for a million. The ladder is good until the next call. */
export function levelsOf({ pair, bid, offer }: LpTick): Ladder {
  if (bid > 0 && offer >= bid) return threeLevels(pair, bid, offer, levels);
  levels.clear();
  levels.bid.add(bid, 1_000_000);
  levels.offer.add(offer, 1_000_000);
  return levels;
}

const levels = new Ladder();

/** The price in market digits when it has no more, as a provider writes it. */
export function priceText(scaled: number, { priceDigits, marketDigits }: Pair): string {
  const extra = priceDigits - marketDigits;
  const text = formatScaled(scaled, priceDigits);
  return text.endsWith('0'.repeat(extra)) ? text.slice(0, text.length - extra) : text;
}
