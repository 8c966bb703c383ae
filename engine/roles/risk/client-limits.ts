/**
 * How far clients use their limits: a part of the risk role, for the operator. A deal is judged by its own step and process. Clients are valued
 * in turn and beside the rounds, at most PAGE in one of 250 ms: each of 10,000 clients within 30 s.
 */
import { throttledLog } from '../../domain/core/log.js';
import { type LimitFigures, worthOf } from '../../domain/risk/figures.js';
import type { Limits } from '../../domain/risk/limits.js';
import type { Services } from '../../service/core/services.js';
import { lossOf, positionWithSubClients, readDayStarts, usesOfClient } from '../../service/risk/index.js';
import type { Client } from '../../store/access/clients.js';
import { StoreUnavailable } from '../../store/connection/errors.js';
import type { RiskRound } from './risk-role.js';

const PAGE = 100;
/** Of the figures, which every process reads up to four times a second. */
const SHOWN_MAX = 200;

/** Of some limits no use is kept: of a single deal, and of the deals of a second. */
const hasUse = (limits: Limits | undefined): limits is Limits =>
  limits !== undefined &&
  (limits.dailyLoss !== undefined ||
    limits.nop !== undefined ||
    limits.settlement !== undefined ||
    Object.keys(limits.nopOf).length > 0);

export class ClientLimits {
  readonly #services: Services;
  readonly #unreadable: (error: unknown) => void;
  /** The most used ones. */
  #shown: readonly LimitFigures[] = [];
  #after: string | undefined;
  #turn: Promise<void> | undefined;

  constructor(services: Services) {
    this.#services = services;
    this.#unreadable = throttledLog((fault) =>
      services.log.error({ fault }, 'the use of limits of clients cannot be valued: run `ratewire reconcile`'),
    );
  }

  /** Those that are known; the next clients are valued meanwhile. */
  round(round: RiskRound): readonly LimitFigures[] {
    const { limits } = this.#services;
    this.#turn ??= this.#valueNext(round).finally(() => {
      this.#turn = undefined;
    });
    return this.#shown.filter(({ subject }) => hasUse(limits.of(subject)));
  }

  /** Of a term that ends nothing is known in the next one. */
  async end(): Promise<void> {
    await this.#turn;
    this.#shown = [];
    this.#after = undefined;
  }

  async #valueNext(round: RiskRound): Promise<void> {
    const { limits } = this.#services;
    try {
      const clients = (await this.#next()).filter(({ id }) => hasUse(limits.of(id)));
      if (clients.length === 0) return;
      const uses = await this.#usesOf(clients, round);
      const valued = new Set(clients.map(({ id }) => id));
      const others = this.#shown.filter(({ subject }) => !valued.has(subject));
      this.#shown = [...others, ...uses].sort((a, b) => part(b) - part(a)).slice(0, SHOWN_MAX);
    } catch (error) {
      // The store logs its own outages.
      if (!(error instanceof StoreUnavailable)) this.#unreadable(error);
    }
  }

  /** In order of their ids, and from the first one behind the last. */
  async #next(): Promise<readonly Client[]> {
    const { limits, store } = this.#services;
    const after = this.#after;
    const isOfAll = hasUse(limits.every);
    const ids = isOfAll ? [] : [...limits.clients].filter((id) => after === undefined || id > after).sort();
    const page = isOfAll
      ? await store.clients.list({ limit: PAGE, ...(after !== undefined && { after }) })
      : await Promise.all(ids.slice(0, PAGE).map((id) => store.clients.get(id)));
    this.#after = page.length < PAGE ? undefined : (page.at(-1)?.id ?? ids[PAGE - 1]);
    return page.filter((client) => client !== undefined);
  }

  async #usesOf(clients: readonly Client[], { day, midOf }: RiskRound): Promise<LimitFigures[]> {
    const { limits, store } = this.#services;
    const { base } = limits;
    const ids = clients.map(({ id }) => id);
    const [positions, starts] = await Promise.all([
      Promise.allSettled(clients.map((client) => positionWithSubClients(store, client))),
      readDayStarts(store, { day, baseCurrency: base }, ids),
    ]);
    const rates = new Map<string, number>();
    const rateOf = (currency: string): number => {
      const rate = rates.get(currency) ?? worthOf(currency, base, midOf)?.worth.toNumber() ?? Number.NaN;
      rates.set(currency, rate);
      return rate;
    };
    return clients.flatMap((client, i) => {
      const set = limits.of(client.id);
      const position = positions[i]!;
      if (position.status === 'rejected') this.#unreadable(position.reason);
      if (position.status === 'rejected' || !hasUse(set)) return [];
      const loss = set.dailyLoss === undefined ? undefined : lossOf(position.value, starts[i], base, midOf);
      const valued = { base, nowMs: store.clock.now(client), rateOf, loss };
      return usesOfClient(set, position.value, valued).map((use) => Object.assign(use, { subject: client.id }));
    });
  }
}

/** A limit of 0 that is used comes before all others. */
const part = ({ used, most }: LimitFigures): number => (used === 0 ? 0 : Math.min(used / most, Number.MAX_VALUE));
