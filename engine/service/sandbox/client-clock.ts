/** The own clock of a client, in a sandbox: what it waits for comes at once, and nothing changes for the others. */
import { z } from 'zod';
import { INSTANT_MAX, INSTANT_SAYS, instantOf } from '../../domain/core/instant.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { DURATION, durationMs } from '../../domain/sandbox/sandbox.js';
import type { Client } from '../../store/access/clients.js';
import { OWN_OFFSET_MAX_MS } from '../../store/coordination/store-clock.js';
import { clientOf } from '../core/caller.js';
import { boundedText, CLIENT_ID, patternText, REASON } from '../core/inputs.js';
import { defineOpenOperation, defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { refuseUnlessSandbox, unlessSandbox } from './outcomes.js';

export interface ClientClock {
  /** Its time now, epoch ms. */
  readonly nowMs: number;
  /** How far it is ahead of the store's clock, ms, and by how much it can still be advanced. */
  readonly aheadMs: number;
  readonly leftMs: number;
}

const clockOf = (nowMs: number, aheadMs: number): ClientClock => ({
  nowMs,
  aheadMs,
  leftMs: OWN_OFFSET_MAX_MS - aheadMs,
});

async function read({ store }: Services, client: Client): Promise<ClientClock> {
  const aheadMs = await store.clock.readOwn(client);
  return clockOf(store.clock.now({ shard: client.shard, clockMs: aheadMs }), aheadMs);
}

interface Advance {
  readonly advance?: string | undefined;
  readonly until?: string | undefined;
}

/** Refuses with WRONG_STATE beyond a year in all, and while the due list of the client's shard is too long. */
async function advance(
  { store, log }: Services,
  client: Client,
  { advance, until }: Advance,
): Promise<ClientClock | Refusal> {
  const by = advance === undefined ? { untilMs: Number(instantOf(until!)) } : { ms: durationMs(advance) };
  const moved = await store.clock.advanceOwn(client, by);
  if (moved.kind === 'busy')
    return refuse('WRONG_STATE', 'Too much is due in this store to move one client: try it on another');
  if (moved.kind === 'limit') {
    const days = Math.floor((OWN_OFFSET_MAX_MS - moved.aheadMs) / 86_400_000);
    return refuse('WRONG_STATE', `A clock is advanced by 366 days in all: at most ${days} more`);
  }
  log.info({ client: client.id, aheadMs: moved.aheadMs }, "the client's own clock was advanced");
  return clockOf(moved.nowMs, moved.aheadMs);
}

const DURATION_SAYS = 'a whole number and s, m, h or d, above 0: 90s, 30m, 24h, 2d';
const ADVANCE = {
  advance: patternText(DURATION, 12, DURATION_SAYS).optional().describe(`By how much: ${DURATION_SAYS}`),
  until: boundedText(INSTANT_MAX, INSTANT_SAYS)
    .refine((text) => typeof instantOf(text) === 'number', { error: INSTANT_SAYS })
    .optional()
    .describe('Instead: until this time of the clock; one that has passed changes nothing'),
};

function onlyOne({ advance, until }: Advance, context: z.RefinementCtx): void {
  if ((advance === undefined) !== (until === undefined)) return;
  const message = 'send advance or until, one of the two';
  context.addIssue({ code: 'custom', path: ['advance'], message, input: advance, params: { combination: true } });
}

/** The caller's own clock. Refuses with NOT_FOUND where this is no sandbox. */
export const sandboxClock = defineOperation({
  input: z.object({}),
  right: 'read',
  faults: unlessSandbox(),
  async execute(services, caller) {
    const client = await clientOf(services, caller);
    return isRefusal(client) ? client : read(services, client);
  },
});

/** Advances it. Refuses with NOT_FOUND, WRONG_STATE. */
export const advanceSandboxClock = defineOperation({
  input: z.object(ADVANCE).superRefine(onlyOne),
  right: 'trade',
  faults: unlessSandbox(),
  async execute(services, caller, by) {
    const client = await clientOf(services, caller);
    return isRefusal(client) ? client : advance(services, client, by);
  },
});

/** The clock of any client, for the operator. Refuses with UNKNOWN_CLIENT. */
export const readClientClock = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  async execute(services, _operator, { clientId }) {
    const client = await services.store.clients.get(clientId);
    return client === undefined ? refuse('UNKNOWN_CLIENT') : read(services, client);
  },
});

/** Advances it. Refuses with UNKNOWN_CLIENT, WRONG_STATE. */
export const advanceClientClock = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID, ...ADVANCE, reason: REASON.optional() }).superRefine(onlyOne),
  audited: {
    subject: ({ clientId }) => `clock of client ${clientId}`,
    async state({ store }, { clientId }) {
      const client = await store.clients.get(clientId);
      return client && { aheadMs: await store.clock.readOwn(client) };
    },
  },
  async execute(services, _operator, { clientId, ...by }) {
    const client = await services.store.clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    return (await refuseUnlessSandbox(services)) ?? advance(services, client, by);
  },
});
