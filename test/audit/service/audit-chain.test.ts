/**
 * The chain of the audit log: a removed, changed or re-chained entry is named, and each entry is also written outside
 * the store.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifyAudit } from '../../../engine/service/audit/audit-log.js';
import { storeAnswer } from '../../../engine/service/core/operation.js';
import type { Services } from '../../../engine/service/core/services.js';
import { macOf } from '../../../engine/store/audit/audit-chain.js';
import { auditSink } from '../../../engine/store/audit/audit-sink.js';
import type { Store } from '../../../engine/store/store.js';
import { readConfig } from '../../../engine/wiring/config.js';
import { createLog } from '../../../engine/wiring/log.js';
import { openServices } from '../../../engine/wiring/services.js';
import { redisAt } from '../../support/redis-client.js';
import { ON_CLUSTER, SILENT, startTestStore, type TestStore } from '../../support/store.js';

let opened: TestStore;
let store: Store;
let redis: Redis;
let directory: string;

beforeAll(async () => {
  opened = await startTestStore();
  ({ store } = opened);
  redis = redisAt(opened.redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await opened.stop();
});
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ratewire-audit-chain-'));
  await redis.del('audit', '{audit}:head');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const change = async (who: string, on = store): Promise<string> => {
  const id = await on.auditLog.begin({ who, operation: 'halt', subject: 'pair EUR/USD', input: {}, before: undefined });
  await on.auditLog.end(id, { outcome: 'done', after: undefined, made: undefined });
  return id;
};
async function verified(known?: string) {
  const answer = await verifyAudit.execute({ store } as Services, undefined, { known });
  if ('refusal' in answer) throw new Error(answer.text);
  return answer;
}
const entries = () => redis.xrange('audit', '-', '+');
/** Writes the whole log anew, as an attacker would: one entry of a stream cannot be changed. */
async function rewrite(change: (all: [string, string[]][]) => [string, string[]][]): Promise<void> {
  const all = change(await entries());
  await redis.del('audit');
  for (const [id, fields] of all) await redis.xadd('audit', id, ...fields);
}

test('numbers are gapless, and the chain begins with its start entry', async () => {
  await change('ann');
  await change('bob');
  const all = await entries();
  expect(all.map(([, fields]) => fields[1])).toEqual(['1', '2', '3', '4', '5']);
  expect(all[0]![1].slice(4)).toEqual(['chain', 'start']);
  expect(await verified()).toMatchObject({ entries: 5, number: 5, broken: undefined });
  expect(await store.auditLog.page(undefined, 0, 10)).toHaveLength(5);
});

test('concurrent entries make one chain', async () => {
  const another = await opened.another();
  await Promise.all(Array.from({ length: 120 }, (_, i) => change(`operator ${i}`, i % 2 ? another : store)));
  expect(await verified()).toMatchObject({ entries: 241, number: 241, broken: undefined });
});

test.each<[string, (all: [string, string[]][]) => [string, string[]][], number, string]>([
  ['removed', (all) => all.toSpliced(2, 1), 3, 'an entry was removed'],
  ['changed', (all) => all.with(3, [all[3]![0], all[3]![1].map((text) => (text === 'bob' ? 'eve' : text))]), 3, 'HMAC'],
  [
    'given another time',
    (all) => all.toSpliced(4, 1, [`${Number.parseInt(all[4]![0], 10) + 1}-5`, all[4]![1]]),
    -1,
    'HMAC',
  ],
  [
    'added',
    (all) => [...all, [`${Number.parseInt(all.at(-1)![0], 10) + 9}-0`, ['who', 'eve']]],
    5,
    'not written by ratewire',
  ],
  ['removed from the beginning', (all) => all.slice(1), 1, 'an entry was removed'],
])('names an entry that was %s', async (_what, tamper, index, why) => {
  await change('ann');
  await change('bob');
  const before = await entries();
  await rewrite(tamper);
  const place = index < 0 ? (await entries())[4]![0] : ((await entries())[index - (before.length - 5)]?.[0] ?? '');
  const { broken } = await verified();
  expect(broken?.why).toContain(why);
  expect(broken?.place).toMatch(/^entry \d+-\d+$/);
  expect(place).not.toBe('');
});

test('names a chain rebuilt without the key', async () => {
  await change('ann');
  const forger = Buffer.alloc(32, 7);
  let before = '';
  await rewrite((all) =>
    all.map(([id, fields], i) => {
      const kept = fields.slice(4).map((text) => (text === 'ann' ? 'eve' : text));
      before = macOf(forger, before, id, i + 1, kept);
      return [id, ['number', String(i + 1), 'mac', before, ...kept]];
    }),
  );
  expect((await verified()).broken).toMatchObject({ why: expect.stringContaining('without the key') });
});

test('names the first of entries without a chain, before it and instead of it', async () => {
  await redis.xadd('audit', '1-1', 'who', 'eve', 'operation', 'halt');
  await change('ann');
  const why = expect.stringContaining('not written by ratewire');
  expect((await verified()).broken).toEqual({ place: 'entry 1-1', why });
  const all = await entries();
  await redis.del('audit', '{audit}:head');
  for (const [id, [, , , , ...fields]] of all.slice(2)) await redis.xadd('audit', id, ...fields);
  const { number, broken } = await verified();
  expect([number, broken]).toEqual([0, { place: `entry ${all[2]![0]}`, why }]);
});

test('the first program to start begins the chain, and no other program does so again', async () => {
  const another = await opened.another();
  const began = await Promise.all([store.auditLog.beginChain(), another.auditLog.beginChain()]);
  expect(began.toSorted()).toEqual([false, true]);
  expect(await store.auditLog.beginChain()).toBe(false);
  expect(await verified()).toMatchObject({ entries: 1, number: 1, broken: undefined });
});

test.each(['engine', 'sidecar'] as const)(
  'an %s begins the chain as it starts, the command line does not',
  async (program) => {
    const ports = { FUNDING: 'manual', COMPLIANCE: 'manual', PAYOUT: 'manual' };
    const config = readConfig({
      DATA_DIR: opened.dataDir,
      ...ports,
      FEED: 'relay',
      ...(ON_CLUSTER && { REDIS_URL: opened.redisUrl }),
    });
    const start = async (as: typeof program | 'ratewire') => {
      const { stop } = await openServices(config, createLog('test', 'silent'), { own: 'never', program: as });
      await stop();
      return (await verified()).number;
    };
    expect([await start('ratewire'), await start(program), await start(program)]).toEqual([0, 1, 1]);
  },
);

test('rejects a missing audit log where the store has clients', async () => {
  expect((await verified()).broken).toBeUndefined();
  await store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' });
  expect((await verified()).broken).toEqual({ place: 'the log', why: expect.stringContaining('missing') });
});

test("names a truncated end by the store's head, and by a head known outside", async () => {
  await change('ann');
  const early = await verified();
  await change('bob');
  const { number, mac } = await verified();
  expect((await verified(`${early.number}:${early.mac}`)).broken).toBeUndefined();
  await rewrite((all) => all.slice(0, 3));
  expect((await verified()).broken).toMatchObject({ place: 'the end' });
  // The store's own head is set back too.
  await redis.hset('{audit}:head', 'number', early.number, 'mac', early.mac, 'entry', early.lastEntry);
  expect((await verified()).broken).toBeUndefined();
  expect((await verified(`${number}:${mac}`)).broken).toMatchObject({ place: `number ${number}` });
});

test("finds removed entries by the stream's count of entries ever added", async () => {
  const id = await change('ann');
  await redis.xdel('audit', id);
  expect((await verified()).broken).toBeDefined();
});

test('writes each entry to a file outside the store, with its number and HMAC', async () => {
  const path = join(directory, 'audit.jsonl');
  const with_ = await opened.another({ auditLog: `file:${path}` });
  await change('ann', with_);
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect(lines.map(({ entry, mac, fields }) => [entry, mac, fields])).toEqual(
    (await entries()).map(([id, [, , , mac, ...fields]]) => [id, mac, fields]),
  );
});

test('sends each entry to a syslog server in RFC 5424 format', async () => {
  const server = createSocket('udp4');
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const message = once(server, 'message');
  await auditSink(`syslog://127.0.0.1:${port}`, SILENT).write({
    entry: '1795161660000-7',
    number: 7,
    mac: 'ab',
    fields: ['who', 'ann'],
  });
  const [datagram] = (await message) as [Buffer];
  server.close();
  expect(datagram.toString()).toMatch(
    /^<109>1 2026-11-20T08:01:00\.000Z \S+ ratewire \d+ audit - \{"number":7,"entry":"1795161660000-7","mac":"ab","fields":\["who","ann"\]\}$/,
  );
});

test.each([['syslog://'], ['syslog://host:0'], ['/var/log/audit'], ['http://host']])(
  'rejects %s as a place for the audit log',
  (target) => {
    expect(() => auditSink(target, SILENT)).toThrow('AUDIT_LOG is neither');
  },
);

test('an unwritable file fails the start, and later rejects the change', async () => {
  expect(() => auditSink(`file:${directory}`, SILENT)).toThrow(/AUDIT_LOG: .* cannot be written \(EISDIR\)/);
  const folder = mkdtempSync(join(directory, 'sub-'));
  const with_ = await opened.another({ auditLog: `file:${join(folder, 'audit.jsonl')}` });
  rmSync(folder, { recursive: true });
  await expect(change('ann', with_)).rejects.toMatchObject({ name: 'StoreUnavailable', outcome: 'none' });
  chmodSync(directory, 0o700);
});

test('names the file of AUDIT_LOG and the remedy when a write to it fails', async () => {
  const file = join(directory, 'audit.jsonl');
  const with_ = await opened.another({ auditLog: `file:${file}` });
  mkdirSync(`${file}.d`);
  rmSync(file);
  symlinkSync(`${file}.d`, file);
  const answer = await storeAnswer({ log: createLog('test', 'silent') }, () => change('ann', with_));
  expect(answer).toMatchObject({ refusal: 'STORE_UNAVAILABLE', outcome: 'none' });
  expect((answer as { text: string }).text).toContain(`AUDIT_LOG: ${file} cannot be written (EISDIR)`);
});
