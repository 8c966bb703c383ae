/** The message log: what the thread writes, its chain, its bounds, and what a kill leaves. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { SessionId } from 'node-quickfix-ts';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import type { Log } from '../../../engine/domain/log.js';
import { messagesOfOrder, readMessages, verifyMessages } from '../../../engine/service/audit/message-log.js';
import { type MessageLog, type MessageLogOptions, openMessageLog } from '../../../engine/store/sessions/message-log.js';
import { KINDS, RingReader, RingWriter, ringBytes } from '../../../engine/store/sessions/message-ring.js';
import { message } from '../../node-quickfix-ts/session-peer.js';

const root = mkdtempSync(join(tmpdir(), 'ratewire-messages-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const open = new Set<MessageLog>();
afterEach(async () => {
  for (const log of open) await log.stop();
  open.clear();
});

const key = randomBytes(32);
const NOON_MS = Date.UTC(2026, 0, 15, 12);
const DESK: SessionId = { beginString: 'FIX.4.4', senderCompId: 'FXENGINE', targetCompId: 'ACME1' };
const OTHER: SessionId = { ...DESK, targetCompId: 'ACME2' };

interface Opened {
  readonly log: MessageLog;
  readonly directory: string;
  readonly reports: string[];
  readonly stop: () => Promise<void>;
}

async function opened(options: Partial<MessageLogOptions> = {}): Promise<Opened> {
  const directory = options.directory ?? mkdtempSync(join(root, 'd-'));
  const reports: string[] = [];
  const report = (_: object, text: string): void => void reports.push(text);
  const program: Log = { info: report, warn: report, error: report };
  const log = await openMessageLog({
    ...{ key, prices: false, maxBytes: 1e9, whenFull: 'stop' as const, log: program, now: () => NOON_MS },
    ...options,
    directory,
  });
  open.add(log);
  const stop = async (): Promise<void> => {
    open.delete(log);
    await log.stop();
  };
  return { log, directory, reports, stop };
}

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
function say(log: MessageLog, id: SessionId | undefined, sign: '<' | '>', fields: string): void {
  const wire = bytes(message(fields));
  if (sign === '<') log.session(id).incoming(wire, 0, wire.length);
  else log.session(id).outgoing(wire, 0, wire.length);
}
const linesOf = (directory: string, filter = {}): string[] =>
  [...readMessages(directory, filter)].map(
    ({ target, sign, text }) => `${target} ${sign} ${text.replaceAll('\x01', '|')}`,
  );
const intact = (directory: string): unknown[] => verifyMessages(directory, key).map(({ broken }) => broken);

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
    for (const type of ['W', 'X', 'i', 'A']) say(log, DESK, '<', `35=${type}|34=1`);
    for (const type of ['W', '8', 'X', 'S']) say(log, DESK, '>', `35=${type}|34=1`);
    expect(log.session(DESK).published).toBe(prices);
    await stop();
    expect(linesOf(directory).map((line) => /\|35=(.)/.exec(line)?.[1])).toEqual(wanted);
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
    const directory = mkdtempSync(join(root, 'd-'));
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

describe('the chain', () => {
  async function written(): Promise<{ directory: string; files: string[] }> {
    const directory = mkdtempSync(join(root, 'd-'));
    for (let run = 1; run <= 3; run++) {
      const { log, stop } = await opened({ directory });
      say(log, DESK, '<', `35=0|34=${run}`);
      await vi.waitFor(() => expect(linesOf(directory).some((line) => line.includes(`34=${run}|`))).toBe(true), 30_000);
      say(log, DESK, '>', `35=0|34=${run}|112=second`);
      await stop();
    }
    const folder = join(directory, '1');
    return {
      directory,
      files: readdirSync(folder)
        .filter((name) => name.endsWith('.gz'))
        .map((name) => join(folder, name)),
    };
  }

  test('continues over files and runs, and shows what was removed, changed, cut or written without the key', async () => {
    const { directory, files } = await written();
    const [chain] = verifyMessages(directory, key);
    expect(chain).toMatchObject({ engine: '1', files: 3, firstFile: 1, number: 6 });
    expect(verifyMessages(directory, key, [`1:6:${chain!.mac}`])[0]!.broken).toBeUndefined();
    expect(verifyMessages(directory, key, [`1:7:${chain!.mac}`])[0]!.broken?.why).toBe('this head is not in the chain');
    expect(verifyMessages(directory, key, [`9:6:${chain!.mac}`]).at(-1)!.broken?.why).toBe(
      'there is no engine with this head',
    );
    expect(verifyMessages(directory, randomBytes(32))[0]!.broken?.why).toMatch(/^the HMAC of block 1 is not/);

    const [, second = '', third = ''] = files;
    const whole = readFileSync(second);
    const brokenBy = (change: Buffer): string | undefined => {
      writeFileSync(second, change);
      return verifyMessages(directory, key)[0]!.broken?.why;
    };
    for (let at = 0; at < whole.length; at += 7) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0x20;
      // The system byte and the times of a header are not content: they only say where to look.
      const isHint = brokenBy(changed) === undefined;
      if (isHint) expect(linesOf(directory).length).toBeGreaterThan(0);
      else expect(brokenBy(changed)).toMatch(/damaged|HMAC|next|follow|first line/);
    }
    const firstBlock = whole.readUInt32LE(16);
    expect(brokenBy(whole.subarray(firstBlock))).toMatch(/first line/);
    expect(brokenBy(whole.subarray(0, firstBlock))).toMatch(/follow/);
    expect(brokenBy(Buffer.concat([whole, whole.subarray(firstBlock)]))).toMatch(/is next/);
    writeFileSync(second, whole);
    renameSync(second, `${second}.away`);
    expect(verifyMessages(directory, key)[0]!.broken?.why).toBe('file 2 is missing');
    renameSync(`${second}.away`, second);

    // Removed from the start, as an operator does who keeps them elsewhere.
    rmSync(files[0]!);
    expect(verifyMessages(directory, key)[0]).toMatchObject({ firstFile: 2, files: 2, number: 6 });
    expect(verifyMessages(directory, key)[0]!.broken).toBeUndefined();
    truncateSync(third, statSync(third).size - 1);
    expect(verifyMessages(directory, key)[0]).toMatchObject({ number: 5 });
  });

  test('a file cut at any byte is read up to its last whole block, and the next run continues the chain', async () => {
    const { directory, files } = await written();
    const last = files[2]!;
    const whole = readFileSync(last);
    const firstBlock = whole.readUInt32LE(16);
    for (let length = 0; length < whole.length; length += 5) {
      writeFileSync(last, whole.subarray(0, length));
      expect(linesOf(directory)).toHaveLength(length < firstBlock ? 4 : 5);
      expect(intact(directory)).toEqual([undefined]);
    }
    const { log, stop } = await opened({ directory });
    say(log, DESK, '<', '35=0|34=9');
    await stop();
    expect(linesOf(directory).at(-1)).toContain('34=9');
    expect(intact(directory)).toEqual([undefined]);
  });
});

describe('the bound', () => {
  const fill = async ({ log }: Opened, blocks: number): Promise<void> => {
    for (let block = 0; block < blocks; block++) {
      const noise = randomBytes(12_000).toString('base64');
      for (let i = 0; i < 20; i++) say(log, DESK, '>', `35=B|34=${block * 20 + i}|58=${noise}`);
      const { written, dropped } = log.stats();
      await vi.waitFor(() => {
        const now = log.stats();
        expect(now.written + now.dropped).toBeGreaterThan(written + dropped);
      }, 30_000);
    }
  };

  test('stops the log with a warning before and an error at it, and continues when there is room', async () => {
    const at = await opened({ maxBytes: 300_000 });
    await fill(at, 30);
    await vi.waitFor(() => expect(at.log.stats().isFull).toBe(true), 30_000);
    expect(at.reports).toEqual([
      'the message log is filling',
      'the message log has reached its bound and has stopped: move its oldest files away',
    ]);
    const { written, dropped, bytes } = at.log.stats();
    expect(bytes).toBeLessThanOrEqual(300_000);
    expect(dropped).toBeGreaterThan(0);
    expect(linesOf(at.directory).length).toBe(written);
    for (const name of readdirSync(at.log.folder)) if (name.endsWith('.gz')) rmSync(join(at.log.folder, name));
    say(at.log, DESK, '<', '35=0|34=1');
    await vi.waitFor(() => expect(linesOf(at.directory).some((line) => line.includes('34=1|'))).toBe(true), 30_000);
    expect(linesOf(at.directory)[0]).toMatch(/^- \* \d+ messages before this line were not written/);
    expect(at.reports.at(-1)).toBe('the message log has room again');
    expect(intact(at.directory)).toEqual([undefined]);
  });

  test('removes the oldest files where that is wanted, each with a line in the log', async () => {
    const directory = mkdtempSync(join(root, 'd-'));
    let clockMs = NOON_MS;
    const at = await opened({ directory, maxBytes: 150_000, whenFull: 'remove-oldest', now: () => clockMs });
    for (let day = 0; day < 6; day++) {
      await fill(at, 5);
      clockMs += 86_400_000;
    }
    expect(at.log.stats()).toMatchObject({ isFull: false, dropped: 0 });
    expect(at.log.stats().bytes).toBeLessThanOrEqual(150_000);
    expect(at.reports.length).toBeGreaterThan(0);
    expect(new Set(at.reports)).toEqual(
      new Set(['the message log has reached its bound: its oldest file was removed']),
    );
    await at.stop();
    expect(verifyMessages(directory, key)[0]!.firstFile).toBe(at.reports.length + 1);
    expect(intact(directory)).toEqual([undefined]);
  });

  test('a ring that is full drops and counts, and the log says so', async () => {
    const at = await opened({ ringCapacity: 4_096 });
    for (let i = 0; i < 500; i++) say(at.log, DESK, '<', `35=0|34=${i}|58=${'x'.repeat(100)}`);
    const { dropped } = at.log.stats();
    expect(dropped).toBeGreaterThan(400);
    await at.stop();
    const lines = linesOf(at.directory);
    const events = lines.filter((line) => line.includes('writes were dropped'));
    const count = events.reduce((sum, line) => sum + Number(/(\d+) writes/.exec(line)![1]), 0);
    expect(count).toBe(dropped);
    expect(lines.length - events.length).toBe(500 - dropped);
  });
});

test('a ring gives back what was written, in order, over its end and over the wrap of its counters', () => {
  const memory = new SharedArrayBuffer(ringBytes(1_024));
  new Int32Array(memory).fill(-512, 0, 2);
  const writer = new RingWriter(memory);
  Object.assign(writer, { head: -512 });
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

const CHILD = fileURLToPath(new URL('message-log-child.ts', import.meta.url));

function child(directory: string): { process: ChildProcess; ended: Promise<unknown>; sent: () => number } {
  const started = spawn(process.execPath, ['--import', 'tsx', CHILD, directory, key.toString('hex')], {
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
  const directory = mkdtempSync(join(root, 'd-'));
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
