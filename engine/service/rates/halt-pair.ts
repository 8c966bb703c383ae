import { z } from 'zod';
import type { Halt } from '../../domain/halt.js';
import { refuse } from '../../domain/refusal.js';
import { PAIR_OR_ALL, REASON } from '../core/inputs.js';
import { type Audited, defineOpenOperation } from '../core/operation.js';
import { operatorOf } from '../core/recorded.js';
import type { Services } from '../core/services.js';

const haltOf = async ({ store }: Services, pair: string): Promise<Halt | undefined> =>
  (await store.halts.list()).find((halt) => halt.pair === pair);

const nameOf = (pair: string): string => (pair === '*' ? 'all pairs' : pair);

const audited: Audited<{ readonly pair: string }> = {
  subject: ({ pair }) => `pair ${pair}`,
  state: (services, { pair }) => haltOf(services, pair),
};

/**
 * Stops trading in a pair, or in all: everywhere within a second it has no price and nothing is dealt in it. One that is halted already
 * stays so, with the halt that it has.
 */
export const haltPair = defineOpenOperation({
  input: z.object({ pair: PAIR_OR_ALL, reason: REASON }),
  audited,
  async execute(services, _operator, { pair, reason }) {
    const halt: Halt = { pair, by: operatorOf(services), reason, sinceMs: services.now() };
    if (await services.store.halts.halt(halt)) return halt;
    return (
      (await haltOf(services, pair)) ?? refuse('WRONG_STATE', `${nameOf(pair)}: resumed at this moment; try again`)
    );
  },
});

/** Takes a halt back. Refuses with WRONG_STATE: there is none, or it is one of all pairs. */
export const resumePair = defineOpenOperation({
  input: z.object({ pair: PAIR_OR_ALL }),
  audited,
  async execute(services, _operator, { pair }) {
    if (await services.store.halts.resume(pair)) return { pair };
    const isAll = pair !== '*' && (await haltOf(services, '*')) !== undefined;
    const text = isAll ? `All pairs are halted: resume '*'` : `${nameOf(pair)}: not halted`;
    return refuse('WRONG_STATE', text);
  },
});
