/** Settings of the store that an operator changes: the clock offset of a sandbox, and the mode of each port (sandbox or manual). */
import { z } from 'zod';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { PORT_MODES, PORTS, type PortModes, sandboxesOf } from '../../domain/system/port-mode.js';
import { OFFSET_MAX_MS } from '../../store/coordination/store-clock.js';
import { REASON } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';

/** Maximum advance by one command. */
const ADVANCE_MAX_MS = 366 * 24 * 3_600_000;

export interface ClockState {
  /** The current time of the steps, epoch ms, by this process's estimate; undefined while no server has answered. */
  readonly storeMs: number | undefined;
  /** Offset of the clock, ms: 0 unless an operator has advanced it. */
  readonly offsetMs: number;
}

async function clockOf({ store: { clock } }: Services): Promise<ClockState> {
  return { storeMs: clock.estimate(), offsetMs: await clock.readOffset() };
}

export const readClock = defineOpenOperation({ input: z.object({}), execute: clockOf });

/**
 * Advances the clock of every shard, in every process within a second; never back, so that no recorded time is in the future. Refuses with
 * WRONG_STATE unless every port is in sandbox mode.
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
    // Another operator may have made a port manual meanwhile without seeing this change: one of the two detects the other.
    const late = await unlessSandbox(services);
    if (isRefusal(late)) await clock.setOffset(before);
    return late ?? clockOf(services);
  },
});

/**
 * The clocks of the servers are right as they are: a turned clock stops no step any more, in every process within a second. What is due by
 * that time settles or expires at once.
 */
export const acceptClock = defineOpenOperation({
  input: z.object({ reason: REASON.optional() }),
  audited: {
    subject: () => "clock of the store's servers",
    state: async ({ store }) => ({ acceptedMs: store.clock.estimate() }),
  },
  async execute(services) {
    await services.store.clock.acceptServers();
    return clockOf(services);
  },
});

/** A port that no program was ever started for has no mode yet. */
async function unlessSandbox({ store }: Services): Promise<Refusal | undefined> {
  const sandboxes = sandboxesOf(await store.ports.read());
  const others = PORTS.filter((port) => !sandboxes.includes(port));
  if (others.length === 0) return undefined;
  return refuse('WRONG_STATE', `Not a sandbox: ${others.join(', ')}. The clock of such a store is that of its servers`);
}

const MODE = z.enum(PORT_MODES, { error: 'sandbox or manual' }).optional();

const TURNED =
  'The clock of this store was turned ahead (`ratewire store clock`, or `ratewire sandbox clock` for a client): it stays a sandbox; begin with an empty store';

const modesOf = ({ store }: Services): Promise<PortModes> => store.ports.read();

/** The mode of each port; absent for a port that no program was ever started for. */
export const readPorts = defineOpenOperation({ input: z.object({}), execute: modesOf });

/**
 * Changes the mode of ports. Refuses with WRONG_STATE while an engine or a sidecar runs, because it would continue in its old mode; and for
 * a change to manual after the store's clock was advanced: real money is never processed by that clock.
 */
export const changePorts = defineOpenOperation({
  input: z
    .object({ funding: MODE, compliance: MODE, payout: MODE, reason: REASON })
    .refine((named) => PORTS.some((port) => named[port] !== undefined), {
      error: 'name one at least: funding, compliance or payout',
    }),
  audited: { subject: () => 'ports of the store', state: modesOf },
  async execute(services, _operator, { reason: _reason, ...modes }) {
    const { ports, clock } = services.store;
    const isManual = PORTS.some((port) => modes[port] === 'manual');
    const isTurned = async () => isManual && (await clock.isTurned());
    if (await isTurned()) return refuse('WRONG_STATE', TURNED);
    const before = await ports.read();
    const running = await ports.change(modes);
    if (running.length === 0) {
      // Another operator may have advanced the clock meanwhile without seeing this change: one of the two detects the other.
      if (!(await isTurned())) return modesOf(services);
      await ports.change(before);
      return refuse('WRONG_STATE', TURNED);
    }
    return refuse(
      'WRONG_STATE',
      `Running: ${running.join(', ')}. Stop every engine and sidecar first; one that was killed counts for 30 seconds`,
    );
  },
});
