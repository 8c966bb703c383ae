/** What an acceptor and an initiator log of real connections. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Acceptor,
  type Application,
  FileLog,
  Initiator,
  type LogEntry,
  LogStream,
  memoryStoreFactory,
  profile,
  publishedType,
  type Session,
  SharedBody,
} from 'node-quickfix-ts';
import { afterEach, expect, test, vi } from 'vitest';
import { SOON } from '../../support/until.js';
import { readDictionary } from '../dictionaries.js';
import { fieldOf, message, Peer, utc } from '../session/session-peer.js';
import { newDirectory } from '../store/file-harness.js';

const dictionary = readDictionary();
const running: { stop(): Promise<void> }[] = [];
const peers: Peer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) peer.close();
  for (const one of running.splice(0)) await one.stop();
});

const W = publishedType('W');

/** Callbacks of a class: the log must not lose them. */
class Venue implements Application {
  readonly #texts: string[] = [];
  session: Session | undefined;
  authenticate({ logon }: Parameters<Application['authenticate']>[0]) {
    if (logon.string(554) !== 'secret') return { accept: false, text: 'no', closeAfterMs: 0 } as const;
    return { accept: true, profile: profile({ supported: new Set(['D']) }), reply: [], context: undefined } as const;
  }
  onLogon(session: Session) {
    this.session = session;
  }
  onMessage(session: Session) {
    this.#texts.push('order');
    session.send('8', [[37, 'O1']]);
    const prefix = new SharedBody();
    const body = new SharedBody();
    body.field(55, 'EUR/USD');
    session.publish(W, prefix, body);
    session.send('8', [[37, 'O2']]);
    session.publish(W, prefix, body);
  }
  onLogout() {}
}

async function venue(log: LogStream): Promise<number> {
  const acceptor = new Acceptor({ port: 0, dictionary, application: new Venue(), store: memoryStoreFactory(), log });
  running.push(acceptor);
  return (await acceptor.listen()).port;
}

async function peerAt(port: number): Promise<Peer> {
  const peer = await Peer.open(port);
  peers.push(peer);
  return peer;
}

function entriesOf(stream: LogStream): LogEntry[] {
  const entries: LogEntry[] = [];
  stream.on('data', (entry: LogEntry) => entries.push(entry));
  return entries;
}

const logon = (password: string) => `35=A|34=1|49=DESK1|52=${utc()}|56=VENUE|98=0|108=30|554=${password}`;
const ORDER = `35=D|34=2|49=DESK1|52=${utc()}|56=VENUE|11=o1|55=EUR/USD|54=1|60=${utc()}|40=1`;
const brief = ({ session, kind, text }: LogEntry): string => {
  const what =
    kind === 'in' || kind === 'out'
      ? `35=${fieldOf(text.replaceAll('\x01', '|'), 35)} 34=${fieldOf(text.replaceAll('\x01', '|'), 34)}`
      : text;
  return `${session?.targetCompId ?? '-'} ${kind} ${what}`.replace(/address \S+,/, 'address,');
};

test('every message in and out of a session is logged in order, and what happened', async () => {
  const log = new LogStream();
  const entries = entriesOf(log);
  const peer = await peerAt(await venue(log));
  peer.send(logon('secret'));
  const got = [(await peer.next())!];
  peer.send(ORDER);
  for (let i = 0; i < 4; i++) got.push((await peer.next())!);
  peer.send(`35=5|34=3|49=DESK1|52=${utc()}|56=VENUE`);
  await peer.next();
  await vi.waitFor(() => expect(entries.at(-1)?.text).toMatch(/^ended/), SOON);
  expect(entries.map(brief)).toEqual([
    'DESK1 in 35=A 34=1',
    'DESK1 event logged on, address, next out 2, next in 2',
    'DESK1 out 35=A 34=1',
    'DESK1 in 35=D 34=2',
    'DESK1 out 35=8 34=2',
    'DESK1 out 35=W 34=3',
    'DESK1 out 35=8 34=4',
    'DESK1 out 35=W 34=5',
    'DESK1 in 35=5 34=3',
    'DESK1 out 35=5 34=6',
    expect.stringMatching(/^DESK1 event ended: /),
  ]);
  expect(entries[0]!.text).toContain('\x01554=******\x01');
  // Byte by byte what the peer has received.
  const out = entries.filter(({ kind }) => kind === 'out').map(({ text }) => text.replaceAll('\x01', '|'));
  for (const [i, text] of got.entries()) expect(out[i]).toBe(text.replaceAll('\x01', '|'));
});

test('prices are left out where they are not wanted, and nothing else', async () => {
  const log = new LogStream({ published: false });
  const entries = entriesOf(log);
  const peer = await peerAt(await venue(log));
  peer.send(logon('secret'));
  peer.send(ORDER);
  for (let i = 0; i < 5; i++) await peer.next();
  await vi.waitFor(() => expect(entries.filter(({ kind }) => kind === 'out')).toHaveLength(3), SOON);
  expect(entries.filter(({ kind }) => kind === 'out').map(brief)).toEqual([
    'DESK1 out 35=A 34=1',
    'DESK1 out 35=8 34=2',
    'DESK1 out 35=8 34=4',
  ]);
});

test('a refused logon, and input that is no message, belong to no session and show no secret', async () => {
  const log = new LogStream();
  const entries = entriesOf(log);
  const port = await venue(log);
  const stranger = await peerAt(port);
  stranger.send(logon('guess'));
  await stranger.next();
  const refused = ['- in 35=A 34=1', expect.stringMatching(/^- event logon-refused: /), '- out 35=5 34=1'];
  await vi.waitFor(() => expect(entries.map(brief)).toEqual(refused), SOON);
  const scanner = await peerAt(port);
  scanner.write(`GET /554=hidden HTTP/1.1\r\n\x01554=hidden\x01${'x'.repeat(5_000)}`);
  await vi.waitFor(() => expect(entries.some(({ kind }) => kind === 'garbled')).toBe(true), SOON);
  const session = await peerAt(port);
  session.send(logon('secret'));
  await session.next();
  session.write(message(ORDER).replace('10=', '10=9'));
  session.write(message(ORDER));
  await vi.waitFor(() => expect(entries.filter(({ kind }) => kind === 'garbled')).toHaveLength(2), SOON);
  const strangers = entries.filter(({ session: id }) => id === undefined);
  expect(strangers.map(({ kind }) => kind)).toEqual(['in', 'event', 'out', 'garbled']);
  expect(strangers.find(({ kind }) => kind === 'garbled')!.text.length).toBeLessThanOrEqual(1_024);
  expect(JSON.stringify(entries)).not.toMatch(/guess|\\u0001554=hidden/);
  const garbled = entries.find(({ session: id, kind }) => id !== undefined && kind === 'garbled');
  expect(garbled!.text).toContain('11=o1');
});

test('a logon whose number is too low belongs to its session alone', async () => {
  const log = new LogStream();
  const entries = entriesOf(log);
  const port = await venue(log);
  const first = await peerAt(port);
  first.send(logon('secret'));
  await first.next();
  first.close();
  await vi.waitFor(() => expect(entries.at(-1)?.text).toMatch(/^ended/), SOON);
  entries.length = 0;
  const again = await peerAt(port);
  again.send(logon('secret'));
  await again.next();
  expect(await again.next()).toBeUndefined();
  expect(entries.map(brief)).toEqual([
    'DESK1 in 35=A 34=1',
    'DESK1 out 35=5 34=2',
    expect.stringMatching(/^DESK1 event logon-refused: /),
  ]);
});

test('an initiator logs its side, into files', async () => {
  const log = new LogStream();
  log.resume();
  const port = await venue(log);
  const directory = newDirectory();
  const files = new FileLog({ directory });
  const taken: string[] = [];
  const initiator = new Initiator({
    ...{
      host: '127.0.0.1',
      port,
      beginString: 'FIX.4.4',
      senderCompId: 'DESK1',
      targetCompId: 'VENUE',
      heartBtInt: 30,
    },
    logonFields: [[554, 'secret']],
    store: memoryStoreFactory(),
    profile: profile({ supported: new Set(['8', 'W']) }),
    log: files,
    application: {
      onLogon: (session) =>
        session.send('D', [
          [11, 'o1'],
          [55, 'EUR/USD'],
          [54, 1],
          [60, utc()],
          [40, 1],
        ]),
      onMessage: (_, view) => taken.push(view.msgType),
      onLogout() {},
    },
  });
  running.push(initiator);
  initiator.start();
  await vi.waitFor(() => expect(taken).toHaveLength(4), SOON);
  await initiator.stop();
  await files.close();
  const [name = ''] = readdirSync(directory).filter((one) => one.startsWith('FIX.4.4-DESK1-VENUE-'));
  const [events = '', messages = ''] = readdirSync(join(directory, name)).sort();
  const lines = readFileSync(join(directory, name, messages), 'latin1')
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => `${line.slice(25, 26)}${fieldOf(line.replaceAll('\x01', '|'), 35)}`).slice(0, 7)).toEqual([
    '>A',
    '<A',
    '>D',
    '<8',
    '<W',
    '<8',
    '<W',
  ]);
  expect(lines[0]).toContain('554=******');
  expect(readFileSync(join(directory, name, events), 'latin1')).toMatch(/logged on, address 127\.0\.0\.1/);
});

test('without a log a session has none', async () => {
  const application = new Venue();
  const acceptor = new Acceptor({ port: 0, dictionary, application, store: memoryStoreFactory() });
  running.push(acceptor);
  const peer = await peerAt((await acceptor.listen()).port);
  peer.send(logon('secret'));
  await peer.next();
  expect(application.session).toMatchObject({ log: undefined, outbound: { log: undefined } });
});
