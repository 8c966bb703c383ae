/** Asks the engines what they do: each second while an operator looks on, more rarely while only clients do, never otherwise. */
import type { EngineStatus } from '../../engine/domain/engine-status.js';
import type { PairStatus } from '../../engine/domain/pair-status.js';
import type { Services } from '../../engine/service/core/services.js';
import type { Engine, WirePoint } from './page/messages.js';

const WAIT_MS = 400;
const ASK_MS = 1_000;
const ASKS_FOR_CLIENTS = 5;
/** Five minutes of points. */
const POINTS_MAX = 300;

export type Looking = 'operator' | 'clients' | 'nobody';

export class EngineWatch {
  /** The last answers, and tick-to-wire while an operator has looked on. */
  engines: readonly EngineStatus[] = [];
  readonly points: WirePoint[] = [];
  readonly #timer: NodeJS.Timeout;
  #pairs: Promise<readonly PairStatus[] | undefined> = Promise.resolve(undefined);
  #pairsAtMs = Number.NEGATIVE_INFINITY;
  #asks = 0;
  #isAsking = false;
  #stopped = false;

  constructor(
    private readonly services: Services,
    private readonly looking: () => Looking,
    private readonly answered: (point: WirePoint | undefined) => void,
  ) {
    this.#timer = setInterval(() => void this.#ask(), ASK_MS);
    this.#timer.unref();
  }

  /** Who quotes the pair, as the engine tells that runs the feed; undefined: none has told. However many ask, it is asked once a second. */
  async providersOf(symbol: string): Promise<readonly string[] | undefined> {
    const { store, log } = this.services;
    if (performance.now() - this.#pairsAtMs > ASK_MS) {
      this.#pairsAtMs = performance.now();
      this.#pairs = store.engines.pairs(WAIT_MS).catch((error: unknown) => {
        log.warn({ fault: error instanceof Error ? error.name : 'unknown' }, 'no engine could be asked about pairs');
        return undefined;
      });
    }
    return (await this.#pairs)?.find(({ pair }) => pair === symbol)?.providers;
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  async #ask(): Promise<void> {
    const who = this.looking();
    if (who === 'nobody') this.engines = [];
    const isTime = who === 'operator' || (who === 'clients' && this.#asks++ % ASKS_FOR_CLIENTS === 0);
    if (!isTime || this.#isAsking || !this.services.store.isUp()) return;
    this.#isAsking = true;
    try {
      this.engines = await this.services.store.engines.status(WAIT_MS);
      if (this.#stopped) return;
      const point = who === 'operator' ? slowest(this.engines, this.services.now()) : undefined;
      if (point) this.points.push(point);
      if (this.points.length > POINTS_MAX) this.points.shift();
      this.answered(point);
    } catch (error) {
      const fault = error instanceof Error ? error.name : 'unknown';
      if (!this.#stopped) this.services.log.warn({ fault }, 'the engines could not be asked: trying again in a second');
    } finally {
      this.#isAsking = false;
    }
  }
}

/** What an operator sees of an engine, and what a client: where its own desks are. With which key a desk logged on is nobody's business. */
export function engineOf(status: EngineStatus, clientId: string | undefined): Engine {
  const { engineId, where, feed, draining, startedAtMs, providers } = status;
  const isOperator = clientId === undefined;
  const sessions = status.sessions
    .filter((session) => isOperator || session.clientId === clientId)
    .map(({ keyId: _, ...session }) => session);
  if (isOperator) return { engineId, where, feed, draining, startedAtMs, providers, sessions };
  return { engineId, where: '', feed, draining, startedAtMs, providers: [], sessions };
}

function slowest(engines: readonly EngineStatus[], nowMs: number): WirePoint | undefined {
  const timed = engines.filter(({ tickToWire }) => tickToWire.count > 0).map(({ tickToWire }) => tickToWire);
  if (timed.length === 0) return undefined;
  const most = (of: 'p50' | 'p90' | 'p99' | 'max') => Math.max(...timed.map((one) => one[of]));
  const count = timed.reduce((sum, one) => sum + one.count, 0);
  return [nowMs, most('p50'), most('p90'), most('p99'), most('max'), count];
}
