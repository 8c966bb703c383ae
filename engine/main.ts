/** The engine: provider ticks in, each desk's own prices out. Read from top to bottom it is the diagram of the system. */
import { fileURLToPath } from 'node:url';
import { type Config, readConfig } from './config.js';
import { ENGINE_COMP_ID } from './domain/comp-id.js';
import { engineMetrics } from './engine-metrics.js';
import { runFeed } from './feed-role.js';
import { createFixDoor } from './fix/fix-door.js';
import type { FixDoorSettings } from './fix/settings.js';
import { TRADING_WEEK } from './fix/trading-week.js';
import { startLedgerRounds } from './ledger-rounds.js';
import { createLog } from './log.js';
import { serveMetrics } from './metrics.js';
import { address, listening, runProgram } from './program.js';
import { openServices } from './services.js';

runProgram('engine', async (onStop) => {
  const config = readConfig();
  const log = createLog('engine', config.LOG_LEVEL);

  const { services, stop } = await openServices(config, log, { own: 'start-if-absent' });
  onStop(stop);

  // The feed runs and publishes on the relay, when this engine is the one that has it.
  const rates = await runFeed(services, config.FEED);
  onStop(() => rates.stop());

  // What falls due settles, and the ledger is reconciled, without anybody asking.
  const rounds = startLedgerRounds(services);
  onStop(rounds.stop);

  const door = createFixDoor({ services, settings: fixSettings(config) });
  const fix = await listening(taken(config), config.HOST, door.start());
  onStop(() => door.stop(`${ENGINE_COMP_ID} is stopping: log on again in a minute`));

  const { metrics, readiness } = engineMetrics(services, door, rounds);
  const http = await serveMetrics(metrics, config.HOST, 'METRICS_PORT', config.METRICS_PORT, readiness);
  onStop(http.stop);

  return {
    fix: address(config.HOST, fix.port),
    ...(fix.tlsPort === undefined ? {} : { 'fix-tls': address(config.HOST, fix.tlsPort) }),
    metrics: address(config.HOST, http.port),
  };
});

// Beside the build, in the clone and in an installed package alike.
const DICTIONARY = fileURLToPath(new URL('../../fix-config/FIX44-ratewire.xml', import.meta.url));

function fixSettings(config: Config): FixDoorSettings {
  const { FIX_TLS_CERTIFICATE: certificate, FIX_TLS_KEY: key, FIX_CONFORMANCE: fixConformance } = config;
  return {
    host: config.HOST,
    port: config.FIX_PORT,
    dictionaryFile: DICTIONARY,
    tokenOnRequest: config.TOKEN_ON_REQUEST,
    ...(config.FIX_SCHEDULE === 'weekly' && { schedule: TRADING_WEEK }),
    ...(certificate && key && { tls: { port: config.FIX_TLS_PORT, certificate, key } }),
    ...(fixConformance && { fixConformance }),
  };
}

function taken(config: Config): Readonly<Record<string, number>> {
  return { FIX_PORT: config.FIX_PORT, FIX_TLS_PORT: config.FIX_TLS_PORT };
}
