/** The message log: what the thread writes, and what a kill leaves. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { messagesOfOrder } from '../../../engine/service/audit/message-log.js';
import { RingReader, RingWriter, ringBytes } from '../../../engine/store/day-files/ring.js';
import { KINDS } from '../../../engine/store/sessions/message-log.js';
import { message } from '../../node-quickfix-ts/session/session-peer.js';
import { bytes, DESK, intact, key, linesOf, OTHER, opened, say, testFolder } from './message-logs.js';

describe('what is written', () => {
  test('is every message and event in order, without secrets, readable by zcat, with mode 0600', async () => {
    const { log, directory, stop } = await opened();
    say(
      log,
      DESK,
      '<',
      '35=A|34=1|553=user|554=secret|95=9|96=raw|x=y|z|20001=token|1=110000000012|20007=110000000023',
    );
    const both = bytes(`${message('35=8|34=2|37=B1')}${message('35=8|34=3|37=B2|20001=token')}`);
    log.session(DESK).outgoing(both, 0, both.length);
    log.session(DESK).event('logged on\n');
    say(log, undefined, '<', '35=A|34=1|554=guess');
    log.session(OTHER).garbled(bytes('554=hidden\x01GET'), 0, 14);
    await stop();
    const shown = linesOf(directory);
    expect(shown.map((line) => line.replace(/8=FIX.4.4\|9=\d+\|/, '').replace(/\|10=\d+\|$/, ''))).toEqual([
      'ACME1 < 35=A|34=1|553=****|554=******|95=9|96=*********|20001=*****|1=110000000012|20007=110000000023',
      'ACME1 > 35=8|34=2|37=B1',
      'ACME1 > 35=8|34=3|37=B2|20001=*****',
      'ACME1 * logged on\\x0a',
      '- < 35=A|34=1|554=*****',
      'ACME2 ! 554=******|GET',
    ]);
    const [name = ''] = readdirSync(join(directory, '1')).filter((file) => file.endsWith('.gz'));
    expect(name).toBe('20260115-000001.log.gz');
    const file = join(directory, '1', name);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, '1')).mode & 0o777).toBe(0o700);
    const text = gunzipSync(readFileSync(file)).toString('latin1');
    expect(text).toMatch(/^# file 1 follows -\n20260115-12:00:00\.\d{6} FXENGINE ACME1 < 8=FIX/);
    expect(text).not.toMatch(/secret|token|guess|hidden|user/);
    expect(log.stats()).toMatchObject({ written: 5, dropped: 0, isFull: false });
    expect(intact(directory)).toEqual([undefined]);
  });

  test.each([
    [false, ['A', '8', 'S']],
    [true, ['W', 'X', 'i', 'A', 'W', '8', 'X', 'S']],
  ])('has prices only where they are wanted: %s', async (prices, wanted) => {
    const { log, directory, stop } = await opened({ prices });
    for (const type of ['W', 'X', 'i', 'A']) say(log.providers, DESK, '<', `35=${type}|34=1`);
    for (const type of ['W', '8', 'X', 'S']) say(log, DESK, '>', `35=${type}|34=1`);
    for (const { published } of [log.session(DESK), log.providers.session(DESK)]) expect(published).toBe(prices);
    await stop();
    expect(linesOf(directory).map((line) => /\|35=(.)/.exec(line)?.[1])).toEqual(wanted);
  });

  test('has no part of a secret, whatever BodyLength(9) the message claims', async () => {
    const { log, directory, stop } = await opened();
    const logon = message('35=A|34=1|553=ApiKeyOne|554=CorrectHorseBattery');
    const length = Number(/\x019=(\d+)/.exec(logon)![1]);
    for (let claimed = 0; claimed <= length + 20; claimed++) {
      const wire = bytes(logon.replace(/\x019=\d+/, `\x019=${claimed}`));
      if (claimed === length) log.session(DESK).incoming(wire, 0, wire.length);
      else log.session(DESK).garbled(wire, 0, wire.length);
    }
    await stop();
    const lines = linesOf(directory);
    expect(lines).toHaveLength(length + 21);
    for (const line of lines) expect(line).toMatch(/\|553=\*{9}\|554=\*{19}\|10=\d{3}\|$/);
  });

  test('has no secret that the peer quotes in a text', async () => {
    const { log, directory, stop } = await opened();
    const quoted = '8=FIX.4.4|35=A|553=ApiKey|554=CorrectHorse|108=30|';
    log.session(DESK).event(`logon-rejected: Invalid Logon ${quoted}`);
    log.session(DESK).event(`ended: logon rejected: ${quoted.replaceAll('|', '\x01')}`);
    await stop();
    const shown = '8=FIX.4.4|35=A|553=******|554=************|108=30|';
    expect(linesOf(directory)).toEqual([
      `ACME1 * logon-rejected: Invalid Logon ${shown}`,
      `ACME1 * ended: logon rejected: ${shown}`,
    ]);
  });

  test("has what looks like a price of a desk, which is none, and no provider's", async () => {
    const { log, directory, stop } = await opened();
    const wire = bytes(message('35=W|34=1'));
    log.session(DESK).incoming(wire, 0, wire.length);
    log.providers.session(OTHER).incoming(wire, 0, wire.length);
    await stop();
    expect(linesOf(directory)).toEqual([expect.stringMatching(/^ACME1 < .*\|35=W\|/)]);
  });

  test('is there within a second, while the engine runs', async () => {
    const { log, directory } = await opened();
    say(log, DESK, '<', '35=A|34=1');
    await vi.waitFor(() => expect(linesOf(directory)).toHaveLength(1), 30_000);
    say(log, DESK, '>', '35=A|34=1');
    await vi.waitFor(() => expect(linesOf(directory)).toHaveLength(2), 30_000);
    expect(log.stats()).toMatchObject({ written: 2, bytes: expect.any(Number) });
  });

  test('is found by session and time, over days and engines', async () => {
    let clockMs = Date.UTC(2026, 0, 15, 23, 59, 59);
    const directory = testFolder();
    const one = await opened({ directory, now: () => clockMs });
    const two = await opened({ directory, now: () => clockMs });
    expect(two.log.folder).toBe(join(directory, '2'));
    say(one.log, DESK, '<', '35=0|34=1');
    say(two.log, OTHER, '<', '35=0|34=2');
    await vi.waitFor(() => expect(linesOf(directory)).toHaveLength(2), 30_000);
    clockMs += 10_000;
    say(one.log, DESK, '<', '35=0|34=3');
    await one.stop();
    await two.stop();
    expect(readdirSync(join(directory, '1')).filter((file) => file.endsWith('.gz'))).toEqual([
      '20260115-000001.log.gz',
      '20260116-000002.log.gz',
    ]);
    const numbers = (filter: object): string[] => linesOf(directory, filter).map((line) => /34=(\d)/.exec(line)![1]!);
    expect(numbers({})).toEqual(['1', '2', '3']);
    expect(numbers({ compId: 'ACME1' })).toEqual(['1', '3']);
    expect(numbers({ fromMs: Date.UTC(2026, 0, 16) })).toEqual(['3']);
    expect(numbers({ toMs: Date.UTC(2026, 0, 15, 23, 59, 59, 500) })).toEqual(['1', '2']);
    expect(numbers({ fromMs: Date.UTC(2026, 0, 16, 0, 1) })).toEqual([]);
    expect(numbers({ fromMs: Date.UTC(2026, 0, 16), toMs: Date.UTC(9999, 11, 31) })).toEqual(['3']);
    expect(intact(directory)).toEqual([undefined, undefined]);
  });

  test('is found by the ClOrdID(11) of an order, with its request, quote and reports', async () => {
    const { log, directory, stop } = await opened();
    say(log, DESK, '<', '35=R|34=2|131=Q1');
    say(log, DESK, '>', '35=S|34=2|131=Q1|117=H1');
    say(log, DESK, '<', '35=D|34=3|11=ORD 1|117=H1');
    say(log, DESK, '>', '35=8|34=3|11=ORD 1|37=B1|17=E1|150=F');
    say(log, DESK, '<', '35=D|34=4|11=ORD 2');
    say(log, DESK, '>', '35=8|34=4|37=B1|17=E2|19=E1|150=H');
    say(log, DESK, '<', '35=Q|34=5|37=B1|17=E2');
    say(log, OTHER, '<', '35=D|34=3|11=ORD 3|117=H1');
    await stop();
    const types = [...messagesOfOrder(directory, {}, 'ORD 1')].map(
      ({ target, text }) => `${target} ${/35=(.)/.exec(text)![1]}`,
    );
    expect(types).toEqual(['R', 'S', 'D', '8', '8', 'Q'].map((type) => `ACME1 ${type}`));
    expect([...messagesOfOrder(directory, {}, 'ORD')]).toEqual([]);
  });
});

test('a ring gives back what was written, in order, over its end and over the wrap of its counters', () => {
  const memory = new SharedArrayBuffer(ringBytes(1_024));
  // Where the writer's and the reader's counter are.
  for (const place of [0, 32]) new Int32Array(memory)[place] = -512;
  const writer = new RingWriter(memory);
  const reader = new RingReader(memory);
  let written = 0;
  let read = 0;
  for (let round = 0; round < 3_000; round++) {
    const text = bytes(`${written} ${'y'.repeat((round * 37) % 300)}`);
    if (writer.write(KINDS.in, round % 7, round, text, 0, text.length)) written++;
    if (round % 3 === 0) {
      reader.read((kind, _session, _time, all, start, end) => {
        expect(kind).toBe(KINDS.in);
        expect(all.toString('latin1', start, end)).toMatch(new RegExp(`^${read} y*$`));
        read++;
      });
    }
  }
  expect(read).toBeGreaterThan(1_000);
  expect(written + writer.dropped).toBe(3_000);
});

const CHILD = fileURLToPath(new URL('message-log-child.mjs', import.meta.url));

function child(directory: string): { process: ChildProcess; ended: Promise<unknown>; sent: () => number } {
  const started = spawn(process.execPath, [CHILD, directory, key.toString('hex')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let sent = 0;
  started.stdout.on('data', (chunk: Buffer) => {
    sent = Number(chunk.toString().trim().split('\n').at(-1));
  });
  return { process: started, ended: new Promise((resolve) => started.on('close', resolve)), sent: () => sent };
}

test('a record that the reader fails at is passed over by the next reader', () => {
  const memory = new SharedArrayBuffer(ringBytes(1_024));
  const writer = new RingWriter(memory);
  for (const text of ['bad', 'good']) writer.write(KINDS.event, 0, 0, bytes(text), 0, text.length);
  const fails = (): void => {
    throw new Error('at this one');
  };
  expect(() => new RingReader(memory).read(fails)).toThrow('at this one');
  const seen: string[] = [];
  new RingReader(memory).read((_kind, _session, _time, all, start, end) =>
    seen.push(all.toString('latin1', start, end)),
  );
  expect(seen).toEqual(['good']);
});

test('the log of a killed engine is readable, has all but its last second, and the next engine continues it', async () => {
  const directory = testFolder();
  let before = 0;
  for (let round = 0; round < 3; round++) {
    const running = child(directory);
    await vi.waitFor(() => expect(linesOf(directory).length).toBeGreaterThan(before + 20), 60_000);
    running.process.kill('SIGKILL');
    await running.ended;
    const lines = linesOf(directory).length;
    expect(lines).toBeGreaterThan(before);
    expect(intact(directory)).toEqual([undefined]);
    before = lines;
  }
  expect(readdirSync(join(directory, '1')).filter((name) => name.endsWith('.gz'))).toHaveLength(3);
  expect(readdirSync(directory)).toEqual(['1']);
});
