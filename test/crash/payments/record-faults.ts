/** Compares the record of a payment, and its references, with its journal entries and its request. */
import type { Redis } from 'ioredis';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { readStoredPayment } from '../../support/stored.js';
import { namedBy } from '../journalled.js';
import type { PaymentTrail } from './payment-trail.js';

export async function recordFaults(redis: Redis, trail: PaymentTrail): Promise<string[]> {
  const { id, facts, intent } = trail;
  const keys = ledgerKeys(intent.client);
  const [record, named, receipt, holder, listed] = await Promise.all([
    readStoredPayment(redis, keys.payment(id)),
    redis.get(keys.transaction(facts.transactionNumber)),
    redis.get(keys.receipt(facts.requestId)),
    redis.get(`payment:${id}`),
    redis.zscore(keys.index('payments'), `${String(facts.createdAtMs).padStart(13, '0')}|${id}`),
  ]);
  // The expiry of a hold is recorded without a step.
  const subStatus = trail.isHeld && record.subStatus === 'HOLD_EXPIRED' ? '' : record.subStatus;
  const kept = {
    ...record,
    subStatus,
    'its transaction number': named,
    'its receipt': namedBy(receipt, 'payment'),
    'its holder': holder,
    listed,
  };
  const expected = { ...standingOf(trail), ...askedOf(trail) };
  const found: Readonly<Record<string, unknown>> = { ...kept, ...factsOf(trail) };
  return Object.entries(expected).flatMap(([name, value]) =>
    found[name] === value ? [] : [`${name} is ${found[name]}, and should be ${value}`],
  );
}

function standingOf({ id, standing, entries, split, conversions, account, intent }: PaymentTrail) {
  const { status, sub, attempts } = standing;
  return {
    status,
    subStatus: sub,
    step: String(entries.length),
    attempts: String(attempts),
    entries: entries.join(' '),
    account,
    ...(split && {
      amount: String(split.amount),
      toTransit: String(split.transit),
      toFees: String(split.fees),
      bookings: conversions.map(({ facts }) => facts.id).join(' '),
    }),
    'its transaction number': id,
    'its receipt': id,
    'its holder': intent.client.id,
    listed: '0',
  };
}

function factsOf({ facts }: PaymentTrail) {
  const { requestId, currency, given, sourceAccount, feePayer, feeFixed, feePpm, deduct, holdId, details } = facts;
  const { minor } = given;
  return {
    requestId,
    currency,
    minor,
    sourceAccount,
    feePayer,
    feeFixed,
    feePpm,
    deduct,
    holdId,
    name: details.beneficiary.name,
  };
}

function askedOf({ intent, account, facts }: PaymentTrail) {
  const { order, client, number } = intent;
  const { currency, given, feePayer, deduct, held, name } = order;
  const { fixed, ppm } = client.fees[currency]!;
  const own = client.accounts[currency];
  const named = order.account?.currency === currency ? order.account.number : own;
  return {
    requestId: number,
    currency,
    // The value of another currency is known from the rate at that moment only.
    minor: given.kind === 'equivalent' && given.currency !== currency ? facts.given.minor : String(given.minor),
    sourceAccount: order.account ? String(order.account.number) : '',
    feePayer,
    feeFixed: String(fixed),
    feePpm: Number(ppm),
    deduct: String(deduct),
    holdId: held?.holdId ?? '',
    name,
    // An account that the client did not have was opened for it.
    account: named === undefined ? account : String(named),
  };
}
