/** A FIX session for the operator: as its engine reports it, or, when it is not logged on, as the store keeps it. */

import { setTimeout as pause } from 'node:timers/promises';
import { ENGINE_COMP_ID } from '../../domain/core/ids.js';
import { type Refusal, refuse } from '../../domain/core/refusal.js';
import type { SessionState } from '../../domain/system/engine-status.js';
import type { Client } from '../../store/access/clients.js';
import { ASK_MS } from '../../store/coordination/engines.js';
import type { Services } from '../core/services.js';

/** A desk has two seconds to answer a Logout(5), then its connection is closed. */
const GONE_MS = 4_000;
const LOOK_MS = 50;

export interface LiveSession extends SessionState {
  readonly state: 'live';
  /** `<host name>:<pid>` of its engine. */
  readonly engine: string;
}

export interface AwaySession {
  readonly state: 'away';
  readonly compId: string;
  readonly clientId: string;
  /** Absent: it never logged on. After a killed engine, `nextOut` is the number that it had reserved. */
  readonly nextOut?: number;
  readonly nextIn?: number;
}

/** Those sessions of these CompIDs (at most 1,000) that are logged on, by CompID. */
export async function liveSessions(
  { store }: Services,
  compIds: readonly string[],
): Promise<ReadonlyMap<string, LiveSession>> {
  const statuses = compIds.length === 0 ? [] : await store.engines.status(ASK_MS, compIds);
  return new Map(
    statuses.flatMap(({ where, sessions }) =>
      sessions.map((session) => [session.compId, { ...session, state: 'live', engine: where }] as const),
    ),
  );
}

/** Waits for a session that is being logged out, with a time limit. */
export async function untilGone(services: Services, compId: string): Promise<void> {
  const until = performance.now() + GONE_MS;
  while (performance.now() < until && (await liveSessions(services, [compId])).has(compId)) await pause(LOOK_MS);
}

export async function awaySession(
  { store }: Services,
  compId: string,
  { id, shard }: Pick<Client, 'id' | 'shard'>,
): Promise<AwaySession> {
  const kept = await store.fixSessions.read({ senderCompId: ENGINE_COMP_ID, targetCompId: compId }, shard);
  return { state: 'away', compId, clientId: id, ...kept };
}

/** The client that the CompID is assigned to. Refuses with NOT_FOUND. */
export async function clientOfCompId({ store }: Services, compId: string): Promise<Client | Refusal> {
  const desk = await store.compIds.read(compId);
  const client = desk && (await store.clients.get(desk.clientId));
  return client ?? refuse('NOT_FOUND', 'No such CompID: `ratewire sessions list` shows those there are');
}

/**
 * The client's desks that are logged on, with a key only those that logged on with it. Asked before a change that ends them: an engine that
 * detects the change by itself may log a desk out first.
 */
export function liveDesks(services: Services, clientId: string, keyId?: string): Promise<readonly string[]> {
  const asked = desksOf(services, clientId, keyId);
  // The change may fail before its caller awaits this.
  asked.catch(() => undefined);
  return asked;
}

async function desksOf(services: Services, clientId: string, keyId?: string): Promise<readonly string[]> {
  const live = await liveSessions(services, await services.store.compIds.list(clientId));
  return [...live.values()].flatMap(({ compId, keyId: of }) => (keyId === undefined || of === keyId ? [compId] : []));
}

/**
 * Logs out the client's desks on every engine; with a key only those that logged on with it. `before`: those that were live before the
 * change, which the caller has made by now, and which rejects their next logon. Returns the CompIDs whose sessions have ended. `text` is
 * Text(58) of their Logout(5). An engine that misses the notification detects the change by itself.
 */
export async function logOutDesks(
  services: Services,
  clientId: string,
  text: string,
  before: Promise<readonly string[]>,
  keyId?: string,
): Promise<readonly string[]> {
  const { engines, tokens } = services.store;
  const meant = [...new Set([...(await before), ...(await desksOf(services, clientId, keyId))])];
  const were = await Promise.all(meant.map((compId) => engines.logOut(compId, text)));
  await tokens.recheck();
  const left = await liveSessions(
    services,
    meant.filter((_, i) => !were[i]),
  );
  return meant.filter((compId) => !left.has(compId));
}
