/** A Redis client that sends every command to the master of its key, without a connection of its own. */
import { type Command, Redis } from 'ioredis';
import { StoreUnavailable } from './errors.js';
import type { NodeConnection } from './node-connection.js';
import { writeTogether } from './redis-client.js';
import { MOVING_MS, type SlotMap, TRY_AGAIN_MS } from './slot-map.js';

/** Where a command is sent, and what it waits for first. */
interface Route {
  readonly redis: Redis;
  readonly acknowledged?: Promise<void> | undefined;
}

/** So many redirections are followed at once; the others wait a moment each, while the nodes learn from one another which has the slot. */
const HOPS_AT_ONCE = 5;

export class SlotRouter extends Redis {
  readonly #map: SlotMap;
  readonly #route: (node: NodeConnection) => Route;

  constructor(map: SlotMap, route: (node: NodeConnection) => Route) {
    super({ lazyConnect: true });
    this.#map = map;
    this.#route = route;
  }

  /** Redirections are followed: a command rejected with MOVED or ASK was not executed. */
  override async sendCommand(command: Command): Promise<unknown> {
    const slot: number | null = command.getSlot();
    if (slot === null && EVERYWHERE.has(command.name))
      throw new TypeError(`${command.name} asks one server of several`);
    const first = slot === null ? this.#map.any() : this.#map.nodeOf(slot);
    const reject = command.reject;
    let hops = 0;
    const lateMs = performance.now() + MOVING_MS;
    let acknowledged: Promise<void> | undefined;
    const send = (node: NodeConnection | undefined, isAsking: boolean): void => {
      // A node that has just become a master.
      if (node?.arriving !== undefined) return void node.arriving.then(() => send(node, isAsking));
      try {
        if (node === undefined) throw new StoreUnavailable('none');
        const route = this.#route(node);
        acknowledged = route.acknowledged;
        writeTogether(route.redis);
        if (isAsking) route.redis.asking().catch(() => {});
        void route.redis.sendCommand(command);
      } catch (error) {
        reject(error as Error);
      }
    };
    command.reject = (error: Error) => {
      const moving = slot === null ? undefined : this.#map.learn(error);
      if (moving === undefined || performance.now() > lateMs) reject(error);
      else if (moving.ask && (isAsk(error) || ++hops <= HOPS_AT_ONCE)) send(moving.ask, isAsk(error));
      else setTimeout(() => send(this.#map.nodeOf(slot!), false), TRY_AGAIN_MS);
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

const isAsk = ({ message }: Error): boolean => message.startsWith('ASK ');

const EVERYWHERE = new Set(['scan', 'keys', 'dbsize', 'flushall', 'flushdb', 'randomkey', 'script', 'config']);
