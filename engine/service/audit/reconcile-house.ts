/** Reconciles the house's own ledger: the journal of `_house` with its balances, and with the cover orders and adjustments that it names. */
import { z } from 'zod';
import { pairBySymbol, pairOf } from '../../domain/money/pair.js';
import type { Archived } from '../../store/audit/journal-archive.js';
import { decodeOrUndefined } from '../../store/connection/fields.js';
import { type CoverRecord, coverAccount } from '../../store/cover/cover.js';
import { HOUSE } from '../../store/keys/redis-keys.js';
import { addMove, isBefore, JOURNAL_START, type JournalEntry, type Move, movesOf } from '../../store/ledger/journal.js';
import type { Services } from '../core/services.js';
import type { Pace } from './list-pages.js';
import type { JournalReplay } from './recompute.js';
import { type Difference, type Differing, difference, NONE } from './recompute.js';
import { DifferenceList } from './reconcile-client.js';

interface HouseReconciled {
  readonly differences: DifferenceList;
  readonly entries: number;
}

/** Retries when a cover deal is booked during the reading. */
const READS_MAX = 5;

/**
 * Safe while cover deals are booked and the journal is archived: everything compared belongs to one moment, or is newer on both sides.
 * `earlier` has played the archived part from its files; without it what the store has kept for that part counts.
 */
export async function reconcileHouse({ store }: Services, pace: Pace, earlier?: HouseReplay): Promise<HouseReconciled> {
  for (let reads = 1; ; reads++) {
    const archived = await store.journalArchive.read(HOUSE);
    const replay = reads === 1 && earlier?.position === archived.entry ? earlier : new HouseReplay(store, archived);
    const { isAtRest, ...found } = await reconcileOnce(store, pace, replay, archived);
    if (isAtRest || reads === READS_MAX) return found;
  }
}

/** What the house's journal comes to, beside the cover orders and adjustments that it names. */
export class HouseReplay implements JournalReplay {
  /** Fills by the entries played here, of each order. */
  readonly booked = new Map<string, number>();
  /** Entries up to this one were not played here. */
  readonly since: string;
  position: string;
  readonly #store: Services['store'];
  readonly #sums = new Map<string, bigint>();
  /** By pair and side: what cover deals have received and given. */
  readonly deals = new Map<string, bigint>();

  /** Continues after the archived part; without it from the first entry. */
  constructor(store: Services['store'], archived?: Pick<Archived, 'entry' | 'state'>) {
    this.#store = store;
    this.since = this.position = archived?.entry ?? JOURNAL_START;
    // Of an unreadable state every balance differs.
    const { balances, deals } = decodeOrUndefined(() => STATE.parse(JSON.parse(archived?.state || '{}'))) ?? {};
    for (const [name, sum] of Object.entries(balances ?? {})) this.#sums.set(name, BigInt(sum));
    for (const [name, sum] of Object.entries(deals ?? {})) this.deals.set(name, BigInt(sum));
  }

  get balances(): Record<string, string> {
    return textsOf(this.#sums);
  }

  get state(): string {
    return JSON.stringify({ balances: this.balances, deals: textsOf(this.deals) });
  }

  async play(entries: readonly JournalEntry[]): Promise<readonly Difference[]> {
    const found: Differing[] = [];
    for (const entry of entries) {
      const moves = movesOf(entry.moves);
      if (moves === undefined) found.push([`${nameOf(entry)}: moves`, 'CUR from to amount', entry.moves]);
      else for (const move of moves) addMove(this.#sums, move);
      const record = entry.step === 'cover-fx' ? await this.#store.cover.read(entry.id) : undefined;
      if (entry.step === 'cover-fx') {
        this.booked.set(entry.id, (this.booked.get(entry.id) ?? 0) + 1);
        addDeal(this.deals, moves ?? [], record);
      }
      found.push(...(await checkEntry(this.#store, entry, record)));
      this.position = entry.entry;
    }
    return found.map(([what, expected, shown]) => ({ client: HOUSE.id, what, expected, found: shown }));
  }
}

const AMOUNTS = z.record(z.string(), z.string().regex(/^-?\d{1,30}$/));
const STATE = z.object({ balances: AMOUNTS.optional(), deals: AMOUNTS.optional() });

/** Sorted by name. */
const textsOf = (sums: ReadonlyMap<string, bigint>): Record<string, string> =>
  Object.fromEntries([...sums.keys()].sort().map((name) => [name, String(sums.get(name))]));

async function reconcileOnce(
  store: Services['store'],
  pace: Pace,
  replay: HouseReplay,
  archived: Archived,
): Promise<HouseReconciled & { isAtRest: boolean }> {
  const differences = new DifferenceList();
  const differs = (what: string, expected: string, found: string): void =>
    differences.add([{ client: HOUSE.id, what, expected, found }]);
  const { balances, lastEntry, entries: there, added } = await store.ledgerAudit.snapshot(HOUSE);
  let entries = 0;
  while (isBefore(replay.position, lastEntry)) {
    const page = await store.journal.page(HOUSE, replay.position, lastEntry, pace.page);
    if (page.length === 0) break;
    differences.add(await replay.play(page));
    entries += page.length;
    await pace.pause();
  }
  const { balances: expectedOf } = replay;
  for (const name of new Set([...Object.keys(expectedOf), ...Object.keys(balances)])) {
    const [expected, found] = [expectedOf[name] ?? '0', balances[name] ?? '0'];
    if (expected !== found) differs(`balance ${name}`, expected, found);
  }
  if (added !== undefined && added !== there + archived.count)
    differs('journal: entries ever added', String(added), `${there} here and ${archived.count} archived`);
  for (let before: string | undefined; ; ) {
    const page = await store.cover.list(pace.page, before);
    for (const record of page) for (const one of checkRecord(record, replay, lastEntry)) differs(...one);
    await pace.pause();
    if (page.length < pace.page) break;
    before = page.at(-1)!.id;
  }
  const position = await store.positions.ofClient(HOUSE);
  const { lastEntry: now } = await store.ledgerAudit.snapshot(HOUSE);
  // Lines that were folded have lost their value dates: pairs are compared.
  const kept = new Map<string, bigint>();
  for (const { pair, baseBought, quotePaid, baseSold, quoteReceived } of position.lines)
    for (const [what, amount] of Object.entries({ baseBought, quotePaid, baseSold, quoteReceived }))
      kept.set(`${pair} ${what}`, (kept.get(`${pair} ${what}`) ?? 0n) + amount);
  for (const name of new Set([...replay.deals.keys(), ...kept.keys()])) {
    const [expected, found] = [replay.deals.get(name) ?? 0n, kept.get(name) ?? 0n];
    if (expected !== found) differs(`position ${name}`, String(expected), String(found));
  }
  const isAtRest = now === lastEntry && (await store.journalArchive.until(HOUSE)) === archived.entry;
  return { differences, entries, isAtRest };
}

/** A fill by its moves, to sums by pair and side, minor units: what `house:fx` gets of base, the house has bought. A settlement may take it back. */
function addDeal(deals: Map<string, bigint>, moves: readonly Move[], record: CoverRecord | undefined): void {
  const pair = record ? pairBySymbol(record.pair) : pairOf(moves[0]?.currency ?? '', moves[1]?.currency ?? '')?.pair;
  if (pair === undefined) return;
  for (const { currency, to, amount } of moves) {
    const isGained = to === 'house:fx';
    const isBought = record ? record.side === 'buy' : isGained === (currency === pair.base);
    const [base, quote] = isBought ? ['baseBought', 'quotePaid'] : ['baseSold', 'quoteReceived'];
    const name = `${pair.symbol} ${currency === pair.base ? base : quote}`;
    const isAdded = isGained === (isBought === (currency === pair.base));
    deals.set(name, (deals.get(name) ?? 0n) + (isAdded ? amount : -amount));
  }
}

async function checkEntry(
  store: Services['store'],
  entry: JournalEntry,
  record: CoverRecord | undefined,
): Promise<readonly Differing[]> {
  const name = nameOf(entry);
  if (entry.step === 'adjust') {
    const record = await store.cover.adjustment(entry.id);
    if (record === undefined) return [[`adjustment ${entry.id}`, entry.moves, NONE]];
    const [kind, account, currency, amount, reference = ''] = record.split(' ');
    const legs = kind === 'credit' ? `nostro ${account}` : `${account} nostro`;
    return [
      ...difference(`${name}: moves`, `${currency} ${legs} ${amount}`, entry.moves),
      ...difference(`${name}: reference`, reference, entry.reference),
    ];
  }
  if (entry.step !== 'cover-fx') return [[`${name}: step`, 'cover-fx adjust', entry.step]];
  if (record === undefined) return [[`cover order ${entry.id}`, `as in ${name}`, NONE]];
  const fill = record.fills.find(({ entry: place }) => place === entry.entry);
  if (fill === undefined) return [[`cover order ${entry.id}: fill ${entry.reference}`, `as in ${name}`, NONE]];
  const { base, quote } = pairBySymbol(record.pair)!;
  const account = coverAccount(record.provider);
  const [from, to] = record.side === 'buy' ? [account, 'house:fx'] : ['house:fx', account];
  const move = (currency: string, giver: string, taker: string, amount: bigint): string =>
    amount < 0n ? `${currency} ${taker} ${giver} ${-amount}` : `${currency} ${giver} ${taker} ${amount}`;
  const moves = [move(base, from, to, fill.base), move(quote, to, from, fill.quote)];
  return [
    ...difference(`${name}: moves`, moves.filter((one) => !one.endsWith(' 0')).join(';'), entry.moves),
    ...difference(`${name}: execution`, fill.execId, entry.reference),
    ...difference(`${name}: price`, fill.price, entry.reason),
    ...difference(`${name}: hash of the order`, record.factsHash, entry.hash),
  ];
}

/** The sums of an order, its status, and that each of its fills is in the journal; those of the archived part were compared when they went there. */
function checkRecord(
  { id, filled, quote, fills, status, amount }: CoverRecord,
  { booked, since }: HouseReplay,
  lastEntry: string,
): readonly Differing[] {
  const name = `cover order ${id}`;
  const sum = (of: 'base' | 'quote') => String(fills.reduce((all, fill) => all + fill[of], 0n));
  const known = fills.filter(({ entry }) => isBefore(since, entry) && !isBefore(lastEntry, entry)).length;
  const ended = filled === 0n ? 'rejected' : filled < amount ? 'partly-filled' : 'filled';
  const hasEnded = status === 'rejected' || status === 'partly-filled' || status === 'filled';
  return [
    ...difference(`${name}: filled`, sum('base'), String(filled)),
    ...difference(`${name}: quote amount`, sum('quote'), String(quote)),
    ...difference(`${name}: fills in the journal`, String(booked.get(id) ?? 0), String(known)),
    ...(hasEnded ? difference(`${name}: status`, ended, status) : []),
  ];
}

const nameOf = ({ entry, step, id }: JournalEntry): string => `journal ${entry} (${step} ${id})`;
