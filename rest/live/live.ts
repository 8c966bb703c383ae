/** The live page's server: who looks on, and what each is shown. One for a sidecar, on whichever of its listeners they came. */
import type { WebSocket } from 'ws';
import { PAIRS } from '../../engine/domain/pair.js';
import { sandboxesOf } from '../../engine/domain/port-mode.js';
import { isRefusal } from '../../engine/domain/refusal.js';
import { OPERATE } from '../../engine/domain/rights.js';
import { newestRows, newestRowsOfAll } from '../../engine/service/bookings/blotter.js';
import type { TokenCaller } from '../../engine/service/core/caller.js';
import type { Services } from '../../engine/service/core/services.js';
import { storeAnswer } from '../../engine/service/core/store-answer.js';
import { marketState } from '../../engine/service/rates/pairs.js';
import { rowOf } from '../features/live-page/rows.js';
import { BlotterWatch } from './blotter-watch.js';
import { Board, HISTORY_STEP_MS, type Margins, NOT_OFFERED } from './board.js';
import { EngineWatch, engineOf, type Looking } from './engine-watch.js';
import type { Hello, PairRow, Row, WirePoint } from './page/messages.js';
import { TokenEnds } from './token-ends.js';
import { CLOSE, type LiveCounts, type PageCaller, VIEWER_LIMITS, Viewer, type ViewerLimits } from './viewer.js';

const FRAME_MS = 100;
const SECOND_MS = 1_000;
const SECONDS_TO_PING = 15;
const SECONDS_TO_CLIENTS = 5;
const PER_CLIENT = 20;
const PER_PROCESS = 500;
const ASKS_PER_SECOND = 10;
const ROWS = 100;
/** Of whom an operator sees what was before the page was opened. */
const CLIENTS_MAX = 1_000;

const GOING = 'The server stops: the page comes back by itself';

/** Viewers that see the same prices: their messages are made once. */
interface Audience {
  readonly key: string;
  /** Undefined: operators. */
  readonly clientId: string | undefined;
  /** Its key has the right to see prices. */
  readonly isPriced: boolean;
  type: string;
  margins: Margins;
  readonly viewers: Set<Viewer>;
}

export class Live {
  readonly counts: LiveCounts = { frames: 0, bytes: 0, conflated: 0, refused: 0 };
  readonly #audiences = new Map<string, Audience>();
  readonly #viewers = new Set<Viewer>();
  readonly #board: Board;
  readonly #blotter: BlotterWatch;
  readonly #engines: EngineWatch;
  readonly #tokens: TokenEnds;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #unlisten: () => void;
  #seconds = 0;
  #isStopped = false;

  constructor(
    private readonly services: Services,
    private readonly viewerLimits: ViewerLimits = VIEWER_LIMITS,
    private readonly most = PER_PROCESS,
  ) {
    this.#board = new Board(services.book);
    this.#blotter = new BlotterWatch(
      services,
      () => this.#watched(),
      (clientId, rows) => this.#moved(clientId, rows),
    );
    this.#engines = new EngineWatch(
      services,
      () => this.#looking(),
      (point) => this.#enginesAnswered(point),
    );
    this.#tokens = new TokenEnds(services, () => this.#viewers);
    this.#timers = [setInterval(() => this.#frame(), FRAME_MS), setInterval(() => void this.#second(), SECOND_MS)];
    for (const timer of this.#timers) timer.unref();
    this.#unlisten = services.margins.onChange(() => void this.#offerAnew());
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  /** Takes over a page's connection; one too many, or one that comes while we stop, is closed with the reason. */
  add(socket: WebSocket, caller: PageCaller): void {
    const operator = caller.rights.has(OPERATE);
    const sees = {
      operator,
      rates: operator || caller.rights.has('rates'),
      blotter: operator || caller.rights.has('read'),
    };
    const viewer = new Viewer(socket, caller, sees, this.counts, this.viewerLimits);
    socket.on('error', () => socket.terminate());
    if (this.#isStopped) {
      viewer.close(CLOSE.GOING, GOING);
      return;
    }
    const reason = this.#tooMany(caller);
    if (reason !== undefined) {
      this.counts.refused++;
      viewer.close(CLOSE.LATER, reason);
      return;
    }
    // At once, so that the next one is counted against it.
    this.#viewers.add(viewer);
    socket.on('close', () => this.#drop(viewer));
    socket.on('pong', () => {
      viewer.isAlive = true;
    });
    socket.on('message', (data) => this.#asked(viewer, String(data)));
    void this.#show(viewer).catch((error: unknown) => this.#failed(error));
  }

  /** Ends all streams; pages come back to whoever is there then. */
  stop(): void {
    this.#isStopped = true;
    this.#unlisten();
    for (const timer of this.#timers) clearInterval(timer);
    this.#board.stop();
    this.#blotter.stop();
    this.#engines.stop();
    this.#tokens.stop();
    for (const viewer of this.#viewers) viewer.close(CLOSE.GOING, GOING);
  }

  async #show(viewer: Viewer): Promise<void> {
    const audience = await this.#audienceOf(viewer);
    if (!this.#viewers.has(viewer)) return;
    audience.viewers.add(viewer);
    this.#greet(viewer, audience);
    await this.#tellRows(viewer);
  }

  /** A record that cannot be read costs a page its first rows, and not everybody the sidecar. */
  #failed(error: unknown): void {
    const fault = error instanceof Error ? error.name : 'unknown';
    this.services.log.error({ fault }, 'bookings and payments could not be shown on a page');
  }

  #tooMany({ clientId }: TokenCaller): string | undefined {
    if (this.#viewers.size >= this.most) return 'Too many pages look on: try again later';
    let own = 0;
    for (const { caller } of this.#viewers) if (caller.clientId === clientId) own++;
    return own >= PER_CLIENT ? `More than ${PER_CLIENT} pages of this client: close one` : undefined;
  }

  #drop(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    for (const [key, { viewers }] of this.#audiences) {
      viewers.delete(viewer);
      if (viewers.size === 0) this.#audiences.delete(key);
    }
  }

  async #audienceOf({ sees, caller }: Viewer): Promise<Audience> {
    const clientId = sees.operator ? undefined : caller.clientId;
    const key = clientId === undefined ? 'operators' : `${sees.rates ? 'client' : 'unpriced'} ${clientId}`;
    const known = this.#audiences.get(key);
    if (known) return known;
    const isPriced = sees.rates;
    const audience: Audience = { key, clientId, isPriced, type: '', margins: new Int32Array(0), viewers: new Set() };
    await this.#offer(audience);
    const meanwhile = this.#audiences.get(key) ?? audience;
    this.#audiences.set(key, meanwhile);
    return meanwhile;
  }

  async #offer(audience: Audience): Promise<boolean> {
    const { clientId, isPriced } = audience;
    const before = `${audience.type} ${audience.margins.join()}`;
    if (clientId === undefined) audience.margins = new Int32Array(PAIRS.length);
    else {
      const client = await storeAnswer(this.services, () => this.services.store.clients.believed(clientId));
      // What is not known now is known in a few seconds.
      const type = isRefusal(client) ? undefined : client?.defaultType;
      if (isRefusal(client) && audience.margins.length > 0) return false;
      audience.type = type ?? '';
      audience.margins = Int32Array.from(PAIRS, (pair) =>
        type === undefined || !isPriced
          ? NOT_OFFERED
          : (this.services.pricing.marginPpm(clientId, pair, type) ?? NOT_OFFERED),
      );
    }
    return before !== `${audience.type} ${audience.margins.join()}`;
  }

  /** Margins have changed, or a client's type: the page begins anew with what is offered now. */
  async #offerAnew(): Promise<void> {
    for (const audience of [...this.#audiences.values()]) {
      const isOther = audience.clientId !== undefined && (await this.#offer(audience));
      if (isOther) for (const viewer of audience.viewers) this.#greet(viewer, audience);
    }
  }

  #greet(viewer: Viewer, audience: Audience): void {
    const { caller, sees } = viewer;
    const pairs: PairRow[] = [];
    for (const { index, symbol, priceDigits, pipDigits, marketDigits } of PAIRS) {
      const marginPpm = audience.margins[index]!;
      if (marginPpm !== NOT_OFFERED) pairs.push([index, symbol, priceDigits, pipDigits, marketDigits, marginPpm]);
    }
    const hello: Hello = {
      t: 'hello',
      clientId: caller.clientId,
      operator: sees.operator,
      sees: { rates: sees.rates, blotter: sees.blotter },
      type: audience.type,
      sandbox: sandboxesOf(this.services.store.ports.modes),
      maxAgeMs: this.services.book.maxAgeMs,
      pairs,
    };
    viewer.tell(hello);
    viewer.tell(this.#pulse());
    this.#board.look();
    const prices = this.#board.everything(audience.margins);
    if (prices) viewer.send(prices);
    if (this.#engines.engines.length > 0) this.#tellEngines(viewer);
    if (sees.operator) viewer.tell({ t: 'w', points: this.#engines.points });
  }

  async #tellRows(viewer: Viewer): Promise<void> {
    if (!viewer.sees.blotter) return;
    const { services } = this;
    const read = await storeAnswer(services, async () => {
      if (viewer.sees.operator) return newestRowsOfAll(services, ROWS, CLIENTS_MAX);
      const client = await services.store.clients.believed(viewer.caller.clientId);
      return client ? newestRows(services, client, ROWS) : [];
    });
    if (!isRefusal(read)) viewer.tell({ t: 'b', all: true, rows: read.map(rowOf) });
  }

  #frame(): void {
    if (this.#viewers.size === 0) {
      this.#board.told();
      return;
    }
    if (this.#board.look()) {
      for (const { margins, viewers } of this.#audiences.values()) {
        const changes = this.#board.changes(margins);
        if (changes) for (const viewer of viewers) viewer.send(changes);
      }
    }
    this.#board.told();
    for (const audience of this.#audiences.values()) {
      for (const viewer of audience.viewers) if (viewer.isBehind && viewer.hasRoom) this.#catchUp(viewer, audience);
    }
  }

  /** Whatever was passed over, this is how things stand. */
  #catchUp(viewer: Viewer, audience: Audience): void {
    viewer.caughtUp();
    this.#greet(viewer, audience);
    void this.#tellRows(viewer).catch((error: unknown) => this.#failed(error));
  }

  async #second(): Promise<void> {
    this.#board.lookAtAll();
    if (this.#viewers.size === 0) return;
    const pulse = Buffer.from(JSON.stringify(this.#pulse()));
    const isPing = ++this.#seconds % SECONDS_TO_PING === 0;
    for (const viewer of this.#viewers) {
      viewer.asked = 0;
      viewer.send(pulse);
      if (viewer.isLost) viewer.close(CLOSE.LATER, 'The page does not keep up');
      else if (isPing && !viewer.isAlive) viewer.socket.terminate();
      else if (isPing) {
        viewer.isAlive = false;
        viewer.socket.ping();
      }
    }
    if (this.#seconds % SECONDS_TO_CLIENTS === 0) await this.#offerAnew();
  }

  #pulse() {
    const { services } = this;
    return { t: 'k', now: services.now(), market: marketState(services), store: services.store.isUp() } as const;
  }

  #asked(viewer: Viewer, text: string): void {
    const asked = historyAsked(text);
    if (asked === undefined || ++viewer.asked > ASKS_PER_SECOND) {
      viewer.close(CLOSE.MESSAGE, 'Not a question of this page, or too many of them');
      return;
    }
    const audience = [...this.#audiences.values()].find(({ viewers }) => viewers.has(viewer));
    if (audience === undefined || audience.margins[asked] === NOT_OFFERED) return;
    void this.#tellHistory(viewer, asked);
  }

  async #tellHistory(viewer: Viewer, pair: number): Promise<void> {
    const providers = viewer.sees.operator ? await this.#engines.providersOf(PAIRS[pair]!.symbol) : undefined;
    const mids = this.#board.historyOf(pair);
    viewer.tell({ t: 'h', i: pair, stepMs: HISTORY_STEP_MS, mids, ...(providers && { providers }) });
  }

  #watched(): { clientIds: Set<string>; all: boolean } {
    const clientIds = new Set<string>();
    let all = false;
    for (const { sees, caller } of this.#viewers) {
      if (sees.operator) all = true;
      else if (sees.blotter) clientIds.add(caller.clientId);
    }
    return { clientIds, all };
  }

  #moved(clientId: string, rows: readonly Row[]): void {
    const bytes = Buffer.from(JSON.stringify({ t: 'b', rows }));
    for (const viewer of this.#viewers) {
      const { operator, blotter } = viewer.sees;
      if (operator || (blotter && viewer.caller.clientId === clientId)) viewer.send(bytes);
    }
  }

  #looking(): Looking {
    if (this.#viewers.size === 0) return 'nobody';
    for (const { sees } of this.#viewers) if (sees.operator) return 'operator';
    return 'clients';
  }

  #enginesAnswered(point: WirePoint | undefined): void {
    for (const viewer of this.#viewers) {
      this.#tellEngines(viewer);
      if (point && viewer.sees.operator) viewer.tell({ t: 'w', points: [point] });
    }
  }

  #tellEngines(viewer: Viewer): void {
    const clientId = viewer.sees.operator ? undefined : viewer.caller.clientId;
    viewer.tell({ t: 's', engines: this.#engines.engines.map((status) => engineOf(status, clientId)) });
  }
}

function historyAsked(text: string): number | undefined {
  try {
    const { history } = JSON.parse(text) as { history?: unknown };
    return Number.isInteger(history) && PAIRS[history as number] ? (history as number) : undefined;
  } catch {
    return undefined;
  }
}
