/**
 * A client's events: a stream in its slot, which the steps append to (events.lua). Its ids are `1-<sequence>`, numbered without gaps from 1.
 * A client without the stream has no events, and its steps write none.
 */
import { type EventType, isEventType, paymentEvent } from '../../domain/events/events.js';
import type { PaymentStatus, PaymentSubStatus } from '../../domain/payments/payment-status.js';
import { keyRecord } from '../access/credentials.js';
import type { Connection } from '../connection/connection.js';
import { StoreFault } from '../connection/errors.js';
import { step } from '../connection/scripts.js';
import { eventsMaxKey, ledgerKeys, type MoneyOf, SHARDS } from '../keys/redis-keys.js';

export interface ClientEvent {
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly type: EventType;
  /** Id of the resource, or the number of an account. */
  readonly resource: string;
  /** When it happened, epoch ms by the store's clock. */
  readonly atMs: number;
  /** What changed, as its step wrote it. */
  readonly more: string;
}

/** Those that are stored: `oldest` is `newest` + 1 where all have been dropped, or none has happened. */
export interface EventRange {
  readonly oldest: number;
  readonly newest: number;
}

export interface Events {
  /** From now on the client has events. False: it had them before. */
  enable(of: MoneyOf): Promise<boolean>;
  isOn(of: MoneyOf): Promise<boolean>;
  /** Undefined: the client has no events. */
  range(of: MoneyOf): Promise<EventRange | undefined>;
  /** Behind that sequence, in order, at most `limit`. What has been dropped is skipped: `range` tells. */
  read(of: MoneyOf, page: { readonly afterSequence: number; readonly limit: number }): Promise<readonly ClientEvent[]>;
  /** The mark of the last change of a key, as `keys.rotate` and `keys.revoke` were called with it; '' without. */
  markOfKey(clientKey: string): Promise<string>;
  /** Of a change of a client key: once for each mark. False: it is there, or events are off. */
  appendOfKey(of: MoneyOf, clientKey: string, mark: string): Promise<boolean>;
  /** From now on the steps keep so many events of a client, and up to a hundred more. */
  keepAtMost(most: number): Promise<void>;
  /** Drops events from before `sinceMs`, and the oldest of more than `most`. Returns how many have been dropped since the first. */
  trim(of: MoneyOf, kept: { readonly sinceMs: number; readonly most: number }): Promise<number>;
}

const TRIM_PAGE = 1_000;

export const APPEND_KEY_EVENT = step(import.meta.url, 'append-key-event', {
  inReserve: true,
  keys: ['events', 'keyEvents'],
  args: ['clientKey', 'mark', 'type', 'atMs', 'liveSecrets', 'number'],
});
export const ENABLE_EVENTS = step(import.meta.url, 'enable-events', { keys: ['events'] });

export function events(connection: Connection): Events {
  const range = async (of: MoneyOf): Promise<EventRange | undefined> => {
    const { events } = ledgerKeys(of);
    const found = await connection
      .read((redis) => redis.xinfo('STREAM', events))
      .catch((error: unknown) => {
        if (/no such key/.test(String(error))) return undefined;
        throw error;
      });
    if (found === undefined) return undefined;
    const info = new Map<string, unknown>();
    for (let i = 0; i < (found as unknown[]).length; i += 2)
      info.set(String((found as unknown[])[i]), (found as unknown[])[i + 1]);
    const newest = sequenceOf(String(info.get('last-generated-id')));
    const first = info.get('first-entry') as readonly [string, unknown] | null;
    return { oldest: first ? sequenceOf(first[0]) : newest + 1, newest };
  };
  const read: Events['read'] = async (of, { afterSequence, limit }) => {
    const { events } = ledgerKeys(of);
    const found = await connection.read((redis) => redis.xrange(events, `1-${afterSequence + 1}`, '+', 'COUNT', limit));
    return found.map(([id, [, text = '']]) => storedEvent(sequenceOf(id), text));
  };
  return {
    async enable(of) {
      return (await connection.step(ENABLE_EVENTS, { events: ledgerKeys(of).events }, {})) === 1;
    },
    async isOn(of) {
      return (await connection.read((redis) => redis.exists(ledgerKeys(of).events))) === 1;
    },
    range,
    read,
    async markOfKey(clientKey) {
      return (await connection.read((redis) => redis.hget(keyRecord(clientKey), 'event'))) ?? '';
    },
    async appendOfKey(of, clientKey, mark) {
      const { events, keyEvents } = ledgerKeys(of);
      const [type = '', atMs = '', liveSecrets = '', number = ''] = mark.split('|');
      const args = { clientKey, mark, type, atMs, liveSecrets, number };
      return (await connection.step(APPEND_KEY_EVENT, { events, keyEvents }, args)) === 1;
    },
    async keepAtMost(most) {
      const set = (shard: number) => connection.write((redis) => redis.set(eventsMaxKey(shard), most));
      await Promise.all(Array.from({ length: SHARDS }, (_, shard) => set(shard)));
    },
    async trim(of, { sinceMs, most }) {
      const stored = await range(of);
      if (stored === undefined) return 0;
      const { oldest, newest } = stored;
      let from = Math.max(oldest, newest + 1 - most);
      for (let old: readonly ClientEvent[] = []; from <= newest; from += old.length) {
        const page = await read(of, { afterSequence: from - 1, limit: TRIM_PAGE });
        const isKept = page.findIndex(({ atMs }) => atMs >= sinceMs);
        old = isKept < 0 ? page : page.slice(0, isKept);
        if (old.length < TRIM_PAGE) {
          from += old.length;
          break;
        }
      }
      if (from > oldest) await connection.write((redis) => redis.xtrim(ledgerKeys(of).events, 'MINID', `1-${from}`));
      return from - 1;
    },
  };
}

const sequenceOf = (id: string): number => Number(id.slice(id.indexOf('-') + 1));

/** From the text of an entry, as append_event writes it. Throws StoreFault for any other. */
function storedEvent(sequence: number, text: string): ClientEvent {
  const [, word = '', resource = '', at = '', more = ''] = /^([^|]*)\|([^|]*)\|(\d+)\|(.*)$/s.exec(text) ?? [];
  const type = word === 'payment' ? typeOfPaymentStep(more) : word;
  if (!isEventType(type)) throw new StoreFault(`event ${sequence} of a client cannot be read: run ratewire reconcile`);
  return { sequence, type, resource, atMs: Number(at), more };
}

/** The step of a payment is stored with its state: the state has the type. */
function typeOfPaymentStep(more: string): string {
  const [status, subStatus] = bothTexts(more)[0].split('|');
  return paymentEvent(status as PaymentStatus, subStatus as PaymentSubStatus);
}

/** As both_texts of events.lua writes them: what is now, and what was before. The length is in bytes. */
export function bothTexts(more: string): readonly [now: string, before: string] {
  const at = more.indexOf('|');
  const bytes = Buffer.from(more.slice(at + 1));
  const length = Number(more.slice(0, at));
  return [bytes.toString('utf8', 0, length), bytes.toString('utf8', length)];
}
