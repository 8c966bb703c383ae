/** What a desk gets when its client cancels, moves or splits a conversion over REST. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../../../engine/domain/core/refusal.js';
import { RIGHTS } from '../../../../engine/domain/core/rights.js';
import { perform } from '../../../../engine/service/perform.js';
import { type Rig, startRig } from '../../../fix/rig.js';
import { startTrader, type Trader } from '../../../fix/trader.js';
import type { Received } from '../../../support/desk.js';

const NOW = Date.parse('2028-06-26T10:00:00.000Z');

let rig: Rig;
let acme: Trader;
let next = 0;

beforeAll(async () => {
  rig = await startRig({ now: () => NOW });
  acme = await startTrader(rig, 'acme');
  rig.tick('EUR/USD', '1.08158', '1.08164');
  await rig.services.store.clients.setScheduledLimit('acme', '1000000');
});
afterAll(() => rig.stop());

async function ask(name: Parameters<typeof perform>[1], input: object) {
  const caller = { clientId: 'acme', keyId: acme.clientKey, rights: new Set(RIGHTS) };
  const answer = await perform(rig.services, name, caller, input);
  if (isRefusal(answer)) throw new Error(`${answer.refusal}: ${answer.text}`);
  return answer as { quoteId: string };
}

async function changed(
  kind: readonly [
    quote: 'quoteCancellation' | 'quoteDateChange' | 'quoteSplit',
    command: 'cancelConversion' | 'changeConversionDate' | 'splitConversion',
  ],
  confirmationId: string,
  more: object = {},
): Promise<void> {
  const { quoteId } = await ask(kind[0], { confirmationId, ...more });
  await ask(kind[1], { confirmationId, quoteId, requestId: `change-${++next}`, reason: 'it ships later' });
}
const shown = (report: Received, ...tags: number[]) => tags.map((tag) => report.get(tag));

test('150=D with 378=99 for another date and a split with its parts, 150=H for a cancellation, each with the reason', async () => {
  const orderId = 'order-1';
  const { desk } = acme;
  acme.order({ 11: orderId, 54: 2, 20005: 'SCHEDULED1' });
  const booked = await desk.next('8', (report) => report.get(150) === 'F');
  const id = booked.get(37)!;

  await changed(['quoteDateChange', 'changeConversionDate'], id, { settlementDate: '2028-06-28' });
  const moved = await desk.next('8', (report) => report.get(150) === 'D');
  expect(shown(moved, 37, 11, 39, 378, 14, 64, 32)).toEqual([id, orderId, '2', '99', '1000', '20280628', undefined]);
  expect(moved.get(19)).toBe(booked.get(17));
  expect(moved.get(58)).toBe('Settlement date 20280627 moved to 20280628; it ships later');

  await changed(['quoteSplit', 'splitConversion'], id, { sellAmounts: [600, 400] });
  const split = await desk.next(
    '8',
    (report) => report.get(150) === 'D' && report.get(37) === id && report.get(39) === '4',
  );
  expect(shown(split, 378, 14, 151, 6, 19)).toEqual(['99', '0', '0', '0', moved.get(17)]);
  const part = await desk.next('8', (report) => report.get(198) === id && report.get(38) === '600');
  const other = await desk.next('8', (report) => report.get(198) === id && report.get(38) === '400');
  expect(split.get(58)).toBe(
    `Split into ${[part, other]
      .map((one) => one.get(37))
      .sort()
      .join(' ')}; it ships later`,
  );
  expect(shown(part, 150, 39, 378, 11, 14, 64, 19)).toEqual(['D', '2', '99', orderId, '600', '20280628', undefined]);
  expect(part.get(58)).toBe(`Part of ${id}, which was split`);

  await changed(['quoteCancellation', 'cancelConversion'], part.get(37)!);
  const cancelled = await desk.next('8', (report) => report.get(150) === 'H');
  expect(shown(cancelled, 37, 198, 39, 14, 19)).toEqual([part.get(37), id, '4', '0', part.get(17)]);
  expect(cancelled.get(58)).toMatch(/^Cancelled by the client: charge \d+\.\d\d EUR; it ships later$/);
});
