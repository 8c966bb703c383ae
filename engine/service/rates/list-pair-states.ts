import { z } from 'zod';
import type { Halt } from '../../domain/halt.js';
import { PAIRS } from '../../domain/pair.js';
import type { PairStatus } from '../../domain/pair-status.js';
import { ASK_MS } from '../../store/coordination/engines.js';
import { defineOpenOperation } from '../core/operation.js';

/** `unknown`: no engine answers, and nothing is known but who has halted it. */
export interface PairAndHalt extends Omit<PairStatus, 'state'> {
  readonly state: PairStatus['state'] | 'unknown';
  /** Its own, or that of all pairs. */
  readonly halt: Halt | undefined;
}

/** Every pair, how it stands at the engine that runs the feed, and who has halted it. */
export const listPairStates = defineOpenOperation({
  input: z.object({}),
  async execute({ store }) {
    const [told, halts] = await Promise.all([store.engines.pairs(ASK_MS), store.halts.list()]);
    const known = new Map(told?.map((status) => [status.pair, status]));
    const halted = new Map(halts.map((halt) => [halt.pair, halt]));
    const pairs = PAIRS.map(({ symbol: pair }): PairAndHalt => {
      const halt = halted.get(pair) ?? halted.get('*');
      return { pair, state: halt ? 'halted' : 'unknown', providers: [], ...known.get(pair), halt };
    });
    return { pairs };
  },
});
