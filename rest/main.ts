/** The sidecar: REST in a process of its own, so that no request ever holds up a tick. */
import { readConfig } from '../engine/config.js';
import { followRelay } from '../engine/feed-role.js';
import { createLog } from '../engine/log.js';
import { serveMetrics } from '../engine/metrics.js';
import { paymentPorts, startPaymentRounds } from '../engine/payment-rounds.js';
import { address, listening, runProgram } from '../engine/program.js';
import { openServices } from '../engine/services.js';
import { AnsweredCounts } from './door.js';
import { limitsOf } from './limits.js';
import { sidecarMetrics } from './metrics.js';
import { listenRest } from './server.js';

runProgram('sidecar', async (onStop) => {
  const config = readConfig();
  const log = createLog('sidecar', config.LOG_LEVEL);
  const { services, stop } = await openServices(config, log, { own: 'never' });
  onStop(stop);

  const rates = await followRelay(services);
  onStop(() => rates.stop());

  // Payments go on without anybody asking; all sidecars share the work.
  const rounds = config.PAYMENTS === 'on' ? startPaymentRounds(services, paymentPorts(config)) : undefined;
  if (rounds) onStop(rounds.stop);

  const answered = new AnsweredCounts();
  const limits = limitsOf(services.store, {
    authentication: config.RATE_LIMIT_AUTHENTICATION,
    reads: config.RATE_LIMIT_READS,
    writes: config.RATE_LIMIT_WRITES,
  });
  const door = { services, limits, answered };
  const port = config.REST_PORT;
  const rest = await listening({ REST_PORT: port }, config.HOST, listenRest(door, config.HOST, port));
  onStop(rest.stop);

  const { metrics, readiness } = sidecarMetrics(services, answered, rounds);
  const http = await serveMetrics(metrics, config.HOST, 'REST_METRICS_PORT', config.REST_METRICS_PORT, readiness);
  onStop(http.stop);

  return { rest: address(config.HOST, rest.port), 'rest-metrics': address(config.HOST, http.port) };
});
