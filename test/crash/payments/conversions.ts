/** The expected conversions of a payment: by its accounts, its hold and its agreement, in their order. */
import type { PaymentTrail } from './payment-trail.js';

/** Their fault; `balance` is that of the debited account. Undefined: none. */
export function conversionFault(trail: PaymentTrail, balance: bigint): string | undefined {
  const { conversions, facts, intent, account } = trail;
  const { order, client } = intent;
  const bought = conversions.reduce((sum, made) => sum + BigInt(made.facts.buy), 0n);
  const total = trail.expected?.total;
  const told = conversions
    .map(({ facts: { id, sellCurrency, sell } }) => `${id} sells ${sellCurrency} ${sell}`)
    .join(', ');
  if (total === undefined) return 'nothing was sold for a source amount in another currency';
  if (balance < total) return `${total} leaves an account that has ${balance}`;

  for (const [i, made] of conversions.entries()) {
    if (made.facts.requestId !== `${facts.id}.${i + 1}`) return `conversion ${i + 1} is for ${made.facts.requestId}`;
    if (made.buyAccount !== account) return `${made.facts.id} buys into ${made.buyAccount}, it leaves from ${account}`;
  }
  const isOther = order.account !== undefined && order.account.currency !== facts.currency;
  if (order.given.kind === 'source') {
    if (!isOther) return conversions.length === 0 ? undefined : `no other account helps, and ${told}`;
    const [sold, ...more] = conversions;
    if (more.length > 0 || sold?.facts.sell !== String(order.given.minor))
      return `to sell ${order.given.minor}: ${told}`;
  }
  // With a hold for the payment's amount, the account itself must cover the fee.
  const isEnough = bought === total || (order.isFixed && bought === trail.expected?.amount);
  if (isOther && !isEnough) return `${total} is needed and ${bought} was bought: ${told}`;
  if ((conversions[0]?.facts.holdId ?? '') !== facts.holdId) return `its hold is ${facts.holdId || 'none'}: ${told}`;
  if (facts.holdId !== '' && conversions.length !== 1) return `at its hold: ${told}`;

  const agreed = client.agreement
    .filter((sold) => sold.currency !== facts.currency)
    .map(({ number }) => String(number));
  const named = isOther ? [String(order.account.number)] : [];
  const inOrder = [...new Set([...named, ...(order.given.kind === 'source' || order.held ? [] : agreed)])];
  let at = -1;
  for (const { sellAccount } of conversions) {
    const place = inOrder.indexOf(sellAccount);
    if (place <= at) return `${inOrder.join(', ')} is the order of its accounts: ${told}`;
    at = place;
  }
  return undefined;
}
