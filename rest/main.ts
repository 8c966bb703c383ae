/** The sidecar: REST, the live page and the payment worker, in a process of its own, so that no request delays a tick. */

import { Live } from 'ratewire-live';
import { startPaymentWorker } from '../engine/roles/payments/payment-worker.js';
import { followRelay } from '../engine/roles/prices/feed-role.js';
import { startWebhookDelivery } from '../engine/roles/webhooks/webhook-delivery.js';
import { AuthenticationEvents } from '../engine/service/access/authentication-events.js';
import { type Config, readConfig } from '../engine/wiring/config.js';
import { dayRecordMetrics } from '../engine/wiring/day-record.js';
import {
  checkReachable,
  metricsHost,
  plainHost,
  warnOfPlainRedis,
  warnOfPlaintext,
} from '../engine/wiring/listen-hosts.js';
import { createLog } from '../engine/wiring/log.js';
import { readyUnlessDraining, serveMetrics } from '../engine/wiring/metrics/metrics.js';
import { sidecarMetrics } from '../engine/wiring/metrics/sidecar-metrics.js';
import { readyNotes } from '../engine/wiring/metrics/store-metrics.js';
import { address, listening, runProgram } from '../engine/wiring/program.js';
import { openServices } from '../engine/wiring/services.js';
import { openTls, type TlsListener, tlsMetrics } from '../engine/wiring/tls/tls.js';
import { clientAddresses, proxyPeers } from '../engine/wiring/trusted-proxies.js';
import { renderEvent } from './features/events/events.js';
import { liveSource } from './features/live-page/live-source.js';
import { RequestCounts } from './handler.js';
import { crossOrigin } from './http/cross-origin.js';
import { limitsOf } from './http/rate-limit.js';
import { type Application, application, listen, type RestListener, type RestServer, STALLED_MS } from './server.js';

runProgram('sidecar', async (onStop, isStopping) => {
  const config = readConfig();
  checkReachable(config);
  const log = createLog('sidecar', config.LOG_LEVEL);
  warnOfPlainRedis(config, log);
  const { services, record, stop } = await openServices(config, log, { own: 'never', program: 'sidecar' });
  onStop(stop);

  const rates = await followRelay(services);
  onStop(() => rates.stop());

  // The payment worker: moves payments through compliance and payout. All sidecars share the work.
  const paymentWorker = config.PAYMENTS === 'on' ? startPaymentWorker(services) : undefined;
  if (paymentWorker) onStop(paymentWorker.stop);

  const webhookDelivery =
    config.WEBHOOKS === 'on' ? startWebhookDelivery(services, { render: renderEvent }) : undefined;
  if (webhookDelivery) onStop(webhookDelivery.stop);

  const requestCounts = new RequestCounts();
  const events = new AuthenticationEvents(services);
  const limits = limitsOf(services, {
    authentication: config.RATE_LIMIT_AUTHENTICATION,
    reads: config.RATE_LIMIT_READS,
    writes: config.RATE_LIMIT_WRITES,
  });
  const live = config.LIVE === 'on' ? new Live(liveSource(services)) : undefined;
  const proxies = proxyPeers(config.REST_PROXY_PROTOCOL, log);
  const addressOf = clientAddresses(proxies, config.TRUSTED_PROXIES);
  const context = { services, limits, requestCounts, events, addressOf, live };
  const app = application(context);
  const tls = await openTls('REST', config, log);
  if (tls) onStop(async () => tls.stop());
  const cors = crossOrigin(config.CORS_ORIGINS);
  const { REST_REQUEST_SECONDS: requestS, REST_KEEP_ALIVE_SECONDS: keepAliveS } = config;
  // A body that does not come is answered before its connection is closed.
  const stalledMs = Math.max(STALLED_MS, (requestS + 1) * 1_000);
  const times = { requestMs: requestS * 1_000, keepAliveMs: keepAliveS * 1_000, stalledMs };
  const at = { host: plainHost(config), port: config.REST_PORT, proxies, cors, limits: times };
  const rest = await listening({ REST_PORT: at.port }, at.host, listen(app, at));
  onStop(rest.stop);
  warnOfPlaintext(config, rest.port, log);
  const secure = tls && (await secureRest(app, { tls, proxies, cors, limits: times }, config));
  if (secure) onStop(secure.stop);
  // Before the listeners: they end when their last connection has.
  if (live) onStop(async () => live.stop());

  const { metrics, readiness } = sidecarMetrics(
    services,
    { requestCounts, events },
    { paymentWorker, webhookDelivery, live },
  );
  tlsMetrics(metrics, tls);
  dayRecordMetrics(metrics, record);
  // Never stopped: it reports until the end of the process that it drains.
  const http = await serveMetrics(
    metrics,
    metricsHost(config),
    'REST_METRICS_PORT',
    config.REST_METRICS_PORT,
    readyUnlessDraining(isStopping, readiness),
    { notes: () => readyNotes(services), names: config.METRICS_NAMES },
  );

  return {
    rest: address(at.host, rest.port),
    'rest-metrics': address(metricsHost(config), http.port),
    ...(secure && { 'rest-tls': address(config.HOST, secure.port) }),
  };
});

/** The same application with TLS. */
function secureRest(
  app: Application,
  of: Omit<RestListener, 'host' | 'port'> & { readonly tls: TlsListener },
  { HOST: host, REST_TLS_PORT: port }: Config,
): Promise<RestServer> {
  return listening({ REST_TLS_PORT: port }, host, listen(app, { host, port, ...of }));
}
