import type { Server } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { Acceptor, type AcceptorOptions, Dictionary, type Session } from 'node-quickfix-ts';
import { isRefusal, refuse } from '../domain/core/refusal.js';
import { FIX_DICTIONARY, readProjectFile } from '../domain/data/data-file.js';
import type { Pair } from '../domain/money/pair.js';
import { spotDate } from '../domain/money/value-date.js';
import type { SessionState } from '../domain/system/engine-status.js';
import { AuthenticationEvents } from '../service/access/authentication-events.js';
import { plainAddress } from '../service/core/caller.js';
import type { Services } from '../service/core/services.js';
import { dealingTime } from '../service/prices/index.js';
import { ackAfterProcessing, sessionAccess } from '../service/sessions/index.js';
import { DRAINING, deskApplication } from './application.js';
import { CONFORMANCE, conformanceOf, conformanceStore } from './conformance.js';
import { createFixCounters, type FixContext, type FixCounters } from './context.js';
import type { Desk, DeskIdentity } from './desk.js';
import { publishMarketState } from './market-data/market-state.js';
import { PairWatch } from './market-data/pair-state.js';
import { OpenOrders } from './orders/orders.js';
import { Publication } from './publication/publication.js';
import { HoldWatch } from './quotes/hold-watch.js';
import { QuoteStreams } from './quotes/quote-streams.js';
import { reportStreamEnd } from './quotes/stream-request.js';
import { endStream } from './rejects.js';
import { Outbox, outboxRenderers } from './session/outbox.js';
import { LogonThrottle } from './session/throttles.js';
import { TokenWatch } from './session/token-watch.js';
import type { FixGatewaySettings } from './settings.js';

export interface FixGatewayParts {
  readonly services: Services;
  readonly settings: FixGatewaySettings;
  readonly counters?: FixCounters;
  /** The clock of the session layer, epoch ms, where it is not that of the services. */
  readonly sessionClock?: () => number;
}

export interface FixGateway {
  readonly counters: FixCounters;
  readonly events: AuthenticationEvents;
  readonly publication: Publication;
  /** Throws FixSettingError, or what the listening socket throws. */
  start(): Promise<{ port: number; tlsPort?: number }>;
  /**
   * Accepts no new connections. Answers the messages received by now, logs out every desk with the text, waits a bounded time for their
   * answers, and closes all connections.
   */
  stop(text?: string): Promise<void>;
  sessions(): Iterable<Session>;
  /** True from the call of `stop`. */
  readonly isStopping: boolean;
  /** The desks that are logged on. */
  states(): Iterable<SessionState>;
  /** Logs a desk out with the text; false: it is not logged on here. */
  logOut(compId: string, text: string): boolean;
}

/** How often expiries, the market's state and the pairs' states are checked. */
const TIMER_MS = 250;
/** How often revocations, spot dates and outboxes are checked. */
const REREAD_MS = 1_000;
/** How long messages received before the stop may take to be answered. */
const LAST_ANSWERS_MS = 2_000;

/** The FIX gateway: FIX 4.4 over TCP and TLS. */
export function createFixGateway(parts: FixGatewayParts): FixGateway {
  const { settings, counters = createFixCounters(), sessionClock = parts.services.now } = parts;
  // Prices streamed by this gateway may be booked by it.
  const streamed: Services['streamed'] = {
    find: (quoteId, clientId) => publication.streamedPrice(quoteId, clientId) ?? quotes.find(quoteId, clientId),
  };
  const services = { ...parts.services, streamed };
  const conformance = conformanceOf(settings);
  const desks = new Map<Session, Desk>();
  const sessions = sessionAccess(services);
  const throttle = new LogonThrottle(sessions);
  const events = new AuthenticationEvents(services);
  let stopping = false;

  const quotes = new QuoteStreams({
    services,
    counters,
    schedule: () => publication.schedule(),
    onEnded: (stream, why) => reportStreamEnd(context, stream, why),
  });
  const publication = new Publication({
    book: services.book,
    shifts: services.pricing.shifts,
    behind: quotes,
    marginBands: (clientId, pair, type) => services.pricing.marginBands(clientId, pair, type),
    isHalted: (clientId) => services.states.isHalted(clientId),
    spotDate: spotDates(services),
    onNotEntitled: (session, mdReqId) => {
      const desk = desks.get(session);
      if (desk)
        endStream(context, desk, mdReqId, refuse('NOT_ENTITLED', 'Not entitled: the pair is no longer offered to you'));
    },
  });
  const orders = new OpenOrders();
  const outbox = new Outbox(sessions, services.log, outboxRenderers(sessions, orders));
  const context: FixContext = {
    services,
    sessions,
    settings,
    counters,
    publication,
    quotes,
    events,
    throttle,
    orders,
    outbox,
  };
  const application = deskApplication(context, desks, conformance, () => stopping);
  const dictionary = Dictionary.parse(readProjectFile(FIX_DICTIONARY));
  const acceptors = listeners(settings).map(
    (listener) =>
      new Acceptor({
        ...listener,
        beginString: 'FIX.4.4',
        dictionary,
        application,
        admit: (address) => !throttle.isClosed(plainAddress(address), services.now()),
        now: sessionClock,
        ...(settings.messageLog && { log: settings.messageLog }),
        store: (id, identity) => {
          if (identity === CONFORMANCE) return conformanceStore(id, identity);
          const { shard, inFlight } = identity as DeskIdentity;
          return ackAfterProcessing(sessions.messageStore(id, shard), inFlight);
        },
      }),
  );
  const watches = watch(context, desks);
  services.margins.onChange(() => {
    publication.marginsChanged();
    quotes.marginsChanged();
  });
  services.states.onChange(() => {
    publication.statesChanged();
    quotes.statesChanged();
  });

  return {
    counters,
    events,
    publication,
    async start() {
      const [plain, tls] = await Promise.all(acceptors.map((acceptor) => acceptor.listen()));
      watches.start();
      return { port: plain!.port, ...(tls ? { tlsPort: tls.port } : {}) };
    },
    async stop(text = DRAINING) {
      stopping = true;
      watches.stop();
      for (const acceptor of acceptors) acceptor.close();
      const hadTurns = Promise.all([...desks.values()].map((desk) => desk.hadTurn));
      await orders.stop(hadTurns, LAST_ANSWERS_MS);
      await Promise.all(acceptors.map((acceptor) => acceptor.stop(text)));
    },
    *sessions() {
      for (const acceptor of acceptors) yield* acceptor.sessions();
    },
    get isStopping() {
      return stopping;
    },
    *states() {
      for (const desk of desks.values()) yield stateOf(desk, context);
    },
    logOut(compId, text) {
      const live = [...desks.values()].filter(
        ({ identity, session }) => identity.compId === compId && session.loggedOn,
      );
      for (const { session } of live) session.logout(text);
      return live.length > 0;
    },
  };
}

function stateOf({ session, identity, loggedOnAtMs }: Desk, { publication, quotes }: FixContext): SessionState {
  return {
    compId: identity.compId,
    clientId: identity.caller.clientId,
    keyId: identity.caller.keyId,
    loggedOnAtMs,
    nextOut: session.nextOut,
    nextIn: session.nextIn,
    backlogBytes: session.backlogBytes,
    conflated: publication.conflatedOf(session) + quotes.conflatedOf(session),
    streams: publication.count(session) + quotes.all(session).length,
  };
}

type Listener = Pick<AcceptorOptions, 'host' | 'port' | 'tls' | 'prepare' | 'remoteAddress'>;

function listeners({ host, port, tls, proxies }: FixGatewaySettings): Listener[] {
  const behind = proxies && { prepare: proxies.prepare, remoteAddress: proxies.addressOf };
  const plain = { host, port, ...behind };
  if (tls === undefined) return [plain];
  const prepare = (server: Server) => {
    tls.prepare(server as TlsServer);
    // The proxy's header comes before everything else.
    proxies?.prepare(server);
  };
  return [plain, { ...behind, host: tls.host, port: tls.port, tls: tls.options, prepare }];
}

function spotDates(services: Services): (pair: Pair) => string | undefined {
  return (pair) => {
    const spot = spotDate(pair, dealingTime(services));
    return isRefusal(spot) ? undefined : spot.date;
  };
}

/** Events without an inbound message: token expiry, market state, pair state, spot roll. */
function watch(context: FixContext, desks: ReadonlyMap<Session, Desk>): { start(): void; stop(): void } {
  const tokens = new TokenWatch(context, () => desks.values());
  const pairs = new PairWatch(context);
  const holds = new HoldWatch(context);
  const timers: NodeJS.Timeout[] = [];
  let stopHearing: (() => void)[] = [];
  return {
    start() {
      stopHearing = [
        context.sessions.onRevoked((hash) => tokens.revoked(hash)),
        context.sessions.onOutbox((compId) => void context.outbox.drain(compId)),
      ];
      const onTimer = (): void => {
        const all = [...desks.values()];
        tokens.onTimer();
        publishMarketState(context, all);
        pairs.onTimer(all);
        holds.onTimer(all);
        context.quotes.onTimer();
      };
      timers.push(
        setInterval(onTimer, TIMER_MS),
        setInterval(() => {
          context.publication.rollSpotDates();
          context.quotes.rollDates();
          void tokens.reread();
          void context.outbox.onTimer();
        }, REREAD_MS),
      );
    },
    stop() {
      for (const stop of stopHearing) stop();
      for (const timer of timers) clearInterval(timer);
    },
  };
}
