/** What the house keeps of the margin of a hold is never below what the hold is worth as an option. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pairBySymbol } from '../../../engine/domain/money/pair.js';
import { houseMargin, platformShare } from '../../../engine/domain/platforms/platform-share.js';
import { priceProof } from '../../../engine/domain/prices/price-proof.js';
import type { OutputOf } from '../../../engine/service/operations.js';
import { perform } from '../../../engine/service/perform.js';
import { FRIDAY, type MoneyRig, startMoney } from '../../service/money-rig.js';

let on: MoneyRig;

beforeAll(async () => {
  on = await startMoney();
  for (const [id, margin] of Object.entries({ none: '0', little: '0.01', usual: '0.25' })) {
    await must('createClient', { id, name: id });
    await must('setMargin', { clientId: id, pair: '*', type: '*', margin });
  }
  await must('createClient', { id: 'shop', name: 'Shop' });
  await must('changeClient', { id: 'shop', isPlatform: true });
  await must('createClient', { id: 'shop~one', name: 'One' });
  await must('setMargin', { clientId: 'shop', pair: '*', type: '*', margin: '0' });
  await on.services.store.margins.set({ clientId: 'shop~one', pair: '*', type: '*', marginPpm: 5_000 });
  await on.loadMargins();
  await on.open('none', 'EUR', '5000');
  await on.open('none', 'USD');
  await on.open('shop~one', 'EUR', '5000');
  await on.open('shop~one', 'USD');
});
afterAll(() => on.stop());
beforeEach(() => on.services.pricing.shifts.replace([]));

async function must(name: Parameters<typeof perform>[1], input: object, clientId?: string) {
  const answer = await perform(on.services, name, clientId === undefined ? undefined : on.caller(clientId), input);
  if ('refusal' in answer) throw new Error(`${name}: ${answer.refusal} ${answer.text}`);
  return answer;
}
const EUR_USD = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 100 };
const offer = (id: string, more: object = {}) =>
  must('getLockableRate', { ...EUR_USD, ...more }, id) as Promise<OutputOf<'getLockableRate'>>;
const lock = (id: string, rateSignature: string, more: object = {}) =>
  must('lockRate', { rateSignature, ...more }, id) as Promise<OutputOf<'lockRate'>>;
const proofOf = (proof: string, isBid = true) => priceProof(proof, pairBySymbol('EUR/USD')!, isBid);

describe('a client', () => {
  // Of a margin of 0.01 percent and the add-ons of the longer periods the value is the larger one, but for the longest of 0.25.
  test.each<[id: string, holdPeriod: string, ppm: number, twoWay: number]>([
    ['none', '5_mins', 123, 246],
    ['none', '15_mins', 213, 426],
    ['none', '1_hour', 426, 852],
    ['none', '4_hours', 852, 1_704],
    ['none', '8_hours', 1_205, 2_410],
    ['none', '24_hours', 2_087, 4_174],
    ['little', '5_mins', 123, 246],
    ['little', '24_hours', 2_087, 4_174],
    ['usual', '5_mins', 2_500, 2_500],
    ['usual', '1_hour', 2_700, 2_700],
    ['usual', '8_hours', 3_300, 3_300],
    ['usual', '24_hours', 4_000, 4_174],
  ])('%s, %s: %i ppm, two-way %i', async (id, holdPeriod, ppm, twoWay) => {
    const { rate } = await offer(id, { holdPeriod });
    expect(rate.marginPpm).toBe(ppm);
    const both = await offer(id, { holdPeriod, twoWay: true });
    expect([both.rate.marginPpm, both.opposite!.marginPpm]).toEqual([twoWay, twoWay]);
  });

  test.each([
    [29_000, 0],
    [30_000, 39],
    [60_000, 55],
  ])('without a margin, for %i ms: %i ppm', async (ms, ppm) => {
    expect((await offer('none', { holdUntilMs: FRIDAY + ms })).rate.marginPpm).toBe(ppm);
  });

  test('pays the value of its pair: 0 is off, and a pair may have a volatility of its own', async () => {
    const ppm = async () => (await offer('none', { holdPeriod: '1_hour' })).rate.marginPpm;
    on.services.pricing.shifts.replace([{ pair: '*', volatility: 0 }]);
    // The add-on of the period stays.
    expect(await ppm()).toBe(200);
    on.services.pricing.shifts.replace([
      { pair: '*', volatility: 0 },
      { pair: 'EUR/USD', volatility: 2_000 },
    ]);
    expect(await ppm()).toBe(852);
    on.services.pricing.shifts.replace([{ pair: 'EUR/USD', skew: 1, skewMax: 1 }]);
    expect(await ppm()).toBe(426);
  });

  test('has the value in its proof, which is computed again to the digit', async () => {
    const { rateSignature } = await offer('none', { holdPeriod: '1_hour' });
    const { hold } = await lock('none', rateSignature);
    expect(proofOf(hold.proof)).toMatchObject({ rulePpm: 0, addOnPpm: 200, floorPpm: 226 });
    const booked = await on.book('none', { ...EUR_USD, requestId: 'at-hold', description: 'x', quoteId: hold.id });
    expect(booked).toMatchObject({ marginPpm: 426, proof: hold.proof });
    for (const id of [hold.id, booked.id])
      expect(await must('explainPrice', { id, clientId: 'none' })).toMatchObject({ agrees: true });
    const { differences } = (await must('reconcile', { clientId: 'none' })) as OutputOf<'reconcile'>;
    expect(differences).toEqual([]);
  });

  test('a one-way offer is locked two-way where that costs no more, else there is a new offer', async () => {
    const usual = await offer('usual');
    expect(await lock('usual', usual.rateSignature, { twoWay: true })).toMatchObject({ hold: { marginPpm: 2_500 } });
    const { rateSignature } = await offer('none');
    const answer = await perform(on.services, 'lockRate', on.caller('none'), { rateSignature, twoWay: true });
    if (!('refusal' in answer)) throw new Error('it was locked');
    expect(answer.refusal).toBe('RATE_MOVED');
    const { hold } = await lock('none', String(answer.details!.rateSignature));
    expect([hold.marginPpm, hold.opposite!.marginPpm]).toEqual([426, 426]);
    expect(await lock('none', rateSignature)).toMatchObject({ hold: { marginPpm: 213 } });
  });
});

test('what a platform adds to a sub-client’s margin is none of the value: the house keeps the value itself', async () => {
  const { rateSignature } = await offer('shop~one', { holdPeriod: '1_hour' });
  const { hold } = await lock('shop~one', rateSignature);
  // 0.5 percent of the platform, and the value for the house.
  expect(hold.marginPpm).toBe(5_426);
  const booked = await on.book('shop~one', { ...EUR_USD, requestId: 'share', description: 'x', quoteId: hold.id });
  expect(Number(houseMargin(booked)) / Number(booked.margin)).toBeCloseTo(426 / 5_426, 1);
  expect(Number(platformShare(booked))).toBeGreaterThan(0);
});

test('`margins explain` shows the value and what it adds, as the offer has it', async () => {
  const explain = (more: object) =>
    must('explainMargin', { clientId: 'none', pair: 'EUR/USD', holdPeriod: '1_hour', ...more });
  const price = {
    bid: { rate: { marginPpm: 426 }, floorPpm: 226 },
    offer: { rate: { marginPpm: 426 }, floorPpm: 226 },
  };
  expect(await explain({})).toMatchObject({ addOnPpm: 200, floorPpm: 426, volatility: '10', price });
  expect(await explain({ twoWay: true })).toMatchObject({
    floorPpm: 852,
    price: { bid: { rate: { marginPpm: 852 } } },
  });
  expect(await explain({ holdPeriod: undefined })).toMatchObject({ floorPpm: 0, price: { bid: { floorPpm: 0 } } });
});
