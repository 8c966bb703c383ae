import {
  Acceptor,
  type Application,
  type Field,
  Initiator,
  type InitiatorOptions,
  type LogEntry,
  LogStream,
  memoryStoreFactory,
  profile,
  type Session,
} from 'node-quickfix-ts';
import { afterEach, expect, test } from 'vitest';
import { Reconnect } from '../../engine/node-quickfix-ts/src/transport/reconnect.js';
import { SOON } from '../support/until.js';
import { readDictionary } from './dictionaries.js';
import { echoAcceptor } from './echo-acceptor.js';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

function calling(
  port: number,
  options: Partial<InitiatorOptions> = {},
): { events: string[]; initiator: Initiator; until(text: string): Promise<void> } {
  const events: string[] = [];
  let wake: () => void = () => {};
  const say = (text: string): void => {
    events.push(text);
    wake();
  };
  const initiator = new Initiator({
    host: '127.0.0.1',
    port,
    beginString: 'FIX.4.4',
    senderCompId: 'TW44',
    targetCompId: 'ISLD',
    heartBtInt: 5,
    dictionary: readDictionary(),
    profile: profile({ supported: new Set(['D']) }),
    store: memoryStoreFactory(),
    reconnect: { firstMs: 20, maxMs: 100 },
    application: {
      onLogon: (session) => say(`logon ${session.id.targetCompId}`),
      onMessage: (_, message) => say(`message ${message.msgType} ${message.string(11)}`),
      onLogout: (_, reason) => say(`logout ${reason}`),
    },
    ...options,
  });
  stops.push(() => initiator.stop());
  initiator.start();
  const until = async (text: string): Promise<void> => {
    while (!events.includes(text)) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`never: ${text}; events: ${events.join(', ')}`)), SOON.timeout);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    events.splice(events.indexOf(text), 1);
  };
  return { events, initiator, until };
}

async function echo(port = 0): Promise<{ port: number; stop(): Promise<void> }> {
  const acceptor = echoAcceptor({ port, sender: 'ISLD', target: 'TW44' });
  const { port: listening } = await acceptor.listen();
  const stop = (): Promise<void> => acceptor.stop();
  stops.push(stop);
  return { port: listening, stop };
}

const order = [
  [11, 'o1'],
  [21, 1],
  [55, 'EUR/USD'],
  [54, 1],
  [60, '20260114-12:00:00'],
  [40, 1],
] as const;

test('logs on, sends, receives, logs out', async () => {
  const { port } = await echo();
  const desk = calling(port, { resetOnLogon: true });
  await desk.until('logon ISLD');
  desk.initiator.session!.send('D', order);
  await desk.until('message D o1');
  await desk.initiator.stop('done');
  expect(desk.events).toEqual(['logout done']);
});

test('reconnects after a disconnect and continues the sequence numbers', async () => {
  const first = await echo();
  // The echo acceptor resets at each Logon, so this side must, too.
  const desk = calling(first.port, { resetOnLogon: true });
  await desk.until('logon ISLD');
  stops.pop();
  await first.stop();
  await desk.until('logout logout by the peer: shutting down');
  await echo(first.port);
  await desk.until('logon ISLD');
});

test('keeps its sequence numbers across connections when neither side resets', async () => {
  const sessions: Session[] = [];
  const application: Application = {
    authenticate: () => ({
      accept: true,
      profile: profile({ supported: new Set(['D']) }),
      reply: [],
      context: undefined,
    }),
    onLogon: (session) => void sessions.push(session),
    onMessage() {},
    onLogout() {},
  };
  const acceptor = new Acceptor({ port: 0, dictionary: readDictionary(), application, store: memoryStoreFactory() });
  const { port } = await acceptor.listen();
  stops.push(() => acceptor.stop());
  const desk = calling(port);
  await desk.until('logon ISLD');
  sessions[0]!.logout('once more');
  await desk.until('logout logout by the peer: once more');
  await desk.until('logon ISLD');
  sessions[1]!.send('D', order);
  await desk.until('message D o1');
});

test('started again while it stops, it has a session with all its timers', async () => {
  let heartbeats = 0;
  const ends: string[] = [];
  const application: Application = {
    authenticate: () => ({ accept: true, profile: profile({}), reply: [], context: undefined }),
    onLogon() {},
    onMessage() {},
    onLogout: (_, reason) => void ends.push(reason),
    fromAdmin: (_, message) => void (message.msgType === '0' && !message.has(112) && heartbeats++),
  };
  const acceptor = new Acceptor({ port: 0, dictionary: readDictionary(), application, store: memoryStoreFactory() });
  const { port } = await acceptor.listen();
  stops.push(() => acceptor.stop());
  const desk = calling(port, { heartBtInt: 1 });
  await desk.until('logon ISLD');
  const stopped = desk.initiator.stop('reload');
  desk.initiator.start();
  await desk.until('logout reload');
  await stopped;
  await desk.until('logon ISLD');
  await expect.poll(() => heartbeats).toBeGreaterThan(1);
  expect([desk.initiator.state, ends]).toEqual(['up', ['logout by the peer: reload']]);
  // The last word counts.
  desk.initiator.stop();
  desk.initiator.start();
  await desk.initiator.stop();
  expect([desk.initiator.state, desk.initiator.session]).toEqual(['stopped', undefined]);
});

test('gets the reason of a refused Logon, and retries', async () => {
  let attempts = 0;
  const application: Application = {
    authenticate: ({ logon }) => {
      attempts++;
      return logon.string(554) === 'secret'
        ? { accept: true, profile: profile({}), reply: [], context: undefined }
        : { accept: false, text: 'Authentication failed', closeAfterMs: 10 };
    },
    onLogon() {},
    onMessage() {},
    onLogout() {},
  };
  const acceptor = new Acceptor({ port: 0, dictionary: readDictionary(), application, store: memoryStoreFactory() });
  const { port } = await acceptor.listen();
  stops.push(() => acceptor.stop());
  const logonFields = (secret: string): readonly Field[] => [
    [553, 'key'],
    [554, secret],
  ];
  const wrong = calling(port, { logonFields: logonFields('wrong') });
  await wrong.until('logout logon refused: Authentication failed');
  await wrong.until('logout logon refused: Authentication failed');
  expect(attempts).toBeGreaterThanOrEqual(2);
  await wrong.initiator.stop();
  const right = calling(port, { logonFields: logonFields('secret') });
  await right.until('logon ISLD');
});

test.each(['FIX.4.2', 'FIX.4.3'] as const)('speaks %s where the options say so', async (beginString) => {
  const acceptor = new Acceptor({
    port: 0,
    beginString,
    dictionary: readDictionary(),
    store: memoryStoreFactory(),
    application: {
      authenticate: () => ({ accept: true, profile: profile({}), reply: [], context: undefined }),
      onLogon: (session) => session.send('D', order),
      onMessage() {},
      onLogout() {},
    },
  });
  const { port } = await acceptor.listen();
  stops.push(() => acceptor.stop());
  const desk = calling(port, { beginString });
  await desk.until('message D o1');
});

test('waits 1, 2, 4 ... 30 s between attempts, less up to half at random, and resets the wait after a session', () => {
  const waits = (random: number): Reconnect =>
    new Reconnect(
      { firstMs: 1_000, maxMs: 30_000 },
      () => {},
      () => random,
    );
  const longest = waits(0);
  expect(Array.from({ length: 7 }, () => longest.nextMs())).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
  ]);
  longest.succeeded();
  expect(longest.nextMs()).toBe(1_000);
  const shortest = waits(1);
  expect([shortest.nextMs(), shortest.nextMs()]).toEqual([500, 1_000]);
});

test.each([-5, 0.5, Number.NaN, 3_601, '30'])('heartBtInt %j is refused', (heartBtInt) => {
  expect(() => calling(1, { heartBtInt: heartBtInt as number })).toThrow('heartBtInt: whole seconds, 0 to 3600');
});

test.each([
  [554, undefined, 'neither text nor a whole number'],
  [554, 'p€ss', 'the character U+20AC has no byte in latin1'],
  [115, 'DESK\x01', 'SOH in a value would end the field'],
  [34, 9, 'generated for every message'],
])('a logon field %i that is %j is refused before anything is sent', (tag, value, text) => {
  const logonFields = [[tag, value]] as unknown as Field[];
  expect(() => calling(1, { logonFields })).toThrow(`Field ${tag}: ${text}`);
});

test('of the logon fields those of the routing are in the header, and those without a value left out', async () => {
  const { port } = await echo();
  const sent: string[] = [];
  const log = new LogStream();
  log.on('data', ({ kind, text }: LogEntry) => void (kind === 'out' && sent.push(text)));
  const fields: Field[] = [
    [554, ''],
    [115, 'DESK'],
    [96, 'raw'],
    [553, 'user'],
  ];
  calling(port, { logonFields: fields, log });
  await expect.poll(() => sent.length).toBeGreaterThan(0);
  expect(sent[0]).toMatch(/\x0156=ISLD\x01115=DESK\x0198=0\x01108=5\x0196=\*{3}\x01553=user\x0110=/);
});
