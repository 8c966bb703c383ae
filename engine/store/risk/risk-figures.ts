/**
 * Risk figures between processes: the holder of the risk lease publishes them on a channel, and keeps the newest of every few seconds for
 * processes that start. Each message is signed, and has the time, by the store's clock, at which the reading of its positions began: a right
 * to PUBLISH or to SET does not suffice to change a figure or to make it younger.
 */
import { z } from 'zod';
import { CLIENT_ID } from '../../domain/core/ids.js';
import { throttledLog } from '../../domain/core/log.js';
import type { DayStart, RiskFigures } from '../../domain/risk/figures.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { leaseKey, RISK_LEASE } from '../coordination/lease.js';
import { HoldingOrder } from '../coordination/relay.js';
import type { DropReason, SignedChannels, SignedMessage } from '../coordination/signed-messages.js';

/** The newest figures that this process knows. */
export interface KnownFigures {
  /**
   * Undefined: there are none that old or younger, by the store's clock, which may count a round trip too many and none too few; a decision
   * that needs them is then refused. The age of each rate inside comes on top.
   */
  figures(maxAgeMs: number): RiskFigures | undefined;
  /** Of the newest, however old; for display. Undefined: none are known, or the store's time is not. */
  ageMs(): number | undefined;
  /** Called with new figures, also while no reader asks. Returns what ends it. A listener does not throw. */
  onFigures(changed: (figures: RiskFigures) => void): () => void;
}

export interface RiskFiguresStore extends KnownFigures {
  /**
   * Begins to receive, with the kept figures; later calls change nothing. Figures in another base currency are not used, which is logged;
   * without one, those of any are. Rejects with StoreUnavailable.
   */
  follow(baseCurrency?: string): Promise<void>;
  /** The kept figures, whatever their age: of this store's own programs. Undefined: there are none, or they cannot be read. */
  kept(): Promise<RiskFigures | undefined>;
  /** `holding` is one of the risk lease: false when it has ended, and nothing was published. RangeError where they are too large. */
  publish(
    holding: string,
    figures: RiskFigures,
    more?: { readonly keep?: boolean; readonly dayStart?: DayBegun },
  ): Promise<boolean>;
  /** What the newest trading day began with; undefined: no role has run yet. Throws where it cannot be read. */
  dayBegun(): Promise<DayBegun | undefined>;
  /** The store's time now, epoch ms, as `publish` needs it; undefined: not known. */
  nowMs(): number | undefined;
}

/** The profit at the first round of a trading day. */
export interface DayBegun {
  readonly day: string;
  readonly baseCurrency: string;
  readonly atMs: number;
  readonly profits: DayStart;
}

const CHANNEL = 'risk:figures';
const LEASE = leaseKey(RISK_LEASE);
/** In the slot of the lease. */
const FIGURES = `risk:{${LEASE}}:figures`;
const DAY = `risk:{${LEASE}}:day`;
export const PUBLISH_FIGURES = step(import.meta.url, 'publish-figures', {
  inReserve: true,
  keys: ['lease', 'figures', 'dayStart'],
  args: ['holding', 'channel', 'message', 'keep?', 'day?'],
});
const MESSAGE_MAX = 1024 * 1024;
const PAIRS_MAX = 500;
const CURRENCIES_MAX = 50;
const TABLE_MAX = 1_000;

const WHOLE = z.number().int();
const AGE = z.number().nonnegative().optional();
const MINOR = z
  .string()
  .regex(/^-?\d{1,24}$/)
  .transform(BigInt);
const PRICE = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,40})?$/)
  .optional();
const PAIR = z.string().regex(/^[A-Z]{3}\/[A-Z]{3}$/);
const CURRENCY = z.string().regex(/^[A-Z]{3}$/);
const DAY_TEXT = z.string().regex(/^\d{8}$/);
const WORD = z.string().max(100);
const TEXT = z.string().max(300);
const PROFIT = z.object({ realised: WHOLE, unrealised: WHOLE, margin: WHOLE });
const BODY: z.ZodType<RiskFigures> = z.object({
  atMs: z.number(),
  baseCurrency: CURRENCY,
  day: DAY_TEXT,
  pairs: z
    .array(
      z.object({
        pair: PAIR,
        netBase: MINOR,
        netQuote: MINOR,
        averageBought: PRICE,
        averageSold: PRICE,
        mid: PRICE,
        midAgeMs: AGE,
        value: WHOLE.optional(),
        profit: PROFIT.optional(),
        dayProfit: PROFIT.optional(),
      }),
    )
    .max(PAIRS_MAX),
  currencies: z
    .array(
      z.object({
        currency: CURRENCY,
        net: MINOR,
        value: WHOLE.optional(),
        rate: PRICE,
        rateAgeMs: AGE,
        closeOut: MINOR,
        closeOutValue: WHOLE.optional(),
      }),
    )
    .max(CURRENCIES_MAX),
  total: z.object({
    long: WHOLE,
    short: WHOLE,
    total: WHOLE,
    profit: PROFIT,
    dayProfit: PROFIT,
    rateAgeMs: AGE,
  }),
  limits: z
    .array(
      z.object({
        subject: z.union([z.literal('house'), z.string().regex(CLIENT_ID)]),
        limit: WORD,
        of: WORD.optional(),
        used: WHOLE,
        most: WHOLE,
        mark: z.enum(['within', 'warned', 'reached', 'over']),
      }),
    )
    .max(TABLE_MAX),
  states: z
    .array(
      z.object({
        scope: z.enum(['house', 'client', 'pair']),
        subject: WORD,
        state: z.enum(['REDUCING', 'HALTED']),
        by: WORD,
        reason: TEXT,
        sinceMs: z.number(),
      }),
    )
    .max(TABLE_MAX),
  covers: z
    .array(
      z.object({
        id: WORD,
        pair: PAIR,
        side: z.enum(['buy', 'sell']),
        amount: MINOR,
        filled: MINOR,
        provider: WORD,
        status: WORD,
        reason: TEXT,
        atMs: z.number(),
      }),
    )
    .max(TABLE_MAX),
});
const DAY_BODY = z.object({
  day: DAY_TEXT,
  baseCurrency: CURRENCY,
  atMs: z.number(),
  profits: z.record(z.union([PAIR, CURRENCY]), PROFIT.nullable()),
});

export function riskFigures(connection: Connection, messages: SignedChannels): RiskFiguresStore {
  const { signer, nextNumber } = messages;
  const counts = messages.dropped.risk;
  const listeners = new Set<(figures: RiskFigures) => void>();
  const order = new HoldingOrder();
  let newest: RiskFigures | undefined;
  let receivedAtMs = 0;
  let ownCurrency = '';
  let following: Promise<void> | undefined;
  const unreadable = throttledLog(() =>
    connection.log.error(
      {},
      'Risk figures that are signed could not be read: they are not used. Run one release everywhere on this store.',
    ),
  );

  const otherCurrency = throttledLog(() =>
    connection.log.error(
      { baseCurrency: ownCurrency },
      'The risk figures are in another base currency than the BASE_CURRENCY of this process, which does not use them. Set the same for every engine and sidecar.',
    ),
  );

  const nowMs = (): number | undefined => connection.serverMs(LEASE);
  const read = (body: Buffer): RiskFigures | undefined => {
    try {
      const found = BODY.safeParse(JSON.parse(body.toString()));
      if (found.success) return found.data;
    } catch {
      // Reported below, as what has another form.
    }
    unreadable(undefined);
    return undefined;
  };
  const isOwn = ({ baseCurrency }: RiskFigures): boolean => {
    const isIt = ownCurrency === '' || baseCurrency === ownCurrency;
    if (!isIt) otherCurrency(undefined);
    return isIt;
  };
  const signedIn = (message: Buffer): SignedMessage | DropReason =>
    message.length > MESSAGE_MAX ? 'version' : signer.verify(CHANNEL, message);
  const count = (reason: DropReason): undefined => {
    counts[reason] += 1;
    return undefined;
  };
  const withTime = ({ body, atMs }: SignedMessage): RiskFigures | undefined => {
    const figures = read(body);
    return figures && { ...figures, atMs };
  };
  const newestIn = (message: Buffer): RiskFigures | undefined => {
    const now = nowMs();
    const signed = signedIn(message);
    if (typeof signed === 'string') return count(signed);
    const reason = now === undefined ? 'old' : order.dropReason(signed, signed.atMs, now);
    return reason === undefined ? withTime(signed) : count(reason);
  };
  const take = (message: Buffer): void => {
    const figures = newestIn(message);
    if (figures === undefined || !isOwn(figures)) return;
    newest = figures;
    receivedAtMs = performance.now();
    for (const changed of listeners) changed(figures);
  };
  /** They have their age: no message of them is too old. */
  const kept = async (): Promise<RiskFigures | undefined> => {
    const message = await connection.read((redis) => redis.getBuffer(FIGURES));
    if (message === null) return undefined;
    const signed = signedIn(message);
    return typeof signed === 'string' ? count(signed) : withTime(signed);
  };
  const ageOf = (figures: RiskFigures | undefined): number | undefined => {
    const now = nowMs();
    if (figures === undefined || now === undefined) return undefined;
    // The clock of a server that took over may be behind: what is here for a while is no younger than that.
    return Math.max(now - figures.atMs, performance.now() - receivedAtMs);
  };

  return {
    figures(maxAgeMs) {
      const ageMs = ageOf(newest);
      return ageMs !== undefined && ageMs <= maxAgeMs ? newest : undefined;
    },
    ageMs: () => ageOf(newest),
    onFigures(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    follow(baseCurrency = '') {
      ownCurrency ||= baseCurrency;
      following ??= (async () => {
        connection.subscribe(CHANNEL, take);
        const before = await kept();
        if (before === undefined || newest !== undefined || !isOwn(before)) return;
        newest = before;
        receivedAtMs = performance.now();
      })();
      return following;
    },
    kept,
    async publish(holding, figures, { keep = false, dayStart } = {}) {
      const body = Buffer.from(JSON.stringify(figures, bigintAsText));
      const message = signer.sign(CHANNEL, { sender: holding, number: nextNumber(), atMs: figures.atMs, body });
      if (message.length > MESSAGE_MAX) throw new RangeError('the risk figures are larger than 1 MiB');
      const published = await connection.runUnreplicated(
        PUBLISH_FIGURES,
        { lease: LEASE, figures: FIGURES, dayStart: DAY },
        {
          holding,
          channel: CHANNEL,
          message,
          ...(keep && { keep: '1' }),
          ...(dayStart && { day: JSON.stringify({ ...dayStart, profits: Object.fromEntries(dayStart.profits) }) }),
        },
      );
      return published === 1;
    },
    async dayBegun() {
      const text = await connection.read((redis) => redis.get(DAY));
      if (text === null) return undefined;
      const { profits, ...begun } = DAY_BODY.parse(JSON.parse(text));
      return { ...begun, profits: new Map(Object.entries(profits)) };
    },
    nowMs: () => connection.serverMs(LEASE, 'best'),
  };
}

const bigintAsText = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
