/** The webhook endpoints of a client: one hash each in its client's slot, whose secrets are sealed by the caller. */
import { createHash } from 'node:crypto';
import type { EventType } from '../../domain/events/events.js';
import {
  CHALLENGE_MS,
  type Challenge,
  type InactiveReason,
  type SignatureKind,
  WEBHOOK_ID,
  WEBHOOKS_MAX,
  type Webhook,
} from '../../domain/webhooks/webhook.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';
import { attemptsFrom, attemptsText } from './attempts.js';

/** What a client or an operator changes; absent fields stay. */
export type WebhookChange = {
  readonly [Name in 'name' | 'url' | 'types' | 'secret' | 'previousSecret' | 'previousUntilMs' | 'publicKey']?:
    | Webhook[Name]
    | undefined;
} & {
  /** ACTIVE: from now on, once its URL has answered a challenge. */
  readonly inactive?: InactiveReason | 'ACTIVE' | undefined;
};

/** Where an endpoint is, for what others read: a path or a query may have a credential. */
interface Target {
  /** With its port, where it is not that of https. */
  readonly host: string;
  /** Of the whole URL: another one is seen, also of the same host. */
  readonly urlSha256: string;
}

export const targetOf = (url: string): Target => ({
  host: new URL(url).host,
  urlSha256: createHash('sha256').update(url).digest('hex'),
});

export type NewWebhook = Pick<Webhook, 'id' | 'name' | 'url' | 'types' | 'signature' | 'secret' | 'publicKey'>;

export interface Webhooks {
  /** False when the client has its maximum of endpoints. It gets the events from now on, once its URL has answered a challenge. */
  create(of: MoneyOf, webhook: NewWebhook, nowMs: number): Promise<boolean>;
  /** Undefined also for a text that is no id. */
  read(of: MoneyOf, id: string): Promise<Webhook | undefined>;
  /** In order of their creation. */
  list(of: MoneyOf): Promise<readonly Webhook[]>;
  /** `conflict`: it has another version than that. One that is activated continues where it was; another URL is challenged first. */
  change(
    of: MoneyOf,
    id: string,
    change: WebhookChange,
    nowMs: number,
    version?: number,
  ): Promise<'changed' | 'conflict' | 'unknown'>;
  /**
   * What came of an attempt of its challenge: `delayMs` until the next one; undefined: its URL has answered. False where it was changed
   * meanwhile.
   */
  endChallenge(
    of: MoneyOf,
    webhook: Webhook,
    attempts: Challenge['attempts'],
    delayMs: number | undefined,
  ): Promise<boolean>;
  /** With its deliveries. */
  remove(of: MoneyOf, id: string, version?: number): Promise<'removed' | 'conflict' | 'unknown'>;
  /** Appends a test event for this endpoint alone, whose delivery is due at once: its sequence. `full`: REPLAY_OPEN_MAX are open. */
  test(of: MoneyOf, id: string): Promise<number | 'full' | 'unknown'>;
}

export const CREATE_WEBHOOK = step(import.meta.url, 'create-webhook', {
  keys: ['webhooks', 'webhook', 'events'],
  args: ['id', 'client', 'most', 'challengeMs'],
  rest: 'fields',
});
export const CHANGE_WEBHOOK = step(import.meta.url, 'change-webhook', {
  keys: ['webhook'],
  args: ['id', 'client', 'type', 'version?', 'url?', 'inactive?', 'challengeMs'],
  rest: 'fields',
});
export const END_CHALLENGE = step(import.meta.url, 'end-challenge', {
  inReserve: true,
  keys: ['webhook'],
  args: ['client', 'before', 'untilMs', 'tries', 'attempts', 'delayMs?'],
});
export const REMOVE_WEBHOOK = step(import.meta.url, 'remove-webhook', {
  inReserve: true,
  keys: ['webhooks', 'webhook', 'deliveries', 'open'],
  args: ['id', 'version?'],
});
export const TEST_WEBHOOK = step(import.meta.url, 'test-webhook', {
  keys: ['webhook', 'events', 'deliveries', 'open'],
  args: ['id', 'openMax', 'keptMax'],
});

/** Deliveries of one endpoint that have not ended, at most: further events wait where they are. */
export const OPEN_MAX = 1_000;
/** With those that are replayed, and test events. */
export const REPLAY_OPEN_MAX = 2 * OPEN_MAX;
/** Deliveries of one endpoint that are kept, at most, the open ones included. */
export const KEPT_MAX = 10_000;

/** Where the deliverer is notified: the client's id. */
export const EVENTS_CHANNEL = 'events';

export function webhooks(connection: Connection): Webhooks {
  const read = async (of: MoneyOf, id: string): Promise<Webhook | undefined> => {
    if (!WEBHOOK_ID.test(id)) return undefined;
    return webhookFrom(id, await connection.read((redis) => redis.hgetall(ledgerKeys(of).webhook(id))));
  };
  return {
    async create(of, { id, ...webhook }, nowMs) {
      const { webhooks, webhook: record, events } = ledgerKeys(of);
      const fields = { ...fieldsOf(webhook), url: webhook.url, signature: webhook.signature, created: nowMs };
      const made = await connection.step(
        CREATE_WEBHOOK,
        { webhooks, webhook: record(id), events },
        {
          id,
          client: of.id,
          most: WEBHOOKS_MAX,
          challengeMs: CHALLENGE_MS,
          fields: pairs({ ...fields, failingSince: '', updated: nowMs }),
        },
      );
      connection.notify(EVENTS_CHANNEL, of.id);
      return made === 1;
    },
    read,
    async list(of) {
      const ids = await connection.read((redis) => redis.zrange(ledgerKeys(of).webhooks, '0', '-1'));
      return (await Promise.all(ids.map((id) => read(of, id)))).filter((webhook) => webhook !== undefined);
    },
    async change(of, id, change, nowMs, version) {
      if (!WEBHOOK_ID.test(id)) return 'unknown';
      const fields = pairs({ ...fieldsOf(change), updated: nowMs });
      const changed = await connection.step(
        CHANGE_WEBHOOK,
        { webhook: ledgerKeys(of).webhook(id) },
        {
          id,
          client: of.id,
          type: eventOf(change),
          version,
          url: change.url,
          inactive: change.inactive,
          challengeMs: CHALLENGE_MS,
          fields,
        },
      );
      if (changed === -1) return 'unknown';
      if (changed === 0) return 'conflict';
      connection.notify(EVENTS_CHANNEL, of.id);
      return 'changed';
    },
    async endChallenge(of, { id, challenge }, attempts, delayMs) {
      if (challenge === undefined) return false;
      const ended = await connection.step(
        END_CHALLENGE,
        { webhook: ledgerKeys(of).webhook(id) },
        {
          client: of.id,
          before: challengeText(challenge),
          untilMs: challenge.untilMs,
          tries: challenge.tries + 1,
          attempts: attemptsText(attempts),
          delayMs,
        },
      );
      return ended === 1;
    },
    async remove(of, id, version) {
      if (!WEBHOOK_ID.test(id)) return 'unknown';
      const { webhooks, webhook, deliveries, openDeliveries } = ledgerKeys(of);
      const keys = { webhooks, webhook: webhook(id), deliveries: deliveries(id), open: openDeliveries(id) };
      const removed = await connection.step(REMOVE_WEBHOOK, keys, { id, version });
      return removed === 1 ? 'removed' : removed === 0 ? 'conflict' : 'unknown';
    },
    async test(of, id) {
      if (!WEBHOOK_ID.test(id)) return 'unknown';
      const { webhook, events, deliveries, openDeliveries } = ledgerKeys(of);
      const keys = { webhook: webhook(id), events, deliveries: deliveries(id), open: openDeliveries(id) };
      const args = { id, openMax: REPLAY_OPEN_MAX, keptMax: KEPT_MAX };
      const sequence = (await connection.step(TEST_WEBHOOK, keys, args)) as number;
      if (sequence > 0) return sequence;
      return sequence === -2 ? 'full' : 'unknown';
    },
  };
}

function eventOf({ secret, inactive }: WebhookChange): EventType {
  if (secret !== undefined) return 'webhook.rotated';
  return inactive === 'OPERATOR' ? 'webhook.disabled' : 'webhook.changed';
}

function fieldsOf({ types, previousUntilMs, ...plain }: WebhookChange): Record<string, string | number> {
  const fields: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(plain)) if (value !== undefined && FIELDS.has(name)) fields[name] = value;
  if (types !== undefined) fields.types = types.join(' ');
  if (previousUntilMs !== undefined) fields.previousUntil = previousUntilMs;
  return fields;
}
const FIELDS: ReadonlySet<string> = new Set(['name', 'secret', 'previousSecret', 'publicKey']);

const pairs = (fields: Record<string, string | number>): string[] =>
  Object.entries(fields).flatMap(([name, value]) => [name, String(value)]);

/** An endpoint as its events show it. */
export type WebhookState = Target &
  Pick<Webhook, 'id' | 'name' | 'types' | 'signature' | 'inactive' | 'publicKey' | 'previousUntilMs' | 'version'>;

/** As events.lua writes it. */
export function webhookState(id: string, text: string): WebhookState {
  const at = text.indexOf('|');
  const [inactive = '', name = '', url = '', types = '', signature, publicKey = '', previousUntil = ''] = JSON.parse(
    text.slice(at + 1),
  ) as readonly string[];
  return {
    id,
    name,
    ...targetOf(url),
    types: types.split(' '),
    inactive: (inactive || undefined) as InactiveReason | undefined,
    signature: signature as SignatureKind,
    publicKey,
    previousUntilMs: Number(previousUntil),
    version: Number(text.slice(0, at)),
  };
}

function webhookFrom(id: string, record: Record<string, string>): Webhook | undefined {
  if (record.version === undefined) return undefined;
  return {
    id,
    name: record.name!,
    url: record.url!,
    types: record.types!.split(' '),
    signature: record.signature as SignatureKind,
    inactive: (record.inactive || undefined) as InactiveReason | undefined,
    challenge: record.challenge === '' ? undefined : challengeFrom(record.challenge!),
    secret: record.secret!,
    previousSecret: record.previousSecret ?? '',
    previousUntilMs: Number(record.previousUntil ?? 0),
    publicKey: record.publicKey!,
    version: Number(record.version),
    createdAtMs: Number(record.created),
    updatedAtMs: Number(record.updated),
    cursor: Number(record.cursor),
    failingSinceMs: record.failingSince ? Number(record.failingSince) : undefined,
    failures: Number(record.failures ?? 0),
    restsUntilMs: Number(record.restsUntil ?? 0),
    missed: Number(record.missed ?? 0),
  };
}

/** `<until>|<due>|<tries>|<attempts>`, as the steps write it. */
const challengeText = ({ untilMs, dueMs, tries, attempts }: Challenge): string =>
  `${untilMs}|${dueMs}|${tries}|${attemptsText(attempts)}`;

function challengeFrom(text: string): Challenge {
  const [until, due, tries, attempts = ''] = text.split('|');
  return { untilMs: Number(until), dueMs: Number(due), tries: Number(tries), attempts: attemptsFrom(attempts) };
}
