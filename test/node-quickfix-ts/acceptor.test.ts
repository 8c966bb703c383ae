import {
  Acceptor,
  type AcceptorOptions,
  type Application,
  type Field,
  type LogEntry,
  type LogonDecision,
  LogStream,
  MemoryStore,
  memoryStoreFactory,
  profile,
  publishedType,
  type Session,
  SharedBody,
} from 'node-quickfix-ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readDictionary } from './dictionaries.js';
import { fieldOf, message, Peer, utc } from './session/session-peer.js';

const dictionary = readDictionary();
const running: Acceptor[] = [];
const peers: Peer[] = [];

afterEach(async () => {
  for (const peer of peers.splice(0)) peer.close();
  await Promise.all(running.splice(0).map((acceptor) => acceptor.stop()));
});

async function listening(options: Partial<AcceptorOptions> & { app?: Partial<Application> } = {}): Promise<number> {
  const application: Application = {
    authenticate: () => ({
      accept: true,
      profile: profile({ supported: new Set(['D']) }),
      reply: [],
      context: undefined,
    }),
    onLogon() {},
    onMessage(session, view) {
      session.send('8', [[37, view.string(11) ?? '']]);
    },
    onLogout() {},
    ...options.app,
  };
  const acceptor = new Acceptor({ port: 0, dictionary, application, store: memoryStoreFactory(), ...options });
  running.push(acceptor);
  return (await acceptor.listen()).port;
}

async function open(port: number): Promise<Peer> {
  const peer = await Peer.open(port);
  peers.push(peer);
  return peer;
}

const logon = (desk: string): string => `35=A|34=1|49=${desk}|52=${utc()}|56=FXENGINE|98=0|108=30`;

async function loggedOn(port: number, desk = 'DESK1'): Promise<Peer> {
  const peer = await open(port);
  peer.send(logon(desk));
  expect(fieldOf(await peer.next(), 35)).toBe('A');
  return peer;
}

async function isServed(peer: Peer, desk: string, number = 2): Promise<void> {
  peer.send(`35=1|34=${number}|49=${desk}|52=${utc()}|56=FXENGINE|112=here`);
  expect(fieldOf(await peer.next(), 112)).toBe('here');
}

test('a desk that floods has one read in each turn of the event loop, then the others have theirs', async () => {
  let inTurn = 0;
  let most = 0;
  let all = 0;
  const onEvent = (_: Session | undefined, event: { kind: string }) => {
    if (event.kind !== 'received') return;
    if (inTurn++ === 0) setImmediate(() => (inTurn = 0));
    most = Math.max(most, inTurn);
    all++;
  };
  const port = await listening({ app: { onEvent } });
  const desk = await loggedOn(port);
  const heartbeat = (number: number) => message(`35=0|34=${number}|49=DESK1|52=${utc()}|56=FXENGINE`);
  const flood = Array.from({ length: 40_000 }, (_, i) => heartbeat(i + 2)).join('');
  desk.write(flood);
  await isServed(desk, 'DESK1', 40_002);
  expect(all).toBe(40_001);
  // A short read may come before the full one that ends the desk's turn; without an end it would be 32 of them.
  expect(most).toBeLessThanOrEqual((2 * 65_536 * 40_000) / flood.length);
});

describe('a peer that is no desk', () => {
  test('one byte at a time is a message like any other', async () => {
    const port = await listening();
    const peer = await open(port);
    for (const byte of message(logon('DESK1'))) {
      peer.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(fieldOf(await peer.next(), 35)).toBe('A');
  });

  test.each([
    ['nothing', ''],
    ['half a Logon', message(logon('DESK1')).slice(0, 40)],
    ['a BodyLength that is still to come', '8=FIX.4.4\x019=8000\x0135=A\x01'],
  ])('%s for ever: closed after the logon timeout, others are not touched', async (_, bytes) => {
    const port = await listening({ limits: { logonTimeoutMs: 300 } });
    const desk = await loggedOn(port);
    const other = await open(port);
    if (bytes !== '') other.write(bytes);
    expect(await other.closed()).toBe('');
    await isServed(desk, 'DESK1');
  });

  test.each([
    ['a message of 9 KiB', message(`35=A|34=1|49=DESK1|56=FXENGINE|58=${'x'.repeat(9_000)}`)],
    ['an endless BodyLength', '8=FIX.4.4\x019=99999999\x01'],
    ['10,000 tags', message(`35=A|34=1|${'58=|'.repeat(10_000)}`)],
    ['HTTP', 'GET / HTTP/1.1\r\n\r\n'],
    ['a wrong checksum', message(`${logon('DESK1')}|10=000`).replace(/10=\d+/, '10=256')],
  ])('%s: closed at once', async (_, bytes) => {
    const port = await listening();
    const peer = await open(port);
    peer.write(bytes);
    expect(await peer.closed()).toBe('');
  });

  test('what they send behind their Logon before it is answered costs its bytes, not forty times as much', async () => {
    const port = await listening({ app: { authenticate: () => new Promise(() => {}) } });
    const behind = message('35=0').repeat(2_400);
    const used = () => {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return heapUsed + arrayBuffers;
    };
    const before = used();
    for (let i = 0; i < 100; i++) (await open(port)).write(`${message(logon(`D${i}`))}${behind}`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(used() - before).toBeLessThan(100 * 2 ** 20);
  });

  test('2,000 connections without a Logon keep no desk out and are bounded', async () => {
    const refusals: string[] = [];
    const app = {
      onEvent: (_: Session | undefined, event: { kind: string; detail: string }) => void refusals.push(event.detail),
    };
    const port = await listening({ limits: { maxPendingConnections: 50 }, app });
    const desk = await loggedOn(port);
    const flood: Peer[] = [];
    for (let i = 0; i < 40; i++) flood.push(...(await Promise.all(Array.from({ length: 50 }, () => open(port)))));
    await isServed(desk, 'DESK1');
    const late = await loggedOn(port, 'DESK2');
    await isServed(late, 'DESK2');
    expect(flood.filter((peer) => !peer.isClosed).length).toBeLessThanOrEqual(50);
    expect(refusals.filter((why) => why === 'too-many-without-logon').length).toBeGreaterThanOrEqual(1_950);
  });

  test('a thousand desks that are back at once, and all connected before the first logs on, are all let in', async () => {
    let accepted = 0;
    const port = await listening({ admit: () => ++accepted > 0 });
    const desks = await Promise.all(Array.from({ length: 1_000 }, () => open(port)));
    await vi.waitUntil(() => accepted === 1_000, 120_000);
    for (const [i, desk] of desks.entries()) desk.send(logon(`DESK${i}`));
    const answers = await Promise.all(desks.map((desk) => desk.next()));
    expect(answers.filter((answer) => answer !== undefined && fieldOf(answer, 35) === 'A')).toHaveLength(1_000);
  });

  test('an address that is not admitted is closed at once', async () => {
    const port = await listening({ admit: () => false });
    const peer = await open(port);
    expect(await peer.closed()).toBe('');
  });
});

test('what comes while the secret is being checked waits, and is served in order', async () => {
  let decide: (() => void) | undefined;
  const port = await listening({
    app: {
      authenticate: () =>
        new Promise((resolve) => {
          decide = () =>
            resolve({ accept: true, profile: profile({ supported: new Set(['D']) }), reply: [], context: 1 });
        }),
    },
  });
  const peer = await open(port);
  const order = (n: number): string =>
    `35=D|34=${n}|49=DESK1|52=${utc()}|56=FXENGINE|11=o${n}|55=EUR/USD|54=1|60=${utc()}|40=1`;
  peer.write(message(logon('DESK1')) + message(order(2)) + message(order(3)));
  await vi.waitFor(() => expect(decide).toBeDefined(), 120_000);
  peer.send(order(4));
  decide!();
  expect(fieldOf(await peer.next(), 35)).toBe('A');
  for (const id of ['o2', 'o3', 'o4']) expect(fieldOf(await peer.next(), 37)).toBe(id);
});

test('many messages of one turn leave in one write', async () => {
  const sessions: Session[] = [];
  const port = await listening({ app: { onLogon: (session) => void sessions.push(session) } });
  const peer = await loggedOn(port);
  const W = publishedType('W');
  const prefix = new SharedBody();
  prefix.field(262, 'r1');
  const body = new SharedBody();
  body.field(55, 'EUR/USD');
  let reads = 0;
  peer.socket.on('data', () => reads++);
  for (let i = 0; i < 100; i++) sessions[0]!.publish(W, prefix, body);
  for (let i = 0; i < 100; i++) expect(fieldOf(await peer.next(), 34)).toBe(String(i + 2));
  expect(reads).toBeLessThan(5);
});

test('an exception of the application costs its session, not the others', async () => {
  const errors: unknown[] = [];
  const port = await listening({
    app: {
      onMessage() {
        throw new Error('a bug');
      },
      onError: (_, error) => void errors.push(error),
    },
  });
  const other = await loggedOn(port, 'DESK2');
  const peer = await loggedOn(port);
  peer.send(`35=D|34=2|49=DESK1|52=${utc()}|56=FXENGINE|11=o|55=EUR/USD|54=1|60=${utc()}|40=1`);
  expect(fieldOf(await peer.next(), 58)).toBe('Internal error');
  expect(errors).toHaveLength(1);
  await isServed(other, 'DESK2');
});

test.each(['received', 'sent', 'state'])(
  'an exception over the event %s is reported, and costs nothing',
  async (kind) => {
    const errors: unknown[] = [];
    const port = await listening({
      app: {
        onEvent(_, event) {
          if (event.kind === kind) throw new Error('a bug');
        },
        onError: (_, error) => void errors.push(error),
      },
    });
    await isServed(await loggedOn(port), 'DESK1');
    expect(errors.length).toBeGreaterThan(0);
  },
);

describe('authenticate that', () => {
  const accepting = (reply: unknown): LogonDecision => ({
    accept: true,
    profile: profile({}),
    reply: reply as readonly Field[],
    context: undefined,
  });
  const fail = (): never => {
    throw new Error('away');
  };
  test.each<readonly [how: string, authenticate: () => unknown]>([
    ['throws', fail],
    ['rejects', async () => fail()],
    ['returns nothing', () => undefined],
    ['replies with a field that is not set', () => accepting([[58, undefined]])],
    ['replies with a number of its own', () => accepting([[34, 7]])],
  ])('%s refuses the Logon(A), and the next one is served', async (_, authenticate) => {
    const [errors, events]: unknown[][] = [[], []];
    const log = new LogStream();
    const logged: string[] = [];
    log.on('data', ({ kind, session }: LogEntry) => void logged.push(`${session?.targetCompId ?? '-'} ${kind}`));
    let calls = 0;
    const port = await listening({
      log,
      app: {
        authenticate: () => (calls++ === 0 ? (authenticate() as LogonDecision) : accepting([])),
        onError: (_, error) => void errors.push(error),
        onEvent: (_, { kind, detail }) => void (kind === 'logon-refused' && events.push(detail)),
      },
    });
    const peer = await open(port);
    peer.send(logon('DESK1'));
    await peer.closed();
    expect([errors.length, events, logged]).toEqual([1, ['failed'], ['- in', '- event']]);
    await loggedOn(port);
  });
});

test('onLogon that throws, without onError, ends its session and the process', async () => {
  const thrown: unknown[] = [];
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (error) => thrown.push(error));
  try {
    const ends: string[] = [];
    let calls = 0;
    const port = await listening({
      app: {
        authenticate: () => ({
          accept: true,
          profile: profile({ resetOnLogon: true }),
          reply: [],
          context: undefined,
        }),
        onLogon() {
          if (calls++ === 0) throw new Error('a bug');
        },
        onLogout: (_, reason) => void ends.push(reason),
      },
    });
    const peer = await open(port);
    peer.send(logon('DESK1'));
    await peer.closed();
    await expect.poll(() => thrown.length).toBe(1);
    expect(ends).toEqual(['Internal error']);
    await loggedOn(port);
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
  }
});

test('an exception over what may be sent again costs the session, and loses no report', async () => {
  const errors: unknown[] = [];
  const port = await listening({
    app: {
      authenticate: () => ({
        accept: true,
        profile: profile({ stored: new Set(['8']) }),
        reply: [],
        context: undefined,
      }),
      onLogon: (session) => session.send('8', [[37, 'C1']]),
      mayResend() {
        throw new Error('a bug');
      },
      onError: (_, error) => void errors.push(error),
    },
  });
  const peer = await loggedOn(port);
  await peer.next();
  peer.send(`35=2|34=2|49=DESK1|52=${utc()}|56=FXENGINE|7=2|16=0`);
  const [logout, report] = [await peer.next(), await peer.next()];
  expect([fieldOf(logout, 58), fieldOf(report, 43), fieldOf(report, 37)]).toEqual(['Internal error', 'Y', 'C1']);
  expect(errors).toHaveLength(1);
});

test('stop: every desk gets a Logout with the text, and the silent ones are closed within a bound', async () => {
  const port = await listening();
  const polite = await loggedOn(port);
  const silent = await loggedOn(port, 'DESK2');
  const pending = await open(port);
  const stopped = running.pop()!.stop('going home');
  expect(fieldOf(await polite.next(), 58)).toBe('going home');
  polite.send(`35=5|34=2|49=DESK1|52=${utc()}|56=FXENGINE`);
  expect(fieldOf(await silent.next(), 58)).toBe('going home');
  await stopped;
  for (const peer of [polite, silent, pending]) await peer.closed();
  await expect(Peer.open(port)).rejects.toThrow('ECONNREFUSED');
});

test('stop ends although a store never answers', async () => {
  const store = new MemoryStore();
  store.settle = () => new Promise(() => {});
  const port = await listening({ store: () => store });
  const peer = await loggedOn(port);
  const stopped = running.pop()!.stop();
  peer.send(`35=5|34=2|49=DESK1|52=${utc()}|56=FXENGINE`);
  await stopped;
  await peer.closed();
});

test('prices for a peer that stops reading are conflated, then its session ends; another desk is not delayed', {
  timeout: 300_000,
}, async () => {
  const sessions: Session[] = [];
  const ends: string[] = [];
  const port = await listening({
    app: {
      authenticate: () => ({ accept: true, profile: profile({ maxUndrainedMs: 700 }), reply: [], context: undefined }),
      onLogon: (session) => void sessions.push(session),
      onLogout: (session, reason) => void ends.push(`${session.id.targetCompId} ${reason}`),
    },
  });
  const slow = await loggedOn(port);
  const fast = await loggedOn(port, 'DESK2');
  slow.socket.pause();
  const W = publishedType('W');
  const prefix = new SharedBody();
  prefix.field(262, 'r1');
  const body = new SharedBody();
  body.field(58, 'x'.repeat(500));
  const [toSlow, toFast] = sessions as [Session, Session];
  let most = 0;
  let refused = 0;
  while (ends.length === 0) {
    for (let i = 0; i < 200 && !toSlow.congested; i++) toSlow.publish(W, prefix, body);
    if (toSlow.congested) refused++;
    toFast.publish(W, prefix, body);
    most = Math.max(most, toSlow.backlogBytes);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  expect(ends).toEqual(['DESK1 SLOW_CONSUMER']);
  expect(refused).toBeGreaterThan(10);
  // What was on its way when the bound was passed: no more than one turn's buffer.
  expect(most).toBeLessThan(16 * 1024 + 200 * 700);
  for (let number = 2; number < 12; number++) expect(fieldOf(await fast.next(), 34)).toBe(String(number));
});
