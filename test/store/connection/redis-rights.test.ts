/** The Redis user of docs/redis.md: it has exactly the rights that the code needs, on one server and on a cluster. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isRefusal } from '../../../engine/domain/core/refusal.js';
import type { AnyOperationName, OutputOf } from '../../../engine/service/operations.js';
import {
  CHANNELS,
  COMMANDS,
  KEYS,
  OF_CLUSTER,
  OF_REPLICAS,
  OPTIONAL,
} from '../../../engine/store/connection/redis-rights.js';
import { RISK_LEASE } from '../../../engine/store/coordination/lease.js';
import { openStore, type Store } from '../../../engine/store/store.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';
import { NO_REDIS_SERVER, redisServer, startRedisCluster } from '../../support/redis-cluster.js';
import { type RedisProcess, startRedis } from '../../support/redis-process.js';
import { PATIENT, SILENT } from '../../support/store.js';
import { SOON } from '../../support/until.js';
import { filesEndingIn, read } from '../../tidy/tree.js';
import { askAll, TO_BE_ASKED } from './cluster-operations.js';

/** The documented command after `reset on '>password'`. */
const [, shown = ''] = /ACL SETUSER ratewire reset on '>password' \\\n(.*?)\n```/s.exec(read('docs/redis.md')) ?? [];
const documented = shown.replaceAll(/[\\']/g, ' ').trim().split(/\s+/);
const PASSWORD = 'word';

describe('the list of rights', () => {
  const all = [...COMMANDS, ...OF_CLUSTER, ...OF_REPLICAS, ...OPTIONAL];
  /** Sent by ioredis itself, as engine/store/connection/redis-client.ts configures it; AUTH and QUIT need no right. */
  const OF_THE_CLIENT = ['client|setname'];
  /** Sent to a server that ratewire started itself, where its user has all rights. */
  const OF_OWN_SERVER = ['shutdown'];

  test('the list has each command that the code calls, and no other', () => {
    const called = new Set([...calledByLua(), ...calledByTypeScript(), ...OF_THE_CLIENT]);
    for (const name of OF_OWN_SERVER) called.delete(name);
    expect([...called].sort()).toEqual([...all].sort());
  });

  test('docs/redis.md shows the same commands, keys and channels', () => {
    const rules = [
      ...all.map((name) => `+${name}`),
      ...KEYS.map((key) => `~${key}`),
      ...CHANNELS.map((name) => `&${name}`),
    ];
    expect([...documented].sort()).toEqual(rules.sort());
  });
});

const CONTAINERS = new Set(['client', 'cluster', 'config', 'pubsub', 'script', 'xgroup', 'xinfo']);
const named = (command: string, firstArgument: string | undefined): string =>
  (CONTAINERS.has(command.toLowerCase()) ? `${command}|${firstArgument}` : command).toLowerCase();

function calledByLua(): string[] {
  return filesEndingIn('.lua').flatMap((file) => {
    const text = read(file).replaceAll(/--.*$/gm, '');
    const calls = [...text.matchAll(/redis\.p?call\(\s*['"](\w+)['"](?:\s*,\s*['"](\w+)['"])?/g)];
    // Each call names its command literally: one in a variable would not be found here.
    expect(calls, file).toHaveLength([...text.matchAll(/redis\.p?call\b/g)].length);
    return calls.map(([, command, first]) => named(command!, first));
  });
}

/** Method calls on variables that are named like connections, and calls chained to a `multi()`. */
function calledByTypeScript(): string[] {
  const known = new Set(new Redis({ lazyConnect: true }).getBuiltinCommands());
  const found: string[] = [];
  const take = (method: string, first: string | undefined): void => {
    const command = method.replace(/Buffer$/, '');
    if (command === 'call') found.push(named(first!, undefined));
    else if (known.has(command) && command !== 'quit') found.push(named(command, first));
  };
  // That file only checks rights.
  const isAsked = (file: string) => /^(engine|rest)\//.test(file) && file !== 'engine/store/connection/redis-rights.ts';
  for (const file of filesEndingIn('.ts').filter(isAsked)) {
    const text = read(file).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    const calls = text.matchAll(/\b(?:redis|reads|money|passing)\s*\??\.\s*([a-z]\w*)\(\s*(?:'(\w+)')?/g);
    for (const [, method, first] of calls) take(method!, first);
    for (const [, chain] of text.matchAll(/\.multi\(\)([\s\S]*?\.exec\(\))/g))
      for (const [, method, first] of chain!.matchAll(/\.([a-z]\w*)\(\s*(?:'(\w+)')?/g)) take(method!, first);
  }
  return found;
}

const isMissing = redisServer() === undefined;
if (isMissing) console.log(`test/store/connection/redis-rights.test.ts ${NO_REDIS_SERVER}`);

describe.skipIf(isMissing).each(['one server', 'a cluster'] as const)('the user of docs/redis.md on %s', (kind) => {
  let nodes: readonly RedisProcess[];
  let redisUrl: string;
  let on: PaymentRig;
  let stop: () => Promise<void>;
  const directory = mkdtempSync(join(tmpdir(), 'ratewire-rights-'));
  const setUser = (name: string, rules: readonly string[]) =>
    Promise.all(nodes.map(({ redis }) => redis.call('ACL', 'SETUSER', name, 'reset', 'on', `>${PASSWORD}`, ...rules)));
  const urlOf = (name: string) => redisUrl.replace(/:\/\/.*@/, `://${name}:${PASSWORD}@`);
  beforeAll(async () => {
    if (kind === 'a cluster') ({ nodes, redisUrl, stop } = await startRedisCluster());
    else {
      const server = await startRedis();
      nodes = [server];
      ({ redisUrl, stop } = server);
    }
    await setUser('ratewire', documented);
    on = await startPayments({ redisUrl: urlOf('ratewire') });
  });
  afterAll(async () => {
    await on?.stop();
    await stop?.();
    rmSync(directory, { recursive: true, force: true });
  });

  const must = async <Name extends AnyOperationName>(name: Name, input: object): Promise<OutputOf<Name>> => {
    const answer = await on.ask(name, input);
    if (isRefusal(answer)) throw new Error(`${name}: ${answer.text}`);
    return answer;
  };

  test('the user of docs/redis.md does all that programs do, and nothing is denied', async () => {
    const client = await on.client('acme', { EUR: '100000.00', USD: '100000.00' });
    await on.services.store.events.enable(client);
    await must('changePorts', { funding: 'sandbox', compliance: 'sandbox', payout: 'sandbox', reason: 'a test' });
    expect(await askAll(on, client)).toEqual(TO_BE_ASKED);
    await everyOperatorDoes();
    const later = { sellCurrency: 'EUR', buyCurrency: 'USD', sellAmount: 1, description: 'a test', requestId: 'later' };
    await on.book('acme', { ...later, type: 'SCHEDULED1' });
    const joined = { program: 'engine here:1', modes: {}, sandboxes: [], onOther: () => expect.unreachable() };
    await on.services.store.ports.join(joined);
    await channelsOf(on.services.store, await on.testStore.another());
    await sessionOf(on.services.store, client.shard);
    await workersOf(on.services.store, client.shard);
    await must('haltHouse', { reason: 'a test' });
    await must('setLimits', { scope: 'acme', deal: '1000' });
    await on.services.store.rooms.share(0, { term: 'one', base: 'USD', begins: true }, new Map());
    expect((await must('reconcile', {})).differences).toEqual([]);
    await must('archiveJournal', { clientId: 'acme', beforeMs: Date.now() + 1, directory, insist: true });
    expect((await must('reconcile', { directory })).differences).toEqual([]);
    expect((await must('verifyAudit', {})).broken).toBeUndefined();
    const denied = (await Promise.all(nodes.map(({ redis }) => redis.call('ACL', 'LOG')))).flat() as string[][];
    // The test's own inspection of a cluster needs this right, too.
    expect(denied.filter((entry) => !entry.includes('cluster|info'))).toEqual([]);
  });

  test('every key matches one pattern of the list, and every pattern has a key', async () => {
    await on.services.store.lease('feed').acquire();
    const keys = (await Promise.all(nodes.map(({ redis }) => redis.keys('*')))).flat();
    const isLike = (pattern: string, key: string) =>
      new RegExp(`^${pattern.replaceAll(/[{}|]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.')}$`).test(key);
    expect(keys.filter((key) => !KEYS.some((pattern) => isLike(pattern, key)))).toEqual([]);
    // The guard key, which never exists.
    const unused = KEYS.filter((pattern) => !keys.some((key) => isLike(pattern, key)));
    expect(unused).toEqual(['{*}:migration-guard']);
  });

  const needed = documented.filter((rule) => !OPTIONAL.includes(rule.slice(1)));
  const isOfCluster = (rule: string) => OF_CLUSTER.includes(rule.slice(1));
  test.each(needed.filter((rule) => isOfCluster(rule) === (kind === 'a cluster')))(
    'the start rejects a user without %s, and names the missing right',
    async (rule) => {
      const rules = documented.filter((one) => one !== rule);
      await setUser('lacking', rules);
      const where = { redisUrl: urlOf('lacking'), dataDir: directory, replicas: rule === '+wait' ? 1 : 0 };
      const opening = openStore({ ...where, ...PATIENT, log: SILENT, own: 'start-if-absent' });
      const { message } = await opening.then(
        () => expect.unreachable(),
        (error: Error) => error,
      );
      expect(
        (await Promise.all(nodes.map(({ redis }) => redis.get('store:form').catch(() => null)))).filter(Boolean),
      ).toEqual(['1']);
      expect(message.replace(/^Redis at \S+/, 'Redis')).toBe(
        `Redis does not give the user 'lacking' every right that it needs: allow it ${rule} (ACL SETUSER; docs/redis.md has the whole list)`,
      );
    },
  );

  test('a command denied at run time is an error that names the missing right', async () => {
    await setUser('losing', documented);
    const store = await openStore({
      redisUrl: urlOf('losing'),
      dataDir: on.testStore.dataDir,
      ...PATIENT,
      log: SILENT,
      own: 'start-if-absent',
    });
    await Promise.all(nodes.map(({ redis }) => redis.call('ACL', 'SETUSER', 'losing', '-hgetall')));
    await expect(store.clients.get('acme')).rejects.toThrow('allow the user of REDIS_URL +hgetall, and start again');
    await store.close();
  });

  async function everyOperatorDoes(): Promise<void> {
    const [account] = await on.services.store.accounts.list((await on.services.store.clients.get('acme'))!);
    const made = await must('createClient', { id: 'other', name: 'Other' });
    expect(made).toBeDefined();
    const { clientKey } = await must('issueKey', { clientId: 'other', rights: ['read'] });
    await must('rotateKey', { clientKey });
    await must('retirePreviousSecret', { clientKey });
    await must('revokeClientTokens', { clientId: 'other' });
    await must('revokeKey', { clientKey });
    await must('assignCompId', { compId: 'OTHER', clientId: 'other', dropCopy: true });
    await must('removeCompId', { compId: 'OTHER', clientId: 'other' });
    await must('assignCompId', { compId: 'ACME', clientId: 'acme', dropCopy: true });
    await must('setFee', { clientId: 'acme', corridor: 'DE', method: 'BANK', fixed: '1.00' });
    await must('setMargin', { clientId: 'acme', pair: 'USD/JPY', type: '*', margin: '0.5' });
    await must('removeMargin', { clientId: 'acme', pair: 'USD/JPY', type: '*' });
    await must('setMargin', { clientId: 'acme', pair: 'USD/JPY', type: '*', above: '1000000', margin: '0.5' });
    await must('setPricing', { pair: 'USD/JPY', spreadMin: '1.5' });
    await must('removePricing', { pair: 'USD/JPY' });
    await must('setPricing', { pair: 'USD/JPY', spreadMin: '1.5' });
    await must('haltPair', { pair: 'EUR/CHF', reason: 'a test' });
    await must('resumePair', { pair: 'EUR/CHF' });
    await must('haltPair', { pair: 'EUR/CHF', reason: 'a test' });
    const amount = { accountNumber: account!.number, amount: '1.00' };
    await must('adjustAccount', { ...amount, direction: 'credit', reference: 'a-test', reason: 'a test' });
    await must('disableClient', { id: 'other', disabled: true });
    await must('haltClient', { clientId: 'other', reason: 'a test' });
  }
});

/** All messages that are published, by one process, for another. */
async function channelsOf(store: Store, other: Store): Promise<void> {
  const received = new Set<string>();
  const rates = await other.relay.subscribe(() => received.add('rates'));
  other.tokens.onRevoked(() => received.add('revoked'));
  other.work.onWork(() => {});
  other.fixSessions.onOutbox(() => {});
  other.journal.onGrown(() => {});
  await riskFiguresOf(store, other);
  const lease = store.lease('feed');
  other.lease('feed').onRelease(() => received.add('lease'));
  const holding = (await lease.acquire())!;
  const { token } = await store.tokens.issue('acme', 'CK_A', ['read']);
  await store.tokens.revoke(token);
  await store.tokens.issue('acme', 'CK_A', ['read']);
  await store.relay.writeSnapshot(holding, { 'EUR/USD': '1' });
  await vi.waitFor(async () => {
    await store.relay.publish(holding, Buffer.from('rates'));
    expect([...received]).toEqual(expect.arrayContaining(['rates', 'revoked']));
  }, SOON);
  rates();
  await lease.release();
  await vi.waitFor(() => expect([...received]).toContain('lease'), SOON);
  const stop = other.engines.answer({
    status: () => expect.unreachable(),
    pairs: () => ({ feed: 'runs', pairs: [] }),
    takes: () => undefined,
    logOut: () => true,
  });
  await vi.waitFor(async () => expect(await store.engines.logOut('ACME', 'a test')).toBe(true), SOON);
  stop();
}

async function riskFiguresOf(store: Store, other: Store): Promise<void> {
  await other.riskFigures.follow('USD');
  const lease = store.lease(RISK_LEASE);
  const holding = (await lease.acquire())!;
  const none = { realised: 0, unrealised: 0, margin: 0 };
  const total = { long: 0, short: 0, total: 0, profit: none, dayProfit: none };
  const tables = { pairs: [], currencies: [], total, limits: [], states: [], covers: [] };
  const began = { day: '20260303', baseCurrency: 'USD', atMs: 0, profits: new Map() };
  await vi.waitFor(async () => {
    const figures = { atMs: store.riskFigures.nowMs()!, baseCurrency: 'USD', day: began.day, ...tables };
    await store.riskFigures.publish(holding, figures, { keep: true, dayStart: began });
    expect(other.riskFigures.figures(60_000)).toBeDefined();
  }, SOON);
  expect(await other.riskFigures.dayBegun()).toEqual(began);
  await store.dayStarts.complete(began);
  expect(await other.dayStarts.read(began, ['acme'])).toEqual([none]);
  await lease.release();
}

async function sessionOf({ fixSessions }: Store, shard: number): Promise<void> {
  const id = { senderCompId: 'RATEWIRE', targetCompId: 'ACME' };
  const session = fixSessions.store(id, shard);
  await session.open();
  await session.reserve(100);
  await session.append(1, Buffer.from('8=FIX.4.4'));
  expect(await session.read(1, 1, 10)).toHaveLength(1);
  session.saveNextIn(2);
  await session.reset(Date.now());
  await session.append(1, Buffer.from('8=FIX.4.4'));
  await session.settle(2, 2);
  await session.close();
  expect(await fixSessions.readOutbox(id.senderCompId, id.targetCompId, shard, undefined, 10)).toBeDefined();
  await fixSessions.dropOutboxEntry(id.senderCompId, id.targetCompId, shard, '1-1');
  await fixSessions.forget({ ...id, targetCompId: 'GONE' }, shard);
}

async function workersOf({ work, permits, failedAttempts }: Store, shard: number): Promise<void> {
  await work.takeOver(shard, 'another', 0, 10);
  await work.release(shard, 'another', 0);
  await work.forgetWorkers(shard, 0);
  await permits.take({ kind: 'reads', who: 'acme', minute: 1, limit: 10, wanted: 1, borrowed: 0 });
  const bounds = { kind: 'logon', most: 10, windowMs: 60_000, closedMs: 60_000 };
  await failedAttempts.count(bounds, 'acme', Date.now());
  await failedAttempts.forget(bounds, 'acme', 0);
  await failedAttempts.count(bounds, 'acme', Date.now());
}
