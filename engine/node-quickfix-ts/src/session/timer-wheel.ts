/** An entry of the timer wheel. */
export interface Timed {
  /** When it is due, on the wheel's clock, ms; set by the wheel. */
  dueMs: number;
  /** Slot of the wheel that holds it, or -1; set by the wheel. */
  slot: number;
  /** Returns when it is due again, ms, or Infinity. */
  onDue(nowMs: number): number;
}

const SLOTS = 128;

/**
 * One timer for all sessions. Activity of a session does not touch the wheel: a due session returns when it is due again, so a busy
 * session costs one call per heartbeat interval.
 */
export class TimerWheel {
  private readonly slots: Set<Timed>[] = Array.from({ length: SLOTS }, () => new Set<Timed>());
  private turned: number;

  /** @param grainMs how late a due entry may be called. */
  constructor(
    startMs: number,
    readonly grainMs = 50,
  ) {
    this.turned = Math.floor(startMs / grainMs);
  }

  /** Calls `entry` at `dueMs`, or earlier if it is armed for earlier. */
  arm(entry: Timed, dueMs: number): void {
    if (entry.slot >= 0 && entry.dueMs <= dueMs) return;
    this.place(entry, dueMs);
  }

  disarm(entry: Timed): void {
    if (entry.slot < 0) return;
    this.slots[entry.slot]!.delete(entry);
    entry.slot = -1;
  }

  /** Calls every entry that is due. */
  advance(nowMs: number): void {
    const target = Math.floor(nowMs / this.grainMs);
    // After a stall of the process every slot is visited once, not once per missed turn.
    const from = Math.max(this.turned, target - SLOTS + 1);
    this.turned = target;
    for (let turn = from; turn <= target; turn++) {
      const slot = this.slots[turn % SLOTS]!;
      if (slot.size === 0) continue;
      for (const entry of [...slot]) {
        if (entry.dueMs > nowMs || entry.slot !== turn % SLOTS) continue;
        this.disarm(entry);
        const again = entry.onDue(nowMs);
        if (again < Infinity) this.arm(entry, Math.max(again, nowMs + this.grainMs));
      }
    }
  }

  private place(entry: Timed, dueMs: number): void {
    this.disarm(entry);
    entry.dueMs = dueMs;
    // Rounded up: an entry is never called before it is due; one beyond the wheel's end is skipped until its round.
    const turn = Math.max(this.turned, Math.ceil(dueMs / this.grainMs));
    entry.slot = turn % SLOTS;
    this.slots[entry.slot]!.add(entry);
  }
}
