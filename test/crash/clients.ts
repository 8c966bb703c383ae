/** Clients with accounts, money, fees and desks, created in the store before anything is killed. */
import { RIGHTS } from '../../engine/domain/core/rights.js';
import { type OpenStoreOptions, openStore, type Store } from '../../engine/store/store.js';
import { PATIENT, SILENT } from '../support/store.js';

export interface CrashClient {
  readonly id: string;
  readonly shard: number;
  readonly clientKey: string;
  readonly clientSecret: string;
  /** Default account of each currency. */
  readonly accounts: Readonly<Record<string, number>>;
  /** Accounts that Auto Book FX sells from, in its order; empty without an agreement. */
  readonly agreement: readonly CrashAccount[];
  /** The fees of a payment, by its currency. */
  readonly fees: Fees;
  readonly desks: readonly string[];
  /** The desk that gets drop copies of bookings made elsewhere. */
  readonly copiesTo: string | undefined;
}

export interface CrashAccount {
  readonly number: number;
  readonly currency: string;
}

/** Minor units, and parts per million of the amount. */
type Fees = Readonly<Record<string, { readonly fixed: bigint; readonly ppm: bigint }>>;

interface Plan {
  readonly id: string;
  readonly desks: readonly string[];
  /** Currencies and units; the first account of a currency is its default. */
  readonly money: readonly (readonly [currency: string, units: bigint])[];
  /** Positions in `money`, in the order of the agreement. */
  readonly agreement?: readonly number[];
  readonly fees: Fees;
  readonly copiesTo?: string;
}

const EVERYWHERE = ['EUR', 'USD', 'GBP', 'JPY'];
const FIXED: Fees = {
  EUR: { fixed: 150n, ppm: 0n },
  USD: { fixed: 300n, ppm: 0n },
  GBP: { fixed: 125n, ppm: 0n },
  JPY: { fixed: 180n, ppm: 0n },
};
const BOTH: Fees = {
  EUR: { fixed: 99n, ppm: 1_500n },
  USD: { fixed: 0n, ppm: 3_333n },
  GBP: { fixed: 75n, ppm: 1n },
  JPY: { fixed: 50n, ppm: 2_500n },
};

/** Two of the clients are sub-clients of it: each of their conversions posts a share to its ledger, in EUR to an account. */
const PLATFORM = 'platform';

/**
 * One is rich, one is soon short of money, one gets drop copies of its bookings over REST and for its payments, and one has little money,
 * in three accounts that Auto Book FX sells, and no pounds.
 */
const PLANS: readonly Plan[] = [
  { id: 'rich', desks: ['RICH1', 'RICH2'], money: EVERYWHERE.map((cur) => [cur, 9_000_000_000n]), fees: FIXED },
  { id: 'short', desks: ['SHORT1'], money: EVERYWHERE.map((cur) => [cur, 60_000n]), fees: BOTH },
  {
    id: `${PLATFORM}~copied`,
    desks: ['COPY1', 'COPY2'],
    money: EVERYWHERE.map((cur) => [cur, 900_000_000n]),
    agreement: [2, 0, 1],
    fees: BOTH,
    copiesTo: 'COPY2',
  },
  {
    id: `${PLATFORM}~agreed`,
    desks: [],
    money: [
      ['EUR', 3_000n],
      ['USD', 2_500n],
      ['JPY', 250_000n],
      ['EUR', 1_000n],
    ],
    agreement: [1, 3, 2],
    fees: FIXED,
  },
];

const MINOR: Readonly<Record<string, bigint>> = { EUR: 100n, USD: 100n, GBP: 100n, JPY: 1n };

export const minorOf = (currency: string): bigint => MINOR[currency]!;

export async function provision(
  where: Pick<OpenStoreOptions, 'dataDir' | 'redisUrl' | 'masterKey'>,
): Promise<CrashClient[]> {
  const store = await openStore({ ...where, own: 'start-if-absent', log: SILENT, ...PATIENT });
  try {
    await store.margins.set({ clientId: '*', pair: '*', type: '*', marginPpm: 2_500 });
    await store.margins.set({ clientId: `${PLATFORM}~*`, pair: '*', type: '*', marginPpm: 1_000 });
    const platform = (await store.clients.create({ id: PLATFORM, name: PLATFORM, defaultType: 'PREFUNDING' }))!;
    await store.clients.change(PLATFORM, { isPlatform: true });
    await store.clients.setScheduledLimit(PLATFORM, '100000000');
    const account = { currency: 'EUR', label: 'crash', autoBookFxSequence: 0, makeDefault: true };
    await store.accounts.open(platform, account);
    const made: CrashClient[] = [];
    for (const plan of PLANS) made.push(await make(store, plan));
    return made;
  } finally {
    await store.close();
  }
}

async function make(store: Store, { id, desks, money, agreement = [], fees, copiesTo }: Plan): Promise<CrashClient> {
  const client = (await store.clients.create({ id, name: id, defaultType: 'PREFUNDING' }))!;
  // Reconciliation finds an event that is lost or invented.
  await store.events.enable(client);
  await store.clients.setScheduledLimit(id, '1000000');
  const opened: CrashAccount[] = [];
  for (const [place, [currency, units]] of money.entries()) {
    const { number } = (await store.accounts.open(client, {
      currency,
      label: 'crash',
      autoBookFxSequence: agreement.indexOf(place) + 1,
      makeDefault: !opened.some((account) => account.currency === currency),
    }))!;
    await store.accounts.credit(client, `start-${place}`, number, minorOf(currency) * units);
    opened.push({ number: Number(number), currency });
  }
  for (const [currency, { fixed, ppm }] of Object.entries(fees))
    await store.fees.set(client, {
      corridor: `*-${currency}`,
      method: '*',
      fixed: units(fixed, currency),
      ppm: Number(ppm),
    });
  for (const desk of desks) await store.compIds.assign(desk, id, { dropCopy: desk === copiesTo });
  const { clientKey, clientSecret } = (await store.keys.issue(id, RIGHTS))!;
  return {
    id,
    shard: client.shard,
    clientKey,
    clientSecret,
    accounts: Object.fromEntries([...opened].reverse().map(({ currency, number }) => [currency, number])),
    agreement: agreement.map((place) => opened[place]!),
    fees,
    desks,
    copiesTo,
  };
}

/** Decimal text. */
export function units(minor: bigint, currency: string): string {
  const unit = minorOf(currency);
  return unit === 1n ? String(minor) : `${minor / unit}.${String(minor % unit).padStart(2, '0')}`;
}
