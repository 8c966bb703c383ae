import { z } from 'zod';
import {
  type CurrencyFigures,
  type PairFigures,
  type Profit,
  type RiskFigures,
  sinceDayBegan,
  type TotalFigures,
  valuePositions,
} from '../../domain/risk/figures.js';
import { closeOutsByCurrency, dealsByPair } from '../../domain/risk/position.js';
import { LastKnownMids } from '../../rates/mids.js';
import { HOUSE, type MoneyOf } from '../../store/keys/redis-keys.js';
import { defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';

/** Of one client: what the house holds from its deals. */
export interface ClientPosition {
  /** Or `_house`: its cover deals with providers. */
  readonly clientId: string;
  readonly pairs: readonly PairFigures[];
  readonly currencies: readonly CurrencyFigures[];
  readonly total: Omit<TotalFigures, 'dayProfit'>;
  /** Undefined: what the trading day began with is not known yet. */
  readonly dayProfit: Profit | undefined;
}

/** The role publishes at least each second: older figures mean that none runs, or that it cannot. */
const STALE_MS = 3_000;
const NEXT_MS = 1_500;
/** Clients that are read together: their records and their positions. */
const PAGE = 200;
const LIMIT = { error: 'a whole number from 1 to 1000' };

/**
 * The newest risk figures, however old, with their age; and for `client` the position from the deals of each client, read now and valued with
 * the mids of the figures: that of the cover deals, then of at most `limit` clients, the largest total first, of `clientsInAll` that have one.
 * `figures` is undefined while no engine has had the risk role on this store.
 */
export const listPositions = defineOpenOperation({
  input: z.object({
    by: z.enum(['client', 'currency', 'pair']).optional(),
    limit: z.number(LIMIT).int(LIMIT).min(1, LIMIT).max(1_000, LIMIT).default(100),
  }),
  async execute(services, _operator, { by, limit }) {
    const figures = await newestFigures(services);
    const none = { clients: [], clientsInAll: 0 };
    if (figures === undefined) return { figures, ageMs: undefined, isStale: true, ...none };
    const found = by === 'client' ? await positionsOfClients(services, figures, limit) : none;
    const ageMs = services.risk.ageMs();
    return { figures, ageMs, isStale: ageMs === undefined || ageMs > STALE_MS, ...found };
  },
});

/** Waits for those that a running role publishes next: kept ones may be seconds behind them. Without a role they are those that it has left. */
export async function newestFigures({ risk, store }: Services): Promise<RiskFigures | undefined> {
  await store.riskFigures.follow();
  let stop = (): void => {};
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, NEXT_MS);
    const unsubscribe = risk.onFigures(() => resolve());
    stop = () => {
      clearTimeout(late);
      unsubscribe();
    };
  });
  stop();
  return risk.figures(Number.POSITIVE_INFINITY);
}

/** As many positions are kept as are shown, however many clients there are. */
async function positionsOfClients(
  services: Services,
  figures: RiskFigures,
  limit: number,
): Promise<{ clients: ClientPosition[]; clientsInAll: number }> {
  const { store, book, risk } = services;
  const mids = new LastKnownMids(book);
  mids.take(figures, risk.ageMs() ?? 0);
  // Its cover deals: with them the clients' positions are the house's.
  const house = await positionsOf(services, [HOUSE], figures, mids);
  let largest: ClientPosition[] = [];
  let clientsInAll = 0;
  for (let after: string | undefined; ; ) {
    const clients = await store.clients.list({ limit: PAGE, ...(after !== undefined && { after }) });
    if (clients.length === 0) return { clients: [...house, ...largest], clientsInAll };
    after = clients.at(-1)!.id;
    const found = await positionsOf(services, clients, figures, mids);
    clientsInAll += found.length;
    largest = [...largest, ...found].sort((a, b) => b.total.total - a.total.total).slice(0, limit);
  }
}

async function positionsOf(
  { store }: Services,
  clients: readonly MoneyOf[],
  figures: RiskFigures,
  mids: LastKnownMids,
): Promise<ClientPosition[]> {
  const [positions, starts] = await Promise.all([
    Promise.all(clients.map((client) => store.positions.ofClient(client))),
    store.dayStarts.read(
      figures,
      clients.map(({ id }) => id),
    ),
  ]);
  const midOf = mids.reading();
  const { baseCurrency } = figures;
  return clients.flatMap(({ id: clientId }, i): ClientPosition[] => {
    const { lines, closeOuts } = positions[i]!;
    if (lines.length === 0 && closeOuts.length === 0) return [];
    const valued = valuePositions({
      positions: dealsByPair(lines),
      closeOuts: closeOutsByCurrency(closeOuts),
      baseCurrency,
      midOf,
      dayStart: new Map(),
    });
    const { dayProfit: _, ...total } = valued.total;
    return [{ clientId, ...valued, total, dayProfit: starts[i] && sinceDayBegan(total.profit, starts[i]) }];
  });
}
