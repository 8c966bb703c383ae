/** The store's clock, by which every step judges times: an operator turns it ahead where a sandbox decides about all money. */

import { z } from 'zod';
import { PORTS, sandboxesOf } from '../../domain/port-mode.js';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
import { OFFSET_MAX_MS } from '../../store/coordination/store-clock.js';
import { REASON } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';

/** The longest that one command turns it ahead by. */
const ADVANCE_MAX_MS = 366 * 24 * 3_600_000;

export interface ClockState {
  /** What the steps take for now, epoch ms, by this process's estimate; undefined while no server has answered. */
  readonly storeMs: number | undefined;
  /** What it is turned ahead by, ms: 0 where no operator has turned it. */
  readonly offsetMs: number;
}

async function clockOf({ store: { clock } }: Services): Promise<ClockState> {
  return { storeMs: clock.estimate(), offsetMs: await clock.readOffset() };
}

export const readClock = defineOpenOperation({ input: z.object({}), execute: clockOf });

/**
 * Turns the clock of every shard ahead, in every process within a second; never back, so that no time in a record is after now. Refuses with
 * WRONG_STATE unless every port is a sandbox's.
 */
export const advanceClock = defineOpenOperation({
  input: z.object({ advanceMs: z.int().min(1_000).max(ADVANCE_MAX_MS), reason: REASON }),
  audited: {
    subject: () => 'clock of the store',
    state: async (s) => ({ offsetMs: await s.store.clock.readOffset() }),
  },
  async execute(services, _operator, { advanceMs }) {
    const { clock } = services.store;
    const refused = await unlessSandbox(services);
    if (refused) return refused;
    const before = await clock.readOffset();
    if (before + advanceMs > OFFSET_MAX_MS)
      return refuse('WRONG_STATE', 'The clock is turned ahead by 100 years at most: begin with an empty store');
    await clock.setOffset(before + advanceMs);
    // Another operator may have made a port manual meanwhile, and not have seen this: one of the two sees the other.
    const late = await unlessSandbox(services);
    if (isRefusal(late)) await clock.setOffset(before);
    return late ?? clockOf(services);
  },
});

/** A port that no program was ever started for is none yet. */
async function unlessSandbox({ store }: Services): Promise<Refusal | undefined> {
  const sandboxes = sandboxesOf(await store.ports.read());
  const others = PORTS.filter((port) => !sandboxes.includes(port));
  if (others.length === 0) return undefined;
  return refuse('WRONG_STATE', `Not a sandbox: ${others.join(', ')}. The clock of such a store is that of its servers`);
}
