/** The sidecar: REST in a process of its own, so that no request ever holds up a tick. */
import { type Config, readConfig } from '../engine/config.js';
import { followRelay } from '../engine/feed-role.js';
import { createLog } from '../engine/log.js';
import { serveMetrics } from '../engine/metrics.js';
import { address, listening, runProgram } from '../engine/program.js';
import { openServices } from '../engine/services.js';
import { AnsweredCounts } from './door.js';
import { sidecarMetrics } from './metrics.js';
import { RateLimit } from './rate-limit.js';
import type { LimitName } from './routes.js';
import { listenRest } from './server.js';

runProgram('sidecar', async (onStop) => {
  const config = readConfig();
  const log = createLog('sidecar', config.LOG_LEVEL);
  const { services, stop } = await openServices(config, log, { own: 'never' });
  onStop(stop);

  const rates = await followRelay(services);
  onStop(() => rates.stop());

  const answered = new AnsweredCounts();
  const door = { services, limits: limitsOf(config), failures: authenticationLimit(config), answered };
  const port = config.REST_PORT;
  const rest = await listening({ REST_PORT: port }, config.HOST, listenRest(door, config.HOST, port));
  onStop(rest.stop);

  const { metrics, readiness } = sidecarMetrics(services, answered);
  const http = await serveMetrics(metrics, config.HOST, 'REST_METRICS_PORT', config.REST_METRICS_PORT, readiness);
  onStop(http.stop);

  return { rest: address(config.HOST, rest.port), 'rest-metrics': address(config.HOST, http.port) };
});

function limitsOf(config: Config): Record<LimitName, RateLimit> {
  return {
    authentication: authenticationLimit(config),
    reads: new RateLimit('reads', config.RATE_LIMIT_READS),
    writes: new RateLimit('writes', config.RATE_LIMIT_WRITES),
  };
}

function authenticationLimit(config: Config): RateLimit {
  return new RateLimit('authentication', config.RATE_LIMIT_AUTHENTICATION);
}
