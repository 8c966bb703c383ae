/** REDIS_URL as connection options. */
import type { RedisOptions } from './connection.js';
import { StoreStartError } from './errors.js';

const FORMS =
  'redis://[user:password@]host:port[/db], with several host:port for a cluster, rediss://..., or sentinel://[user:password@]host:port,host:port/name[/db][?sentinel=[user]:password]';

/** Several: nodes of a cluster. Throws StoreStartError; the URL itself, which may contain a password, is never shown. */
export function readRedisUrl(url: string): readonly RedisOptions[] {
  const parts =
    /^(rediss?|(?:redis\+)?sentinel):\/\/(?:([^@/]*)@)?([^/?#]+)((?:\/[^/?#]*){0,2})(?:\?sentinel=([^@/?#&]*:[^@/?#&]*))?$/.exec(
      url,
    );
  const [, scheme, credentials = '', hosts = '', path = '', ofSentinels] = parts ?? [];
  const servers = hosts.split(',').map(hostAndPort);
  const names = path.split('/').slice(1);
  const sentinel = scheme?.endsWith('sentinel');
  const db = names[sentinel ? 1 : 0] ?? '';
  const wrong = !parts || servers.some((server) => !server) || !/^\d{0,5}$/.test(db);
  if (wrong || (sentinel ? !names[0] : ofSentinels !== undefined))
    throw new StoreStartError(`REDIS_URL is not one that is understood: use ${FORMS}`);

  const known = servers.filter((server) => server !== undefined);
  const common: RedisOptions = { ...login(credentials), db: Number(db) };
  if (sentinel) {
    const { username: sentinelUsername, password: sentinelPassword } = login(ofSentinels ?? '');
    const sentinels = known.map(({ host, port }) => ({ host, port: port ?? 26_379 }));
    return [{ ...common, sentinels, name: names[0], sentinelUsername, sentinelPassword }];
  }
  const tls = scheme === 'rediss' ? { tls: {} } : {};
  return known.map(({ host, port }) => ({ ...common, host, port: port ?? 6_379, ...tls }));
}

function hostAndPort(text: string): { host: string; port: number | undefined } | undefined {
  const [, host, port] = /^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (!host || Number(port ?? 1) > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? undefined : Number(port) };
}

function login(credentials: string): { username?: string; password?: string } {
  if (credentials === '') return {};
  const colon = credentials.indexOf(':');
  const [user, password] = colon < 0 ? [credentials, ''] : [credentials.slice(0, colon), credentials.slice(colon + 1)];
  try {
    const username = decodeURIComponent(user);
    return { ...(username !== '' && { username }), password: decodeURIComponent(password) };
  } catch {
    throw new StoreStartError('REDIS_URL has a password that is not percent-encoded: write % as %25');
  }
}
