/** What a client owes by its journal, as receivables.lua keeps it: each receivable with the margin and the share that wait for it. */
import { lastAmendment, uncollectedOf } from '../../domain/conversions/amendment.js';
import { RECEIVABLE } from '../../store/accounts/accounts.js';
import type { KeptBooking } from '../../store/audit/ledger-audit.js';
import { decodeOrUndefined } from '../../store/connection/fields.js';
import { type JournalEntry, movesOf } from '../../store/ledger/journal.js';
import { type Differing, difference, NONE } from './recompute.js';

/** As receivables.lua has it. */
const RECEIVABLES_MAX = 100;
const OWED_MAX = 999_999_999_999_999n;

/** `<currency>|<journal entry>|<id>|` of the oldest part, and minor units. */
type Receivable = readonly [head: string, owed: bigint, margin: bigint, share: bigint];
type ReceivableText = readonly [head: string, owed: string, margin: string, share: string];

export class ReceivableReplay {
  #open: Receivable[];

  constructor(state: readonly ReceivableText[] = []) {
    this.#open = state.map(([head, ...amounts]) => [head, ...(amounts.map(BigInt) as [bigint, bigint, bigint])]);
  }

  /** State for a replay that continues from here; empty: nothing is owed. */
  get state(): ReceivableText[] {
    return this.#open.map(([head, ...amounts]) => [head, ...(amounts.map(String) as [string, string, string])]);
  }

  /** Plays an entry, of this name. What a repayment has moved differs where it is not what it had to free. */
  played(entry: JournalEntry, booking: KeptBooking | undefined, name: string): Differing[] {
    const moves = movesOf(entry.moves) ?? [];
    for (const { currency, from, amount } of moves)
      if (from === RECEIVABLE) this.#owes(currency, entry, amount, booking);
    const repaid = moves[0];
    if (entry.step !== 'repay' || repaid?.to !== RECEIVABLE) return [];
    const { currency, from, amount } = repaid;
    const { margin, share } = this.#serve(currency, amount);
    const freed = [
      `${currency} ${from} ${RECEIVABLE} ${amount}`,
      ...(margin === 0n ? [] : [`${currency} house:fx house:margin ${margin}`]),
      ...(share === 0n ? [] : [`${currency} house:fx platform:margin ${share}`]),
    ];
    return difference(`${name}: moves`, freed.join(';'), entry.moves);
  }

  #owes(currency: string, { entry, id, step }: JournalEntry, owed: bigint, booking: KeptBooking | undefined): void {
    const reversal = step === 'unwind-fx' && booking ? lastAmendment(booking)?.reversal : undefined;
    const none = { margin: 0n, share: 0n };
    const { margin, share } = (reversal && decodeOrUndefined(() => uncollectedOf(reversal, owed))) ?? none;
    const own = this.#of(currency);
    const newest = own.at(-1);
    if (own.length < RECEIVABLES_MAX || newest![1] + owed > OWED_MAX) {
      this.#open.push([`${currency}|${entry}|${id}|`, owed, margin, share]);
      return;
    }
    const [head, ...sums] = newest!;
    this.#open[this.#open.indexOf(newest!)] = [head, sums[0] + owed, sums[1] + margin, sums[2] + share];
  }

  /** The oldest first. */
  #serve(currency: string, amount: bigint): { readonly margin: bigint; readonly share: bigint } {
    let [left, freedMargin, freedShare] = [amount, 0n, 0n];
    for (const one of this.#of(currency)) {
      const [head, owed, margin, share] = one;
      const rest = owed > left ? owed - left : 0n;
      const shareLeft = share < rest ? share : rest;
      const marginLeft = margin < rest - shareLeft ? margin : rest - shareLeft;
      left -= owed - rest;
      freedMargin += margin - marginLeft;
      freedShare += share - shareLeft;
      this.#open[this.#open.indexOf(one)] = [head, rest, marginLeft, shareLeft];
      if (left === 0n) break;
    }
    this.#open = this.#open.filter(([, owed]) => owed > 0n);
    return { margin: freedMargin, share: freedShare };
  }

  /** By their text, as the store orders them. */
  #of = (currency: string): Receivable[] =>
    this.#open.filter(([head]) => head.startsWith(currency)).sort(([a], [b]) => (a < b ? -1 : 1));

  /** With those of the store, and the balances that they sum up to. */
  compare(members: readonly string[], balances: Readonly<Record<string, string>>): Differing[] {
    const wanted = new Map(this.#open.map(([head, ...amounts]) => [head, amounts.join('|')]));
    const found = new Map(
      members.map((text) => [text.replace(/\d+\|\d+\|\d+$/, ''), /\d+\|\d+\|\d+$/.exec(text)?.[0]]),
    );
    const owed = new Map<string, bigint>();
    for (const member of members) {
      const [currency = '', , , minor = ''] = member.split('|');
      owed.set(currency, (owed.get(currency) ?? 0n) + (decodeOrUndefined(() => BigInt(minor)) ?? 0n));
    }
    const ofBalances = Object.keys(balances).flatMap((name) =>
      name.endsWith(`/${RECEIVABLE}`) ? [name.slice(0, 3)] : [],
    );
    return [
      ...[...new Set([...wanted.keys(), ...found.keys()])].flatMap((head) =>
        difference(
          `receivable ${head.slice(0, -1)}: owed, margin, share, minor units`,
          wanted.get(head) ?? NONE,
          found.get(head) ?? NONE,
        ),
      ),
      ...[...new Set([...owed.keys(), ...ofBalances])].flatMap((currency) =>
        difference(
          `receivables in ${currency}, minor units`,
          String(-BigInt(balances[`${currency}/${RECEIVABLE}`] ?? '0')),
          String(owed.get(currency) ?? 0n),
        ),
      ),
    ];
  }
}
