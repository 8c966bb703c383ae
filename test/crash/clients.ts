/** Clients with accounts, money and desks, made through the store before anything is killed. */
import { RIGHTS } from '../../engine/domain/rights.js';
import { openStore } from '../../engine/store/store.js';
import { SILENT } from '../support/store.js';

export interface CrashClient {
  readonly id: string;
  readonly shard: number;
  readonly clientKey: string;
  readonly clientSecret: string;
  /** Default account of each currency. */
  readonly accounts: Readonly<Record<string, number>>;
  readonly desks: readonly string[];
  /** The desk that gets a copy of what is booked elsewhere. */
  readonly copiesTo: string | undefined;
}

interface Plan {
  readonly id: string;
  readonly desks: readonly string[];
  /** Units of each currency. */
  readonly money: bigint;
  readonly copiesTo?: string;
}

/** One is rich, one is soon short of money, one hears by drop copies of what it books over REST. */
const PLANS: readonly Plan[] = [
  { id: 'rich', desks: ['RICH1', 'RICH2'], money: 9_000_000_000n },
  { id: 'short', desks: ['SHORT1'], money: 60_000n },
  { id: 'copied', desks: ['COPY1', 'COPY2'], money: 900_000_000n, copiesTo: 'COPY2' },
];

const MINOR: Readonly<Record<string, bigint>> = { EUR: 100n, USD: 100n, GBP: 100n, JPY: 1n };

export async function provision(dataDir: string): Promise<CrashClient[]> {
  const store = await openStore({ dataDir, own: 'start-if-absent', log: SILENT });
  try {
    await store.margins.set({ clientId: '*', pair: '*', type: '*', marginPpm: 2_500 });
    const made: CrashClient[] = [];
    for (const { id, desks, money, copiesTo } of PLANS) {
      const client = (await store.clients.create({ id, name: id, defaultType: 'PREFUNDING' }))!;
      await store.clients.setScheduledLimit(id, '1000000');
      const accounts: Record<string, number> = {};
      for (const [currency, minor] of Object.entries(MINOR)) {
        const opened = await store.accounts.open(client, {
          currency,
          label: 'crash',
          autoBookFxSequence: 0,
          makeDefault: true,
        });
        await store.accounts.credit(client, `start-${currency}`, opened!.number, money * minor);
        accounts[currency] = Number(opened!.number);
      }
      for (const desk of desks) await store.compIds.assign(desk, id, { dropCopy: desk === copiesTo });
      const { clientKey, clientSecret } = (await store.keys.issue(id, RIGHTS))!;
      made.push({ id, shard: client.shard, clientKey, clientSecret, accounts, desks, copiesTo });
    }
    return made;
  } finally {
    await store.close();
  }
}
