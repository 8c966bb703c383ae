/** The real programs export every metric and every label that the alerts and the dashboard name. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { REFUSALS } from '../../engine/domain/core/refusal.js';
import { readStoreFile } from '../../engine/store/managed-redis/store-file.js';
import { fundAndPay } from '../payments/roles/paying.js';
import { TestDesk } from '../support/desk.js';
import { redisAt } from '../support/redis-client.js';
import { read } from '../tidy/tree.js';
import { demoClient, type Launcher, launch, temporaryDirectory } from '../wiring/launcher.js';
import { type Matcher, type Named, namedIn } from './promql.js';
import { QUERIES, RULES } from './shown.js';

/** What Prometheus adds by itself. */
const ADDED = ['job', 'instance'];
const JOBS = [...read('monitoring/prometheus.yml').matchAll(/job_name: (\S+)/g)].map(([, job]) => job!);
const RECORDED = RULES.filter(({ kind }) => kind === 'record').map(({ name }) => name);

const TLS = {
  FIX_TLS_PORT: '0',
  REST_TLS_PORT: '0',
  FIX_TLS_CERTIFICATE: 'generated',
  REST_TLS_CERTIFICATE: 'generated',
};
const directory = temporaryDirectory();
let launcher: Launcher;
/** Values by label, by metric as it is scraped (a histogram as its _bucket, _sum and _count). */
const told = new Map<string, Map<string, Set<string>>>();

beforeAll(async () => {
  launcher = launch(directory.path, {
    RATE_LIMIT_AUTHENTICATION: '3',
    COVER: 'suggest',
    // No provider listens there.
    COVER_SESSIONS: 'fix://127.0.0.1:1?sender=HOUSE&target=LP&provider=LP1',
    RECORD: join(directory.path, 'record'),
    ...TLS,
  });
  const addresses = await launcher.ready;
  await limitMemory(addresses);
  await traffic(addresses);
  await exported(addresses, 'ratewire_position_value{');
  for (const door of ['metrics', 'rest-metrics'])
    takeDown(await (await fetch(`http://${addresses[door]}/metrics`)).text());
});
afterAll(async () => {
  launcher.process.kill('SIGINT');
  await launcher.ended;
  directory.remove();
});

/** Without a maxmemory its share is not exported. */
async function limitMemory({ metrics }: Record<string, string>): Promise<void> {
  const { host, port, password } = readStoreFile(directory.path)!;
  const redis = redisAt(`redis://:${password}@${host}:${port}`);
  await redis.config('SET', 'maxmemory', '1gb');
  redis.disconnect();
  await exported({ metrics: metrics! }, 'ratewire_redis_memory_ratio{');
}

async function exported({ metrics }: Record<string, string>, text: string): Promise<void> {
  const isExported = async () => (await (await fetch(`http://${metrics}/metrics`)).text()).includes(text);
  await vi.waitUntil(isExported, { timeout: 120_000, interval: 100 });
}

/** A desk that streams, asks for what there is not, and forgets a field; a conversion, fundings, payments, and too many tokens. */
async function traffic({ fix, rest }: Record<string, string>): Promise<void> {
  const { client_key: clientKey, client_secret: clientSecret, sender_comp_id: compId } = demoClient(directory.path);
  const desk = new TestDesk({ port: Number(fix!.split(':')[1]), compId, clientKey, clientSecret });
  const fixToken = (await desk.logon()).get(20001);
  desk.stream('one', ['EUR/USD'], fixToken, { incremental: true });
  await desk.next('X');
  desk.stream('two', ['EUR/QQQ'], fixToken);
  await desk.next('Y');
  desk.send('V', [[262, 'three']]);
  await desk.next('3');

  const url = `http://${rest}/api/v1`;
  const authenticate = () =>
    fetch(`${url}/authentication`, {
      method: 'POST',
      headers: { client_key: clientKey, client_secret: clientSecret },
    });
  const { token } = (await (await authenticate()).json()) as { token: string };
  const command = {
    request_id: 'one',
    description: 'a test',
    buy_amount: 10,
    buy_currency: 'EUR',
    sell_currency: 'USD',
  };
  const booked = await fetch(`${url}/bookfx/currency/create`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(command),
  });
  expect(booked.status).toBe(200);
  await fundAndPay(rest!, token);
  const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await authenticate()).status));
  expect(statuses).toContain(429);
}

function takeDown(text: string): void {
  for (const [, name, labels] of text.matchAll(/^([a-z]\w*)\{(.*)\} \S+$/gm)) {
    const known = told.get(name!) ?? new Map<string, Set<string>>();
    told.set(name!, known);
    for (const [, label, value] of labels!.matchAll(/(\w+)="([^"]*)"/g))
      known.set(label!, (known.get(label!) ?? new Set()).add(value!));
  }
}

/** What an expression names and the programs do not tell. */
function untold({ selectors, labels }: Named): string[] {
  const faults: string[] = [];
  const carried = new Set(ADDED);
  for (const { metric, matchers } of selectors) {
    const ofPrometheus = metric === 'up' || RECORDED.includes(metric);
    if (!ofPrometheus && !told.has(metric)) faults.push(metric);
    for (const label of told.get(metric)?.keys() ?? []) carried.add(label);
    for (const matcher of matchers)
      if (!isTold(told.get(metric), matcher)) faults.push(`${metric}{${matcher.label}${matcher.op}"${matcher.value}"}`);
  }
  return [...faults, ...labels.filter((label) => !carried.has(label)).map((label) => `label ${label}`)];
}

function isTold(values: Map<string, Set<string>> | undefined, { label, op, value }: Matcher): boolean {
  if (label === 'job') return JOBS.some((job) => (op === '=~' ? new RegExp(`^(${value})$`).test(job) : job === value));
  if (ADDED.includes(label)) return true;
  // Classes of faults: a system that is in order has none of them to show.
  if (op === '=~' || op === '!~' || (label === 'code' && value in REFUSALS)) return values?.has(label) ?? false;
  return values?.get(label)?.has(value) ?? false;
}

describe('the alerts', () => {
  test.each(RULES.map(({ name, expression }) => [name, expression]))('%s', (_, expression) => {
    expect(untold(namedIn(expression))).toEqual([]);
  });
});

describe('the dashboard', () => {
  test('asks much', () => {
    expect(QUERIES.length).toBeGreaterThan(40);
  });

  test.each(QUERIES.map(({ panel, ...query }) => [panel, query] as const))('%s', (_, { expression, legendLabels }) => {
    const named = namedIn(expression);
    expect(named.selectors.length).toBeGreaterThan(0);
    expect(untold({ ...named, labels: [...named.labels, ...legendLabels] })).toEqual([]);
  });
});

test('every metric of ours is seen or alerted on somewhere', () => {
  const expressions = [...RULES, ...QUERIES].map(({ expression }) => expression).join('\n');
  const ours = [...told.keys()].filter((name) => name.startsWith('ratewire_'));
  expect(ours.length).toBeGreaterThan(30);
  const base = (name: string) => name.replace(/_(bucket|sum|count)$/, '');
  expect(ours.filter((name) => !expressions.includes(base(name)))).toEqual([]);
});

test('finds a metric that no program exports', () => {
  const named = namedIn(
    'sum by (desk) (rate(ratewire_fix_sessions_total{kind="x"}[5m])) > on(job) ratewire_redis_up{program="sidecars"}',
  );
  expect(untold(named)).toEqual([
    'ratewire_fix_sessions_total',
    'ratewire_fix_sessions_total{kind="x"}',
    'ratewire_redis_up{program="sidecars"}',
    'label desk',
  ]);
});
