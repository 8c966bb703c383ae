/** Queries the engines for their reports: each second while an operator has a page open, every five while only clients have, else never. */
import type { Engine, WirePoint } from './page/messages.js';
import type { EngineReport, LiveEngines, LiveSource } from './source.js';

const WAIT_MS = 400;
const ASK_MS = 1_000;
const ASKS_FOR_CLIENTS = 5;
/** Five minutes of points. */
const POINTS_MAX = 300;

export type Watching = 'operator' | 'clients' | 'none';

export class EngineWatch {
  /** The last reports, and tick-to-wire while an operator had a page open. */
  engines: readonly EngineReport[] = [];
  readonly points: WirePoint[] = [];
  readonly #timer: NodeJS.Timeout;
  #pairs: ReturnType<LiveEngines['providers']> = Promise.resolve(undefined);
  #pairsAtMs = Number.NEGATIVE_INFINITY;
  #asks = 0;
  #isAsking = false;
  #stopped = false;

  constructor(
    private readonly source: LiveSource,
    private readonly watching: () => Watching,
    private readonly answered: (point: WirePoint | undefined) => void,
  ) {
    this.#timer = setInterval(() => void this.#ask(), ASK_MS);
    this.#timer.unref();
  }

  /** The providers that quote the pair, as the engine with the feed reports; undefined: no engine has answered. Queried at most once a second. */
  async providersOf(symbol: string): Promise<readonly string[] | undefined> {
    const { engines, log } = this.source;
    if (performance.now() - this.#pairsAtMs > ASK_MS) {
      this.#pairsAtMs = performance.now();
      this.#pairs = engines.providers(WAIT_MS).catch((error: unknown) => {
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
    const who = this.watching();
    if (who === 'none') this.engines = [];
    const isTime = who === 'operator' || (who === 'clients' && this.#asks++ % ASKS_FOR_CLIENTS === 0);
    if (!isTime || this.#isAsking || !this.source.isStoreUp()) return;
    this.#isAsking = true;
    try {
      this.engines = await this.source.engines.reports(WAIT_MS);
      if (this.#stopped) return;
      const point = who === 'operator' ? slowest(this.engines, this.source.now()) : undefined;
      if (point) this.points.push(point);
      if (this.points.length > POINTS_MAX) this.points.shift();
      this.answered(point);
    } catch (error) {
      const fault = error instanceof Error ? error.name : 'unknown';
      if (!this.#stopped) this.source.log.warn({ fault }, 'the engines could not be asked: trying again in a second');
    } finally {
      this.#isAsking = false;
    }
  }
}

/** What an operator sees of an engine; a client sees where its own desks are. */
export function engineOf(status: EngineReport, clientId: string | undefined): Engine {
  const { engineId, where, feed, draining, startedAtMs, providers } = status;
  const isOperator = clientId === undefined;
  const sessions = status.sessions.filter((session) => isOperator || session.clientId === clientId);
  if (isOperator) return { engineId, where, feed, draining, startedAtMs, providers, sessions };
  return { engineId, where: '', feed, draining, startedAtMs, providers: [], sessions };
}

function slowest(engines: readonly EngineReport[], nowMs: number): WirePoint | undefined {
  const timed = engines.filter(({ tickToWire }) => tickToWire.count > 0).map(({ tickToWire }) => tickToWire);
  if (timed.length === 0) return undefined;
  const most = (of: 'p50' | 'p90' | 'p99' | 'max') => Math.max(...timed.map((one) => one[of]));
  const count = timed.reduce((sum, one) => sum + one.count, 0);
  return [nowMs, most('p50'), most('p90'), most('p99'), most('max'), count];
}
