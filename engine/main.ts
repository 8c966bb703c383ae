/** The engine: provider ticks in, each desk's own prices out. Read from top to bottom it is the diagram of the system. */
import type { Log } from './domain/core/log.js';
import { createFixGateway } from './fix/gateway.js';
import type { FixGatewaySettings } from './fix/settings.js';
import { startLedgerScheduler } from './roles/conversions/ledger-scheduler.js';
import { coverRole } from './roles/cover/cover-role.js';
import { runFeed } from './roles/prices/feed-role.js';
import { limitSlices } from './roles/risk/limit-slices.js';
import { startRiskRole } from './roles/risk/risk-role.js';
import type { MessageLog } from './store/sessions/message-log.js';
import { type Config, OWN_STORE_FEED, readConfig } from './wiring/config.js';
import { dayRecordMetrics } from './wiring/day-record.js';
import { serveEngineQueries } from './wiring/engine-status.js';
import { checkReachable, metricsHost, plainHost, warnOfPlainRedis, warnOfPlaintext } from './wiring/listen-hosts.js';
import { createLog } from './wiring/log.js';
import { messageLogMetrics, startMessageLog } from './wiring/message-log.js';
import { coverMetrics } from './wiring/metrics/cover-metrics.js';
import { engineMetrics } from './wiring/metrics/engine-metrics.js';
import { readyUnlessDraining, serveMetrics } from './wiring/metrics/metrics.js';
import { readyNotes } from './wiring/metrics/store-metrics.js';
import { address, listening, runProgram } from './wiring/program.js';
import { openServices } from './wiring/services.js';
import { openTls, type TlsListener, tlsMetrics } from './wiring/tls/tls.js';
import { tradingHours } from './wiring/trading-week.js';
import { proxyPeers } from './wiring/trusted-proxies.js';

runProgram('engine', async (onStop, isStopping) => {
  const config = readConfig();
  checkReachable(config);
  const log = createLog('engine', config.LOG_LEVEL);
  warnOfPlainRedis(config, log);

  const { services, record, stop } = await openServices(config, log, { own: 'start-if-absent', program: 'engine' });
  onStop(stop);

  const messageLog = await startMessageLog(config, log);
  if (messageLog) onStop(() => messageLog.stop());

  // The engine that holds the feed lease runs the feed and publishes on the relay; the others follow the relay.
  const rates = await runFeed(services, config.FEED ?? OWN_STORE_FEED, messageLog?.providers, record);
  onStop(() => rates.stop());

  // The engine that holds the risk lease reads the positions, and publishes the risk figures for all.
  const cover = coverRole(services, config, messageLog?.providers);
  onStop(cover.stop);
  const risk = startRiskRole(services, [limitSlices(services), cover]);
  onStop(risk.stop);

  // Settles conversions and holds that fall due, and reconciles the ledger.
  const scheduler = startLedgerScheduler(services, { days: config.EVENTS_KEPT_DAYS, most: config.EVENTS_KEPT_MAX });
  onStop(scheduler.stop);

  const tls = await openTls('FIX', config, log);
  if (tls) onStop(async () => tls.stop());
  const gateway = createFixGateway({ services, settings: fixSettings(config, tls, messageLog, log) });
  // Operators query the sessions of every engine, also of one that drains.
  const queries = serveEngineQueries(services, gateway, rates);
  onStop(queries.stop);
  const fix = await listening(fixPorts(config), config.HOST, gateway.start());
  onStop(gateway.stop);
  warnOfPlaintext(config, fix.port, log);

  const { metrics, readiness } = engineMetrics(services, gateway, scheduler, rates, risk);
  tlsMetrics(metrics, tls);
  coverMetrics(metrics, cover);
  messageLogMetrics(metrics, messageLog);
  dayRecordMetrics(metrics, record);
  // Never stopped: it reports until the end of the process that it drains.
  const http = await serveMetrics(
    metrics,
    metricsHost(config),
    'METRICS_PORT',
    config.METRICS_PORT,
    readyUnlessDraining(isStopping, readiness),
    { notes: () => readyNotes(services), names: config.METRICS_NAMES },
  );

  return {
    fix: address(plainHost(config), fix.port),
    ...(fix.tlsPort === undefined ? {} : { 'fix-tls': address(config.HOST, fix.tlsPort) }),
    metrics: address(metricsHost(config), http.port),
  };
});

function fixSettings(
  config: Config,
  tls: TlsListener | undefined,
  messageLog: MessageLog | undefined,
  log: Log,
): FixGatewaySettings {
  const { FIX_CONFORMANCE: fixConformance } = config;
  return {
    host: plainHost(config),
    port: config.FIX_PORT,
    proxies: proxyPeers(config.FIX_PROXY_PROTOCOL, log),
    tokenOnRequest: config.TOKEN_ON_REQUEST,
    schedule: tradingHours(config),
    ...(tls && { tls: { ...tls, host: config.HOST, port: config.FIX_TLS_PORT } }),
    ...(fixConformance && { fixConformance }),
    ...(messageLog && { messageLog }),
  };
}

/** Ports by setting: the error for a taken port names the setting to change. */
function fixPorts({ FIX_PORT, FIX_TLS_PORT }: Config): Readonly<Record<string, number>> {
  return { FIX_PORT, FIX_TLS_PORT };
}
