/** The connection that subscribes to channels. On a cluster every node delivers what is published at any. */
import type { Redis } from 'ioredis';
import { leave, openRedis, type RedisOptions, ready } from './redis-client.js';

export class Subscriber {
  readonly redis: Redis;
  readonly #address: () => RedisOptions;
  readonly #listeners = new Map<string, Set<(message: Buffer) => void>>();

  constructor(address: () => RedisOptions) {
    this.#address = address;
    const redis = openRedis(address, { connectionName: 'ratewire-subscriber' });
    this.redis = redis;
    redis.on('ready', () => this.#send([...this.#listeners.keys()]));
    redis.on('messageBuffer', (channel: Buffer, message: Buffer) => {
      for (const receive of this.#listeners.get(channel.toString()) ?? []) receive(message);
    });
  }

  open(): Promise<void> {
    // The nodes of a cluster are known only now.
    Object.assign(this.redis.options, this.#address());
    return ready(this.redis);
  }

  /** Messages of a channel until the returned function is called; a message published while Redis is unavailable is lost. */
  subscribe(channel: string, receive: (message: Buffer) => void): () => void {
    const subscribers = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, subscribers.add(receive));
    if (subscribers.size === 1) this.#send([channel]);
    return () => {
      subscribers.delete(receive);
      if (subscribers.size > 0 || this.#listeners.get(channel) !== subscribers) return;
      this.#listeners.delete(channel);
      if (this.redis.status === 'ready') this.redis.unsubscribe(channel).catch(() => {});
    };
  }

  /** Closes the socket and connects again: the peer may have vanished. */
  reconnect(): void {
    this.redis.disconnect(true);
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await leave(this.redis);
  }

  #send(channels: readonly string[]): void {
    if (this.redis.status === 'ready' && channels.length > 0) this.redis.subscribe(...channels).catch(() => {});
  }
}
