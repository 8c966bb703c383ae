/** What the engine does with the ledger by itself, at its own pace. */
import { afterEach, expect, test } from 'vitest';
import { type LedgerScheduler, startLedgerScheduler } from '../../../engine/roles/conversions/ledger-scheduler.js';
import { type LedgerRig, startLedgerRig } from '../../service/ledger-rig.js';
import { KIND } from '../../support/store.js';
import { killStore } from '../../support/store-outage.js';
import { until } from '../../support/until.js';

const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');

let rig: LedgerRig;
const running: LedgerScheduler[] = [];
afterEach(async () => {
  for (const rounds of running.splice(0)) await rounds.stop();
  await rig.stop();
});

const start = (services = rig.services): LedgerScheduler => {
  const rounds = startLedgerScheduler(services);
  running.push(rounds);
  return rounds;
};

test('several engines execute each due entry once, and reconcile', async () => {
  rig = await startLedgerRig(MONDAY);
  const acme = await rig.client('acme', { EUR: '5000.00', USD: '0' }, '1000000');
  // More than one round takes of a shard.
  for (let i = 0; i < 120; i++) await acme.book('EUR/USD', 10, { type: 'SCHEDULED1' });
  rig.now += 24 * 3_600_000;
  const engines = [start(), start(await rig.another())];
  const settled = () => engines.reduce((sum, engine) => sum + engine.settled.settled, 0);
  await until(() => settled() >= 120);
  expect(settled()).toBe(120);
  expect(await acme.balance('EUR')).toBe(380_000n);
  await until(() => engines.every(({ watch }) => watch.seen !== undefined));
  for (const { watch } of engines) expect(watch.seen).toMatchObject({ differences: 0, overdue: 0 });
  await until(() => engines.every(({ backlog }) => backlog() === 0));
});

test('runs no round during a store outage, and resumes by itself', async () => {
  rig = await startLedgerRig(MONDAY, KIND);
  const acme = await rig.client('acme', { EUR: '5000.00', USD: '0' }, '1000000');
  await acme.book('EUR/USD', 10, { type: 'SCHEDULED1' });
  const rounds = start();
  const { store } = rig.services;
  const outage = killStore(rig.opened.dataDir);
  await until(() => !store.isUp());
  rig.now += 24 * 3_600_000;
  outage.end();
  // A store that is away does not take the test's time.
  await until(() => store.isUp());
  await rig.opened.turn();
  await until(() => rounds.settled.settled === 1);
  expect(rig.log.filter((line) => line.startsWith('error'))).toEqual([]);
});

test('runs no round after its stop', async () => {
  rig = await startLedgerRig(MONDAY);
  const acme = await rig.client('acme', { EUR: '5000.00', USD: '0' }, '1000000');
  const due = async (): Promise<void> => {
    await acme.book('EUR/USD', 10, { type: 'SCHEDULED1' });
    rig.now += 24 * 3_600_000;
  };
  const stopped = start();
  await stopped.stop();
  await due();
  const other = start();
  const settled = () => stopped.settled.settled + other.settled.settled;
  await until(() => settled() === 1);
  // The other was started later: its next round comes behind the one that the stopped would have.
  await due();
  await until(() => settled() === 2);
  expect([stopped.settled.settled, other.settled.settled]).toEqual([0, 2]);
});
