import { z } from 'zod';
import { refuse } from '../../domain/core/refusal.js';
import { RIGHTS } from '../../domain/core/rights.js';
import { defineOpenOperation } from '../core/operation.js';

/** Clients written concurrently: one round trip each, so that 1,000 of them take seconds, not a minute. */
const AT_ONCE = 50;
const SO_MANY = { error: 'a whole number from 1 to 5000' };
const COUNT = z.int(SO_MANY).min(1, SO_MANY).max(5000, SO_MANY);

/**
 * Clients `bench1`... with keys `key1`... secrets `secret1`... and CompIDs `CLI0001`..., each with its own margin (or one of `tiers`), and
 * SourceTime(20017) on. The secrets are guessable: refused with NOT_ENTITLED unless all ports are on loopback addresses.
 */
export const provisionBenchmarkClients = defineOpenOperation({
  input: z.object({ clients: COUNT, tiers: COUNT.optional() }),
  audited: {
    subject: ({ clients }) => `benchmark clients bench1 to bench${clients}`,
    async state({ store }, { clients }) {
      const names = Array.from({ length: clients }, (_, i) => `bench${i + 1}`);
      const found = await Promise.all(names.map((name) => store.clients.get(name)));
      return { there: found.filter(Boolean).length };
    },
  },
  async execute({ store, settings, progress }, _operator, { clients, tiers = clients }) {
    if (!settings.loopbackOnly) {
      return refuse('NOT_ENTITLED', 'Benchmark clients have known secrets: set HOST and REDIS_URL to 127.0.0.1 first');
    }
    const provision = async (n: number) => {
      const clientId = `bench${n}`;
      await store.clients.create({ id: clientId, name: `Benchmark client ${n}`, defaultType: 'PREFUNDING' });
      await store.keys.provision(clientId, RIGHTS, `key${n}`, `secret${n}`);
      await store.compIds.assign(`CLI${String(n).padStart(4, '0')}`, clientId, { sourceTime: true });
      // In steps of 0.001 percent: large enough to give each client a different price.
      await store.margins.set({ clientId, pair: '*', type: '*', marginPpm: 10 * (1 + ((n - 1) % tiers)) });
    };
    for (let first = 1; first <= clients; first += AT_ONCE) {
      const last = Math.min(clients, first + AT_ONCE - 1);
      await Promise.all(Array.from({ length: last - first + 1 }, (_, i) => provision(first + i)));
      progress?.(`${last} clients`, last / clients);
    }
    return { clients };
  },
});
