/**
 * The metrics of a process: a prom-client registry, served with /health and /ready on a port of its own. The tick path counts in plain
 * numbers, which are read here at scrape. prom-client is loaded after the start, which it would delay by 50 ms.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, isIP } from 'node:net';
import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Counter, Gauge, Registry } from 'prom-client';
import { projectVersion } from '../../domain/data/data-file.js';
import type { AuthenticationEvents } from '../../service/access/authentication-events.js';
import { listening } from '../program.js';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
/** Without a scrape before, milliseconds after the start. */
const LOAD_AFTER_MS = 1_000;

/** A single delay is measured up to this much short. Each measurement wakes the process: one each 10 ms takes 0.4 % of a core. */
const LOOP_RESOLUTION_MS = 50;
const PROCESS_METRICS =
  /^(process_(start_time_seconds|resident_memory_bytes|open_fds|max_fds)|nodejs_(heap_size_(used|total)_bytes|external_memory_bytes|gc_duration_seconds|version_info))$/;

/** Short reasons why this process is not ready; empty: it is ready. */
export type Readiness = () => readonly string[];

/** Not ready from the stop signal on, so that load balancers send no new requests to a process that drains. */
export const readyUnlessDraining =
  (isStopping: () => boolean, ready: Readiness): Readiness =>
  () =>
    isStopping() ? ['draining: it is about to stop'] : ready();

/** A value read at scrape: one number, or a number for each set of labels. */
export type Read = () => number | Iterable<readonly [labels: Labels, value: number]>;
export type Labels = Readonly<Record<string, string>>;

/** Durations as the tick path records them: `counts[i]` of at most `bounds[i]` microseconds, the last one of anything longer. */
export interface Buckets {
  readonly counts: ArrayLike<number>;
  readonly bounds: ArrayLike<number>;
  /** Microseconds. */
  readonly sum: number;
}

type Client = typeof import('prom-client');

export class Metrics {
  /** Not yet in the registry. */
  readonly #defined: ((client: Client, registry: Registry) => void)[] = [];
  #loaded: Promise<{ readonly client: Client; readonly registry: Registry }> | undefined;
  readonly #histograms: (() => string)[] = [];

  constructor(private readonly program: 'engine' | 'sidecar') {
    // That of prom-client is measured by two other counters, which are removed.
    this.counter('process_cpu_seconds_total', 'CPU time of this process, user and system, in seconds', () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    });
    const version = projectVersion();
    this.gauge('ratewire_build_info', 'Always 1; the version is a label', () => [[{ version }, 1]], 'version');
    this.#eventLoop();
  }

  /** Loads prom-client, once. */
  load() {
    this.#loaded ??= import('prom-client').then((client) => {
      const registry = new client.Registry();
      registry.setDefaultLabels({ program: this.program });
      // Under prom-client's usual names, which dashboards expect; without those that no dashboard uses.
      client.collectDefaultMetrics({ register: registry });
      for (const { name } of registry.getMetricsAsArray())
        if (!PROCESS_METRICS.test(name)) registry.removeSingleMetric(name);
      return { client, registry };
    });
    return this.#loaded;
  }

  /** A value that may fall, read at scrape; `labelNames` are those of a value that comes in several. */
  gauge(name: string, help: string, read: Read, ...labelNames: string[]): void {
    this.#defined.push((client, registry) => {
      const gauge: Gauge = new client.Gauge({
        name,
        help,
        labelNames,
        registers: [registry],
        collect() {
          gauge.reset();
          each(read(), (labels, value) => gauge.set(labels, value));
        },
      });
    });
  }

  /** A value that only rises, counted elsewhere and read at scrape. */
  counter(name: `${string}_total`, help: string, read: Read, ...labelNames: string[]): void {
    this.#defined.push((client, registry) => {
      const counter: Counter = new client.Counter({
        name,
        help,
        labelNames,
        registers: [registry],
        collect() {
          counter.reset();
          each(read(), (labels, value) => counter.inc(labels, value));
        },
      });
    });
  }

  /** A histogram in seconds, from buckets in microseconds: prom-client has no histogram that is filled at scrape. */
  histogram(name: `${string}_seconds`, help: string, buckets: Buckets): void {
    this.#histograms.push(() => histogramText(name, help, `program="${this.program}"`, buckets));
  }

  /** Everything, in the text format of Prometheus. */
  async text(): Promise<string> {
    const { client, registry } = await this.load();
    for (const define of this.#defined.splice(0)) define(client, registry);
    const own = this.#histograms.map((read) => read()).join('\n');
    return `${await registry.metrics()}\n${own}`;
  }

  #eventLoop(): void {
    const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
    delay.enable();
    let last: EventLoopUtilization = performance.eventLoopUtilization();
    this.gauge(
      'ratewire_event_loop_delay_seconds',
      'Event-loop delay since the last scrape, by quantile; 1 is the longest',
      () => {
        // The measured value is the time between two runs of a timer, less the timer's period.
        const lateS = (p: number) => Math.max(0, delay.percentile(p) / 1e9 - LOOP_RESOLUTION_MS / 1e3);
        const read = [50, 99, 100].map((p) => [{ quantile: String(p / 100) }, lateS(p)] as const);
        delay.reset();
        return read;
      },
      'quantile',
    );
    this.gauge(
      'ratewire_event_loop_busy_ratio',
      'Share of the time since the last scrape that the event loop was busy',
      () => {
        const now = performance.eventLoopUtilization();
        const { utilization } = performance.eventLoopUtilization(now, last);
        last = now;
        return utilization;
      },
    );
  }
}

function each(read: ReturnType<Read>, put: (labels: Record<string, string>, value: number) => void): void {
  if (typeof read === 'number') put({}, read);
  else for (const [labels, value] of read) put({ ...labels }, value);
}

/** Numbers of a map as values of one label. */
export function labelled(name: string, counts: Iterable<readonly [string, number]>): (readonly [Labels, number])[] {
  return [...counts].map(([value, count]) => [{ [name]: value }, count] as const);
}

function histogramText(name: string, help: string, labels: string, { counts, bounds, sum }: Buckets): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
  let total = 0;
  for (let i = 0; i < counts.length; i++) {
    total += counts[i]!;
    lines.push(`${name}_bucket{le="${i < bounds.length ? bounds[i]! / 1e6 : '+Inf'}",${labels}} ${total}`);
  }
  return [...lines, `${name}_sum{${labels}} ${sum / 1e6}`, `${name}_count{${labels}} ${total}`, ''].join('\n');
}

/**
 * Serves /metrics, /health (the event loop runs) and /ready (503 with the reasons while the process cannot do its work). `names` are accepted
 * in Host besides addresses, localhost and `host`; `notes` are additional lines of /ready.
 */
export async function serveMetrics(
  metrics: Metrics,
  host: string,
  setting: 'METRICS_PORT' | 'REST_METRICS_PORT',
  port: number,
  readiness: Readiness,
  {
    notes = () => [],
    names = [],
  }: { readonly notes?: () => readonly string[]; readonly names?: readonly string[] } = {},
): Promise<{ port: number; stop(): Promise<void> }> {
  const text = paced(() => metrics.text());
  // Checked each second: otherwise 64 silent connections would exclude all others for half a minute.
  const server = createServer({ connectionsCheckingInterval: 1_000 }, (request, response) => {
    if (!isAcceptedHost(request.headers.host, [...names, host]))
      return answer(
        response,
        403,
        'text/plain',
        'Ask by an IP address or localhost, or name this host in METRICS_NAMES.\n',
      );
    const path = request.url?.split('?', 1)[0];
    if (path === '/health') return answer(response, 200, 'text/plain', 'alive\n');
    if (path === '/ready') {
      const reasons = readiness();
      const lines = [...(reasons.length ? reasons : ['ready']), ...notes()];
      return answer(response, reasons.length ? 503 : 200, 'text/plain', `${lines.join('\n')}\n`);
    }
    if (path !== '/metrics') return answer(response, 404, 'text/plain', 'Ask for /metrics, /health or /ready.\n');
    text().then(
      (text) => answer(response, 200, CONTENT_TYPE, text),
      () => answer(response, 500, 'text/plain', 'The metrics could not be read; see the log.\n'),
    );
  });
  server.requestTimeout = 5_000;
  server.headersTimeout = 5_000;
  server.timeout = 2_000;
  server.maxConnections = 64;
  const listen = new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  await listening({ [setting]: port }, host, listen, 'METRICS_HOST');
  setTimeout(() => void metrics.load(), LOAD_AFTER_MS).unref();
  return { port: (server.address() as AddressInfo).port, stop: () => closed(server) };
}

/**
 * Whether Host is an IP address, localhost, or a name that the operator gave. A page of any site can resolve its own name to this address
 * (DNS rebinding) and read the answers; its browser then sends that name. A request without Host, HTTP/1.0, is not from a browser.
 */
function isAcceptedHost(host: string | undefined, names: readonly string[]): boolean {
  if (host === undefined) return true;
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  return (
    isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 ||
    name === 'localhost' ||
    names.some((one) => one.toLowerCase() === name)
  );
}

const RENDER_BURST = 20;
const RENDERS_PER_SECOND = 10;

/** A rendering takes milliseconds of the event loop that the ticks need: requests beyond 10 a second get the last text again. */
function paced(render: () => Promise<string>): () => Promise<string> {
  let permits = RENDER_BURST;
  let askedAt = performance.now();
  let last: Promise<string> | undefined;
  return () => {
    const now = performance.now();
    permits = Math.min(RENDER_BURST, permits + ((now - askedAt) * RENDERS_PER_SECOND) / 1_000);
    askedAt = now;
    if (last !== undefined && permits < 1) return last;
    permits--;
    last = render();
    return last;
  };
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** The same names at every door. */
export function authenticationMetrics(metrics: Metrics, events: AuthenticationEvents): void {
  metrics.counter(
    'ratewire_authentication_events_total',
    'Authentications, refusals and revocations of tokens by door and outcome, those that are not logged among them',
    () => events.read(),
    'door',
    'outcome',
  );
}
