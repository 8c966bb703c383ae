/**
 * Replays the journal of one client from its beginning, or from its archived part, beside the records that it names, and compares the
 * result with the balances. Memory is bounded: it keeps sums and open conversions, never the entries.
 */
import { asAmended, movesOfConversion } from '../../domain/conversions/amendment.js';
import { formatMinor, isAccountCurrency } from '../../domain/money/money.js';
import { RECEIVABLE } from '../../store/accounts/accounts.js';
import type { Archived } from '../../store/audit/journal-archive.js';
import type { Evidence, KeptBooking, OpenConversion } from '../../store/audit/ledger-audit.js';
import type { LedgerSnapshot } from '../../store/audit/ledger-snapshot.js';
import { decodeOrUndefined } from '../../store/connection/fields.js';
import type { JournalledList } from '../../store/keys/redis-keys.js';
import { addMove, JOURNAL_START, type JournalEntry, movesOf } from '../../store/ledger/journal.js';
import { changeId } from '../../store/ledger/records.js';
import {
  AmendmentReplay,
  amendmentsBefore,
  childDiffers,
  isAmendingStep,
  isChangingStep,
  movesOfLater,
  settledStatus,
} from './amendment-replay.js';
import { creditDiffers } from './credit-replay.js';
import { compareOverdue, FundingReplay, isFundingStep, type OpenByJournal } from './funding-replay.js';
import { GainReplay } from './gain-replay.js';
import { groupDiffers } from './group-audit.js';
import { createdBy, ENDED, nameOf, STEPS } from './journal-steps.js';
import { PaymentReplay } from './payment-replay.js';
import { PositionReplay, type PositionState } from './position-replay.js';
import { ReceivableReplay } from './receivable-replay.js';
import { amountOf, bookingAmountsDiffer, type Difference, NONE, shown } from './recompute.js';
import { batchMovesDiffer, isBatchStep } from './reconcile-batches.js';
import { shareDiffers } from './share-replay.js';

interface ReplayState {
  readonly balances: Readonly<Record<string, string>>;
  readonly open: readonly (readonly [
    id: string,
    sellCurrency: string,
    sell: string,
    sellAccount: string,
    isOverdue: boolean,
    buyAccount: string,
  ])[];
  readonly fundings: FundingReplay['state'];
  readonly payments: PaymentReplay['state'];
  readonly amended: AmendmentReplay['state'];
  readonly receivables: ReceivableReplay['state'];
  readonly gains: GainReplay['state'];
  /** Records created by the journal so far. */
  readonly created: Readonly<Record<JournalledList, number>>;
  readonly positions: PositionState;
}

/** Receipts expire seven days after their booking; in the last hour before that a missing one proves nothing. */
const RECEIPT_CERTAIN_MS = 7 * 24 * 60 * 60 * 1_000 - 60 * 60 * 1_000;

export class LedgerReplay {
  readonly #client: string;
  readonly #sums = new Map<string, bigint>();
  readonly #open = new Map<string, OpenByJournal>();
  readonly #fundings: FundingReplay;
  readonly #payments: PaymentReplay;
  readonly #amended: AmendmentReplay;
  readonly #positions: PositionReplay;
  readonly #receivables: ReceivableReplay;
  readonly #gains: GainReplay;
  /** Records created by the journal so far. */
  readonly #created: Record<JournalledList, number>;
  /** The last entry played. */
  position = JOURNAL_START;

  /** Continues after the archived part; without it, starts from the first entry. */
  constructor(client: string, archived?: Pick<Archived, 'entry' | 'state'>) {
    // An unreadable state makes every balance differ.
    const state = archived && decodeOrUndefined(() => JSON.parse(archived.state || '{}') as Partial<ReplayState>);
    this.#client = client;
    this.#fundings = new FundingReplay(client, state?.fundings);
    this.#payments = new PaymentReplay(client, state?.payments);
    this.#amended = new AmendmentReplay(state?.amended);
    this.#positions = new PositionReplay(state?.positions);
    this.#receivables = new ReceivableReplay(state?.receivables);
    this.#gains = new GainReplay(state?.gains);
    this.#created = { bookings: 0, payments: 0, fundings: 0, changes: 0, ...state?.created };
    if (archived) this.position = archived.entry;
    for (const [name, sum] of Object.entries(state?.balances ?? {})) this.#sums.set(name, amountOf(sum) ?? 0n);
    for (const [id, sellCurrency, sell, sellAccount, isOverdue, buyAccount] of state?.open ?? []) {
      const accounts = { sellAccount, buyAccount };
      this.#open.set(id, { sellCurrency, sell: amountOf(sell) ?? 0n, ...accounts, isOverdue });
    }
  }

  /** The state for a replay that continues from here, as text. */
  get state(): string {
    const open = [...this.#open].map(
      ([id, { sellCurrency, sell, sellAccount, buyAccount, isOverdue }]) =>
        [id, sellCurrency, String(sell), sellAccount, isOverdue, buyAccount] as const,
    );
    const { balances } = this;
    const state: ReplayState = {
      balances,
      open,
      fundings: this.#fundings.state,
      payments: this.#payments.state,
      created: this.#created,
      positions: this.#positions.stateAt(Number.parseInt(this.position, 10)),
      amended: this.#amended.state,
      receivables: this.#receivables.state,
      gains: this.#gains.state,
    };
    return JSON.stringify(state);
  }

  /** `EUR/<account or house sub-account>` to minor units, sorted by name. */
  get balances(): Record<string, string> {
    const names = [...this.#sums.keys()].sort();
    return Object.fromEntries(names.map((name) => [name, String(this.#sums.get(name))]));
  }

  /** Conversions that have not settled by the journal so far. */
  get open(): Iterable<string> {
    return this.#open.keys();
  }

  /** Payments that have not ended by the journal so far. */
  get underWay(): Iterable<string> {
    return this.#payments.underWay;
  }

  /** Plays the next entries; `serverMs` is the clock by which the store assigned their ids. */
  take(evidence: readonly Evidence[], serverMs: number): Difference[] {
    const found: Difference[] = [];
    for (const one of evidence) {
      const { entry } = one;
      const moves = movesOf(entry.moves);
      if (moves === undefined) found.push(this.#differs(`${nameOf(entry)}: moves`, 'CUR from to amount', entry.moves));
      else for (const move of moves) addMove(this.#sums, move);
      found.push(...this.#check(one, serverMs));
      for (const replay of [this.#receivables, this.#gains])
        for (const differing of replay.played(entry, one.booking, nameOf(entry)))
          found.push(this.#differs(...differing));
      if (one.booking !== undefined) this.#positions.played(entry, one.booking);
      const list = createdBy(entry);
      if (list !== undefined) this.#created[list]++;
      this.position = entry.entry;
    }
    return found;
  }

  /** Compares the journal with the snapshot, when everything up to the snapshot's last entry has been played. */
  compare(snapshot: LedgerSnapshot): Difference[] {
    const { balances, accounts, scheduled, overdue, overdueInto, lastEntry } = snapshot;
    const found: Difference[] = [];
    const sums = new Map<string, bigint>();
    for (const name of new Set([...this.#sums.keys(), ...Object.keys(balances)])) {
      const [currency = '', holder = ''] = name.split('/');
      const expected = this.#sums.get(name) ?? 0n;
      const kept = amountOf(balances[name] ?? '0');
      if (kept !== expected)
        found.push(
          this.#differs(`balance ${name}`, money(expected, currency), money(kept ?? balances[name], currency)),
        );
      sums.set(currency, (sums.get(currency) ?? 0n) + (kept ?? 0n));
      if (holder === RECEIVABLE && kept !== undefined && kept > 0n)
        found.push(this.#differs(`balance ${name}`, '0 or less', money(kept, currency)));
      if (!isAccount(holder)) continue;
      if (kept !== undefined && kept < 0n)
        found.push(this.#differs(`balance ${name}`, '0 or more', money(kept, currency)));
      const record = accounts[holder]?.slice(0, 3);
      if (record !== currency) found.push(this.#differs(`account ${holder}`, currency, record ?? NONE));
    }
    for (const [currency, sum] of sums)
      if (sum !== 0n) found.push(this.#differs(`sum of ${currency}`, money(0n, currency), money(sum, currency)));
    for (const [number, record] of Object.entries(accounts)) {
      const name = `${record.slice(0, 3)}/${number}`;
      if (isAccount(number) && balances[name] === undefined)
        found.push(this.#differs(`balance ${name}`, '0 or more', NONE));
    }
    for (const one of this.#fundings.compare(lastEntry)) found.push(this.#differs(...one));
    for (const one of this.#payments.compare(snapshot)) found.push(this.#differs(...one));
    for (const one of this.#amended.compare(lastEntry)) found.push(this.#differs(...one));
    for (const one of this.#receivables.compare(snapshot.receivables, balances)) found.push(this.#differs(...one));
    const inGroup = { open: [...this.#open.keys()], owes: this.#receivables.state.length > 0 };
    for (const one of groupDiffers(inGroup, snapshot)) found.push(this.#differs(...one));
    for (const one of this.#gains.compare(snapshot.gains, snapshot.gainsDue)) found.push(this.#differs(...one));
    for (const one of this.#positions.compare(snapshot.position)) found.push(this.#differs(...one));
    return [
      ...found,
      ...this.#compareScheduled(scheduled),
      ...compareOverdue(this.#open, overdue, overdueInto).map((one) => this.#differs(...one)),
      ...this.#compareCounts(snapshot),
    ];
  }

  /** A record or an entry that was erased completely leaves no trace except these counts. */
  #compareCounts({ entries, archived, added, listed }: LedgerSnapshot): Difference[] {
    const found: Difference[] = [];
    const there = String(entries + archived);
    if (added !== undefined && added !== entries + archived)
      found.push(this.#differs('journal: entries ever added', String(added), `${there} here and in the archive`));
    for (const [list, count] of Object.entries(listed) as [JournalledList, number][]) {
      const created = this.#created[list];
      // A record missing from the list is reported where its entry is played; of a change no other key shows it.
      if (count > created || (list === 'changes' && count < created))
        found.push(this.#differs(`list of ${list}: entries`, String(created), String(count)));
    }
    return found;
  }

  /**
   * Compares the conversions that are open by the journal with their records; `movedOn` have settled or ended since the journal was read.
   */
  compareOpen(now: readonly OpenConversion[], movedOn: ReadonlySet<string>): Difference[] {
    const found: Difference[] = [];
    for (const { id, booking, isDue } of now) {
      if (movedOn.has(id)) continue;
      const expected = this.#open.get(id)?.isOverdue ? 'OVERDUE' : 'OPEN';
      const isOpen = booking?.status === 'OVERDUE' || booking?.status === expected;
      if (!isOpen) found.push(this.#differs(`booking ${id}: status`, expected, booking?.status ?? NONE));
      else if (!isDue) found.push(this.#differs(`due list: booking ${id}`, 'a time to settle', NONE));
    }
    return found;
  }

  #check(evidence: Evidence, serverMs: number): Difference[] {
    const { entry, booking } = evidence;
    const ofStep =
      entry.step === 'share-fx'
        ? shareDiffers(this.#client, entry, nameOf(entry))
        : creditDiffers(evidence, nameOf(entry));
    if (ofStep) return ofStep.map((one) => this.#differs(...one));
    const isYoung = serverMs - Number.parseInt(entry.entry, 10) < RECEIPT_CERTAIN_MS;
    if (isFundingStep(entry.step))
      return this.#fundings.check(evidence, nameOf(entry), !isYoung).map((one) => this.#differs(...one));
    if (entry.step === 'payment')
      return this.#payments.check(evidence, nameOf(entry), !isYoung).map((one) => this.#differs(...one));
    if (isBatchStep(entry.step)) return batchMovesDiffer(entry, nameOf(entry)).map((one) => this.#differs(...one));
    // GainReplay compares it.
    if (entry.step === 'gain-fx') return [];
    if (!STEPS.has(entry.step)) return [this.#differs(`${nameOf(entry)}: step`, [...STEPS].join(' '), entry.step)];
    const opened = this.#open.get(entry.id);
    const found: Difference[] = [];
    if (booking === undefined) found.push(this.#differs(`booking ${entry.id}`, `as in ${nameOf(entry)}`, NONE));
    else if (entry.step === 'book-fx') found.push(...this.#checkBooked(evidence, booking, serverMs));
    else if (isAmendingStep(entry.step)) {
      const differing = this.#amended.check(entry, booking, nameOf(entry), opened !== undefined);
      if (isChangingStep(entry.step)) found.push(...this.#checkChanged(evidence, serverMs));
      const amended = asAmended(booking, amendmentsBefore(entry.entry, booking) + 1);
      if (opened !== undefined) opened.sell = amountOf(amended.sell) ?? 0n;
      found.push(...differing.map((one) => this.#differs(...one)));
    } else if (opened === undefined) found.push(this.#differs(nameOf(entry), 'book-fx before it', NONE));
    else found.push(...this.#checkLater(entry, booking));

    if (ENDED[entry.step] !== undefined) this.#open.delete(entry.id);
    if (entry.step === 'overdue-fx' && opened) opened.isOverdue = true;
    return found;
  }

  #checkChanged({ entry, booking, receipt }: Evidence, serverMs: number): Difference[] {
    const at = booking?.amendments?.findIndex((one) => one.entry === entry.entry) ?? -1;
    const isYoung = serverMs - Number.parseInt(entry.entry, 10) < RECEIPT_CERTAIN_MS;
    const expected = changeId(entry.id, at + 1);
    if (at < 0 || !isYoung || receipt === expected) return [];
    return [this.#differs(`receipt ${booking!.amendments![at]!.id}`, expected, receipt ?? NONE)];
  }

  #checkBooked(
    { entry, receipt, payment, holdUse, heldPrice, parent }: Evidence,
    booking: KeptBooking,
    serverMs: number,
  ): Difference[] {
    const found: Difference[] = [];
    const isScheduled = booking.type !== 'PREFUNDING';
    const expected = isScheduled ? '' : movesOfConversion(booking);
    if (entry.moves !== expected)
      found.push(this.#differs(`${nameOf(entry)}: moves`, expected || NONE, entry.moves || NONE));
    if (booking.entry !== entry.entry)
      found.push(this.#differs(`booking ${entry.id}: journal entry`, entry.entry, booking.entry || NONE));
    if (entry.hash !== booking.factsHash)
      found.push(this.#differs(`booking ${entry.id}: hash of its facts`, entry.hash, booking.factsHash));
    if (holdUse !== undefined && holdUse !== entry.id)
      found.push(this.#differs(`hold ${booking.holdId}: conversion`, entry.id, holdUse));
    if (heldPrice !== undefined && heldPrice !== booking.price)
      found.push(this.#differs(`hold ${booking.holdId}: price`, String(booking.price), String(heldPrice)));
    const isChild = booking.parentId !== undefined;
    const differing = isChild ? childDiffers(booking, parent) : bookingAmountsDiffer(booking);
    found.push(...differing.map((one) => this.#differs(...one)));
    const settled = settledStatus(booking);
    if (!isScheduled && booking.status !== settled)
      found.push(this.#differs(`booking ${entry.id}: status`, settled, booking.status));
    this.#amended.booked(entry, booking);
    const isYoung = serverMs - Number.parseInt(entry.entry, 10) < RECEIPT_CERTAIN_MS;
    // A conversion made for a payment has no request of its own: the payment names it. Nor has one made by a split.
    if (booking.paymentId !== undefined) {
      if (!payment?.bookingIds.includes(entry.id))
        found.push(this.#differs(`payment ${booking.paymentId}: conversion ${entry.id}`, 'there', NONE));
    } else if (!isChild && isYoung && receipt !== entry.id)
      found.push(this.#differs(`receipt ${booking.requestId}`, entry.id, receipt ?? NONE));
    if (isScheduled) {
      const { sellCurrency, sell, sellAccount, buyAccount } = booking;
      const kept = { sellCurrency, sell: amountOf(sell) ?? 0n, sellAccount, buyAccount };
      this.#open.set(entry.id, { ...kept, isOverdue: false });
    }
    return found;
  }

  #checkLater(entry: JournalEntry, booking: KeptBooking): Difference[] {
    const found: Difference[] = [];
    const expected = movesOfLater(entry, booking);
    if (entry.moves !== expected)
      found.push(this.#differs(`${nameOf(entry)}: moves`, expected || NONE, entry.moves || NONE));
    const ended = ENDED[entry.step];
    const status = ended === 'SETTLED' ? settledStatus(booking) : ended;
    if (status !== undefined && booking.status !== status)
      found.push(this.#differs(`booking ${entry.id}: status`, status, booking.status));
    return found;
  }

  #compareScheduled(kept: LedgerSnapshot['scheduled']): Difference[] {
    const sums = new Map<string, bigint>();
    for (const { sellCurrency, sell } of this.#open.values())
      sums.set(sellCurrency, (sums.get(sellCurrency) ?? 0n) + sell);
    const found: Difference[] = [];
    for (const currency of new Set([...sums.keys(), ...Object.keys(kept)])) {
      const expected = sums.get(currency) ?? 0n;
      const there = amountOf(kept[currency] ?? '0');
      if (there !== expected)
        found.push(
          this.#differs(
            `scheduled sells in ${currency}`,
            money(expected, currency),
            money(there ?? kept[currency], currency),
          ),
        );
    }
    return found;
  }

  #differs(what: string, expected: string, found: string): Difference {
    return { client: this.#client, what: shown(what), expected: shown(expected), found: shown(found) };
  }
}

const isAccount = (holder: string): boolean => /^\d{12}$/.test(holder);

function money(amount: bigint | string | undefined, currency: string): string {
  return typeof amount === 'bigint' && isAccountCurrency(currency) ? formatMinor(amount, currency) : String(amount);
}
