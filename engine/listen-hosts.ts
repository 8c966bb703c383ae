/** Where ports without TLS listen: on this machine, unless the operator insists. */
import { type Config, SettingError } from './config.js';
import { isLoopback } from './fix/settings.js';

/** For a door without TLS. */
export function plainHost({ HOST, PLAINTEXT }: Config): string {
  return PLAINTEXT === 'anywhere' ? HOST : loopbackOf(HOST);
}

/** For metrics and health, which never have TLS. */
export function metricsHost({ HOST, METRICS_HOST }: Config): string {
  return METRICS_HOST ?? loopbackOf(HOST);
}

/** Throws SettingError when nobody could reach what HOST says is to be reached. */
export function checkReachable({ HOST, PLAINTEXT, FIX_TLS_CERTIFICATE, REST_TLS_CERTIFICATE }: Config): void {
  if (isLoopback(HOST) || PLAINTEXT === 'anywhere' || FIX_TLS_CERTIFICATE || REST_TLS_CERTIFICATE) return;
  throw new SettingError(
    `HOST ${HOST} is for others, and there is no TLS: set FIX_TLS_CERTIFICATE or REST_TLS_CERTIFICATE (with a key, or generated for a try), or HOST 127.0.0.1, or PLAINTEXT anywhere where something else encrypts.`,
  );
}

function loopbackOf(host: string): string {
  if (isLoopback(host)) return host;
  return host.includes(':') ? '::1' : '127.0.0.1';
}
