/** Everything durable, in Redis. The store is opened once for each process and passed on. */
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type Accounts, accounts } from './accounts.js';
import { type AuditLog, auditLog } from './audit-log.js';
import { type Bookings, bookings } from './bookings.js';
import { type ClientKeys, clientKeys } from './client-keys.js';
import { type Clients, clients } from './clients.js';
import { connectCluster } from './cluster-connection.js';
import { type CompIds, compIds } from './comp-ids.js';
import { type Connection, connect, type ServerState, type StoreLog } from './connection.js';
import { type Engines, engines } from './engines.js';
import { StoreStartError, StoreUnavailable } from './errors.js';
import { type Faults, faults } from './faults.js';
import { type Fees, fees } from './fees.js';
import { type FixSessions, fixSessions } from './fix-sessions.js';
import { type Fundings, fundings } from './fundings.js';
import { type Halts, halts } from './halts.js';
import { type Holds, holds } from './holds.js';
import { type Journal, journal } from './journal.js';
import { type JournalArchive, journalArchive } from './journal-archive.js';
import { type Lease, lease } from './lease.js';
import { type LedgerAudit, ledgerAudit } from './ledger-audit.js';
import { type Lists, lists } from './lists.js';
import { type Margins, margins } from './margins.js';
import { agreeOnMasterKey, type SubKey } from './master-key.js';
import { ownStore } from './own-store.js';
import { type Payments, payments } from './payments.js';
import { type Permits, permits } from './permits.js';
import { checkRedis } from './redis-check.js';
import { readRedisUrl } from './redis-url.js';
import { type Relay, relay } from './relay.js';
import { type Settlements, settlements } from './settlements.js';
import { type Tokens, tokens } from './tokens.js';
import { type Work, work } from './work.js';

export interface OpenStoreOptions {
  /** A Redis of the operator's; without it the store of the data directory is used or started. */
  readonly redisUrl?: string | undefined;
  readonly dataDir: string;
  readonly log: StoreLog;
  /** `must-start` refuses a data directory that another process owns; `start-if-absent` uses its store. */
  readonly own: 'start-if-absent' | 'must-start';
  /** `everysec` accepts the loss of a second's commands when the machine loses power. Default `always`. */
  readonly fsync?: 'always' | 'everysec' | undefined;
  /** So many replicas have every step and every write before it is acknowledged, 0 to 5; above 0 with `redisUrl` only. Default 0. */
  readonly replicas?: number | undefined;
  /** 32 bytes, base64; without it `<dataDir>/master.key` is used, made when absent. */
  readonly masterKey?: string | undefined;
  /** Which server a new data directory starts with; default: a redis-server on the PATH, else the embedded one. */
  readonly prefer?: 'embedded' | 'redis-server' | undefined;
  /** The redis-server to start, instead of the one on the PATH. */
  readonly redisServer?: string | undefined;
  /** Epoch milliseconds; default the system's clock. */
  readonly now?: (() => number) | undefined;
}

export interface Store {
  readonly kind: 'redis-url' | 'redis-server' | 'embedded';
  /** This process, in leases and session records. */
  readonly engineId: string;
  readonly clients: Clients;
  readonly keys: ClientKeys;
  readonly compIds: CompIds;
  readonly tokens: Tokens;
  readonly permits: Permits;
  readonly faults: Faults;
  readonly margins: Margins;
  readonly halts: Halts;
  readonly accounts: Accounts;
  readonly bookings: Bookings;
  readonly holds: Holds;
  readonly fundings: Fundings;
  readonly settlements: Settlements;
  readonly payments: Payments;
  readonly work: Work;
  readonly fees: Fees;
  readonly lists: Lists;
  readonly journal: Journal;
  readonly journalArchive: JournalArchive;
  readonly ledgerAudit: LedgerAudit;
  readonly fixSessions: FixSessions;
  readonly relay: Relay;
  readonly engines: Engines;
  readonly auditLog: AuditLog;
  readonly subKey: SubKey;
  lease(name: string): Lease;
  /** False from the moment Redis is found to be away until it answers again; of a cluster, while no server of it answers. */
  isUp(): boolean;
  /** So little memory is left that it is kept for what is under way. */
  isFull(): boolean;
  onUpChange(changed: (up: boolean) => void): () => void;
  /** Each server of it, as it stands. */
  servers(): readonly ServerState[];
  /** Writes what waits, leaves Redis, and stops the server when this process started it. */
  close(): Promise<void>;
}

/** Throws StoreStartError with one line that says what to do. */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { now = Date.now, fsync = 'always' } = options;
  const dataDir = resolve(options.dataDir);
  const found = await find({ ...options, dataDir, fsync });
  let connection: Connection | undefined;
  try {
    connection = await found.connect();
    const subKey = await agreeOnMasterKey(connection, options.masterKey, dataDir);
    return assemble(connection, found, subKey, now);
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

async function find(options: OpenStoreOptions & { fsync: 'always' | 'everysec' }): Promise<Found> {
  const { redisUrl, fsync, log, prefer, redisServer, replicas = 0 } = options;
  if (redisUrl === undefined) {
    if (replicas > 0)
      throw new StoreStartError(
        'STORE_REPLICAS needs a Redis with replicas: set REDIS_URL to it, or unset STORE_REPLICAS',
      );
    const own = await ownStore({ ...options, fsync, prefer, redisServer });
    return { kind: own.kind, connect: () => connect({ address: own.address, log }), stop: own.stop };
  }
  const addresses = readRedisUrl(redisUrl);
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

function assemble(connection: Connection, found: Found, subKey: SubKey, now: () => number): Store {
  const engineId = randomBytes(8).toString('hex');
  const sessions = fixSessions(connection, engineId, now);
  const store = {
    clients: clients(connection, now),
    keys: clientKeys(connection, subKey('secrets'), now),
    compIds: compIds(connection),
    tokens: tokens(connection, now),
    permits: permits(connection),
    faults: faults(connection),
    margins: margins(connection),
    halts: halts(connection),
    accounts: accounts(connection, now),
    bookings: bookings(connection, sessions),
    holds: holds(connection, sessions),
    fundings: fundings(connection),
    settlements: settlements(connection),
    payments: payments(connection),
    work: work(connection),
    fees: fees(connection),
    lists: lists(connection),
    journal: journal(connection),
    journalArchive: journalArchive(connection),
    ledgerAudit: ledgerAudit(connection),
    fixSessions: sessions,
    relay: relay(connection),
    auditLog: auditLog(connection),
    engines: engines(connection, engineId),
  };
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    store.margins.close();
    store.halts.close();
    store.engines.close();
    await store.fixSessions.close();
    await connection.close();
    await found.stop();
  };
  return {
    ...store,
    kind: found.kind,
    engineId,
    subKey,
    lease: (name) => lease(connection, engineId, name),
    isUp: connection.isUp,
    isFull: connection.isFull,
    onUpChange: connection.onUpChange,
    servers: connection.servers,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}
