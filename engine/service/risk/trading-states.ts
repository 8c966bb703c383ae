/** Trading states of the house, clients and pairs: what an operator sets, and a client's halt of itself. */

import { z } from 'zod';
import { platformOf } from '../../domain/core/ids.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import {
  HOUSE,
  type TradingRestriction,
  type TradingState,
  type TradingSubject,
} from '../../domain/risk/trading-state.js';
import { AuditLogUnavailable } from '../../store/connection/errors.js';
import { boundedText, CLIENT_ID, PAIR_OR_ALL, REASON } from '../core/inputs.js';
import { type Audited, defineOpenOperation, defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { operatorOf, withAudit } from '../core/with-audit.js';

type Restriction = TradingRestriction['state'];

/** Of the audit log: the state before and after a change; undefined is ACTIVE. */
async function auditedState({ store }: Services, subject: TradingSubject): Promise<object | undefined> {
  const found = await store.tradingStates.read(subject);
  if (found === undefined) return undefined;
  const { state, by, reason, sinceMs } = found;
  return { state, by, reason, sinceMs };
}

/** The restriction in force afterwards: one that already had the state stays, with its reason and its time. */
async function restrict(
  services: Services,
  subject: TradingSubject,
  state: Restriction,
  reason: string,
  by = operatorOf(services),
): Promise<TradingRestriction> {
  const { store, now } = services;
  const restriction = { ...subject, state, by, reason, sinceMs: now() };
  return (await store.tradingStates.restrict(restriction)).inForce;
}

const ofPair = (pair: string): TradingSubject => ({ scope: 'pair', name: pair });
const auditedPair: Audited<{ readonly pair: string }> = {
  subject: ({ pair }) => `pair ${pair}`,
  state: (services, { pair }) => auditedState(services, ofPair(pair)),
};

const restrictPair = (state: Restriction) =>
  defineOpenOperation({
    input: z.object({ pair: PAIR_OR_ALL, reason: REASON }),
    audited: auditedPair,
    execute: (services, _operator, { pair, reason }) => restrict(services, ofPair(pair), state, reason),
  });

/** Halts trading in a pair, or in all: everywhere within a second it has no price and no conversion is booked in it. */
export const haltPair = restrictPair('HALTED');

/** From now on a deal in a pair, or in any, passes only where it lowers the house's net position of the pair. */
export const reducePair = restrictPair('REDUCING');

/** Ends a restriction. Refuses with WRONG_STATE: there is none, or it is one of all pairs. */
export const resumePair = defineOpenOperation({
  input: z.object({ pair: PAIR_OR_ALL }),
  audited: auditedPair,
  async execute({ store }, _operator, { pair }): Promise<{ pair: string } | Refusal> {
    if (await store.tradingStates.resume(ofPair(pair))) return { pair };
    const all = pair === '*' ? undefined : await store.tradingStates.read(ofPair('*'));
    if (all)
      return refuse('WRONG_STATE', `All pairs are ${all.state === 'HALTED' ? 'halted' : 'reducing'}: resume '*'`);
    return refuse('WRONG_STATE', `${pair === '*' ? 'all pairs' : pair}: not halted`);
  },
});

const ofClient = (clientId: string): TradingSubject => ({ scope: 'client', name: clientId });
const auditedClient: Audited<{ readonly clientId: string }> = {
  subject: ({ clientId }) => `client ${clientId}`,
  state: (services, { clientId }) => auditedState(services, ofClient(clientId)),
};

const restrictClient = (state: Restriction) =>
  defineOpenOperation({
    input: z.object({ clientId: CLIENT_ID, reason: REASON }),
    audited: auditedClient,
    async execute(services, _operator, { clientId, reason }): Promise<TradingRestriction | Refusal> {
      const client = await services.store.clients.get(clientId);
      return client === undefined ? refuse('UNKNOWN_CLIENT') : restrict(services, ofClient(clientId), state, reason);
    },
  });

/**
 * Halts trading of a client: everywhere within a second it has no price, and no conversion of it is booked, at no rate. Refuses with
 * UNKNOWN_CLIENT.
 */
export const haltClient = restrictClient('HALTED');

/** From now on only those deals of a client pass that lower its exposure. Refuses with UNKNOWN_CLIENT. */
export const reduceClient = restrictClient('REDUCING');

/** Ends a client's restriction, also one that it has set itself. Refuses with UNKNOWN_CLIENT, WRONG_STATE. */
export const resumeClient = defineOpenOperation({
  input: z.object({ clientId: CLIENT_ID }),
  audited: auditedClient,
  async execute({ store }, _operator, { clientId }): Promise<{ clientId: string } | Refusal> {
    if ((await store.clients.get(clientId)) === undefined) return refuse('UNKNOWN_CLIENT');
    if (await store.tradingStates.resume(ofClient(clientId))) return { clientId };
    return refuse('WRONG_STATE', `client ${clientId}: not halted`);
  },
});

/** What a client learns of its state: neither the operator's name nor the reason. */
export interface OwnTradingState {
  readonly state: TradingState;
  /** Absent: ACTIVE. */
  readonly by?: 'client' | 'operator' | undefined;
  readonly sinceMs?: number | undefined;
}

const byClient = (clientId: string): string => `client ${clientId}`;

function ownState(clientId: string, restriction: TradingRestriction | undefined): OwnTradingState {
  if (restriction === undefined) return { state: 'ACTIVE' };
  const { state, by, sinceMs } = restriction;
  return { state, by: by === byClient(clientId) ? 'client' : 'operator', sinceMs };
}

/** The caller's own trading state, that of its client alone; where its platform is halted, that. */
export const readTradingState = defineOperation({
  input: z.object({}),
  right: 'read',
  async execute({ store }, { clientId }): Promise<OwnTradingState> {
    const platform = platformOf(clientId);
    const own = await store.tradingStates.read(ofClient(clientId));
    if (platform === undefined || own?.state === 'HALTED') return ownState(clientId, own);
    const ofPlatform = await store.tradingStates.read(ofClient(platform));
    return ownState(clientId, ofPlatform?.state === 'HALTED' ? ofPlatform : own);
  },
});

/**
 * Halts all trading of the caller's client, as an operator's `haltClient`: only the operator resumes it. A client that is halted already
 * stays so, with the time and the author of its halt, and nothing is written: the call may be repeated. It is in the audit log as
 * `haltClient` by `client <id>`; where AUDIT_LOG cannot be written it is carried out nevertheless, and the log has it.
 */
export const haltTrading = defineOperation({
  input: z.object({ reason: boundedText(140).optional() }),
  right: 'trade',
  async execute(services, { clientId }, { reason }): Promise<OwnTradingState | Refusal> {
    const subject = ofClient(clientId);
    const known = await services.store.tradingStates.read(subject);
    if (known?.state === 'HALTED') return ownState(clientId, known);
    const by = byClient(clientId);
    const text = reason || 'halted by the client';
    const halt = () => restrict(services, subject, 'HALTED', text, by);
    const input = { clientId, reason: text };
    const halted = await withAudit(services, 'haltClient', auditedClient, input, halt, by).catch((error: unknown) => {
      if (!(error instanceof AuditLogUnavailable)) throw error;
      services.log.error(
        { client: clientId, fault: error.message },
        'a client has halted itself: not in the audit log',
      );
      return halt();
    });
    if (isRefusal(halted)) return halted;
    services.log.warn({ client: clientId }, 'a client has halted itself: only an operator resumes it');
    return ownState(clientId, halted);
  },
});

const auditedHouse: Audited<object> = {
  subject: () => 'house',
  state: (services) => auditedState(services, HOUSE),
};

const restrictHouse = (state: Restriction) =>
  defineOpenOperation({
    input: z.object({ reason: REASON }),
    audited: auditedHouse,
    execute: (services, _operator, { reason }) => restrict(services, HOUSE, state, reason),
  });

/** Halts all trading, as a halt of every pair. */
export const haltHouse = restrictHouse('HALTED');

/** From now on a deal passes only where it lowers what the house has open in each of its currencies. */
export const reduceHouse = restrictHouse('REDUCING');

/** Ends the restriction of the house. Refuses with WRONG_STATE. */
export const resumeHouse = defineOpenOperation({
  input: z.object({}),
  audited: auditedHouse,
  async execute({ store }): Promise<{ state: 'ACTIVE' } | Refusal> {
    if (await store.tradingStates.resume(HOUSE)) return { state: 'ACTIVE' };
    return refuse('WRONG_STATE', 'the house: not halted');
  },
});

/** The restriction of the house, if any, and those of clients and pairs. */
export const showHouse = defineOpenOperation({
  input: z.object({}),
  async execute({ store }) {
    const all = await store.tradingStates.list();
    return { house: all.find(({ scope }) => scope === 'house'), others: all.filter(({ scope }) => scope !== 'house') };
  },
});
