/** Which master of a cluster has which slots, as its nodes report, and a node connection to each master. */
import type { RedisOptions } from './connection.js';
import { replyOf, StoreUnavailable } from './errors.js';
import type { NodeConnection } from './node-connection.js';
import { connectOnce } from './redis-client.js';

export const SLOTS = 16_384;
/** How long a command waits for a migrating slot, and the pause between its attempts, ms. */
export const MOVING_MS = 2_000;
export const TRY_AGAIN_MS = 20;

export type Owners = readonly (readonly [from: number, to: number, owner: RedisOptions])[];

/** The meaning of a reply about a migrating slot: to be sent to another node, or retried. */
export type Moving = { readonly ask: NodeConnection | undefined };

export class SlotMap {
  /** Sorted by name. */
  nodes: readonly NodeConnection[] = [];
  readonly #seeds: readonly RedisOptions[];
  readonly #newLink: (name: string, address: RedisOptions) => NodeConnection;
  readonly #onLeft: (name: string) => void;
  readonly #owners: (NodeConnection | undefined)[] = new Array(SLOTS).fill(undefined);
  readonly #byName = new Map<string, NodeConnection>();
  #refreshing: Promise<void> | undefined;
  #isClosed = false;

  /** `onLeft`: a node has no slots any more, or another has replaced it. */
  constructor(
    seeds: readonly RedisOptions[],
    newNode: (name: string, address: RedisOptions) => NodeConnection,
    onLeft: (name: string) => void,
  ) {
    this.#seeds = seeds;
    this.#newLink = newNode;
    this.#onLeft = onLeft;
  }

  /** Resolves when every master is connected. */
  async open(): Promise<void> {
    this.#take(await this.#askSeeds());
    await Promise.all(this.nodes.map((node) => node.open()));
  }

  nodeOf(slot: number): NodeConnection | undefined {
    return this.#owners[slot];
  }

  /** One that answers; the same one as long as it does, so that publications stay in order. */
  any(): NodeConnection | undefined {
    return this.nodes.find((node) => node.isUp);
  }

  /** Undefined: the error is not about migrating slots. */
  learn(error: unknown): Moving | undefined {
    const text = replyOf(error);
    const [, kind, slot, host = '', port] = /^(MOVED|ASK) (\d{1,5}) (?:(\S*):)?(\d{1,5})$/.exec(text) ?? [];
    if (kind === undefined) return text.startsWith('TRYAGAIN ') ? { ask: undefined } : undefined;
    // Without a host: the node that answered, with another port.
    const node = host === '' ? undefined : this.#byName.get(`${host}:${port}`);
    if (kind === 'ASK') return { ask: node };
    if (node) this.#owners[Number(slot)] = node;
    void this.refresh();
    return { ask: node };
  }

  /** Reads the slot map. Never rejects. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#askLinks()
      .catch(() => {})
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#byName.values()].map((node) => node.close()));
  }

  async #askLinks(): Promise<void> {
    for (const node of this.nodes) {
      if (!node.isUp) continue;
      const owners = await node.reads.cluster('SLOTS').catch(() => undefined);
      if (owners === undefined) continue;
      if (!this.#isClosed) this.#take(ownersOf(owners, node.address));
      return;
    }
  }

  async #askSeeds(): Promise<Owners> {
    for (const seed of this.#seeds) {
      const redis = connectOnce(seed);
      try {
        await redis.connect();
        return ownersOf(await redis.cluster('SLOTS'), seed);
      } catch {
        // The next one may answer.
      } finally {
        redis.disconnect();
      }
    }
    throw new StoreUnavailable('none');
  }

  #take(owners: Owners): void {
    const named = new Set<string>();
    const found: (NodeConnection | undefined)[] = new Array(SLOTS).fill(undefined);
    for (const [from, to, address] of owners) {
      const name = nameOf(address);
      named.add(name);
      let node = this.#byName.get(name);
      if (node === undefined) {
        node = this.#newLink(name, address);
        this.#byName.set(name, node);
        node.begin();
      }
      found.fill(node, from, to + 1);
    }
    this.#owners.splice(0, found.length, ...found);
    const left = [...this.#byName].filter(([name]) => !named.has(name));
    for (const [name] of left) this.#byName.delete(name);
    this.nodes = [...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const [name, node] of left) {
      // Pending commands are still answered.
      void node.close();
      this.#onLeft(name);
    }
  }
}

export const nameOf = ({ host = '', port = 0 }: RedisOptions): string => `${host}:${port}`;

/** From CLUSTER SLOTS; a node that does not know its own name is the one that was queried. */
export function ownersOf(reply: unknown, requested: RedisOptions): Owners {
  const ranges = reply as [from: number, to: number, owner: [host: string | null, port: number, ...unknown[]]][];
  return ranges.map(
    ([from, to, [host, port]]) => [from, to, { ...requested, host: host || requested.host, port }] as const,
  );
}
