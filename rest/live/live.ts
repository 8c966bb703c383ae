/** The live page's server: the open pages, and what each is sent. One for a process, on whichever of its listeners they came. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { BlotterWatch } from './blotter-watch.js';
import { Board, HISTORY_STEP_MS, type Margins, NOT_OFFERED, PROVIDERS_OWN } from './board.js';
import { EngineWatch, engineOf, type Watching } from './engine-watch.js';
import type { Hello, PairRow, Row, WirePoint } from './page/messages.js';
import type { LiveSource, PageCaller } from './source.js';
import { TokenEnds } from './token-ends.js';
import { CLOSE, type LiveCounts, VIEWER_LIMITS, Viewer, type ViewerLimits } from './viewer.js';

const STREAM_PATH = '/live/stream';
/** An upgrade offered on any other path is ignored: some clients offer HTTP/2 with every request. */
export const isStream = (url: string): boolean => url.split('?', 1)[0] === STREAM_PATH;
/** All that a page ever sends is far shorter. */
const MESSAGE_MAX_BYTES = 1_024;

const FRAME_MS = 100;
const SECOND_MS = 1_000;
const SECONDS_TO_PING = 15;
const SECONDS_TO_CLIENTS = 5;
const PER_CLIENT = 20;
const PER_PROCESS = 500;
const ASKS_PER_SECOND = 10;
const ROWS = 100;
/** Clients whose rows an operator sees from before the page was opened. */
const CLIENTS_MAX = 1_000;

const GOING = 'The server stops: the page comes back by itself';

/** Viewers that see the same prices: their messages are rendered once. */
interface Audience {
  readonly key: string;
  /** Undefined: operators. */
  readonly clientId: string | undefined;
  /** Its key has the right to see prices. */
  readonly isPriced: boolean;
  /** Trading of the client is halted: it keeps the last prices, marked so, and gets no others. */
  isHalted: boolean;
  type: string;
  margins: Margins;
  readonly viewers: Set<Viewer>;
}

export class Live {
  readonly counts: LiveCounts = { frames: 0, bytes: 0, conflated: 0, refused: 0 };
  readonly #audiences = new Map<string, Audience>();
  readonly #viewers = new Set<Viewer>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: MESSAGE_MAX_BYTES,
    perMessageDeflate: false,
  });
  readonly #board: Board;
  readonly #blotter: BlotterWatch;
  readonly #engines: EngineWatch;
  readonly #tokens: TokenEnds;
  readonly #seconding: NodeJS.Timeout;
  /** While a page is open. */
  #framing: NodeJS.Timeout | undefined;
  readonly #unlisten: () => void;
  #seconds = 0;
  #isStopped = false;

  constructor(
    private readonly source: LiveSource,
    private readonly viewerLimits: ViewerLimits = VIEWER_LIMITS,
    private readonly most = PER_PROCESS,
  ) {
    this.#board = new Board(source);
    this.#blotter = new BlotterWatch(
      source,
      () => this.#watched(),
      (clientId, rows) => this.#moved(clientId, rows),
    );
    this.#engines = new EngineWatch(
      source,
      () => this.#watching(),
      (point) => this.#enginesAnswered(point),
    );
    this.#tokens = new TokenEnds(source, () => this.#viewers);
    this.#seconding = setInterval(() => void this.#second(), SECOND_MS).unref();
    this.#unlisten = source.offers.onChange(() => void this.#offerAnew());
  }

  get viewers(): number {
    return this.#viewers.size;
  }

  /** Completes the upgrade of a request whose caller is known, and streams to the page. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, caller: PageCaller): void {
    this.#sockets.handleUpgrade(request, socket, head, (page) => this.#add(page, caller));
  }

  /** One page too many, or one that comes during a stop, is closed with the reason. */
  #add(socket: WebSocket, caller: PageCaller): void {
    const viewer = new Viewer(socket, caller, this.counts, this.viewerLimits);
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
    if (this.#framing === undefined) this.#board.clearChanges();
    this.#framing ??= setInterval(() => this.#frame(), FRAME_MS).unref();
    this.#blotter.listen();
    socket.on('close', () => this.#drop(viewer));
    socket.on('pong', () => {
      viewer.isAlive = true;
    });
    socket.on('message', (data) => this.#received(viewer, String(data)));
    void this.#show(viewer).catch((error: unknown) => this.#failed(error));
  }

  /** Ends all streams; the pages connect again by themselves. */
  stop(): void {
    this.#isStopped = true;
    this.#unlisten();
    for (const timer of [this.#seconding, this.#framing]) clearInterval(timer);
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
    await this.#sendRows(viewer);
  }

  /** A record that cannot be read costs one page its first rows, and does not end the process. */
  #failed(error: unknown): void {
    const fault = error instanceof Error ? error.name : 'unknown';
    this.source.log.error({ fault }, 'bookings and payments could not be shown on a page');
  }

  #tooMany({ clientId }: PageCaller): string | undefined {
    if (this.#viewers.size >= this.most) return 'Too many open pages: try again later';
    let own = 0;
    for (const { caller } of this.#viewers) if (caller.clientId === clientId) own++;
    return own >= PER_CLIENT ? `More than ${PER_CLIENT} pages of this client: close one` : undefined;
  }

  #drop(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    if (this.#viewers.size === 0) {
      clearInterval(this.#framing);
      this.#framing = undefined;
      this.#blotter.pause();
    }
    for (const [key, { viewers }] of this.#audiences) {
      viewers.delete(viewer);
      if (viewers.size === 0) this.#audiences.delete(key);
    }
  }

  async #audienceOf({ caller }: Viewer): Promise<Audience> {
    const { sees } = caller;
    const clientId = sees.operator ? undefined : caller.clientId;
    const key = clientId === undefined ? 'operators' : `${sees.rates ? 'client' : 'unpriced'} ${clientId}`;
    const known = this.#audiences.get(key);
    if (known) return known;
    const isPriced = sees.rates;
    const none = { isHalted: false, type: '', margins: new Int32Array(0) };
    const audience: Audience = { key, clientId, isPriced, ...none, viewers: new Set() };
    await this.#offer(audience);
    const meanwhile = this.#audiences.get(key) ?? audience;
    this.#audiences.set(key, meanwhile);
    return meanwhile;
  }

  async #offer(audience: Audience): Promise<boolean> {
    const { clientId, isPriced } = audience;
    const shown = () => `${audience.isHalted} ${audience.type} ${audience.margins.join()}`;
    const before = shown();
    if (clientId === undefined) audience.margins = new Int32Array(this.source.pairs.length).fill(PROVIDERS_OWN);
    else {
      const offer = await this.source.offers.of(clientId);
      // The store does not answer: it is queried again in a few seconds.
      if (offer === undefined && audience.margins.length > 0) return false;
      audience.type = offer?.type ?? '';
      audience.isHalted = offer?.isHalted ?? false;
      const marginOf = (pair: number) => (isPriced ? offer?.marginPpm(pair) : undefined) ?? NOT_OFFERED;
      audience.margins = Int32Array.from(this.source.pairs, (_, pair) => marginOf(pair));
    }
    return before !== shown();
  }

  /** Margins or a client's settlement type have changed: the page starts again with what is offered now. */
  async #offerAnew(): Promise<void> {
    for (const audience of [...this.#audiences.values()]) {
      const isOther = audience.clientId !== undefined && (await this.#offer(audience));
      if (isOther) for (const viewer of audience.viewers) this.#greet(viewer, audience);
    }
  }

  #greet(viewer: Viewer, audience: Audience): void {
    const { caller } = viewer;
    const { sees } = caller;
    const pairs: PairRow[] = [];
    for (const [index, pair] of this.source.pairs.entries()) {
      const marginPpm = audience.margins[index]!;
      if (marginPpm !== NOT_OFFERED) pairs.push([...pair, Math.max(0, marginPpm)]);
    }
    const hello: Hello = {
      t: 'hello',
      clientId: caller.clientId,
      operator: sees.operator,
      sees: { rates: sees.rates, blotter: sees.blotter },
      type: audience.type,
      sandbox: this.source.sandboxes(),
      maxAgeMs: this.source.prices.maxAgeMs,
      pairs,
    };
    viewer.sendMessage(hello);
    viewer.sendMessage(this.#pulse());
    this.#board.refresh();
    const prices = this.#board.everything(audience.margins, audience.isHalted);
    if (prices) viewer.send(prices);
    if (this.#engines.engines.length > 0) this.#sendEngines(viewer);
    if (!sees.operator) return;
    viewer.sendMessage({ t: 'w', points: this.#engines.points });
    viewer.sendMessage(this.source.risk());
  }

  async #sendRows(viewer: Viewer): Promise<void> {
    const { sees, clientId } = viewer.caller;
    if (!sees.blotter) return;
    const { blotter } = this.source;
    const rows = await (sees.operator ? blotter.newestOfAll(ROWS, CLIENTS_MAX) : blotter.newest(clientId, ROWS));
    if (rows) viewer.sendMessage({ t: 'b', all: true, rows });
  }

  #frame(): void {
    if (this.#board.refresh()) {
      for (const { margins, viewers, isHalted } of this.#audiences.values()) {
        const changes = isHalted ? undefined : this.#board.changes(margins);
        if (changes) for (const viewer of viewers) viewer.send(changes);
      }
    }
    this.#board.clearChanges();
    for (const audience of this.#audiences.values()) {
      for (const viewer of audience.viewers) if (viewer.isBehind && viewer.hasRoom) this.#catchUp(viewer, audience);
    }
  }

  /** Sends the current state in place of the messages that were dropped. */
  #catchUp(viewer: Viewer, audience: Audience): void {
    viewer.caughtUp();
    this.#greet(viewer, audience);
    void this.#sendRows(viewer).catch((error: unknown) => this.#failed(error));
  }

  async #second(): Promise<void> {
    this.#board.refreshAll();
    if (this.#viewers.size === 0) return;
    const pulse = Buffer.from(JSON.stringify(this.#pulse()));
    const risk = this.#watching() === 'operator' ? Buffer.from(JSON.stringify(this.source.risk())) : undefined;
    const isPing = ++this.#seconds % SECONDS_TO_PING === 0;
    for (const viewer of this.#viewers) {
      viewer.requests = 0;
      viewer.send(pulse);
      if (risk && viewer.caller.sees.operator) viewer.send(risk);
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
    const { source } = this;
    return {
      t: 'k',
      now: source.now(),
      market: source.market(),
      store: source.isStoreUp(),
      feed: source.feed(),
    } as const;
  }

  #received(viewer: Viewer, text: string): void {
    const pair = historyRequested(text, this.source.pairs.length);
    if (pair === undefined || ++viewer.requests > ASKS_PER_SECOND) {
      viewer.close(CLOSE.MESSAGE, 'Not a question of this page, or too many of them');
      return;
    }
    const audience = [...this.#audiences.values()].find(({ viewers }) => viewers.has(viewer));
    if (audience === undefined || audience.margins[pair] === NOT_OFFERED) return;
    void this.#sendHistory(viewer, pair);
  }

  async #sendHistory(viewer: Viewer, pair: number): Promise<void> {
    const providers = viewer.caller.sees.operator
      ? await this.#engines.providersOf(this.source.pairs[pair]![1])
      : undefined;
    const mids = this.#board.historyOf(pair);
    viewer.sendMessage({ t: 'h', i: pair, stepMs: HISTORY_STEP_MS, mids, ...(providers && { providers }) });
  }

  #watched(): { clientIds: Set<string>; all: boolean } {
    const clientIds = new Set<string>();
    let all = false;
    for (const { caller } of this.#viewers) {
      if (caller.sees.operator) all = true;
      else if (caller.sees.blotter) clientIds.add(caller.clientId);
    }
    return { clientIds, all };
  }

  #moved(clientId: string, rows: readonly Row[]): void {
    const bytes = Buffer.from(JSON.stringify({ t: 'b', rows }));
    for (const viewer of this.#viewers) {
      const { operator, blotter } = viewer.caller.sees;
      if (operator || (blotter && viewer.caller.clientId === clientId)) viewer.send(bytes);
    }
  }

  #watching(): Watching {
    if (this.#viewers.size === 0) return 'none';
    for (const { caller } of this.#viewers) if (caller.sees.operator) return 'operator';
    return 'clients';
  }

  #enginesAnswered(point: WirePoint | undefined): void {
    for (const viewer of this.#viewers) {
      this.#sendEngines(viewer);
      if (point && viewer.caller.sees.operator) viewer.sendMessage({ t: 'w', points: [point] });
    }
  }

  #sendEngines(viewer: Viewer): void {
    const clientId = viewer.caller.sees.operator ? undefined : viewer.caller.clientId;
    viewer.sendMessage({ t: 's', engines: this.#engines.engines.map((status) => engineOf(status, clientId)) });
  }
}

function historyRequested(text: string, pairs: number): number | undefined {
  try {
    const { history } = JSON.parse(text) as { history?: unknown };
    return Number.isInteger(history) && Number(history) >= 0 && Number(history) < pairs ? Number(history) : undefined;
  } catch {
    return undefined;
  }
}
