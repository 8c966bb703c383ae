/** Gains of cancellations by the journal: what is still to be paid and posted at its date, as pay-gain.lua keeps it. */
import { asAmended, atDateOf, lastAmendment } from '../../domain/conversions/amendment.js';
import type { KeptBooking } from '../../store/audit/ledger-audit.js';
import { decodeOrUndefined } from '../../store/connection/fields.js';
import { type JournalEntry, movesOf } from '../../store/ledger/journal.js';
import { type Differing, difference, NONE } from './recompute.js';

/** Minor units of the currency. */
type Gain = readonly [currency: string, amount: bigint, margin: bigint, share: bigint];
type GainText = readonly [id: string, currency: string, amount: string, margin: string, share: string];

export class GainReplay {
  readonly #open = new Map<string, Gain>();

  constructor(state: readonly GainText[] = []) {
    for (const [id, currency, ...amounts] of state)
      this.#open.set(id, [currency, ...(amounts.map(BigInt) as [bigint, bigint, bigint])]);
  }

  /** State for a replay that continues from here; empty: nothing is to be paid. */
  get state(): GainText[] {
    return [...this.#open].map(([id, gain]) => [id, ...(gain.map(String) as [string, string, string, string])]);
  }

  /** Plays an entry, of this name. */
  played(entry: JournalEntry, booking: KeptBooking | undefined, name: string): Differing[] {
    const reversal = booking && lastAmendment(booking)?.reversal;
    if (entry.step === 'unwind-fx' && reversal?.paysAtMs !== undefined) {
      const gain = decodeOrUndefined(() => atDateOf(reversal));
      if (gain) this.#open.set(entry.id, [reversal.currency, gain.amount, gain.margin, gain.share]);
    }
    return entry.step === 'gain-fx' ? this.#paid(entry, booking, name) : [];
  }

  /** A part of a gain may be held back: then the margins are not posted either. */
  #paid({ id, moves }: JournalEntry, booking: KeptBooking | undefined, name: string): Differing[] {
    const open = this.#open.get(id);
    if (open === undefined) return [[name, 'a cancellation with a gain before it', NONE]];
    const [currency, amount, margin, share] = open;
    const account = booking && asAmended(booking).sellAccount;
    const pays = movesOf(moves)?.find(({ to }) => to === account)?.amount ?? 0n;
    const leg = (to: string | undefined, minor: bigint) =>
      minor === 0n ? [] : [`${currency} house:fx ${to} ${minor}`];
    const part = leg(account, pays).join(';');
    const whole = [...leg(account, amount), ...leg('house:margin', margin), ...leg('platform:margin', share)].join(';');
    if (moves === whole) this.#open.delete(id);
    else if (pays > 0n && pays <= amount && moves === part)
      this.#open.set(id, [currency, amount - pays, margin, share]);
    else return difference(`${name}: moves`, whole, moves);
    return [];
  }

  /** With the members of the store, and those of them that have a time at which they are paid. */
  compare(members: readonly string[], due: ReadonlySet<string>): Differing[] {
    const found = new Map(members.map((member) => [member.split('|')[0]!, member.split('|').slice(1).join(' ')]));
    return [...new Set([...this.#open.keys(), ...found.keys()])].flatMap((id) => [
      ...difference(
        `gain of ${id}: currency, gain, margin, share, minor units`,
        this.#open.get(id)?.join(' ') ?? NONE,
        found.get(id) ?? NONE,
      ),
      ...(found.has(id) && !due.has(id) ? difference(`due list: gain of ${id}`, 'a time to be paid', NONE) : []),
    ]);
  }
}
