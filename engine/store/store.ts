/** All durable state, in Redis. The store is opened once for each process and passed on. */

import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { Log } from '../domain/core/log.js';
import type { PricingRule } from '../domain/prices/pricing-rule.js';
import type { LimitRule } from '../domain/risk/limits.js';
import { PORTS } from '../domain/system/port-mode.js';
import { type Clients, clients } from './access/clients.js';
import { type CompIds, compIds } from './access/comp-ids.js';
import { type ClientKeys, clientKeys, type Tokens, tokens } from './access/credentials.js';
import { type FailedAttempts, failedAttempts } from './access/failed-attempts.js';
import { type Permits, permits } from './access/permits.js';
import { type Accounts, accounts } from './accounts/accounts.js';
import { type AuditLog, auditLog } from './audit/audit-log.js';
import { type AuditSink, auditSink } from './audit/audit-sink.js';
import { type JournalArchive, journalArchive } from './audit/journal-archive.js';
import { type LedgerAudit, ledgerAudit } from './audit/ledger-audit.js';
import { type LookupAudit, lookupAudit } from './audit/lookup-audit.js';
import { type WorkAudit, workAudit } from './audit/work-audit.js';
import { type Batches, batches } from './batches/batches.js';
import { type Beneficiaries, beneficiaries } from './beneficiaries/beneficiaries.js';
import { connectCluster } from './connection/cluster-connection.js';
import { type Connection, connect, type ServerState } from './connection/connection.js';
import { StoreStartError, StoreUnavailable } from './connection/errors.js';
import { checkRedis } from './connection/redis-check.js';
import { COMMAND_TIMEOUT_MS, type RedisOptions } from './connection/redis-client.js';
import { readRedisUrl } from './connection/redis-url.js';
import { type Amendments, amendments } from './conversions/amendments.js';
import { type Bookings, bookings } from './conversions/bookings.js';
import { type Changes, changes } from './conversions/changes.js';
import { type DontKnowTrades, dontKnowTrades } from './conversions/dont-know-trades.js';
import { type Holds, holds } from './conversions/holds.js';
import { type Engines, engines } from './coordination/engines.js';
import { type Lease, lease } from './coordination/lease.js';
import { type Ports, ports } from './coordination/ports.js';
import { type Relay, relay } from './coordination/relay.js';
import { type SignedChannels, signedChannels } from './coordination/signed-messages.js';
import { type StoreClock, storeClock } from './coordination/store-clock.js';
import { type Work, work } from './coordination/work.js';
import { type Cover, cover } from './cover/cover.js';
import { type Events, events } from './events/events.js';
import { type Fundings, fundings } from './fundings/fundings.js';
import { agreeOnMasterKey, type SubKey } from './keys/master-key.js';
import { type DueQueue, dueQueue } from './ledger/due-queue.js';
import { agreeOnForm } from './ledger/form.js';
import { type Journal, journal } from './ledger/journal.js';
import { type Lists, lists } from './ledger/lists.js';
import type { Rules } from './ledger/rules.js';
import { managedRedis } from './managed-redis/managed-redis.js';
import { type Fees, fees } from './payments/fees.js';
import { type Payments, payments } from './payments/payments.js';
import { type Margins, margins } from './prices/margins.js';
import { pricingRules } from './prices/pricing-rules.js';
import { type DayStarts, dayStarts } from './risk/day-starts.js';
import { type Exposures, exposures } from './risk/exposures.js';
import { limits } from './risk/limits.js';
import { type Positions, positions, shardReadings } from './risk/positions.js';
import { type RiskFiguresStore, riskFigures } from './risk/risk-figures.js';
import { type Rooms, rooms } from './risk/rooms.js';
import { type StoredTradingStates, tradingStates } from './risk/trading-states.js';
import { type FixSessions, fixSessions } from './sessions/fix-sessions.js';
import { type Deliveries, deliveries } from './webhooks/deliveries.js';
import { type Webhooks, webhooks } from './webhooks/webhooks.js';

export interface OpenStoreOptions {
  /** The operator's Redis; without it the store of the data directory is used or started. */
  readonly redisUrl?: string | undefined;
  readonly dataDir: string;
  readonly log: Log;
  /** `must-start` rejects a data directory that another process owns; `start-if-absent` uses its store. */
  readonly own: 'start-if-absent' | 'must-start';
  /** `everysec` accepts the loss of a second's commands at a power failure. Default `always`. */
  readonly fsync?: 'always' | 'everysec' | undefined;
  /** This many replicas have every step and every write before it is acknowledged, 0 to 5; above 0 with `redisUrl` only. Default 0. */
  readonly replicas?: number | undefined;
  /** How long a command may take, ms; after that its outcome is unknown. Default 2,000. */
  readonly answerMs?: number | undefined;
  /** 32 bytes, base64; without it `<dataDir>/master.key` is used, created when absent. */
  readonly masterKey?: string | undefined;
  /** Which server a new data directory starts with; default: a redis-server on the PATH, else the embedded one. */
  readonly prefer?: 'embedded' | 'redis-server' | undefined;
  /** The redis-server to start, instead of the one on the PATH. */
  readonly redisServer?: string | undefined;
  /** Where each entry of the audit log is copied: `file:<path>` or `syslog://<host>[:port]`. Default: nowhere. */
  readonly auditLog?: string | undefined;
  /**
   * Epoch milliseconds, a test's, instead of this process's clock and its estimate of the store's. It does not change the clock of the
   * steps.
   */
  readonly now?: (() => number) | undefined;
}

export interface Store {
  readonly kind: 'redis-url' | 'redis-server' | 'embedded';
  /** This process, in leases and session records. */
  readonly engineId: string;
  /** How long a command may take, ms. */
  readonly answerMs: number;
  /** When this process opened the store, epoch ms by its own clock. */
  readonly openedAtMs: number;
  readonly clock: StoreClock;
  readonly clients: Clients;
  readonly keys: ClientKeys;
  readonly compIds: CompIds;
  readonly tokens: Tokens;
  readonly permits: Permits;
  readonly failedAttempts: FailedAttempts;
  readonly margins: Margins;
  readonly limits: Rules<LimitRule>;
  readonly events: Events;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly exposures: Exposures;
  readonly rooms: Rooms;
  readonly pricingRules: Rules<PricingRule>;
  readonly tradingStates: StoredTradingStates;
  readonly cover: Cover;
  readonly accounts: Accounts;
  readonly bookings: Bookings;
  readonly amendments: Amendments;
  readonly changes: Changes;
  readonly dontKnowTrades: DontKnowTrades;
  readonly holds: Holds;
  readonly fundings: Fundings;
  readonly batches: Batches;
  readonly dueQueue: DueQueue;
  readonly payments: Payments;
  readonly positions: Positions;
  readonly work: Work;
  readonly fees: Fees;
  readonly beneficiaries: Beneficiaries;
  readonly lists: Lists;
  readonly journal: Journal;
  readonly journalArchive: JournalArchive;
  readonly ledgerAudit: LedgerAudit;
  readonly workAudit: WorkAudit;
  readonly lookupAudit: LookupAudit;
  readonly fixSessions: FixSessions;
  readonly relay: Relay;
  readonly riskFigures: RiskFiguresStore;
  readonly dayStarts: DayStarts;
  readonly engines: Engines;
  readonly auditLog: AuditLog;
  readonly ports: Ports;
  /** Messages on channels that were dropped, since the start, by kind and reason. */
  readonly messagesDropped: SignedChannels['dropped'];
  readonly subKey: SubKey;
  lease(name: string): Lease;
  /** False from the moment Redis is found to be unavailable until it answers again; of a cluster, while no node answers. */
  isUp(): boolean;
  /** Little memory is left, and it is reserved for work under way. */
  isFull(): boolean;
  onUpChange(changed: (up: boolean) => void): () => void;
  /** The state of each server. */
  servers(): readonly ServerState[];
  /** Writes pending data and disconnects; a server that this process started runs until `close`. */
  disconnect(): Promise<void>;
  /** Disconnects, and stops the server when this process started it. */
  close(): Promise<void>;
}

/** Throws StoreStartError with one line that names the remedy. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { now, fsync = 'always', answerMs = COMMAND_TIMEOUT_MS } = options;
  const dataDir = resolve(options.dataDir);
  const sink = options.auditLog === undefined ? undefined : auditSink(options.auditLog, options.log);
  const found = await find({ ...options, dataDir, fsync, answerMs });
  let connection: Connection | undefined;
  try {
    connection = await found.connect();
    const subKey = await agreeOnMasterKey(connection, options.masterKey, dataDir);
    await agreeOnForm(connection);
    const clock = await storeClock(connection, now);
    return assemble({ connection, found, subKey, clock, now, answerMs, sink });
  } catch (error) {
    await connection?.close();
    await found.stop();
    if (error instanceof StoreUnavailable)
      throw new StoreStartError('the store stopped answering while it was opened: start again');
    throw error;
  }
}

interface Found {
  readonly kind: Store['kind'];
  connect(): Promise<Connection>;
  stop(): Promise<void>;
}

async function find(options: OpenStoreOptions & { fsync: 'always' | 'everysec'; answerMs: number }): Promise<Found> {
  const { redisUrl, fsync, log, prefer, redisServer, replicas = 0, answerMs } = options;
  const inTime = (address: RedisOptions): RedisOptions => ({ ...address, commandTimeout: answerMs });
  if (redisUrl === undefined) {
    if (replicas > 0)
      throw new StoreStartError(
        'STORE_REPLICAS needs a Redis with replicas: set REDIS_URL to it, or unset STORE_REPLICAS',
      );
    const own = await managedRedis({ ...options, fsync, prefer, redisServer });
    const { kind, stop } = own;
    return { kind, connect: () => connect({ address: () => inTime(own.address()), log }), stop };
  }
  const addresses = readRedisUrl(redisUrl).map(inTime);
  const kind = await checkRedis(addresses, { fsync, replicas }, log);
  const [address] = addresses;
  return {
    kind: 'redis-url',
    connect: () =>
      kind === 'cluster'
        ? connectCluster({ addresses, replicas, log })
        : connect({ address: () => address!, replicas, log }),
    stop: async () => {},
  };
}

interface Parts {
  readonly connection: Connection;
  readonly found: Found;
  readonly subKey: SubKey;
  readonly clock: StoreClock;
  readonly now: (() => number) | undefined;
  readonly answerMs: number;
  readonly sink: AuditSink | undefined;
}

function assemble({ connection, found, subKey, clock, now = Date.now, answerMs, sink }: Parts): Store {
  const engineId = randomBytes(8).toString('hex');
  const portModes = ports(connection, engineId);
  const sessions = fixSessions(connection, engineId, now);
  const readings = shardReadings();
  const messages = signedChannels(connection, subKey('messages'), engineId);
  const store = {
    clock,
    clients: clients(connection, now, {
      // A store of real money has no such clock; a program that has joined no ports does not know.
      mayBeAhead: () => PORTS.every((port) => portModes.modes[port] !== 'manual'),
      readOwn: clock.readOwn,
    }),
    keys: clientKeys(connection, subKey('secrets'), now),
    compIds: compIds(connection),
    tokens: tokens(connection, messages, now),
    permits: permits(connection),
    failedAttempts: failedAttempts(connection),
    margins: margins(connection),
    limits: limits(connection),
    events: events(connection),
    webhooks: webhooks(connection),
    deliveries: deliveries(connection),
    exposures: exposures(connection),
    rooms: rooms(connection, readings),
    pricingRules: pricingRules(connection),
    tradingStates: tradingStates(connection),
    cover: cover(connection),
    accounts: accounts(connection),
    bookings: bookings(connection, sessions),
    amendments: amendments(connection),
    changes: changes(connection),
    dontKnowTrades: dontKnowTrades(connection),
    holds: holds(connection, sessions),
    fundings: fundings(connection),
    batches: batches(connection),
    dueQueue: dueQueue(connection, clock),
    payments: payments(connection),
    positions: positions(connection, readings),
    work: work(connection, clock),
    fees: fees(connection),
    beneficiaries: beneficiaries(connection),
    lists: lists(connection),
    journal: journal(connection),
    journalArchive: journalArchive(connection),
    ledgerAudit: ledgerAudit(connection),
    workAudit: workAudit(connection),
    lookupAudit: lookupAudit(connection),
    fixSessions: sessions,
    relay: relay(connection, messages),
    riskFigures: riskFigures(connection, messages),
    dayStarts: dayStarts(connection),
    auditLog: auditLog(connection, subKey('audit'), sink),
    engines: engines(connection, messages, engineId),
    ports: portModes,
  };
  let disconnecting: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const disconnect = async (): Promise<void> => {
    clock.close();
    store.margins.close();
    store.limits.close();
    store.pricingRules.close();
    store.tradingStates.close();
    store.cover.rules.close();
    store.engines.close();
    await store.ports.close();
    await store.fixSessions.close();
    await connection.close();
  };
  const close = async (): Promise<void> => {
    disconnecting ??= disconnect();
    await disconnecting;
    await found.stop();
  };
  return {
    ...store,
    messagesDropped: messages.dropped,
    kind: found.kind,
    engineId,
    answerMs,
    openedAtMs: now(),
    subKey,
    lease: (name) => lease(connection, engineId, name),
    isUp: connection.isUp,
    isFull: connection.isFull,
    onUpChange: connection.onUpChange,
    servers: connection.servers,
    disconnect: () => {
      disconnecting ??= disconnect();
      return disconnecting;
    },
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
