import { z } from 'zod';
import { PORT_MODES, PORTS, type PortModes } from '../../domain/port-mode.js';
import { refuse } from '../../domain/refusal.js';
import { REASON } from '../core/inputs.js';
import { defineOpenOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';

const MODE = z.enum(PORT_MODES, { error: 'sandbox or manual' }).optional();

const TURNED =
  'The clock of this store was turned ahead (`ratewire store clock`): it stays a sandbox; begin with an empty store';

const modesOf = ({ store }: Services): Promise<PortModes> => store.ports.read();

/** Who decides about fundings and payments, by port; of one that no program was ever started for there is none. */
export const readPorts = defineOpenOperation({ input: z.object({}), execute: modesOf });

/**
 * Changes who decides. Refuses with WRONG_STATE while an engine or a sidecar runs: it would go on as it was started; and a change to manual
 * where the store's clock was turned ahead: real money is never judged by it.
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
    const isTurned = async () => isManual && (await clock.readOffset()) !== 0;
    if (await isTurned()) return refuse('WRONG_STATE', TURNED);
    const before = await ports.read();
    const running = await ports.change(modes);
    if (running.length === 0) {
      // Another operator may have turned the clock meanwhile, and not have seen this: one of the two sees the other.
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
