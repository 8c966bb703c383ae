/** A client with money and a desk that is logged on. */

import { onTestFinished } from 'vitest';
import { isRefusal } from '../../engine/domain/core/refusal.js';
import type { Right } from '../../engine/domain/core/rights.js';
import { perform } from '../../engine/service/perform.js';
import type { Fields, Received, TestDesk } from '../support/desk.js';
import { redisAt } from '../support/redis-client.js';
import { IMPATIENT } from '../support/store.js';
import { type ClientOf, type Rig, startRig } from './rig.js';

export interface Trader extends ClientOf {
  readonly desk: TestDesk;
  readonly token: string;
  /** Number of the default account by currency. */
  readonly accounts: Readonly<Record<string, string>>;
  /** Sends a NewOrderSingle(D); fields that are undefined are left out. */
  order(order: Order, header?: { readonly more?: Fields }): void;
  /** Sends an OrderStatusRequest(H). */
  status(id: string, request?: Order, header?: { readonly more?: Fields }): void;
  /** The next ExecutionReport(8) of that ClOrdID(11), but for one that it is pending: a slow machine may send that first. */
  report(id: string): Promise<Received>;
  /** Every balance of the client, house and all, and how many journal entries there are. */
  money(): Promise<{ readonly balances: Readonly<Record<string, string>>; readonly journal: number }>;
}

/** By tag. */
export type Order = Readonly<Record<number, string | number | undefined>>;

export interface TraderOptions {
  readonly rights?: readonly Right[];
  readonly money?: Readonly<Record<string, string>>;
  readonly logon?: Fields;
}

export async function startTrader(rig: Rig, name: string, options: TraderOptions = {}): Promise<Trader> {
  const { money = { EUR: '1000000', USD: '1000000' } } = options;
  const client = await rig.client(name, options.rights ? { rights: options.rights } : {});
  const accounts: Record<string, string> = {};
  for (const [currency, amount] of Object.entries(money))
    accounts[currency] = await account(rig, name, currency, amount);
  const desk = rig.desk(client);
  const token = (await desk.logon(options.logon)).get(20001)!;
  return { ...client, ...traderOf(rig, client, desk, token), accounts };
}

/** A trader on a rig of its own, whose store answers nothing until the end of the test: the store of the other tests stays patient. */
export async function startBesideHungStore(): Promise<Trader> {
  const rig = await startRig({ store: IMPATIENT });
  onTestFinished(() => rig.stop());
  const trader = await startTrader(rig, 'hung');
  rig.hangStore();
  return trader;
}

/** The same client on another connection. */
export function traderOf(rig: Rig, client: ClientOf, desk: TestDesk, token: string) {
  return {
    desk,
    token,
    order(order: Order, header: { readonly more?: Fields } = {}): void {
      const fields: Order = {
        55: 'EUR/USD',
        54: 1,
        60: utc(Date.now()),
        38: 1000,
        40: 1,
        15: 'EUR',
        20001: token,
        ...order,
      };
      desk.send('D', given(ORDER, fields), header);
    },
    status(id: string, request: Order = {}, header: { readonly more?: Fields } = {}): void {
      const fields: Order = { 11: id, 55: 'EUR/USD', 54: 1, 20001: token, ...request };
      desk.send('H', given(STATUS, fields), header);
    },
    report: (id: string) => desk.next('8', (message) => message.get(11) === id && message.get(150) !== 'A'),
    async money() {
      const { shard } = (await rig.services.store.clients.get(client.id))!;
      const own = `{s${String(shard).padStart(2, '0')}}:client:${client.id}`;
      const redis = redisAt(rig.redisUrl);
      try {
        return { balances: await redis.hgetall(`${own}:balances`), journal: await redis.xlen(`${own}:journal`) };
      } finally {
        redis.disconnect();
      }
    },
  };
}

/** A session `OFFICE` of the same client that gets copies. */
export async function startOffice(rig: Rig, of: ClientOf) {
  await perform(rig.services, 'assignCompId', undefined, { compId: 'OFFICE', clientId: of.id, dropCopy: true });
  const desk = rig.desk(of, { compId: 'OFFICE' });
  const token = (await desk.logon()).get(20001)!;
  await desk.settle();
  return traderOf(rig, of, desk, token);
}

/** The trader's desk on a new connection: it continues its numbers, unless it resets them to 1. */
export async function logonAgain(rig: Rig, of: Trader, how: 'with its numbers' | 'at 1' = 'with its numbers') {
  const desk = rig.desk(of);
  const isResumed = how === 'with its numbers';
  if (isResumed) desk.nextOut = of.desk.nextOut;
  await desk.connect();
  desk.send('A', [
    [98, 0],
    [108, 30],
    ...(isResumed ? [] : [[141, 'Y'] as const]),
    [553, of.clientKey],
    [554, of.clientSecret],
  ]);
  const token = (await desk.next('A')).get(20001)!;
  return { ...of, ...traderOf(rig, of, desk, token) };
}

/** Of these fields those that are given. */
const given = (tags: readonly number[], fields: Order): Fields =>
  tags.filter((tag) => fields[tag] !== undefined).map((tag) => [tag, fields[tag]!] as const);

const STATUS = [11, 37, 55, 54, 20001];
/** Body fields in the order in which they are sent. */
const ORDER = [
  11, 1, 78, 79, 80, 55, 460, 167, 54, 60, 38, 152, 516, 40, 44, 15, 59, 63, 64, 117, 58, 18, 99, 110, 111, 126, 168,
  192, 193, 210, 211, 386, 336, 388, 389, 423, 432, 640, 847, 848, 849, 854, 20001, 20005, 20007, 20008,
];

/** A new account with so much in it; its number. */
export async function account(rig: Rig, clientId: string, currency: string, amount = '0'): Promise<string> {
  const opened = await perform(rig.services, 'openAccount', undefined, { clientId, currency });
  if (isRefusal(opened)) throw new Error(opened.text);
  if (amount === '0') return opened.number;
  const credit = { accountNumber: opened.number, amount };
  const credited = await perform(rig.services, 'creditAccount', undefined, credit);
  if (isRefusal(credited)) throw new Error(credited.text);
  return opened.number;
}

export function utc(ms: number): string {
  return new Date(ms).toISOString().replaceAll('-', '').replace('T', '-').slice(0, 21);
}
