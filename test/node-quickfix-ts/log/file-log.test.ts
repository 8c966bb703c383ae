/** Files of a log: names, lines, rotation, bounds. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  combineLogs,
  escapeLine,
  FileLog,
  type FileLogOptions,
  type LogEntry,
  LogStream,
  unescapeLine,
} from 'node-quickfix-ts';
import { expect, test } from 'vitest';
import { microClock } from '../../../engine/node-quickfix-ts/src/log/log-entries.js';
import { folderName } from '../../../engine/node-quickfix-ts/src/store/file-store.js';
import { message } from '../session/session-peer.js';
import { bytes, DESK, newDirectory, remove } from '../store/file-harness.js';

const NOON_MS = Date.UTC(2026, 0, 15, 12);
const LOGON = message('35=A|34=1|49=DESK1|52=20260115-12:00:00|56=VENUE|98=0|108=30|553=user|554=secret');

interface Logged {
  readonly log: FileLog;
  readonly directory: string;
  readonly folder: string;
  readonly files: () => string[];
  readonly text: (file: string) => string;
  clockMs: number;
}

function logged(options: Partial<FileLogOptions> = {}, directory = newDirectory()): Logged {
  const folder = join(directory, folderName(DESK));
  const self: Logged = {
    log: new FileLog({ now: () => self.clockMs, ...options, directory }),
    directory,
    folder,
    files: () => readdirSync(folder).sort(),
    text: (file) => readFileSync(join(folder, file), 'latin1'),
    clockMs: NOON_MS,
  };
  return self;
}

test('a session has files of messages and of events, with microseconds, directions and hidden secrets', async () => {
  const on = logged();
  const session = on.log.session(DESK);
  const wire = bytes(LOGON);
  session.incoming(wire, 0, wire.length);
  session.outgoing(bytes(`${LOGON}${LOGON}`), 0, wire.length * 2);
  session.garbled(bytes('GET / HTTP\r\n\\\xff'), 0, 14);
  session.event('logged on');
  session.event('logon rejected: Invalid Logon 8=FIX.4.4|35=A|554=secret|108=30');
  expect(Buffer.from(wire).toString('latin1')).toBe(LOGON);
  await on.log.close();
  expect(on.files()).toEqual(['events-20260115-001.log', 'messages-20260115-001.log']);
  const hidden = LOGON.replace('554=secret', '554=******');
  const lines = on.text('messages-20260115-001.log').split('\n');
  for (const line of lines.slice(0, -1)) expect(line).toMatch(/^20260115-12:00:00\.\d{6} [<>!] /);
  expect(lines.map((line) => line.slice(25))).toEqual([
    `< ${hidden}`,
    `> ${hidden}`,
    `> ${hidden}`,
    '! GET / HTTP\\x0d\\x0a\\x5c\xff',
    '',
  ]);
  expect(on.text('events-20260115-001.log')).toMatch(
    /^20260115-12:00:00\.\d{6} logged on\n20260115-12:00:00\.\d{6} logon rejected: Invalid Logon 8=FIX.4.4\|35=A\|554=\*{6}\|108=30\n$/,
  );
  expect(statSync(join(on.folder, 'messages-20260115-001.log')).mode & 0o777).toBe(0o600);
  expect(statSync(on.folder).mode & 0o777).toBe(0o700);
});

test('a file is continued at its size and at midnight of UTC, and by the next process', async () => {
  const on = logged({ maxFileBytes: 200 });
  const session = on.log.session(DESK);
  for (let i = 0; i < 4; i++) {
    session.event(`${i} ${'x'.repeat(90)}`);
    await on.log.flush();
  }
  on.clockMs = Date.UTC(2026, 0, 15, 23, 59, 59, 999);
  session.event('last');
  on.clockMs += 1;
  session.event('first');
  await on.log.close();
  const numbers = on.files().map((name) => name.slice('events-'.length, -'.log'.length));
  expect(numbers).toEqual(['20260115-001', '20260115-002', '20260115-003', '20260115-004', '20260116-001']);
  expect(on.text('events-20260115-001.log').length).toBeLessThanOrEqual(200);
  expect(on.text('events-20260116-001.log')).toContain('first');
  const all = on
    .files()
    .map((name) => on.text(name))
    .join('');
  expect(all.match(/(?<=\d{6} )(\d|last|first)/g)).toEqual(['0', '1', '2', '3', 'last', 'first']);

  const again = logged({}, on.directory);
  again.clockMs = Date.UTC(2026, 0, 16, 1);
  again.log.session(DESK).event('continued');
  await again.log.close();
  expect(again.text('events-20260116-001.log')).toMatch(/first\n.*continued\n$/);
  expect(again.files()).toEqual(on.files());
});

test('two logs of one directory share the files of what belongs to no session, and each keeps its lines', async () => {
  const [a, b] = [logged()].flatMap((one) => [one, logged({}, one.directory)]) as [Logged, Logged];
  for (const [on, text] of [
    [a, 'A1 first'],
    [b, 'B1'],
    [a, 'A2'],
    [b, 'B2 second'],
  ] as const) {
    on.log.session(undefined).event(text);
    await on.log.flush();
  }
  await a.log.close();
  await b.log.close();
  const text = readFileSync(join(a.directory, 'no-session/events-20260115-001.log'), 'latin1');
  expect(text.split('\n').map((line) => line.slice(25))).toEqual(['A1 first', 'B1', 'A2', 'B2 second', '']);
});

test('a clock that is set back over midnight continues the files of both days', async () => {
  const on = logged({ maxFileBytes: 91 });
  const session = on.log.session(DESK);
  const days: [string, number][] = [
    ['first', 15],
    ['next day', 16],
    [`back ${'x'.repeat(30)}`, 15],
    ['again', 16],
  ];
  for (const [text, day] of days) {
    on.clockMs = Date.UTC(2026, 0, day, 12);
    session.event(text);
    await on.log.flush();
  }
  on.clockMs = Date.UTC(2026, 0, 15, 12);
  session.event('last');
  await on.log.close();
  const texts = on.files().map((name) => on.text(name).replace(/^\S+ /gm, '').replace(/x{30}/, ''));
  expect(on.files()).toEqual(['events-20260115-001.log', 'events-20260115-002.log', 'events-20260116-001.log']);
  expect(texts).toEqual(['first\n', 'back \nlast\n', 'next day\nagain\n']);
});

test('a line can be read again, whatever is in it', () => {
  const text = `${Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('')}\\x0a`;
  const line = escapeLine(text);
  expect(line).not.toMatch(/[\n\r]/);
  expect(line).toContain('\x01\\x02');
  expect(unescapeLine(line)).toBe(text);
});

test('files older than keepDays are removed, none without it', async () => {
  const on = logged({ keepDays: 2 });
  mkdirSync(on.folder, { recursive: true });
  for (const day of ['20260112', '20260113', '20260114']) writeFileSync(join(on.folder, `events-${day}-001.log`), 'x');
  writeFileSync(join(on.folder, 'notes.txt'), 'x');
  on.log.session(DESK).event('now');
  await on.log.flush();
  expect(on.files()).toEqual([
    'events-20260113-001.log',
    'events-20260114-001.log',
    'events-20260115-001.log',
    'notes.txt',
  ]);
  await on.log.close();
});

test('what does not fit into the queue is dropped, counted and reported', async () => {
  const on = logged({ maxQueuedBytes: 1_000 });
  const session = on.log.session(DESK);
  for (let i = 0; i < 20; i++) session.event('x'.repeat(100));
  const { dropped } = on.log;
  expect(dropped).toBeGreaterThan(5);
  expect(dropped).toBeLessThan(20);
  await on.log.flush();
  const lines = on.text('events-20260115-001.log').trimEnd().split('\n');
  expect(lines.length).toBe(20 - dropped + 1);
  expect(lines.at(-1)).toContain(`${dropped} entries were dropped`);
  session.event('after');
  await on.log.close();
  expect(on.text('events-20260115-001.log')).toMatch(/after\n$/);
  session.event('closed');
  expect(on.log.dropped).toBe(dropped + 1);
});

test('a disk that rejects writes is reported once, and the log continues when it works again', async () => {
  const errors: Error[] = [];
  const on = logged({ onError: (error) => errors.push(error) });
  const session = on.log.session(DESK);
  // A file where the folder should be: nothing can be written, as root too.
  writeFileSync(on.folder, '');
  for (let i = 0; i < 3; i++) {
    session.event(`lost ${i}`);
    await on.log.flush();
  }
  expect([errors.length, on.log.dropped]).toEqual([1, 3]);
  remove(on.folder);
  session.event('written');
  await on.log.flush();
  await on.log.close();
  expect(on.text('events-20260115-001.log')).toMatch(/written\n.* 3 entries were dropped/);
});

test('a stream gives typed entries, and drops what its reader does not take', async () => {
  const stream = new LogStream({ maxQueued: 3, redact: [553], now: () => NOON_MS });
  const session = stream.session(DESK);
  const wire = bytes(LOGON);
  session.incoming(wire, 0, wire.length);
  session.event('one');
  stream.session(undefined).event('two');
  session.event('three');
  expect(stream.dropped).toBe(1);
  const found: LogEntry[] = [];
  for await (const entry of stream) {
    found.push(entry);
    if (found.length === 3) break;
  }
  expect(found.map(({ kind, session: id }) => [kind, id])).toEqual([
    ['in', DESK],
    ['event', DESK],
    ['event', undefined],
  ]);
  expect(found[0]!.text).toBe(LOGON.replace('553=user', '553=****'));
  expect(found[0]!.time).toMatch(/^20260115-12:00:00\.\d{6}$/);
});

test('combined logs both receive everything', async () => {
  const [one, two] = [new LogStream(), new LogStream()];
  const session = combineLogs(one, two).session(DESK);
  const wire = bytes(LOGON);
  session.incoming(wire, 0, wire.length);
  session.outgoing(wire, 0, wire.length);
  session.garbled(wire, 0, 5);
  session.event('x');
  for (const stream of [one, two]) expect(stream.readableLength).toBe(4);
  expect(() => combineLogs(one, new LogStream({ published: false })).session(DESK)).toThrow(RangeError);
});

test('the clock has microseconds, follows the system clock when that is set, and does not go back between', () => {
  const running = microClock();
  const times = Array.from({ length: 1_000 }, () => running());
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(new Set(times.map((us) => us % 1_000)).size).toBeGreaterThan(2);
  let wallMs = NOON_MS;
  const micros = microClock(() => wallMs);
  expect(micros()).toBe(wallMs * 1_000);
  wallMs -= 60_000;
  expect(micros()).toBe(wallMs * 1_000);
  wallMs += 3_600_000;
  expect(micros()).toBe(wallMs * 1_000);
});
