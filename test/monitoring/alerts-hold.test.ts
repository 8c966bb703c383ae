/**
 * The alerts about feed and providers, over what real programs export while an engine is killed, drained, suspended and started: they are silent
 * where clients have prices, and fire where they have none. Expressions that compare values of the moment are evaluated; ranges are not.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { pairBySymbol } from '../../engine/domain/money/pair.js';
import { type Provider, startProvider } from '../live/provider.js';
import { startTestStore, type TestStore } from '../support/store.js';
import { SOON } from '../support/until.js';
import { type Launcher, launch } from '../wiring/launcher.js';
import { type Matcher, namedIn } from './promql.js';
import { RULES } from './shown.js';

const NAMES = [
  'RatewireNoPrices',
  'RatewireProviderDown',
  'RatewireTicksOld',
  'RatewirePairsStale',
  'RatewireFeedHolders',
  'RatewireFeedNotMarket',
];
const FORM =
  /^\(?(?:(sum)\()?(ratewire_\w+(?:\{[^}]*\})?)\)?(?: (or vector\(0\))\))? (==|!=|>) (\d+)(?: and on\(\) ratewire:market_open)?$/;

interface Series {
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const PAIRS = ['EUR/USD', 'USD/JPY'].map((symbol) => pairBySymbol(symbol)!);
const folder = mkdtempSync(join(tmpdir(), 'ratewire-alerts-'));
let store: TestStore;
let provider: Provider;
/** By instance: those that run. */
const running = new Map<string, Launcher>();

beforeAll(async () => {
  store = await startTestStore();
  provider = await startProvider(PAIRS, ({ base }) => (base === 'EUR' ? 108_000 : 150_000));
  provider.walk(5);
  await start('a', 'engine/main');
  await start('b', 'engine/main');
  await start('sidecar', 'rest/main');
});
afterAll(async () => {
  for (const { process, ended } of running.values()) {
    process.kill('SIGCONT');
    process.kill('SIGTERM');
    await ended;
  }
  await provider.close();
  await store.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(instance: string, program: string): Promise<void> {
  const launcher = launch(store.dataDir, { REDIS_URL: store.redisUrl, FEED: provider.feed }, program);
  await launcher.ready;
  running.set(instance, launcher);
}

async function end(instance: string, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const { process, ended } = running.get(instance)!;
  process.kill(signal);
  await ended;
  running.delete(instance);
}

/** What Prometheus has: nothing of a program that does not answer. */
async function scraped(): Promise<Series[]> {
  const all = await Promise.all(
    [...running].map(async ([instance, { ready }]) => {
      const { metrics, 'rest-metrics': rest } = await ready;
      const request = fetch(`http://${metrics ?? rest}/metrics`, { signal: AbortSignal.timeout(1_000) });
      const text = await request.then((answer) => answer.text()).catch(() => '');
      return [...text.matchAll(/^(ratewire_\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, metric, labels = '', value]) => ({
        metric: metric!,
        labels: {
          ...Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, text]) => [name!, text!])),
          instance,
        },
        value: Number(value),
      }));
    }),
  );
  return all.flat();
}

const holds = ({ labels }: Series, { label, op, value }: Matcher): boolean =>
  op === '=' ? (labels[label] ?? '') === value : op === '!=' && (labels[label] ?? '') !== value;
const compares: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
};

/** The alerts that would fire if it stays so: name, instance, and provider where there is one. */
function firing(series: readonly Series[]): string[] {
  return NAMES.flatMap((name) => {
    const { expression } = RULES.find((rule) => rule.name === name)!;
    const [, sum, , orZero, op, bound] = FORM.exec(expression)!;
    const [selector] = namedIn(expression).selectors;
    const found = series.filter(
      (one) => one.metric === selector!.metric && selector!.matchers.every((matcher) => holds(one, matcher)),
    );
    const is = (value: number) => compares[op!]!(value, Number(bound));
    if (sum)
      return (orZero || found.length > 0) && is(found.reduce((total, { value }) => total + value, 0)) ? [name] : [];
    return found
      .filter(({ value }) => is(value))
      .map(({ labels }) => [name, labels.instance, labels.provider].filter(Boolean).join(' '));
  }).toSorted();
}

/** Instance, provider and whether it is up. */
const providers = (series: readonly Series[]): string[] =>
  series
    .filter(({ metric }) => metric === 'ratewire_provider_up')
    .map(({ labels, value }) => `${labels.instance} ${labels.provider} ${value}`)
    .toSorted();

const becomes = (alerts: readonly string[], ups: readonly string[]) =>
  vi.waitFor(async () => {
    const series = await scraped();
    expect([firing(series), providers(series)]).toEqual([alerts, ups]);
  }, SOON);

test('the expressions have a form that is evaluated here', () => {
  for (const name of NAMES) expect(RULES.find((rule) => rule.name === name)?.expression).toMatch(FORM);
});

test('they are silent while an engine runs the feed and others follow it', () =>
  becomes([], ['a LP 1', 'b relay 1', 'sidecar relay 1']));

test('after a kill the survivor has the provider, and no series of the relay', async () => {
  await end('a', 'SIGKILL');
  await becomes([], ['b LP 1', 'sidecar relay 1']);
  await start('a', 'engine/main');
  await becomes([], ['a relay 1', 'b LP 1', 'sidecar relay 1']);
});

test('after a drain too', async () => {
  await end('b', 'SIGTERM');
  await becomes([], ['a LP 1', 'sidecar relay 1']);
  await start('b', 'engine/main');
  await becomes([], ['a LP 1', 'b relay 1', 'sidecar relay 1']);
});

test('an engine that was suspended follows after the take-over, without a series of its former provider', async () => {
  running.get('a')!.process.kill('SIGSTOP');
  await becomes([], ['b LP 1', 'sidecar relay 1']);
  running.get('a')!.process.kill('SIGCONT');
  await becomes([], ['a relay 1', 'b LP 1', 'sidecar relay 1']);
});

test('they fire where the provider is away, and where no engine runs the feed', async () => {
  provider.walk(0);
  await provider.close();
  const all = ['a', 'b', 'sidecar'];
  await vi.waitFor(async () => {
    const alerts = firing(await scraped());
    expect(alerts).toContain('RatewireProviderDown b LP');
    for (const instance of all) expect(alerts).toContain(`RatewireNoPrices ${instance}`);
  }, SOON);
  for (const engine of ['a', 'b']) await end(engine, 'SIGKILL');
  await vi.waitFor(async () => {
    expect(firing(await scraped())).toEqual(
      expect.arrayContaining(['RatewireNoPrices sidecar', 'RatewireProviderDown sidecar relay']),
    );
  }, SOON);
});
