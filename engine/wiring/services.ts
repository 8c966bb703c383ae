/** Everything below the doors, built in the order in which data flows: store, margins, book, pricing. */

import { hostname } from 'node:os';
import { DEFAULT_HOLD_ADD_ONS } from '../domain/conversions/hold-period.js';
import type { Log } from '../domain/core/log.js';
import { PAIRS, pairBySymbol } from '../domain/money/pair.js';
import { LimitTable } from '../domain/risk/limits.js';
import { TradingStates } from '../domain/risk/trading-state.js';
import { PORTS, type Port, type PortModes } from '../domain/system/port-mode.js';
import { feedKinds } from '../rates/feed.js';
import type { PriceShifts } from '../rates/price-shifts.js';
import { MarginTable, Pricing, unitsOf } from '../rates/pricing.js';
import { RateBook } from '../rates/rate-book.js';
import type { DayRecord } from '../roles/record/day-record.js';
import { SANDBOX_PAYEES } from '../service/beneficiaries/sandbox-payees.js';
import { isLoopback } from '../service/core/caller.js';
import { KeyLocks } from '../service/core/key-locks.js';
import type { Services } from '../service/core/services.js';
import { StoreStartError } from '../store/connection/errors.js';
import { readRedisUrl } from '../store/connection/redis-url.js';
import { isAlive, readStoreFile } from '../store/managed-redis/store-file.js';
import type { KnownFigures } from '../store/risk/risk-figures.js';
import { openStore, type Store } from '../store/store.js';
import { warnOfEndingCalendars } from './calendar-ends.js';
import { type Config, OWN_STORE_FEED, requireNamed, storeOptions } from './config.js';
import { openDayRecord } from './day-record.js';
import { watchHostClock } from './host-clock.js';
import { tradingHours } from './trading-week.js';
import { readUkModulusTable } from './uk-modulus.js';

export interface ServiceParts {
  /** Whether this process starts a store when none runs. */
  readonly own: 'start-if-absent' | 'never';
  /** An engine or a sidecar decides about money, in the modes that the store keeps. */
  readonly program: 'engine' | 'sidecar' | 'ratewire';
  /** Which server a new data directory starts with, where it is not to be chosen by what this machine has. */
  readonly prefer?: 'embedded';
}

/** Interval of the sweep for prices that have become too old, milliseconds. */
const SWEEP_MS = 250;
/** A sweep this late means that the event loop was blocked. */
const SWEEP_WITHIN_MS = 500;

export async function openServices(
  config: Config,
  log: Log,
  { own, program, prefer }: ServiceParts,
): Promise<{ services: Services; record: DayRecord | undefined; stop(): Promise<void> }> {
  // First: a setting that cannot be used ends the start before anything runs.
  if (program !== 'ratewire') requireNamed(config, program);
  const settings = {
    loopbackOnly: loopbackOnly(config),
    marketHours: tradingHours(config),
    holdAddOns: DEFAULT_HOLD_ADD_ONS,
    disclosesProviders: config.DISCLOSE_PROVIDERS === 'yes',
    offerTolerancePpm: config.OFFER_TOLERANCE_PPM,
    holdLimitUsd: config.HOLD_LIMIT_USD,
    platformHoldLimitUsd: config.PLATFORM_HOLD_LIMIT_USD,
    holdMaximumUsd: config.HOLD_MAXIMUM_USD,
    ukModulus: config.UK_MODULUS_TABLE === undefined ? undefined : readUkModulusTable(config.UK_MODULUS_TABLE),
    thresholdsUsd: { identity: config.PAYMENT_IDENTITY_USD, purpose: config.PAYMENT_PURPOSE_USD },
  };
  if (own === 'never') mustRun(config);
  const store = await openStore({ ...storeOptions(config), own: 'start-if-absent', log, prefer });
  if (program !== 'ratewire') await closingOnFault(store, beginAuditChain(store, log));
  const modes = program === 'ratewire' ? {} : await joinPorts(store, config, program, log);
  if (program !== 'ratewire') warnOfEndingCalendars(log, Date.now());

  const margins = new MarginTable();
  const rules = await store.margins.load();
  margins.replace(rules);
  store.margins.onChange((rules) => margins.replace(rules));

  // Before the first deal.
  const limits = new LimitTable(await baseCurrency(store, config, program));
  limits.replace(await store.limits.load());
  store.limits.onChange((rules) => limits.replace(rules));

  const bookOptions = {
    maxAgeMs: config.RATE_MAX_AGE_MS,
    maxJumpPercent: config.RATE_MAX_JUMP_PERCENT,
    maxSpreadPercent: config.RATE_MAX_SPREAD_PERCENT,
    isFirm: config.LIQUIDITY === 'firm',
  };
  const record =
    program === 'ratewire' ? undefined : await closingOnFault(store, openDayRecord(config, log, program, bookOptions));
  record?.begin(store, rules);
  const book = record?.book ?? new RateBook(bookOptions);
  const notices = new Set<Promise<unknown>>();
  book.takes.notify = (publisher, takes) => {
    const notice = store.engines.takes(TAKES_WAIT_MS, publisher, takes);
    notices.add(notice);
    const end = () => notices.delete(notice);
    notice.then(end, end);
    return notice;
  };
  // Before the first tick.
  const states = new TradingStates();
  states.onChange(() => book.halt(states.haltedPairs));
  states.replace(await store.tradingStates.list());
  store.tradingStates.onChange((restrictions) => states.replace(restrictions));
  if (program !== 'ratewire') await store.riskFigures.follow(config.BASE_CURRENCY);
  const pricing = new Pricing(book, margins, states);
  pricing.shifts.replace((await store.pricingRules.load()).values());
  store.pricingRules.onChange((rules) => pricing.shifts.replace(rules.values()));
  const skew = skewByPosition(pricing.shifts, store.riskFigures);
  store.riskFigures.onFigures(skew);
  const sweep = setInterval(() => {
    book.sweep(SWEEP_WITHIN_MS);
    pricing.shifts.sweep();
    skew();
  }, SWEEP_MS);
  const stopWatch = program === 'ratewire' ? () => {} : watchHostClock(store.clock, log);

  const services: Services = {
    store,
    book,
    pricing,
    margins,
    limits,
    states,
    keyLocks: new KeyLocks(store.failedAttempts),
    risk: store.riskFigures,
    // Names decide with the other words of a payment's sandbox.
    ...(modes.compliance === 'sandbox' && { payees: SANDBOX_PAYEES }),
    ...(record && { record: record.recorder }),
    now: Date.now,
    log,
    settings: {
      ...settings,
      webhookLoopback: webhookLoopback(config, modes),
      sandboxFundingMs: modes.funding === 'sandbox' ? config.SANDBOX_FUNDING_SECONDS * 1_000 : undefined,
    },
  };
  return {
    services,
    record,
    async stop() {
      clearInterval(sweep);
      stopWatch();
      await record?.recorder.stop();
      // A command ends behind its deal, and the other programs must not sell the level again.
      await Promise.allSettled(notices);
      await store.close();
    },
  };
}

/** How long the engine with the feed may take to answer what deals here have taken. */
const TAKES_WAIT_MS = 1_000;

/** The operator's commands have the base currency of the programs that run, also where their own environment does not name it. */
async function baseCurrency(
  store: Store,
  { BASE_CURRENCY }: Config,
  program: ServiceParts['program'],
): Promise<string> {
  if (program !== 'ratewire') return BASE_CURRENCY;
  return (await store.riskFigures.kept())?.baseCurrency ?? BASE_CURRENCY;
}

/**
 * Figures older than this skew no price. The risk role publishes them each second at least, and another engine takes its place within four: while
 * it does, prices keep the skew of the last figures.
 */
const SKEW_AGE_MS = 5_000;

/** Takes the house's position over into the prices, or that there is none that is usable. */
function skewByPosition(shifts: PriceShifts, risk: KnownFigures): () => void {
  const netBase = new Float64Array(PAIRS.length);
  return () => {
    if (!shifts.needsPosition) return;
    const figures = risk.figures(SKEW_AGE_MS);
    netBase.fill(0);
    for (const { pair: symbol, netBase: minor } of figures?.pairs ?? []) {
      const pair = pairBySymbol(symbol);
      if (pair) netBase[pair.index] = unitsOf(pair, minor);
    }
    shifts.setPosition(figures && ((pair) => netBase[pair]!));
  };
}

async function closingOnFault<T>(store: Store, step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Every store on which an engine or a sidecar has run has a chain: `ratewire audit verify` fails where there is none. */
async function beginAuditChain({ auditLog, clients }: Store, log: Log): Promise<void> {
  if (!(await auditLog.beginChain()) || (await clients.list({ limit: 1 })).length === 0) return;
  log.warn(
    {},
    'the store has clients, and its audit log was empty: it was removed. Compare ratewire audit verify --head with a head kept outside the store',
  );
}

/** Closes the store where it keeps other modes than this program is set to. */
async function joinPorts(store: Store, config: Config, program: 'engine' | 'sidecar', log: Log): Promise<PortModes> {
  const { FUNDING: funding, COMPLIANCE: compliance, PAYOUT: payout, REDIS_URL, FEED = OWN_STORE_FEED } = config;
  const modes: PortModes = {
    ...(funding && { funding }),
    ...(compliance && { compliance }),
    ...(payout && { payout }),
  };
  const used: readonly Port[] = program === 'engine' ? ['funding'] : PORTS;
  const joining = store.ports.join({
    program: `${program} ${hostname()}:${process.pid}`,
    modes,
    sandboxes: REDIS_URL === undefined ? used : [],
    feed: program === 'engine' ? feedKinds(FEED) : [],
    onOther(line) {
      log.error({}, `${line}. This ${program} ends.`);
      process.kill(process.pid, 'SIGTERM');
    },
  });
  return closingOnFault(store, joining);
}

function mustRun({ REDIS_URL, DATA_DIR }: Config): void {
  if (REDIS_URL !== undefined) return;
  const file = readStoreFile(DATA_DIR);
  if (file && isAlive(file.owner)) return;
  throw new StoreStartError(
    `no store runs on data directory ${DATA_DIR}: run \`npm start\` (or the engine) first, or set DATA_DIR or REDIS_URL to where it runs`,
  );
}

/** Where nothing is real and no other machine is involved: a client of this machine may then receive its events here. */
function webhookLoopback(config: Config, modes: PortModes): boolean {
  if (config.WEBHOOK_LOOPBACK !== undefined) return config.WEBHOOK_LOOPBACK === 'on';
  const isTrial = PORTS.every((port) => modes[port] === 'sandbox');
  return isTrial && config.REDIS_URL === undefined && loopbackOnly(config);
}

function loopbackOnly({ HOST, REDIS_URL }: Config): boolean {
  const servers = REDIS_URL === undefined ? [] : readRedisUrl(REDIS_URL);
  // Behind Sentinels the master's address is not known in advance.
  return isLoopback(HOST) && servers.every(({ host = '' }) => isLoopback(host));
}
