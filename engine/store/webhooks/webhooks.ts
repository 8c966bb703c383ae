/** The webhook endpoints of a client: one hash each in its client's slot, whose secrets are sealed by the caller. */
import type { InactiveReason, SignatureKind, Webhook } from '../../domain/webhook.js';
import { WEBHOOK_ID, WEBHOOKS_MAX } from '../../domain/webhook.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';

/** What a client or an operator changes; absent fields stay. */
export type WebhookChange = {
  readonly [Name in 'name' | 'url' | 'types' | 'secret' | 'previousSecret' | 'previousUntilMs' | 'publicKey']?:
    | Webhook[Name]
    | undefined;
} & {
  /** '': it is active from now on. */
  readonly inactive?: InactiveReason | '' | undefined;
};

export type NewWebhook = Pick<Webhook, 'id' | 'name' | 'url' | 'types' | 'signature' | 'secret' | 'publicKey'>;

export interface Webhooks {
  /** False when the client has its maximum of endpoints. It gets the events from now on. */
  create(of: MoneyOf, webhook: NewWebhook, nowMs: number): Promise<boolean>;
  /** Undefined also for a text that is no id. */
  read(of: MoneyOf, id: string): Promise<Webhook | undefined>;
  /** In order of their creation. */
  list(of: MoneyOf): Promise<readonly Webhook[]>;
  /** `conflict`: it has another version than that. One that is activated continues where it was. */
  change(
    of: MoneyOf,
    id: string,
    change: WebhookChange,
    nowMs: number,
    version?: number,
  ): Promise<'changed' | 'conflict' | 'unknown'>;
  /** With its deliveries. */
  remove(of: MoneyOf, id: string, version?: number): Promise<'removed' | 'conflict' | 'unknown'>;
  /** Appends a test event for this endpoint alone: its sequence. Undefined: no such endpoint. */
  test(of: MoneyOf, id: string): Promise<number | undefined>;
}

export const CREATE_WEBHOOK = step('create-webhook', {
  keys: ['webhooks', 'webhook', 'events'],
  args: ['id', 'most'],
  rest: 'fields',
});
export const CHANGE_WEBHOOK = step('change-webhook', {
  keys: ['webhook'],
  args: ['client', 'version?'],
  rest: 'fields',
});
export const REMOVE_WEBHOOK = step('remove-webhook', {
  keys: ['webhooks', 'webhook', 'deliveries', 'open'],
  args: ['id', 'version?'],
});
export const TEST_WEBHOOK = step('test-webhook', {
  keys: ['webhook', 'events'],
  args: ['id'],
});

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
      const fields = { ...fieldsOf({ ...webhook, inactive: '' }), signature: webhook.signature, created: nowMs };
      const made = await connection.step(
        CREATE_WEBHOOK,
        { webhooks, webhook: record(id), events },
        { id, most: WEBHOOKS_MAX, fields: pairs({ ...fields, updated: nowMs }) },
      );
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
        { client: of.id, version, fields },
      );
      if (changed === -1) return 'unknown';
      if (changed === 0) return 'conflict';
      connection.notify(EVENTS_CHANNEL, of.id);
      return 'changed';
    },
    async remove(of, id, version) {
      if (!WEBHOOK_ID.test(id)) return 'unknown';
      const { webhooks, webhook, deliveries, openDeliveries } = ledgerKeys(of);
      const keys = { webhooks, webhook: webhook(id), deliveries: deliveries(id), open: openDeliveries(id) };
      const removed = await connection.step(REMOVE_WEBHOOK, keys, { id, version });
      return removed === 1 ? 'removed' : removed === 0 ? 'conflict' : 'unknown';
    },
    async test(of, id) {
      if (!WEBHOOK_ID.test(id)) return undefined;
      const { webhook, events } = ledgerKeys(of);
      const sequence = (await connection.step(TEST_WEBHOOK, { webhook: webhook(id), events }, { id })) as number;
      return sequence > 0 ? sequence : undefined;
    },
  };
}

function fieldsOf({ types, previousUntilMs, ...plain }: WebhookChange): Record<string, string | number> {
  const fields: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(plain)) if (value !== undefined && FIELDS.has(name)) fields[name] = value;
  if (types !== undefined) fields.types = types.join(' ');
  if (previousUntilMs !== undefined) fields.previousUntil = previousUntilMs;
  // Its time without a success begins with the next attempt.
  if (plain.inactive === '') fields.failingSince = '';
  return fields;
}
const FIELDS: ReadonlySet<string> = new Set(['name', 'url', 'inactive', 'secret', 'previousSecret', 'publicKey']);

const pairs = (fields: Record<string, string | number>): string[] =>
  Object.entries(fields).flatMap(([name, value]) => [name, String(value)]);

function webhookFrom(id: string, record: Record<string, string>): Webhook | undefined {
  if (record.version === undefined) return undefined;
  return {
    id,
    name: record.name!,
    url: record.url!,
    types: record.types!.split(' '),
    signature: record.signature as SignatureKind,
    inactive: (record.inactive || undefined) as InactiveReason | undefined,
    secret: record.secret!,
    previousSecret: record.previousSecret ?? '',
    previousUntilMs: Number(record.previousUntil ?? 0),
    publicKey: record.publicKey ?? '',
    version: Number(record.version),
    createdAtMs: Number(record.created),
    updatedAtMs: Number(record.updated),
    cursor: Number(record.cursor),
    failingSinceMs: record.failingSince ? Number(record.failingSince) : undefined,
    missed: Number(record.missed ?? 0),
  };
}
