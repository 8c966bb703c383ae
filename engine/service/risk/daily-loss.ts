/**
 * What the house has lost with a client since the trading day began. A deal of a client that has a limit of it is judged by the client's
 * position, which its process has read at most 1.5 s before, at the mids of risk figures that are no older.
 */
import { platformOf } from '../../domain/core/ids.js';
import type { Refusal } from '../../domain/core/refusal.js';
import { type MidOf, type Profit, profitIn, type RiskFigures } from '../../domain/risk/figures.js';
import { type Limits, type LimitTable, limitRefusal } from '../../domain/risk/limits.js';
import { closeOutsByCurrency, dealsByPair } from '../../domain/risk/position.js';
import { LastKnownMids } from '../../rates/mids.js';
import type { MoneyOf } from '../../store/keys/redis-keys.js';
import type { Position } from '../../store/risk/positions.js';
import type { Services } from '../core/services.js';
import { positionWithSubClients, readDayStarts } from './sub-client-positions.js';

/** The role publishes at least each second: older figures are not usable, nor is a position that was read before. */
const USABLE_MS = 1_500;
/** A client that deals often is read once in this time. */
const READ_MS = 500;
/** Clients that a process knows the loss of; more than deal in 1.5 s. */
const KNOWN_MAX = 10_000;

interface Reading {
  readonly done: Promise<void>;
  /** When the reading began, by performance.now. */
  readonly atMs: number;
  loss: number | undefined;
}

/** Of one process. */
class DailyLosses {
  readonly #services: Services;
  readonly #mids: LastKnownMids;
  readonly #readings = new Map<string, Reading>();
  #figures: RiskFigures | undefined;

  constructor(services: Services) {
    this.#services = services;
    this.#mids = new LastKnownMids(services.book);
  }

  /** Those who ask while a client is being read wait for the same reading. */
  async read(client: MoneyOf): Promise<void> {
    const { id } = client;
    const before = this.#readings.get(id);
    if (before && performance.now() - before.atMs < READ_MS) return before.done;
    if (this.#readings.size >= KNOWN_MAX) this.#readings.clear();
    const atMs = performance.now();
    const reading: Reading = { atMs, loss: undefined, done: this.#value(client).then((loss) => this.#keep(id, loss)) };
    this.#readings.set(id, reading);
    return reading.done.catch((error: unknown) => {
      this.#readings.delete(id);
      throw error;
    });
  }

  /** Undefined: it is not known, or too old. */
  of(clientId: string): number | undefined {
    const reading = this.#readings.get(clientId);
    return reading && performance.now() - reading.atMs <= USABLE_MS ? reading.loss : undefined;
  }

  /** A loss that is not known is asked for anew. */
  #keep(clientId: string, loss: number | undefined): void {
    const reading = this.#readings.get(clientId);
    if (loss === undefined || reading === undefined) this.#readings.delete(clientId);
    else reading.loss = loss;
  }

  async #value(client: MoneyOf): Promise<number | undefined> {
    const { store, risk } = this.#services;
    const figures = risk.figures(USABLE_MS);
    if (figures === undefined) return undefined;
    const [position, [began]] = await Promise.all([
      positionWithSubClients(store, client),
      readDayStarts(store, figures, [client.id]),
    ]);
    if (figures !== this.#figures) this.#mids.take(figures, risk.ageMs() ?? 0);
    this.#figures = figures;
    return lossOf(position, began, figures.baseCurrency, this.#mids.reading());
  }
}

const OF_PROCESS = new WeakMap<LimitTable, DailyLosses>();

/**
 * To be awaited before a deal of the client is judged. Undefined: neither it nor its platform has a limit of the daily loss. Rejects with
 * StoreUnavailable.
 */
export function readDailyLoss(services: Services, { id, shard }: MoneyOf): Promise<void> | undefined {
  const { limits } = services;
  const limited = [id, platformOf(id)].filter((one) => one !== undefined && limits.of(one)?.dailyLoss !== undefined);
  if (limited.length === 0) return undefined;
  const losses = OF_PROCESS.get(limits) ?? new DailyLosses(services);
  OF_PROCESS.set(limits, losses);
  return Promise.all(limited.map((one) => losses.read({ id: one!, shard }))).then(() => {});
}

/** CREDIT_LIMIT where the house has lost more with the client today than it may, or where that is not known in time. */
export function aboveDailyLoss(
  services: Services,
  limits: (Limits & { readonly platform?: Limits | undefined }) | undefined,
  clientId: string,
): Refusal | undefined {
  const isWithin = (most: number | undefined, id: string): boolean => {
    if (most === undefined) return true;
    const loss = OF_PROCESS.get(services.limits)?.of(id);
    return loss !== undefined && loss <= most && services.risk.figures(USABLE_MS) !== undefined;
  };
  if (!isWithin(limits?.dailyLoss, clientId)) return limitRefusal('daily-loss');
  const platform = platformOf(clientId) ?? clientId;
  return isWithin(limits?.platform?.dailyLoss, platform) ? undefined : limitRefusal('platform daily-loss');
}

/**
 * Whole minor units of the base currency, 0 where the house has not lost. Undefined: what the day began with is not known, or a currency
 * never had a price.
 */
export function lossOf(
  { lines, closeOuts }: Position,
  began: Profit | undefined,
  baseCurrency: string,
  midOf: MidOf,
): number | undefined {
  const dealt = { positions: dealsByPair(lines), closeOuts: closeOutsByCurrency(closeOuts) };
  const now = profitIn(dealt, baseCurrency, midOf);
  if (began === undefined || now === undefined) return undefined;
  return Math.max(0, began.realised + began.unrealised - now);
}
