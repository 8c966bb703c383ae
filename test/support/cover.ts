/** Cover orders for tests. */
import type { CoverOrder } from '../../engine/domain/cover/cover.js';
import type { Cover } from '../../engine/store/cover/cover.js';

let orders = 0;

/** Of 1,000,000.00 EUR, to be bought. */
export const coverOrder = (more: Partial<CoverOrder> = {}): CoverOrder => ({
  id: `CVR${String(++orders).padStart(17, '0')}`,
  pair: 'EUR/USD',
  side: 'buy',
  amount: 100_000_000n,
  order: 'limit',
  timeInForce: 'IOC',
  worst: '1.0850',
  provider: 'LP1',
  valueDate: '20261125',
  net: -120_000_000n,
  netAtMs: 1_763_625_600_000,
  createdAtMs: 1_763_625_600_100,
  ...more,
});

/** Plans one as the holder of the risk lease, in the place of what the pair has open. */
export async function planCover(
  cover: Cover,
  status: 'suggested' | 'planned' | 'sent',
  more: Partial<CoverOrder> = {},
) {
  const holding = `test ${1_763_625_600_000_000 + ++orders}`;
  await cover.claim(holding);
  const order = coverOrder(more);
  for (const open of await cover.open())
    if (open.pair === order.pair && (await cover.move(open, 'withdrawn')).kind === 'status')
      await cover.move(open, 'ended');
  await cover.plan(order, status === 'suggested' ? status : 'planned', holding);
  if (status === 'sent') await cover.move(order, 'sent', '', holding);
  return order;
}
