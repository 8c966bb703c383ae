/** Listen addresses: a door without TLS listens on this machine only, unless the operator allows more. */

import type { Log } from '../domain/core/log.js';
import { isLoopback } from '../service/core/caller.js';
import { readRedisUrl } from '../store/connection/redis-url.js';
import { type Config, SettingError } from './config.js';

/** For a door without TLS. */
export function plainHost({ HOST, PLAINTEXT }: Config): string {
  return PLAINTEXT === 'anywhere' ? HOST : loopbackOf(HOST);
}

/** For metrics and health, which never have TLS. */
export function metricsHost({ HOST, METRICS_HOST }: Config): string {
  return METRICS_HOST ?? loopbackOf(HOST);
}

/** Throws SettingError when HOST names an address for other machines, and no door listens there. */
export function checkReachable({ HOST, PLAINTEXT, FIX_TLS_CERTIFICATE, REST_TLS_CERTIFICATE }: Config): void {
  if (isLoopback(HOST) || PLAINTEXT === 'anywhere' || FIX_TLS_CERTIFICATE || REST_TLS_CERTIFICATE) return;
  throw new SettingError(
    `HOST ${HOST} is for others, and there is no TLS: set FIX_TLS_CERTIFICATE or REST_TLS_CERTIFICATE (with a key, or generated for a try), or HOST 127.0.0.1, or PLAINTEXT anywhere where something else encrypts.`,
  );
}

/** Warns where a door without TLS accepts secrets from other machines. */
export function warnOfPlaintext(config: Config, port: number, log: Log): void {
  const host = plainHost(config);
  if (isLoopback(host)) return;
  log.warn(
    { host, port },
    'others may connect without TLS: unless something encrypts, their secrets are readable on the way',
  );
}

/** Warns when the connection to a Redis on another machine has no TLS: money and hashes of secrets could be read and changed. Throws StoreStartError. */
export function warnOfPlainRedis({ REDIS_URL }: Config, log: Log): void {
  const servers = REDIS_URL === undefined ? [] : readRedisUrl(REDIS_URL);
  const plain = servers.filter(({ tls }) => !tls);
  const hosts = plain.flatMap(({ host, sentinels }) => sentinels?.map((sentinel) => sentinel.host) ?? [host]);
  const host = hosts.find((one = '') => !isLoopback(one));
  if (host !== undefined)
    log.warn({ host }, 'REDIS_URL has no TLS: what the store holds is readable on the way; use rediss://');
}

function loopbackOf(host: string): string {
  if (isLoopback(host)) return host;
  return host.includes(':') ? '::1' : '127.0.0.1';
}
