import { expect, test } from 'vitest';
import { encodeMessage } from '../../engine/node-quickfix-ts/src/codec/encode.js';
import { MessageView } from '../../engine/node-quickfix-ts/src/codec/message-view.js';
import {
  encodePublished,
  headerTemplate,
  publishedLengthMax,
  publishedType,
  SharedBody,
} from '../../engine/node-quickfix-ts/src/codec/publish.js';
import { sendingTime } from '../../engine/node-quickfix-ts/src/codec/values.js';
import { VERSION_RULES } from '../../engine/node-quickfix-ts/src/version-rules.js';
import { golden, wire } from './codec-messages.js';

const W = publishedType('W');
const HEADER = headerTemplate({ beginString: 'FIX.4.4', senderCompId: 'FXENGINE', targetCompId: 'DESK1' });
const AT = Date.UTC(2026, 10, 20, 8, 0, 2, 1);

function bodyOf(message: string): SharedBody {
  const body = new SharedBody(4);
  body.text(message.slice(message.indexOf('|55=') + 1, message.indexOf('|10=') + 1).replaceAll('|', '\x01'));
  return body;
}

function published(prefix: SharedBody, body: SharedBody, seqNum: number): string {
  const out = new Uint8Array(publishedLengthMax(W, HEADER, prefix, body));
  const end = encodePublished(out, 0, W, HEADER, seqNum, sendingTime(AT), prefix, body);
  const view = new MessageView();
  expect(view.index(out, 0, end)).toBe(true);
  return Buffer.from(out.subarray(0, end)).toString('latin1').replaceAll('\x01', '|');
}

test('the golden W is its header, MDReqID(262) and a shared body', () => {
  const prefix = new SharedBody();
  prefix.field(262, 'MD1');
  expect(published(prefix, bodyOf(golden('W')), 3)).toBe(golden('W'));
});

test('length and checksum are right for every number of digits, and for bodies that shrink and grow', () => {
  const prefix = new SharedBody();
  const body = new SharedBody(1);
  for (const [i, seqNum] of [1, 9, 10, 99, 999, 1000, 99_999, 1_000_000, 2 ** 31, 2 ** 40].entries()) {
    prefix.clear();
    prefix.field(262, 'x'.repeat(1 + ((i * 7) % 32)));
    body.clear();
    for (let n = 0; n < (i * 37) % 90; n++) body.field(58, `entry ${n}`);
    const message = published(prefix, body, seqNum);
    expect(message).toContain(`|35=W|34=${seqNum}|49=FXENGINE|52=20261120-08:00:02.001|56=DESK1|262=`);
  }
});

test.each(Object.entries(VERSION_RULES))(
  'a published message of %s is the one that is encoded alone',
  (version, rules) => {
    const id = { beginString: version, senderCompId: 'A', targetCompId: 'B' };
    const header = headerTemplate(id);
    const empty = new SharedBody();
    const out = new Uint8Array(publishedLengthMax(W, header, empty, empty)).fill(0x41);
    const end = encodePublished(out, 0, W, header, 9, sendingTime(AT), empty, empty);
    const alone = new Uint8Array(end);
    expect(encodeMessage(alone, 0, id, 'W', 9, AT, [])).toBe(end);
    expect(out.subarray(0, end)).toEqual(alone);
    const view = new MessageView();
    expect(view.index(out, 0, end)).toBe(true);
    expect(view.string(52)).toBe('20261120-08:00:02.001'.slice(0, rules.timestampLength));
  },
);

test('a shared body sums what it appends', () => {
  const body = new SharedBody(2);
  body.field(55, 'EUR/USD');
  body.text('270=');
  body.uint(10_788_760);
  body.byte(1);
  const other = wire('15=EUR|271=0|');
  body.append(other, 0, 7);
  expect(Buffer.from(body.filled()).toString()).toBe('55=EUR/USD\x01270=10788760\x0115=EUR\x01');
  expect(body.sum).toBe(body.filled().reduce((sum, byte) => sum + byte, 0));
  body.clear();
  for (const value of ['a\x01b', 'a\u20ac']) expect(() => body.field(58, value)).toThrow('Field 58');
  expect(() => body.text('\u20ac')).toThrow(RangeError);
  body.field(58, 'a b');
  expect(Buffer.from(body.filled()).toString()).toBe('58=a b\x01');
  expect(body.sum).toBe(body.filled().reduce((sum, byte) => sum + byte, 0));
});

test('what is filled is what was appended last, though the body has grown in between', () => {
  const body = new SharedBody(8);
  for (const text of ['58=abc', '58=a much longer text', '58=xyz']) {
    body.clear();
    body.text(text);
    expect(Buffer.from(body.filled()).toString()).toBe(text);
    body.clear();
    body.text('58=and this is longer still, so that there must be room made');
    body.clear();
    body.text(text.toUpperCase());
    expect(Buffer.from(body.filled()).toString()).toBe(text.toUpperCase());
  }
});

test('a body above 64 KiB is a bug, said clearly', () => {
  const body = new SharedBody();
  expect(() => {
    for (;;) body.field(58, 'x'.repeat(1000));
  }).toThrow('FIX body over 65536 bytes');
});
