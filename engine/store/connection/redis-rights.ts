/**
 * The rights that the user of REDIS_URL needs, as ACL SETUSER writes them; docs/redis.md shows the same. A missing right would end a step
 * between two of its writes, so the start checks every one of them.
 */
import type { Redis } from 'ioredis';

/** AUTH, HELLO and QUIT need no right. */
export const COMMANDS: readonly string[] = [
  'client|setname',
  'del',
  'eval',
  'evalsha',
  'exec',
  'exists',
  'get',
  'hdel',
  'hexists',
  'hget',
  'hgetall',
  'hincrby',
  'hkeys',
  'hlen',
  'hmget',
  'hset',
  'hsetnx',
  'incr',
  'info',
  'multi',
  'persist',
  'pexpire',
  'pexpiretime',
  'ping',
  'pttl',
  'publish',
  'sadd',
  'scan',
  'select',
  'set',
  'smembers',
  'srem',
  'subscribe',
  'time',
  'type',
  'unsubscribe',
  'xack',
  'xadd',
  'xautoclaim',
  'xclaim',
  'xdel',
  'xgroup|create',
  'xgroup|delconsumer',
  'xinfo|consumers',
  'xinfo|stream',
  'xlen',
  'xpending',
  'xrange',
  'xreadgroup',
  'xrevrange',
  'xtrim',
  'zadd',
  'zcard',
  'zcount',
  'zlexcount',
  'zrange',
  'zrem',
  'zremrangebyscore',
  'zscore',
];
export const OF_CLUSTER: readonly string[] = ['asking', 'cluster|slots', 'pubsub|numsub'];
export const OF_REPLICAS: readonly string[] = ['wait'];
/** Without them the programs run, but the server's settings are not checked, and its file is not rewritten on request. */
export const OPTIONAL: readonly string[] = ['config|get'];

/** Patterns of keys; `{...}:migration-guard` are the migration guard keys of keys/redis-keys.ts. */
export const KEYS: readonly string[] = [
  '{*}:migration-guard',
  '{audit}:head',
  '{client-tokens:*}:key:*',
  '{client-tokens:*}:keys',
  '{cover}:rules',
  '{cover}:version',
  '{trading-states}:clients',
  '{trading-states}:house',
  '{trading-states}:pairs',
  '{trading-states}:version',
  '{limits}:rules',
  '{limits}:version',
  '{margins}:rules',
  '{margins}:version',
  '{ports}:modes',
  '{ports}:programs',
  '{pricing}:rules',
  '{pricing}:version',
  '{s??}:client:*',
  '{s??}:clock',
  '{s??}:due',
  '{s??}:events-due',
  '{s??}:events-max',
  '{s??}:fix:*',
  '{s??}:position',
  '{s??}:room',
  '{s??}:work',
  'account:*',
  'audit',
  'client-comp-ids:*',
  'client-keys:*',
  'client-tokens:*',
  'client:*',
  'clients',
  'clock:accepted',
  'clock:clients',
  'comp-id:*',
  'failed-attempts:*',
  'funding:*',
  'key:*',
  'lease:*',
  'master-key:fingerprint',
  'payment:*',
  'permits:*',
  'relay:{lease:feed}:snapshot',
  'risk:{lease:risk}:clients',
  'risk:{lease:risk}:day',
  'risk:{lease:risk}:figures',
  'store:form',
  'token:*',
  'tokens:revocations',
];

export const CHANNELS: readonly string[] = [
  'clock:changed',
  'engines:answers:*',
  'engines:asked',
  'events',
  'fix:outbox',
  'cover:changed',
  'trading-states:changed',
  'journal',
  'lease:*',
  'limits:changed',
  'margins:changed',
  'pricing:changed',
  'relay:rates',
  'risk:figures',
  'room',
  'tokens:revoked',
  'work',
];

/** `KEY` and `CHANNEL` are placeholders; Redis checks the number of arguments before the rights. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  asking: '',
  'client|setname': 'ratewire',
  'cluster|slots': '',
  eval: '0 0',
  evalsha: '0 0',
  hexists: 'KEY 1',
  hget: 'KEY 1',
  hincrby: 'KEY 1 1',
  hsetnx: 'KEY 1 1',
  info: '',
  ping: '',
  publish: 'CHANNEL 1',
  'pubsub|numsub': 'CHANNEL',
  scan: '0',
  time: '',
  wait: '0 0',
  'xgroup|delconsumer': 'KEY 1 1',
  'xinfo|consumers': 'KEY 1',
  xreadgroup: 'GROUP workers ratewire STREAMS KEY >',
  zcount: 'KEY 0 0',
  zlexcount: 'KEY - +',
  zremrangebyscore: 'KEY 0 0',
  zscore: 'KEY 1',
};
const OF_ONE_KEY = new Set([
  'persist',
  'del',
  'exists',
  'get',
  'hgetall',
  'hkeys',
  'hlen',
  'incr',
  'pexpiretime',
  'pttl',
  'smembers',
  'type',
  'xlen',
  'zcard',
]);
/** Enough arguments for any command of variable length. */
const OF_A_KEY = 'KEY 1 1 1 1 1';
/** Sent alone: they would not wait for EXEC, or have another form of reply. */
const BY_ITSELF = new Set(['exec', 'multi', 'select', 'subscribe', 'unsubscribe']);

const sampleOf = (pattern: string): string => pattern.replaceAll('*', 'ratewire').replaceAll('?', '0');

/**
 * The rules that the user lacks for this server. Nothing is executed: Redis denies a call when it is queued in a MULTI, and one wrong call
 * makes it discard them all. The connection cannot be used afterwards.
 */
export async function missingRights(redis: Redis, of: { cluster: boolean; replicas: number }): Promise<string[]> {
  const needed = [...COMMANDS, ...(of.cluster ? OF_CLUSTER : []), ...(of.replicas > 0 ? OF_REPLICAS : [])];
  const key = sampleOf(KEYS[0]!);
  const denials = new Set<string>();
  /** Which of command, key and channel the reply denies; undefined: none. */
  const denied = async (reply: Promise<unknown>): Promise<'command' | 'name' | undefined> => {
    const text = await reply.then(() => '', String);
    const command = /NOPERM.* the '([^']+)' command/.exec(text)?.[1];
    if (command !== undefined) denials.add(`+${command}`);
    else if (!text.includes('NOPERM')) return undefined;
    return command === undefined ? 'name' : 'command';
  };
  const queue = (name: string, args: readonly string[]) => {
    const [command, ...sub] = name.split('|');
    return denied(redis.call(command!, ...sub, ...args));
  };
  const argumentsOf = (name: string): string[] =>
    (ARGUMENTS[name] ?? (OF_ONE_KEY.has(name) ? 'KEY' : OF_A_KEY))
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => (word === 'KEY' ? key : word === 'CHANNEL' ? CHANNELS[0]! : word));
  /** Whether a name is denied. Calls that are all denied by command cannot show that it is allowed: then it counts as denied. */
  const nameDenied = async (calls: readonly Promise<'command' | 'name' | undefined>[]): Promise<boolean> => {
    const answers = await Promise.all(calls);
    return answers.includes('name') || answers.every((answer) => answer === 'command');
  };

  // Without it Redis would execute what follows.
  if (await denied(redis.multi({ pipeline: false }))) return [...denials];
  const queued = [denied(redis.call('get'))];
  for (const name of needed) if (!BY_ITSELF.has(name)) queued.push(queue(name, argumentsOf(name)));
  const keys = KEYS.map((pattern) => {
    const sample = sampleOf(pattern);
    return nameDenied([queue('incr', [sample]), queue('hincrby', [sample, '1', '1'])]);
  });
  const published = CHANNELS.map((pattern) => queue('publish', [sampleOf(pattern), '']));
  queued.push(denied(redis.call('exec')));
  await Promise.all(queued);
  const channels = CHANNELS.map((pattern, i) =>
    nameDenied([published[i]!, denied(redis.subscribe(sampleOf(pattern)))]),
  );
  const names = await Promise.all([...keys, ...channels]);
  await denied(redis.unsubscribe());
  const rules = [...KEYS.map((pattern) => `~${pattern}`), ...CHANNELS.map((pattern) => `&${pattern}`)];
  return [...[...denials].sort(), ...rules.filter((_, i) => names[i])];
}

/** The right to allow, by the reply that denied it; undefined: the reply denies nothing. A step of Redis 7.0 does not name its command. */
export function deniedRight(reply: string): string | undefined {
  if (!/NOPERM|ACL failure|The user executing the script/.test(reply)) return undefined;
  const [, command] = /the '([^']+)' command/.exec(reply) ?? [];
  if (command !== undefined) return `+${command}`;
  if (/\bchannels?\b/.test(reply)) return 'the channels (&...) that docs/redis.md lists';
  if (/\bkeys?\b/.test(reply)) return 'the keys (~...) that docs/redis.md lists';
  return 'the commands that docs/redis.md lists';
}
