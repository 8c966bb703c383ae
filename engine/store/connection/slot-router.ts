/** A Redis client that sends every command to the master of its key, without a connection of its own. */
import { type Command, Redis } from 'ioredis';
import { StoreUnavailable } from './errors.js';
import type { NodeConnection } from './node-connection.js';
import { writeTogether } from './redis-client.js';
import type { SlotMap } from './slot-map.js';

/** Where a command is sent, and what it waits for first. */
interface Way {
  readonly redis: Redis;
  readonly acknowledged?: Promise<void> | undefined;
}

/** Maximum redirections, for a slot that moves there and back again. */
const HOPS_MAX = 5;
const TRY_AGAIN_MS = 20;

export class SlotRouter extends Redis {
  readonly #map: SlotMap;
  readonly #way: (link: NodeConnection) => Way;

  constructor(map: SlotMap, way: (link: NodeConnection) => Way) {
    super({ lazyConnect: true });
    this.#map = map;
    this.#way = way;
  }

  /** Redirections are followed: a command rejected with MOVED or ASK was not executed. */
  override async sendCommand(command: Command): Promise<unknown> {
    const slot: number | null = command.getSlot();
    if (slot === null && EVERYWHERE.has(command.name))
      throw new TypeError(`${command.name} asks one server of several`);
    const first = slot === null ? this.#map.any() : this.#map.linkOf(slot);
    const reject = command.reject;
    let hops = 0;
    let acknowledged: Promise<void> | undefined;
    const send = (link: NodeConnection | undefined, isAsking: boolean): void => {
      // A node that has just become a master.
      if (link?.arriving !== undefined) return void link.arriving.then(() => send(link, isAsking));
      try {
        if (link === undefined) throw new StoreUnavailable('none');
        const way = this.#way(link);
        acknowledged = way.acknowledged;
        writeTogether(way.redis);
        if (isAsking) way.redis.asking().catch(() => {});
        void way.redis.sendCommand(command);
      } catch (error) {
        reject(error as Error);
      }
    };
    command.reject = (error: Error) => {
      const moving = slot === null || ++hops > HOPS_MAX ? undefined : this.#map.learn(error);
      if (moving === undefined) reject(error);
      else if (moving.ask) send(moving.ask, error.message.startsWith('ASK '));
      else setTimeout(() => send(this.#map.linkOf(slot!), false), TRY_AGAIN_MS);
    };
    send(first, false);
    const reply: unknown = await command.promise;
    await acknowledged;
    return reply;
  }

  override multi(): never {
    throw new TypeError('a MULTI goes to one server: name a key of it (Connection.write)');
  }

  override pipeline(): never {
    throw new TypeError('a pipeline goes to one server: reads of a turn leave together by themselves');
  }
}

const EVERYWHERE = new Set(['scan', 'keys', 'dbsize', 'flushall', 'flushdb', 'randomkey', 'script', 'config']);
