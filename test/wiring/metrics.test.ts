import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { RIGHTS } from '../../engine/domain/core/rights.js';
import { type LedgerScheduler, startLedgerScheduler } from '../../engine/roles/conversions/ledger-scheduler.js';
import { type PaymentWorker, paymentPorts, startPaymentWorker } from '../../engine/roles/payments/payment-worker.js';
import { type RiskRole, startRiskRole } from '../../engine/roles/risk/risk-role.js';
import { startWebhookDelivery, type WebhookDelivery } from '../../engine/roles/webhooks/webhook-delivery.js';
import { AuthenticationEvents } from '../../engine/service/access/authentication-events.js';
import type { Services } from '../../engine/service/core/services.js';
import type { OperatorOperationName } from '../../engine/service/operations.js';
import { pay } from '../../engine/service/payments/pay.js';
import { perform } from '../../engine/service/perform.js';
import { watchHostClock } from '../../engine/wiring/host-clock.js';
import { engineMetrics } from '../../engine/wiring/metrics/engine-metrics.js';
import { type Metrics, serveMetrics } from '../../engine/wiring/metrics/metrics.js';
import { sidecarMetrics } from '../../engine/wiring/metrics/sidecar-metrics.js';
import { renderEvent } from '../../rest/features/events/events.js';
import { RequestCounts } from '../../rest/handler.js';
import { type Rig, startRig } from '../fix/rig.js';
import { SOON, until } from '../support/until.js';

let rig: Rig;
let rounds: LedgerScheduler;
let worker: PaymentWorker;
let webhookDelivery: WebhookDelivery;
let risk: RiskRole;
let engine: ReturnType<typeof engineMetrics>;
let sidecar: ReturnType<typeof sidecarMetrics>;

// A desk that streams one price, and then asks once more with a token that is none; and a client who books.
beforeAll(async () => {
  rig = await startRig();
  rounds = startLedgerScheduler(rig.services);
  await rig.services.store.riskFigures.follow('USD');
  risk = startRiskRole(rig.services);
  engine = engineMetrics(rig.services, rig.gateway, rounds, { role: 'runs' }, risk);
  const requestCounts = new RequestCounts();
  requestCounts.count('getRate', 401);
  worker = startPaymentWorker(rig.services, { ports: paymentPorts({ compliance: 'sandbox', payout: 'sandbox' }) });
  const events = new AuthenticationEvents(rig.services);
  webhookDelivery = startWebhookDelivery(rig.services, { render: renderEvent });
  sidecar = sidecarMetrics(rig.services, { requestCounts, events }, { paymentWorker: worker, webhookDelivery });
  const attempt = { clientKey: 'CK_X', address: '192.0.2.1', requestId: 'r1' };
  for (let n = 0; n < 9; n++) await events.note({ door: 'rest', outcome: 'failed', ...attempt });

  rig.tick('EUR/USD', '1.08158', '1.08164');
  const desk = rig.desk(await rig.client('acme'));
  const token = (await desk.logon()).get(20001)!;
  desk.stream('one', ['EUR/USD'], token, { incremental: true });
  await desk.next('W');
  rig.tick('EUR/USD', '1.08159', '1.08165');
  await desk.next('X');
  desk.stream('two', ['EUR/USD'], 'no-token', { incremental: true });
  await desk.next('Y');
  await books(rig.services);
});
afterAll(async () => {
  await rounds.stop();
  await risk.stop();
  await worker.stop();
  await webhookDelivery.stop();
  await rig.stop();
});

/** One conversion at once, one that a refusal answers, and one that is overdue; a funding that waits. */
async function books(services: Services): Promise<void> {
  const ask = (name: OperatorOperationName, input: object) => perform(services, name, undefined, input);
  await ask('setScheduledLimit', { clientId: 'acme', limit: '1000' });
  for (const currency of ['EUR', 'USD']) {
    const opened = await ask('openAccount', { clientId: 'acme', currency });
    if (currency === 'EUR' && 'number' in opened)
      await ask('creditAccount', { accountNumber: opened.number, amount: '10' });
  }
  const caller = { clientId: 'acme', keyId: 'CK_X', rights: new Set(RIGHTS) };
  const command = { description: 'a test', sellCurrency: 'EUR', buyCurrency: 'USD' };
  for (const [requestId, sellAmount, type] of [
    ['one', 10, 'PREFUNDING'],
    ['two', 11, 'PREFUNDING'],
    ['three', 12, 'SCHEDULED1'],
  ]) {
    await perform(services, 'bookFxByCurrency', caller, { ...command, requestId, sellAmount, type });
  }
  const [eur] = await services.store.accounts.list((await services.store.clients.get('acme'))!);
  const announced = {
    accountNumber: Number(eur!.number),
    amount: 1,
    depositAccount: 'Bank-1-EUR',
    reference: 'a test',
  };
  await perform(services, 'createFunding', caller, announced);
  await waits(services);
  await services.store.clock.setOffset(10 * 24 * 3_600_000);
  await until(() => rounds.settled.overdue === 1);
  await services.store.clock.setOffset(0);
  await rounds.watch.round({ page: 50, pause: async () => {} });
}

/** A payment whose funds are not there, looked at once. */
async function waits(services: Services): Promise<void> {
  await pay(services, (await services.store.clients.get('acme'))!, {
    version: 1,
    requestId: 'four',
    transactionNumber: 'T-4',
    currency: 'EUR',
    country: 'DE',
    method: 'BANK',
    amount: { kind: 'destination', minor: 5_000n },
    sourceAccount: undefined,
    feePayer: 'OUR',
    deduct: 0n,
    holdId: undefined,
    details: { remitter: {}, beneficiary: {}, additionalInfo: {} },
  });
  await until(() => worker.outcomes.woken === 1);
}

interface Sample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
}

async function scrape(
  metrics: Metrics,
): Promise<{ samples: Sample[]; types: Map<string, string>; helped: Set<string> }> {
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const samples: Sample[] = [];
  for (const line of (await metrics.text()).split('\n')) {
    const [, word, of, rest] = /^# (TYPE|HELP) (\S+) (.+)$/.exec(line) ?? [];
    if (word === 'TYPE') types.set(of!, rest!);
    else if (word === 'HELP') helped.add(of!);
    const [, name, labels, value] = /^([a-z]\w*)\{(.*)\} (\S+)$/.exec(line) ?? [];
    if (name) samples.push({ name, labels: labels!, value: Number(value) });
  }
  return { samples, types, helped };
}

async function metricValue(metrics: Metrics, name: string, labels = ''): Promise<number | undefined> {
  const { samples } = await scrape(metrics);
  return samples.find((sample) => sample.name === name && sample.labels.includes(labels))?.value;
}

// What an operator needs after an alert; the values are those of the desk above.
test.each([
  ['ratewire_tick_to_wire_first_seconds_count', '', 1],
  ['ratewire_tick_to_wire_last_seconds_count', '', 1],
  ['ratewire_provider_up', 'provider="test"', 1],
  ['ratewire_provider_losses_total', 'provider="test"', 0],
  ['ratewire_ticks_total', 'provider="test"', 2],
  ['ratewire_pairs_stale', '', 0],
  ['ratewire_pairs_priced', '', 1],
  ['ratewire_fix_sessions', '', 1],
  ['ratewire_fix_messages_received_total', 'type="V"', 2],
  ['ratewire_fix_messages_sent_total', 'type="W"', 1],
  ['ratewire_fix_messages_sent_total', 'type="X"', 1],
  ['ratewire_fix_refusals_total', 'code="TOKEN_INVALID"', 1],
  ['ratewire_fix_backlog_bytes', '', 0],
  ['ratewire_prices_conflated_total', '', 0],
  ['ratewire_redis_up', '', 1],
  ['ratewire_bookings_total', 'type="PREFUNDING",outcome="booked"', 1],
  ['ratewire_bookings_total', 'type="PREFUNDING",outcome="INSUFFICIENT_BALANCE"', 1],
  ['ratewire_bookings_total', 'type="SCHEDULED1",outcome="booked"', 1],
  ['ratewire_settlements_total', 'outcome="overdue"', 1],
  ['ratewire_settlements_total', 'outcome="settled"', 0],
  ['ratewire_settlements_total', 'outcome="expired"', 0],
  ['ratewire_authentication_events_total', 'door="fix",outcome="succeeded"', 1],
  ['ratewire_authentication_events_total', 'door="fix",outcome="failed"', 1],
  ['ratewire_scheduler_backlog', '', 0],
  ['ratewire_conversions_overdue', '', 1],
  ['ratewire_receivables_open', '', 0],
  ['ratewire_payment_work_lost_seconds', '', 0],
  ['ratewire_batches_open', '', 0],
  ['ratewire_batch_idle_seconds', '', 0],
  ['ratewire_holds_open', '', 0],
  ['ratewire_fundings_total', 'status="PENDING"', 1],
  ['ratewire_fundings_total', 'status="COMPLETED"', 0],
  // A credit, a conversion, a scheduled one, and that it is overdue; a funding, and a payment that waits.
  ['ratewire_journal_entries', '', 6],
  ['ratewire_ledger_differences', '', 0],
  ['ratewire_risk_lease_held', '', 1],
  ['ratewire_risk_rounds_total', 'outcome="failed"', 0],
  ['ratewire_pricing_pairs', 'by="skew"', 0],
  ['ratewire_pricing_pairs', 'by="age"', 0],
  ['ratewire_pricing_position_missing', '', 0],
])('the engine exports %s{%s}', async (name, labels, value) => {
  expect(await metricValue(engine.metrics, name, labels)).toBe(value);
});

test('the engine with the risk role exports what the risk figures say, and every process how old they are', async () => {
  const value = (name: string, labels = '') => metricValue(engine.metrics, name, labels);
  await vi.waitFor(
    async () => expect(await value('ratewire_position_value', 'pair="EUR/USD"')).toBeGreaterThan(0),
    SOON,
  );
  const nop = (await value('ratewire_position_nop_value', 'currency="EUR"'))!;
  expect(await value('ratewire_position_value', 'pair="EUR/USD"')).toBe(nop);
  expect(await value('ratewire_position_nop_total_value', 'currency="USD"')).toBe(nop);
  expect(await value('ratewire_position_pnl_value', 'part="margin",period="all"')).toBeGreaterThan(0);
  expect(await value('ratewire_position_pnl_value', 'part="unrealised",period="day"')).toBeDefined();
  expect(await value('ratewire_position_rate_age_seconds')).toBeGreaterThanOrEqual(0);
  expect(await value('ratewire_risk_round_seconds_count')).toBeGreaterThan(0);
  expect(await value('ratewire_risk_figures_age_seconds')).toBeLessThan(60);
  expect(await metricValue(sidecar.metrics, 'ratewire_risk_figures_age_seconds')).toBeLessThan(60);
  expect(await metricValue(sidecar.metrics, 'ratewire_position_value')).toBeUndefined();
});

test.each([
  ['ratewire_provider_up', 'provider="test"', 1],
  ['ratewire_pairs_stale', '', 0],
  ['ratewire_pairs_priced', '', 1],
  ['ratewire_http_requests_total', 'status="401"', 1],
  ['ratewire_authentication_events_total', 'door="rest",outcome="failed"', 9],
  ['ratewire_redis_up', '', 1],
  ['ratewire_bookings_total', 'type="SCHEDULED2",outcome="booked"', 0],
  ['ratewire_fundings_total', 'status="REVERSED"', 0],
  ['ratewire_payee_verifications_total', 'scheme="none",answer="NOT_POSSIBLE"', 0],
])('the sidecar exports %s{%s}', async (name, labels, value) => {
  expect(await metricValue(sidecar.metrics, name, labels)).toBe(value);
});

test('reports the time of the last reconciliation', async () => {
  const atS = await metricValue(engine.metrics, 'ratewire_ledger_reconciled_timestamp_seconds');
  expect(Math.abs(atS! - rig.services.now() / 1_000)).toBeLessThan(60);
});

test('names, units and labels are those that Prometheus expects, and the page stays one that a person can read', async () => {
  for (const { metrics } of [engine, sidecar]) {
    const { samples, types, helped } = await scrape(metrics);
    for (const [name, type] of types) {
      expect(helped, name).toContain(name);
      expect(name.endsWith('_total'), name).toBe(type === 'counter');
      expect(name).not.toMatch(/_(ms|millis\w*|micros\w*|us|percent|kb|mb)(_|$)/);
    }
    for (const { name, labels, value } of samples) {
      expect(value, name).not.toBeNaN();
      // A label value is a word of ours, or a pair: nothing from the wire, no client, no desk.
      expect(labels).toMatch(/^(\w+="([\w.+-]*|[A-Z]{3}\/[A-Z]{3})",?)+$/);
      expect(labels).not.toMatch(/acme/i);
    }
    expect(types.size).toBeLessThan(90);
  }
});

test.each(['engine', 'sidecar'] as const)(
  'the %s reports the CPU time that it has used, and its version',
  async (program) => {
    const { metrics } = { engine, sidecar }[program];
    const cpuS = () => metricValue(metrics, 'process_cpu_seconds_total');
    const before = process.cpuUsage();
    const first = (await cpuS())!;
    expect(first).toBeGreaterThanOrEqual((before.user + before.system) / 1e6);
    await expect.poll(cpuS, SOON).toBeGreaterThan(first);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await metricValue(metrics, 'ratewire_build_info', `version="${version}"`)).toBe(1);
  },
);

test('reports the delay of the event loop without the period of the timer that measures it', async () => {
  const median = () => metricValue(engine.metrics, 'ratewire_event_loop_delay_seconds', 'quantile="0.5"');
  // Each look begins a new measurement. With its period it would be 10 ms at least; without, a machine that is busy is late now and then.
  await expect.poll(median, { timeout: 120_000, interval: 300 }).toBeLessThan(0.008);
});

describe("a machine whose clock differs from the store's", () => {
  const hostNow = Date.now;
  const turn = (ms: number) => void vi.spyOn(Date, 'now').mockImplementation(() => hostNow() + ms);
  const skew = async () => {
    const read = ({ metrics }: { metrics: Metrics }) => metricValue(metrics, 'ratewire_store_clock_skew_seconds');
    return [Math.round((await read(engine))!), Math.round((await read(sidecar))!)];
  };

  test('shows a metric, warns once for each change above 1 s, and is not ready above 5 s', async () => {
    const { clock } = rig.services.store;
    const lines: string[] = [];
    const log = {
      info: (_: object, line: string) => void lines.push(line),
      warn: (_: object, line: string) => void lines.push(line),
    };
    const stop = watchHostClock(clock, log);
    const http: Awaited<ReturnType<typeof serveMetrics>>[] = [];
    for (const { metrics, readiness } of [engine, sidecar])
      http.push(await serveMetrics(metrics, '127.0.0.1', 'METRICS_PORT', 0, readiness));
    const ready = () =>
      Promise.all(
        http.map(async ({ port }) => {
          const response = await fetch(`http://127.0.0.1:${port}/ready`);
          return [response.status, (await response.text()).trim()];
        }),
      );
    try {
      const yes = [200, 'ready'];
      for (const [ms, aheadS, isReady, line] of [
        [-3_000, -3, true, /^this machine's clock is (2\.9|3\.\d) s behind the store's: synchronise .*not ready\.$/],
        [
          80 * 3_600_000,
          288_000,
          false,
          /^this machine's clock is (287999\.9|288000\.\d) s ahead of the store's: sync/,
        ],
        [0, 0, true, /^this machine's clock agrees with the store's again$/],
      ] as const) {
        turn(ms);
        await expect.poll(skew, SOON).toEqual([aheadS, aheadS]);
        const no = [
          503,
          expect.stringMatching(/^this machine's clock is .* s ahead of .*, more than 5 s: synchronise/),
        ];
        expect(await ready()).toEqual(isReady ? [yes, yes] : [no, no]);
        await until(() => lines.length > 0);
        expect(lines.splice(0)).toEqual([expect.stringMatching(line)]);
      }
    } finally {
      vi.restoreAllMocks();
      stop();
      for (const { stop } of http) await stop();
    }
  });
});

test('ready says why not: no fresh price', () => {
  expect(engine.readiness()).toEqual([]);
  rig.withdraw('EUR/USD');
  expect(engine.readiness()).toEqual([expect.stringMatching(/^no provider has a fresh price: check FEED/)]);
  expect(sidecar.readiness()).toEqual([expect.stringMatching(/^no rates from the relay/)]);
});
