/** Checks that waiting payments lack funds, by the balances and current rates, and determines what would fund them. */
import type { Redis } from 'ioredis';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { type CrashAccount, minorOf } from '../clients.js';
import { isGiven, type RestCaller } from '../rest-caller.js';
import type { Wanted } from './money-comes.js';
import type { PaymentAudit, Played } from './payment-audit.js';
import type { PaymentTrail } from './payment-trail.js';

/** Dollars for one unit. */
export type Dollars = Readonly<Record<string, number>>;

/** Margin, spread, and the movement of the market since the last attempt. */
const SHARE_LEFT = 0.93;
const WANTED_MAX = 4;
/** The expiry of a hold is detected within this time. */
const NOTICED_MS = 5_000;

export async function dollars(caller: RestCaller, client: PaymentAudit['client']): Promise<Dollars> {
  const rate = async (sells: string, buys: string): Promise<number> => {
    const reply = await caller.get(client, `/api/v1/bookfx/rate?sell_currency=${sells}&buy_currency=${buys}`);
    return isGiven(reply) ? Number(reply.body.fx_rate) : Number.NaN;
  };
  const [eur, gbp, yen] = await Promise.all([rate('EUR', 'USD'), rate('GBP', 'USD'), rate('USD', 'JPY')]);
  return { USD: 1, EUR: eur, GBP: gbp, JPY: 1 / yen };
}

/** Reports a payment that is behind no other and could be paid. */
export async function whoIsShort(
  redis: Redis,
  audit: PaymentAudit,
  played: Played,
  rates: Dollars,
  wrong: (text: string) => void,
): Promise<readonly Wanted[]> {
  const { client, trails } = audit;
  const members = await redis.zrange(ledgerKeys(client).waiting, '0', '-1');
  const taken = new Set<string>();
  const wanted: Wanted[] = [];
  for (const member of members) {
    const [id = '', draws = ''] = member.split('|');
    const trail = trails.get(id);
    if (!trail || draws === '') continue;
    const overMs = trail.facts.holdId === '' ? 0 : Date.now() - trail.facts.holdExpiryMs;
    if (overMs > NOTICED_MS) wrong(`${client.id}: the hold of ${id} is over for ${overMs} ms, and it keeps ${draws}`);
    const accounts = draws.split(',').flatMap((part) => {
      const [, except] = /^agreement-(...)$/.exec(part) ?? [];
      if (except === undefined) return [part];
      return trail.intent.client.agreement
        .filter((sold) => sold.currency !== except)
        .map(({ number }) => String(number));
    });
    const isBehind = accounts.some((account) => taken.has(account));
    for (const account of accounts) taken.add(account);
    const { account, currency, minor } = needOf(trail);
    const there = isBehind || overMs > 0 ? undefined : coveredBy(trail, played, rates);
    if (there)
      wrong(
        `${client.id}: ${id} awaits its funds, which are there: ${there}; ${JSON.stringify(trail.intent.order.body)}`,
      );
    if (wanted.length < WANTED_MAX) wanted.push({ client, account, currency, minor });
  }
  return wanted;
}

/** Of the account that pays, or that is sold first; of the latter approximately. */
function needOf({ intent, account, facts, expected }: PaymentTrail): Omit<Wanted, 'client'> {
  const { order } = intent;
  const total = expected?.total ?? 0n;
  const isOther = order.account !== undefined && order.account.currency !== facts.currency;
  if (order.account && order.given.kind === 'source') return { ...paying(order.account), minor: order.given.minor };
  if (order.account && isOther)
    return { ...paying(order.account), minor: order.account.currency === 'JPY' ? total * 2n : total };
  return { account: Number(account), currency: facts.currency, minor: total };
}

const paying = ({ number, currency }: CrashAccount) => ({ account: number, currency });

/** The accounts that could pay it; undefined: it lacks funds. */
function coveredBy(trail: PaymentTrail, played: Played, rates: Dollars): string | undefined {
  const { intent, facts, account, expected } = trail;
  const { order, client } = intent;
  const { currency } = facts;
  const isOther = order.account !== undefined && order.account.currency !== currency;
  if (order.account && order.given.kind === 'source') {
    const balance = played(order.account.currency, String(order.account.number));
    return balance >= order.given.minor ? `${balance} ${order.account.currency}` : undefined;
  }
  const total = expected?.total ?? 0n;
  const agreed = order.held ? [] : client.agreement.filter((sold) => sold.currency !== currency);
  const sold = new Map(agreed.map((one) => [one.number, one]));
  if (isOther) sold.set(order.account.number, order.account);
  const worths = [...sold.values()].map((one) => ({ ...one, worth: worth(one, currency, played, rates) }));
  const bought = worths.reduce((sum, one) => sum + one.worth, 0);
  // With a hold for the payment's amount, the account itself must cover the fee.
  if (order.isFixed && played(currency, account) < total - BigInt(facts.given.minor)) return undefined;
  const own = isOther ? 0n : played(currency, account);
  const isCovered = own >= total || own + BigInt(Math.floor(bought * SHARE_LEFT)) >= total;
  const others = worths.map((one) => `${played(one.currency, String(one.number))} ${one.currency}`).join(', ');
  return isCovered ? `${own} and ${others} worth ${bought} of ${total} ${currency}` : undefined;
}

/** Minor units of the other currency. */
function worth({ number, currency }: CrashAccount, into: string, played: Played, rates: Dollars): number {
  const units = Number(played(currency, String(number))) / Number(minorOf(currency));
  const worth = (units * rates[currency]!) / rates[into]!;
  return Number.isNaN(worth) ? 0 : worth * Number(minorOf(into));
}
