/** What others do, and what breaks, must not touch a desk that is logged on. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { MESSAGE_OF_OPERATION, MESSAGES } from '../../engine/fix/message-table.js';
import { StoreUnavailable } from '../../engine/store/connection/errors.js';
import { writeCertificate } from '../support/certificate.js';
import { frame, framed, type TestDesk, timestamp } from '../support/desk.js';
import { openTestTls } from '../support/tls.js';
import { SOON } from '../support/until.js';
import { type ClientOf, type Rig, startRig } from './rig.js';

let rig: Rig;
let acme: ClientOf;
let desk: TestDesk;
let token: string;

beforeAll(async () => {
  rig = await startRig();
  acme = await rig.client('acme');
  desk = rig.desk(acme);
  token = (await desk.logon()).get(20001)!;
  rig.tick('EUR/USD', '1.08158', '1.08164');
});
afterAll(() => rig.stop());

test('a logon with a desk’s CompID and a wrong secret changes no session, with ResetSeqNumFlag(141) or without', async () => {
  desk.stream('LIVE', ['EUR/USD'], token);
  await desk.next('W');
  for (const reset of ['Y', 'N']) {
    const stranger = rig.desk(acme, { clientSecret: 'wrong' });
    await stranger.connect();
    stranger.send('A', [
      [98, 0],
      [108, 30],
      [141, reset],
      [553, acme.clientKey],
      [554, 'wrong'],
    ]);
    await stranger.next('5');
  }
  rig.tick('EUR/USD', '1.08159', '1.08165');
  const next = await desk.next('W');
  expect(Number(next.get(34))).toBe(desk.received.length);
});

test('garbled bytes are skipped and counted', async () => {
  const before = rig.gateway.counters.garbled;
  desk.write(
    frame([
      [35, '0'],
      [34, 99],
    ]).replace(/10=\d{3}/, '10=000'),
  );
  await desk.settle();
  expect(rig.gateway.counters.garbled).toBe(before + 1);
});

test('counts messages by type and refusals by code', () => {
  const { counters } = rig.gateway;
  expect(counters.sessions).toBe(1);
  expect(counters.received.get('V')).toBeGreaterThan(0);
  expect(counters.refusals.get('BAD_CREDENTIALS')).toBe(2);
  expect(counters.logonFailures).toBe(2);
});

test('a field that cannot be read is rejected by its tag, its number counts, and the session continues', async () => {
  const client = await rig.client('careless');
  const own = rig.desk(client);
  await own.logon();
  const sendWith = (field: string): void => {
    const header = `35=1|34=${own.nextOut++}|49=${client.compId}|52=${timestamp(Date.now())}|56=FXENGINE|`;
    own.write(framed(`${header}${field}|112=x|`.replaceAll('|', '\x01')));
  };
  for (const [field, tag, reason] of [
    ['58', '58', '0'],
    ['58text', '0', '0'],
    ['4294967296=x', '0', '0'],
    ['354=4|355=Z\u00c3\u00bcrich', '354', '5'],
    ['354=400|355=x', '354', '5'],
  ] as const) {
    sendWith(field);
    const reject = await own.next('3');
    expect([reject.get(45), reject.get(371), reject.get(372), reject.get(373)]).toEqual([
      `${own.nextOut - 1}`,
      tag,
      '1',
      reason,
    ]);
  }
  await own.settle();
  expect([own.count('2'), own.closed]).toEqual([0, false]);
});

test('every operation has a message that the gateway supports', () => {
  const taken = ['A', ...Object.keys(MESSAGES)];
  for (const msgType of Object.values(MESSAGE_OF_OPERATION)) expect(taken).toContain(msgType);
});

test('over TLS as over plain TCP, and never the same CompID over both', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'ratewire-tls-'));
  const { certificate, key } = await writeCertificate(dir);
  const listener = await openTestTls('FIX', { FIX_TLS_CERTIFICATE: certificate, FIX_TLS_KEY: key });
  const secure = await startRig({ settings: { tls: { ...listener, host: '127.0.0.1', port: 0 } } });
  const client = await secure.client('acme');
  const logonOverTls = (): Promise<string> =>
    new Promise((resolve) => {
      let text = '';
      const socket = connectTls({ port: secure.tlsPort!, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        const now = new Date().toISOString().replaceAll('-', '').replace('T', '-').slice(0, 21);
        const head = [
          [35, 'A'],
          [34, 1],
          [49, client.compId],
          [52, now],
          [56, 'FXENGINE'],
        ] as const;
        socket.write(
          frame([...head, [98, 0], [108, 30], [141, 'Y'], [553, client.clientKey], [554, client.clientSecret]]),
        );
      });
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
        socket.end();
      });
      socket.on('close', () => resolve(text));
    });
  expect(await logonOverTls()).toContain('\x0135=A\x01');
  const plain = secure.desk(client);
  await expect.poll(() => [...secure.gateway.sessions()].length).toBe(0);
  await plain.logon();
  expect(await logonOverTls()).toBe('');
  await plain.settle();
  await secure.stop();
  rmSync(dir, { recursive: true });
});

test('a store outage ends no stream; requests that need the store are rejected', async () => {
  const alone = await startRig();
  const client = await alone.client('acme');
  const own = alone.desk(client);
  const mine = (await own.logon()).get(20001)!;
  alone.tick('EUR/USD', '1.08158', '1.08164');
  own.stream('S1', ['EUR/USD'], mine);
  await own.next('W');
  await alone.services.store.close();
  // A token that was read just now is cached for a second.
  await vi.waitFor(
    () => expect(async () => alone.services.store.tokens.read(mine)).rejects.toThrow(StoreUnavailable),
    SOON,
  );
  own.stream('S2', ['EUR/USD'], mine);
  const reject = await own.next('Y');
  expect([reject.get(262), reject.get(281), reject.get(20011)]).toEqual(['S2', undefined, 'STORE_UNAVAILABLE']);
  own.send('BE', [
    [923, 'U1'],
    [924, 1],
    [553, client.clientKey],
    [554, client.clientSecret],
  ]);
  const reply = await own.next('BF');
  expect([reply.get(926), reply.get(20011)]).toEqual(['6', 'STORE_UNAVAILABLE']);
  alone.tick('EUR/USD', '1.08159', '1.08165');
  expect((await own.next('W')).get(262)).toBe('S1');
  expect(alone.log.join('\n')).not.toContain(client.clientSecret);
  await alone.stop();
});
