/** Reconciles the house's own ledger: the journal of `_house` with its balances, and with the cover orders and adjustments that it names. */
import { pairBySymbol, pairOf } from '../../domain/pair.js';
import { HOUSE } from '../../store/keys/redis-keys.js';
import { type CoverRecord, coverAccount } from '../../store/ledger/cover.js';
import { addMove, isBefore, JOURNAL_START, type JournalEntry, type Move, movesOf } from '../../store/ledger/journal.js';
import type { Services } from '../core/services.js';
import { type Differing, difference, NONE } from './recompute.js';
import { DifferenceList, type Pace } from './reconcile-client.js';

interface HouseReconciled {
  readonly differences: DifferenceList;
  readonly entries: number;
}

/** Retries when a cover deal is booked during the reading. */
const READS_MAX = 5;

/** Safe while cover deals are booked: everything compared belongs to one moment, or is newer on both sides. */
export async function reconcileHouse({ store }: Services, pace: Pace): Promise<HouseReconciled> {
  for (let reads = 1; ; reads++) {
    const { isAtRest, ...found } = await reconcileOnce(store, pace);
    if (isAtRest || reads === READS_MAX) return found;
  }
}

async function reconcileOnce(store: Services['store'], pace: Pace): Promise<HouseReconciled & { isAtRest: boolean }> {
  const differences = new DifferenceList();
  const differs = (what: string, expected: string, found: string): void =>
    differences.add([{ client: HOUSE.id, what, expected, found }]);
  const { balances, lastEntry, entries: there, added } = await store.ledgerAudit.snapshot(HOUSE);
  const sums = new Map<string, bigint>();
  /** Fills by the journal, of each order. */
  const booked = new Map<string, number>();
  const deals = new Map<string, bigint>();
  let read = JOURNAL_START;
  let entries = 0;
  while (isBefore(read, lastEntry)) {
    const page = await store.journal.page(HOUSE, read, lastEntry, pace.page);
    if (page.length === 0) break;
    for (const entry of page) {
      const moves = movesOf(entry.moves);
      if (moves === undefined) differs(`${nameOf(entry)}: moves`, 'CUR from to amount', entry.moves);
      else for (const move of moves) addMove(sums, move);
      const record = entry.step === 'cover-fx' ? await store.cover.read(entry.id) : undefined;
      if (entry.step === 'cover-fx') {
        booked.set(entry.id, (booked.get(entry.id) ?? 0) + 1);
        addDeal(deals, moves ?? [], record);
      }
      for (const one of await checkEntry(store, entry, record)) differs(...one);
    }
    read = page.at(-1)!.entry;
    entries += page.length;
    await pace.pause();
  }
  for (const name of new Set([...sums.keys(), ...Object.keys(balances)])) {
    const [expected, found] = [String(sums.get(name) ?? 0n), balances[name] ?? '0'];
    if (expected !== found) differs(`balance ${name}`, expected, found);
  }
  if (added !== undefined && added !== there)
    differs('journal: entries ever added', String(added), `${there} here, and none is archived`);
  for (let before: string | undefined; ; ) {
    const page = await store.cover.list(pace.page, before);
    for (const record of page) for (const one of checkRecord(record, booked, lastEntry)) differs(...one);
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
  for (const name of new Set([...deals.keys(), ...kept.keys()])) {
    const [expected, found] = [deals.get(name) ?? 0n, kept.get(name) ?? 0n];
    if (expected !== found) differs(`position ${name}`, String(expected), String(found));
  }
  return { differences, entries, isAtRest: now === lastEntry };
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

/** The sums of an order, its status, and that each of its fills is in the journal. */
function checkRecord(
  { id, filled, quote, fills, status, amount }: CoverRecord,
  booked: ReadonlyMap<string, number>,
  lastEntry: string,
): readonly Differing[] {
  const name = `cover order ${id}`;
  const sum = (of: 'base' | 'quote') => String(fills.reduce((all, fill) => all + fill[of], 0n));
  const known = fills.filter(({ entry }) => !isBefore(lastEntry, entry)).length;
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
