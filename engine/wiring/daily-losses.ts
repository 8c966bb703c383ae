/**
 * What the house has lost since the trading day began with each client that has a limit of it: a part of the risk role. A client is valued in
 * turn with others, at most PAGE in a round of 250 ms: all of 10,000 clients within 5 s.
 */
import { type LimitFigures, sinceDayBegan, valuePositions } from '../domain/risk/figures.js';
import { limitMark } from '../domain/risk/limits.js';
import { closeOutsByCurrency, dealsByPair } from '../domain/risk/position.js';
import type { Services } from '../service/core/services.js';
import type { Client } from '../store/access/clients.js';
import type { RiskRound } from './risk-role.js';

const PAGE = 500;
/** Of the figures that are published, which have room for a thousand. */
const SHOWN_MAX = 800;

export class DailyLosses {
  readonly #services: Services;
  /** Minor units of the base currency, by client; undefined: it cannot be valued. */
  readonly #losses = new Map<string, number | undefined>();
  #holding = '';
  #ownFrom = 0;
  #after: string | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Those that have used the limit up to its warning, or that cannot be valued; the others are within. */
  async round(round: RiskRound): Promise<LimitFigures[]> {
    if (round.holding !== this.#holding) this.#losses.clear();
    this.#holding = round.holding;
    const { limits } = this.#services;
    const own = [...limits.clients].filter((id) => limits.of(id)?.dailyLoss !== undefined);
    if (own.length > 0 || limits.every?.dailyLoss !== undefined) await this.#value(round, own);
    const shown: LimitFigures[] = [];
    for (const [subject, loss] of this.#losses) {
      const { dailyLoss: most, warnPercent } = limits.of(subject) ?? {};
      if (most === undefined) this.#losses.delete(subject);
      else if (loss === undefined) shown.push({ subject, limit: 'daily-loss', used: most, most, mark: 'over' });
      else if (loss > 0 && limitMark(loss, most, warnPercent) !== 'within')
        shown.push({ subject, limit: 'daily-loss', used: loss, most, mark: limitMark(loss, most, warnPercent) });
    }
    return shown.sort((a, b) => b.used - b.most - (a.used - a.most)).slice(0, SHOWN_MAX);
  }

  async #value({ figures: { baseCurrency }, day, midOf }: RiskRound, own: readonly string[]): Promise<void> {
    const { store } = this.#services;
    const clients = [...(await this.#ownOf(own)), ...(await this.#nextOfAll())];
    const ids = clients.map(({ id }) => id);
    const [positions, starts] = await Promise.all([
      Promise.all(clients.map((client) => store.positions.ofClient(client))),
      store.dayStarts.read({ day, baseCurrency }, ids),
    ]);
    for (const [i, { lines, closeOuts }] of positions.entries()) {
      const dealt = { positions: dealsByPair(lines), closeOuts: closeOutsByCurrency(closeOuts) };
      const { total } = valuePositions({ ...dealt, baseCurrency, midOf, dayStart: new Map() });
      const began = starts[i];
      const { realised, unrealised } = sinceDayBegan(total.profit, began);
      const isKnown = began !== undefined && total.rateAgeMs !== undefined;
      this.#losses.set(ids[i]!, isKnown ? Math.max(0, Math.round(-realised - unrealised)) : undefined);
    }
  }

  async #ownOf(ids: readonly string[]): Promise<Client[]> {
    const from = this.#ownFrom < ids.length ? this.#ownFrom : 0;
    this.#ownFrom = from + PAGE;
    const found = await Promise.all(ids.slice(from, from + PAGE).map((id) => this.#services.store.clients.get(id)));
    return found.filter((client) => client !== undefined);
  }

  async #nextOfAll(): Promise<Client[]> {
    const { limits, store } = this.#services;
    if (limits.every?.dailyLoss === undefined) return [];
    const after = this.#after;
    const page = await store.clients.list({ limit: PAGE, ...(after !== undefined && { after }) });
    this.#after = page.length < PAGE ? undefined : page.at(-1)!.id;
    const isLimited = ({ id }: Client) => limits.of(id)?.dailyLoss !== undefined;
    const own = new Set(limits.clients);
    return page.filter((client) => isLimited(client) && !own.has(client.id));
  }
}
