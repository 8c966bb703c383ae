import { describe, expect, test } from 'vitest';
import { FrameReader } from '../../engine/node-quickfix-ts/src/codec/frame-reader.js';
import { framed, golden, lightMessages, wire } from './codec-messages.js';

const LIMITS = { maxMessageBytes: 8192, maxFields: 256 };
const time = '52=20261120-08:00:00.000|';

function order(seqNum: number): string {
  return framed(`35=D|34=${seqNum}|49=TW44|${time}56=ISLD|11=ID|21=3|40=1|54=1|55=INTC|60=20261120-08:00:00.000|`);
}

function read(
  chunks: readonly Uint8Array[],
  limits = LIMITS,
): { messages: string[]; reader: FrameReader; last: string } {
  const reader = new FrameReader(limits);
  const messages: string[] = [];
  let last = 'ok';
  for (const chunk of chunks) {
    last = reader.push(chunk, (buffer, start, end) => {
      messages.push(Buffer.from(buffer.subarray(start, end)).toString('latin1').replaceAll('\x01', '|'));
    });
  }
  return { messages, reader, last };
}

function chunked(bytes: Uint8Array, size: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size));
  return chunks;
}

test('messages come out as they went in, however the stream is cut', () => {
  const sent = lightMessages('golden-messages.txt');
  const bytes = wire(sent.join(''));
  for (const size of [1, 2, 3, 7, 50, 211, 4096, bytes.length]) {
    const { messages, reader } = read(chunked(bytes, size));
    expect(messages).toEqual(sent);
    expect(reader.garbled).toBe(0);
    expect(reader.pendingBytes).toBe(0);
  }
});

test('what is kept of half a message is a copy', () => {
  const bytes = wire(golden('D'));
  const reader = new FrameReader(LIMITS);
  const chunk = bytes.slice(0, 100);
  let delivered = 0;
  reader.push(chunk, () => delivered++);
  chunk.fill(0);
  expect(reader.pendingBytes).toBe(100);
  reader.push(bytes.slice(100), () => delivered++);
  expect([delivered, reader.garbled]).toEqual([1, 0]);
});

test('RawData(96) may hold a whole message', () => {
  const inner = golden('D');
  const logon = framed(`35=A|34=1|49=A|${time}56=B|95=${inner.length}|96=${inner}|98=0|108=30|`);
  expect(read([wire(logon + inner)]).messages).toEqual([logon, inner]);
});

describe('a garbled message is passed over, and the next is read', () => {
  const good = order(3);
  test.each([
    ['wrong checksum', order(2).replace(/10=\d+/, (sum) => (sum === '10=000' ? '10=001' : '10=000'))],
    ['checksum of one digit', order(2).replace(/10=\d+/, '10=0')],
    ['checksum not digits', order(2).replace(/10=\d+/, '10=abc')],
    ['BodyLength too short', order(2).replace(/9=\d+/, '9=30')],
    ['BodyLength zero', order(2).replace(/9=\d+/, '9=0')],
    ['BodyLength negative', order(2).replace(/9=\d+/, '9=-5')],
    ['BodyLength not a number', order(2).replace(/9=\d+/, '9=1x')],
    ['BodyLength empty', order(2).replace(/9=\d+/, '9=')],
    ['BodyLength of twenty digits', order(2).replace(/9=\d+/, `9=${'1'.repeat(20)}`)],
    ['no BodyLength', order(2).replace(/9=\d+\|/, '')],
    ['MsgType not third', framed(`34=2|35=D|49=TW44|${time}56=ISLD|`)],
    ['MsgType first', `35=0|8=FIX.4.4|9=29|34=2|49=TW44|${time}56=ISLD|10=121|`],
    ['an endless BeginString', `8=FIX${'4'.repeat(100)}|9=5|35=0|10=000|`],
    ['not FIX at all', 'GET / HTTP/1.1\r\n\r\n'],
    ['a cut message', order(2).slice(0, 60).replace(/9=\d+/, '9=1')],
    ['many beginnings', '8=FIX8=FIX.4.4|8=8=FI'],
  ])('%s', (_, bad) => {
    for (const size of [1, 10, 1000]) {
      const { messages, reader } = read(chunked(wire(bad + good + golden('D')), size));
      // A message cut off has no end of its own: it takes the next one's.
      const expected = bad.includes('10=') || !bad.includes('35=D') ? [good, golden('D')] : [golden('D')];
      expect(messages).toEqual(expected);
      expect(reader.garbled).toBeGreaterThan(0);
    }
  });

  test('each is counted, a run of garbage once', () => {
    const wrong = order(2).replace(/10=\d+/, (sum) => (sum === '10=000' ? '10=001' : '10=000'));
    expect(read([wire(wrong + wrong + good + wrong)]).reader.garbled).toBe(3);
    expect(read(chunked(wire(`${'?'.repeat(5000)}${good}`), 100)).reader.garbled).toBe(1);
  });

  test('BodyLength too long takes the message it reaches into with it', () => {
    const length = Number(/9=(\d+)/.exec(order(4))![1]);
    for (const extra of [1, 5, 8, 40]) {
      const long = order(4).replace(/9=\d+/, `9=${length + extra}`);
      expect(read([wire(long + order(5) + order(6))]).messages).toEqual([order(6)]);
    }
  });
});

describe('bounds', () => {
  test('a message longer than the limit ends the reading, before it has arrived', () => {
    expect(read([wire('8=FIX.4.4|9=8192|35=0|')]).last).toBe('too-long');
    expect(read([wire('8=FIX.4.4|9=99999999|35=0|')]).last).toBe('too-long');
    const limits = { ...LIMITS, maxMessageBytes: golden('D').length };
    expect(read([wire(golden('D'))], limits).messages).toHaveLength(1);
    expect(read([wire(golden('D'))], { ...limits, maxMessageBytes: limits.maxMessageBytes - 1 }).last).toBe('too-long');
  });

  test('ten thousand fields end it too', () => {
    const many = framed(`35=0|34=2|49=A|${time}56=B|${'1=|'.repeat(10_000)}`);
    expect(read([wire(many)], { maxMessageBytes: 100_000, maxFields: 256 })).toMatchObject({
      messages: [],
      last: 'too-long',
    });
  });

  test('garbage that never becomes a message is not kept', () => {
    const { reader } = read(
      Array.from({ length: 200 }, () => wire('x8=FIX.4.4|9=12|35=0|garbage|without|end|'.repeat(20))),
    );
    expect(reader.pendingBytes).toBeLessThanOrEqual(LIMITS.maxMessageBytes);
  });

  // Each of them claims one byte and has no CheckSum(10): a look of 8 KiB for each took seconds, and the event loop with it.
  test('thousands of beginnings with a wrong length are looked through once', () => {
    const junk = chunked(wire('8=FIX.4.4|9=1|'.repeat(250_000)), 65_536);
    const costOf = (maxMessageBytes: number): number => {
      const begun = process.cpuUsage();
      const { reader, messages } = read(junk, { ...LIMITS, maxMessageBytes });
      const { user } = process.cpuUsage(begun);
      expect(messages).toEqual([]);
      expect(reader.pendingBytes).toBeLessThanOrEqual(maxMessageBytes);
      return user;
    };
    // Of the processor, and of this machine as it is now: the message of 64 bytes, whose look is short, is the measure.
    const [short, long] = [64, LIMITS.maxMessageBytes].map((bytes) => Math.min(...[1, 2, 3].map(() => costOf(bytes))));
    expect(long! / short!).toBeLessThan(10);
  });

  test('halted from within a delivery it keeps the remaining bytes, and resumes from there', () => {
    const reader = new FrameReader(LIMITS);
    const messages: string[] = [];
    const onFrame = (buffer: Uint8Array, start: number, end: number) => {
      messages.push(Buffer.from(buffer.subarray(start, end)).toString('latin1').replaceAll('\x01', '|'));
      reader.halted = messages.length === 1 || messages.length === 3;
    };
    const all = wire(order(1) + order(2) + order(3) + order(4) + order(5));
    const half = all.length / 2;
    reader.push(all.subarray(0, half), onFrame);
    reader.push(all.subarray(half), onFrame);
    expect(messages).toEqual([order(1)]);
    expect(reader.pendingBytes).toBe(all.length - order(1).length);
    for (const soFar of [3, 5]) {
      reader.halted = false;
      reader.push(new Uint8Array(0), onFrame);
      expect(messages).toHaveLength(soFar);
    }
    expect(messages).toEqual([1, 2, 3, 4, 5].map(order));
    expect([reader.pendingBytes, reader.garbled]).toEqual([0, 0]);
  });
});
