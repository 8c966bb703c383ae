/**
 * `npm run crash -- --cover --rounds 30`: kills the store, its owner, the engines (one of them has the risk role) and the provider at random
 * moments, while clients deal and the provider fails in every way that it can. Afterwards what is booked is what the provider has filled, no
 * order was sent twice, and the position is back within its band in the time that docs/risk.md states.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { Decimal } from '../../../engine/domain/money/decimal.js';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { netBase } from '../../../engine/domain/risk/position.js';
import type { Services } from '../../../engine/service/core/services.js';
import { perform } from '../../../engine/service/perform.js';
import { StoreStartError, StoreUnavailable } from '../../../engine/store/connection/errors.js';
import type { Store } from '../../../engine/store/store.js';
import { type LpOrder, readOrderList } from '../../../engine/tools/lp-simulator/order-list.js';
import { readConfig } from '../../../engine/wiring/config.js';
import { openServices } from '../../../engine/wiring/services.js';
import { random as seeded } from '../../domain/random.js';
import { SILENT } from '../../support/store.js';
import { anyOf, type Random, wholeFrom } from '../commands.js';
import { COVER_PARTS, CoverMachine, type CoverPart } from './cover-machine.js';

interface CoverRun {
  readonly rounds: number;
  readonly seed: number;
  readonly tell: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface CoverTally {
  rounds: number;
  deals: number;
  orders: number;
  fills: number;
  readonly kills: Map<CoverPart, number>;
  /** From the restart to a position within its band, ms: of the last round, and the longest. */
  lastMs: number;
  slowestMs: number;
  readonly violations: string[];
}

const BAND = 100_000;
const RULE = {
  ...{ pair: 'EUR/USD', band: BAND, ratio: 100, min: 1_000, max: 1_000_000, step: 1_000, everyMs: 0, worst: '50' },
  ...{ quoteAgeMs: 2_000, order: 'limit' as const, timeInForce: 'IOC' as const, providers: ['LP1'] },
};
const CLIENT = 'acme';
/** By docs/risk.md: the lease of a killed engine, an unknown order, some rejects in a row, on a busy machine. */
const COVERED_MS = 60_000;

export async function coverRun({ rounds, seed, tell, signal }: CoverRun): Promise<CoverTally> {
  const tally: CoverTally = {
    rounds: 0,
    deals: 0,
    orders: 0,
    fills: 0,
    kills: new Map(),
    lastMs: 0,
    slowestMs: 0,
    violations: [],
  };
  const random = seeded(seed);
  const dataDir = mkdtempSync(join(tmpdir(), 'crash-cover-'));
  const machine = await CoverMachine.start(dataDir, seed);
  try {
    await onStore(machine, provide);
    while (tally.rounds < rounds && !signal?.aborted && tally.violations.length === 0) {
      await round(machine, random, tally);
      tally.rounds++;
      const killed = [...tally.kills].map(([part, times]) => `${part} ${times}`).join(', ');
      tell(
        `round ${tally.rounds}: ${tally.deals} deals, ${tally.orders} orders, ${tally.fills} fills; killed ${killed}; covered in ${tally.lastMs} ms, slowest ${tally.slowestMs} ms`,
      );
    }
  } finally {
    if (tally.violations.length > 0) tell(machine.words());
    await machine.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return tally;
}

async function round(machine: CoverMachine, random: Random, tally: CoverTally): Promise<void> {
  const victims = COVER_PARTS.filter(() => random() < 0.35);
  const killAtMs = wholeFrom(random, 50, 2_500);
  const dealing = onStore(machine, (services) => deal(services, random, tally)).catch(() => {});
  await pause(killAtMs);
  for (const part of victims) {
    if (random() < 0.5) await pause(wholeFrom(random, 0, 300));
    if (await machine.kill(part)) tally.kills.set(part, (tally.kills.get(part) ?? 0) + 1);
  }
  await dealing;
  await pause(wholeFrom(random, 0, 500));
  await machine.restore();
  const began = performance.now();
  const late = began + COVERED_MS;
  await onceUp(machine, late, async (services) => {
    const { store } = services;
    for (; !(await isCovered(store)); await pause(50)) {
      if (performance.now() < late) continue;
      const open = (await store.cover.open()).map(({ id, status, reason }) => `${id} ${status} ${reason}`).join('; ');
      tally.violations.push(`not covered ${COVERED_MS} ms after the restart: net ${await netOf(store)}, ${open}`);
      return;
    }
    tally.lastMs = Math.round(performance.now() - began);
    tally.slowestMs = Math.max(tally.slowestMs, tally.lastMs);
    tally.violations.push(...(await disagreements(services, readOrderList(machine.orderFile), tally)));
  });
}

/** The same, once the owner has started its server again. */
async function onceUp(machine: CoverMachine, late: number, work: (services: Services) => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await onStore(machine, work);
    } catch (error) {
      if (!(error instanceof StoreStartError || error instanceof StoreUnavailable) || performance.now() > late)
        throw error;
      await machine.restore();
      await pause(200);
    }
  }
}

/** Services on the store of this moment, for as long as it answers. */
async function onStore<T>(machine: CoverMachine, work: (services: Services) => Promise<T>): Promise<T> {
  const config = readConfig({ REDIS_URL: machine.redisUrl, DATA_DIR: machine.dataDir });
  const { services, stop } = await openServices(config, SILENT, { own: 'never', program: 'ratewire' });
  try {
    return await work(services);
  } finally {
    await stop().catch(() => {});
  }
}

async function provide(services: Services): Promise<void> {
  const must = async (name: 'createClient' | 'openAccount' | 'creditAccount' | 'setMargin', input: object) => {
    const answer = await perform(services, name, undefined, input);
    if (isRefusal(answer)) throw new Error(`${name}: ${answer.text}`);
    return answer as { readonly number?: string };
  };
  await must('createClient', { id: CLIENT, name: CLIENT });
  await must('setMargin', { clientId: '*', pair: '*', type: '*', margin: '0.1' });
  for (const currency of ['EUR', 'USD']) {
    const { number } = await must('openAccount', { clientId: CLIENT, currency });
    await must('creditAccount', { accountNumber: number, amount: '999999999.00' });
  }
  await services.store.cover.rules.change('EUR/USD', () => RULE);
}

let requests = 0;
async function deal(services: Services, random: Random, tally: CoverTally): Promise<void> {
  const { book } = services;
  const provider = book.registerProvider('clients');
  const caller = { clientId: CLIENT, keyId: 'CK_X', rights: new Set(RIGHTS) };
  for (let deals = wholeFrom(random, 3, 12); deals > 0; deals--) {
    const [sellCurrency, buyCurrency] = anyOf(random, [
      ['EUR', 'USD'],
      ['USD', 'EUR'],
    ] as const);
    const input = { sellCurrency, buyCurrency, sellAmount: wholeFrom(random, 20, 600) * 1_000, description: 'crash' };
    book.tick(provider, pairBySymbol(RULE.pair)!.index, 10_843_100, 10_843_300, 0, 0, Date.now() * 1000, 0);
    const booked = await perform(services, 'bookFxByCurrency', caller, { ...input, requestId: `r-${++requests}` });
    if (!isRefusal(booked)) tally.deals++;
    await pause(wholeFrom(random, 20, 400));
  }
}

async function netOf(store: Store): Promise<bigint> {
  let net = 0n;
  for (const { lines } of await store.positions.ofAllShards())
    for (const line of lines) if (line.pair === RULE.pair) net += netBase(line);
  return net;
}

async function isCovered(store: Store): Promise<boolean> {
  const net = await netOf(store);
  const size = net < 0n ? -net : net;
  return size <= BigInt(BAND) * 100n && (await store.cover.open()).length === 0;
}

/** Orders of the store and of the provider, and the house's books. */
async function disagreements(services: Services, dealt: readonly LpOrder[], tally: CoverTally): Promise<string[]> {
  const found: string[] = [];
  const { store } = services;
  const records = await store.cover.list(100_000);
  const byId = new Map(records.map((record) => [record.id, record]));
  tally.orders = dealt.length;
  tally.fills = dealt.reduce((sum, { fills }) => sum + fills.length, 0);
  for (const order of dealt) {
    const { clOrdId, repeats, fills } = order;
    const record = byId.get(clOrdId);
    if (repeats > 0) found.push(`${clOrdId} was sent ${repeats + 1} times`);
    if (record === undefined) {
      found.push(`${clOrdId} is at the provider, and not in the store`);
      continue;
    }
    const base = fills.reduce((sum, { quantity }) => sum + BigInt(quantity) * 100n, 0n);
    const quote = fills.reduce((sum, { quantity, price }) => sum.add(new Decimal(price).mul(quantity)), new Decimal(0));
    const minor = BigInt(quote.mul(100).toDecimalPlaces(0, Decimal.ROUND_HALF_EVEN).toFixed(0));
    if (record.filled !== base) found.push(`${clOrdId}: ${base} filled, ${record.filled} booked (${record.status})`);
    if (record.quote !== minor) found.push(`${clOrdId}: ${minor} at the provider, ${record.quote} booked`);
  }
  const known = new Set(dealt.map(({ clOrdId }) => clOrdId));
  for (const { id, filled } of records) if (filled > 0n && !known.has(id)) found.push(`${id} is booked, and not dealt`);
  const reconciled = await perform(services, 'reconcile', undefined, {});
  if (isRefusal(reconciled)) found.push(reconciled.text);
  else found.push(...reconciled.differences.map((one) => JSON.stringify(one)));
  return found;
}
