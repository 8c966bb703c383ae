/** The rows that `npm run bench` measures, with their goals; the only place that states them. */
export type StoreKind = 'redis-server' | 'embedded';

interface Goal {
  readonly what: string;
  readonly unit: 'x' | 'us' | 'ms' | 's' | 'B' | 'KiB' | '%';
  /** A higher value is better; otherwise a lower one. */
  readonly higher?: true;
  readonly must?: Limit;
  readonly better?: Limit;
}
/** Some differ by store. */
type Limit = number | Readonly<Record<StoreKind, number>>;

const higher = (what: string, must?: number, better?: number): Goal => ({
  ...{ what, unit: 'x', higher: true },
  ...(must !== undefined && { must }),
  ...(better !== undefined && { better }),
});
const lower = (what: string, unit: Goal['unit'], must: Limit, better?: Limit): Goal => ({
  ...{ what, unit, must },
  ...(better !== undefined && { better }),
});
const rest = (path: string, must?: number, better?: number): Goal =>
  higher(`REST ${path} / bare Express GET, by CPU`, must, better);

const ALL = {
  'book-fx/1': higher('Book FX through the service / the raw script, 1 caller', 0.85, 0.95),
  'book-fx/16': higher('Book FX through the service / the raw script, 16 callers', 0.85, 0.95),
  'book-fx/64': higher('Book FX through the service / the raw script, 64 callers', 0.85, 0.95),
  'store-cpu': lower(
    'store CPU of a booking, 64 callers',
    'us',
    { 'redis-server': 30, embedded: 60 },
    { 'redis-server': 22, embedded: 45 },
  ),
  'postgres/1': higher('Book FX through the service / PostgreSQL, 1 caller', 0.8, 1),
  'postgres/16': higher('Book FX through the service / PostgreSQL, 16 callers', 1, 1.5),
  'postgres/64': higher('Book FX through the service / PostgreSQL, 64 callers', 2, 3),
  'memory/conversion': lower('memory of a booking', 'B', 990, 600),
  'memory/payment': lower('memory of a payment to PAID', 'B', 1_900, 1_200),
  'file/conversion': lower('append-only file of a booking', 'B', 1_400, 700),
  'file/payment': lower('append-only file of a payment to PAID', 'B', 3_000, 2_000),
  'rest/rate': rest('bookfx/rate', 0.85, 0.95),
  'rest/bookfx/currency': rest('bookfx/currency/create', 0.75, 0.9),
  'rest/bookfx/account': rest('bookfx/account/create', 0.7, 0.85),
  'rest/payments/create': rest('payments/create, with the workers', 0.45, 0.6),
  'rest/payouts': rest('payouts, with the workers', 0.45, 0.6),
  'rest/required-details': rest('required-details', 0.9, 1.5),
  'rest/authentication': rest('authentication', 0.6, 0.8),
  'rest/bookfx read': rest('bookfx read', 1, 1.3),
  'fix/p50': lower('order to report over FIX, 64 desks, p50', 'ms', 4, 3),
  'fix/p99': lower('order to report over FIX, 64 desks, p99', 'ms', 12, 8),
  'fix/cpu': lower('CPU of the gateway for a booking over FIX', 'us', 120, 80),
  'start/second': lower('`npm start` to ready, second time', 's', 1.2, 0.8),
  'start/idle': lower('idle CPU of all programs, of one core', '%', 4, 2),
  'own-100/messages': higher('stream own-100, messages per CPU-second / baseline', 0.4, 0.7),
  'tiers-100/messages': higher('stream tiers-100, messages per CPU-second / baseline', 0.3, 0.5),
  'own-1000/messages': higher('stream own-1000, messages per CPU-second / baseline', 0.5, 0.75),
  'own-1000/memory': lower('stream own-1000, memory per session', 'KiB', 60, 30),
  'paced-10/p50': lower('stream paced-10, p50 / baseline', 'x', 1.4, 1.2),
  'paced-10/p99': lower('stream paced-10, p99 / baseline', 'x', 2, 1.5),
  'paced-100/cpu': lower('stream paced-100, CPU per message / baseline', 'x', 1.35, 1.15),
  'paced-100/p50': lower('stream paced-100, p50 / baseline', 'x', 1.4, 1.2),
  'paced-100/p99': lower('stream paced-100, p99 / baseline', 'x', 2, 1.5),
  'stalled-100/p99': lower('stream stalled-100, p99 of the others / without', 'x', 1.1),
  'stalled-100/gone': lower('stream stalled-100, logged out after, and what the buffers take', 's', 10),
  'growth/bookings': lower('list of bookings in a large store / in one of 1,000, p99', 'x', 1.5),
  'growth/payments': lower('list of payments in a large store / in one of 1,000, p99', 'x', 1.5),
  'growth/statement': lower('entries of an account in a large store / in one of 1,000, p99', 'x', 1.5),
  'growth/store-cpu': { what: 'store CPU of a booking in a large store / in one of 1,000', unit: 'x' },
  'growth/start': { what: 'start of the large store', unit: 's' },
  'hostile/items': lower('hostile: 170,000 items of a batch, CPU', 'ms', 20),
  'hostile/faults': lower('hostile: 1,000 items, each with a fault, CPU', 'ms', 20),
  'hostile/members': lower('hostile: 64 KiB of unknown fields, CPU', 'ms', 20),
  'hostile/numbers': lower('hostile: 64 KiB of numbers to be checked, CPU', 'ms', 20),
  'hostile/texts': lower('hostile: texts of 60,000 characters to be normalised, CPU', 'ms', 20),
  'growth/ready': { what: '`npm start` to ready on the large store, second time', unit: 's' },
} as const satisfies Readonly<Record<string, Goal>>;

export type RowName = keyof typeof ALL;
export const GOALS: Readonly<Record<RowName, Goal>> = ALL;

export const isRow = (name: string): name is RowName => name in ALL;

export function limitOf(limit: Limit | undefined, store: StoreKind | undefined): number | undefined {
  return typeof limit === 'object' ? store && limit[store] : limit;
}

/** `0.4, better 0.7`; empty for a row without a goal. */
export function goalText(name: string, store?: StoreKind): string {
  if (!isRow(name)) return '';
  const { must, better } = GOALS[name];
  const [least, most] = [limitOf(must, store), limitOf(better, store)];
  return [least ?? '', most === undefined ? [] : `better ${most}`].flat().join(', ');
}
