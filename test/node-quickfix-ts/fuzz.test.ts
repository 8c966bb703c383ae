import { expect, test } from 'vitest';
import { encodeMessage } from '../../engine/node-quickfix-ts/src/codec/encode.js';
import { FrameReader } from '../../engine/node-quickfix-ts/src/codec/frame-reader.js';
import { MessageView } from '../../engine/node-quickfix-ts/src/codec/message-view.js';
import { FieldError } from '../../engine/node-quickfix-ts/src/codec/text-form.js';
import { Dictionary } from '../../engine/node-quickfix-ts/src/dictionary/dictionary.js';
import { validate } from '../../engine/node-quickfix-ts/src/dictionary/validate.js';
import { redact } from '../../engine/node-quickfix-ts/src/log/redaction.js';
import { cases } from '../support/sizes.js';
import { dictionaryXml, framed, golden, lightMessages, samples, wire } from './codec-messages.js';

/** More with `FUZZ_CASES=5000000`; another sequence with `FUZZ_SEED=7`. */
const CASES = Number(process.env.FUZZ_CASES ?? cases(20_000, 200_000));
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120);
const TIMEOUT_MS = 300_000 + CASES / 5;

const LIMITS = { maxMessageBytes: 1024, maxFields: 128 };
const DICTIONARY = Dictionary.parse(dictionaryXml());
const CORPUS = [
  ...lightMessages('golden-messages.txt'),
  ...lightMessages('quotes-2016-12-30.repaired.log').slice(0, 40),
  ...samples().map((sample) => sample.message),
  framed('35=A|34=1|49=A|52=20261120-08:00:00.000|56=B|98=0|108=30|95=5|96=a|b=c|'),
  framed('35=D|34=1|49=A|52=20261120-08:00:00.000|56=B|453=2|448=A|802=1|523=x|803=1|448=B|447=D|11=1|'),
].map(wire);
/** A good message, distinguished from the corpus by its TestReqID(112). */
const SENTINEL = wire(framed('35=1|34=9|49=DESK1|52=20261120-08:00:00.000|56=FXENGINE|112=SENTINEL|'));
/** Enough of them to be longer than anything a garbled message may take with it. */
const SENTINELS = Math.ceil(LIMITS.maxMessageBytes / SENTINEL.length) + 2;

/** xorshift32: the same cases for the same seed, everywhere. */
function random(seed: number): (below: number) => number {
  let state = seed | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const INTERESTING = Array.from('\x00\x01\x01==|-+.0189\xff8', (character) => character.charCodeAt(0));

function mutated(below: (n: number) => number): Uint8Array {
  const source = CORPUS[below(CORPUS.length)];
  let bytes: Uint8Array = Uint8Array.from(source);
  for (let n = 1 + below(4); n > 0; n--) {
    const at = below(bytes.length);
    const to = Math.min(bytes.length, at + 1 + below(12));
    const kind = below(6);
    if (kind === 0) bytes[at] = below(256);
    else if (kind === 1) bytes[at] = INTERESTING[below(INTERESTING.length)];
    else if (kind === 2) bytes = Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(to)]);
    else if (kind === 3) bytes = Uint8Array.from([...bytes.subarray(0, to), ...bytes.subarray(at)]);
    else if (kind === 4)
      bytes = Uint8Array.from([...bytes.subarray(0, at), ...CORPUS[below(CORPUS.length)].subarray(at)]);
    else bytes = repaired(bytes);
    if (bytes.length === 0) return Uint8Array.from(source);
  }
  // Half of them with length and checksum right, so that they get further.
  return below(2) === 0 ? repaired(bytes) : bytes;
}

/** The same fields with BodyLength(9) and CheckSum(10) computed anew, as far as there are any. */
function repaired(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const body = /^8=[^\x01]*\x019=[^\x01]*\x01([\s\S]*\x01)10=[^\x01]*\x01?$/.exec(text);
  return body === null ? bytes : wire(framed(body[1]));
}

function readAll(view: MessageView): void {
  for (let i = 0; i < view.count; i++) {
    const tag = view.tagAt(i);
    view.int(tag);
    view.flag(tag);
    for (const entry of view.groups(tag)) entry.string(tag);
  }
  redact(view.toString());
}

test(`${CASES} mutated messages (seed ${SEED}): no exception, no hang, and a good message after them is read`, {
  timeout: TIMEOUT_MS,
}, () => {
  const below = random(SEED);
  const view = new MessageView();
  let reader = new FrameReader(LIMITS);
  let sentinels = 0;
  const tally = { taken: 0, valid: 0, closed: 0, lost: 0 };
  const onFrame = (buffer: Uint8Array, start: number, end: number): void => {
    if (!view.index(buffer, start, end)) return;
    if (view.string(112) === 'SENTINEL') sentinels++;
    tally.taken++;
    if (validate(view, DICTIONARY, { userTags: tally.taken % 2 === 0 ? 'strict' : 'ignore' }) === undefined)
      tally.valid++;
    readAll(view);
  };

  for (let i = 0; i < CASES; i++) {
    const bytes = mutated(below);
    if (view.index(bytes, 0, bytes.length)) readAll(view);
    const cut = below(bytes.length + 1);
    sentinels = 0;
    let state = reader.push(bytes.subarray(0, cut), onFrame);
    if (state === 'ok') state = reader.push(bytes.subarray(cut), onFrame);
    for (let n = 0; n < SENTINELS && sentinels === 0 && state === 'ok'; n++) state = reader.push(SENTINEL, onFrame);
    if (state === 'too-long') {
      tally.closed++;
      reader = new FrameReader(LIMITS);
    } else if (sentinels === 0) tally.lost++;
    if (reader.pendingBytes > LIMITS.maxMessageBytes) throw new Error(`case ${i}: ${reader.pendingBytes} bytes kept`);
  }
  expect(tally.lost).toBe(0);
  // The mutations reach behind the framing, and do not pass for real messages all the time.
  expect(tally.taken).toBeGreaterThan(CASES);
  expect(tally.closed).toBeLessThan(CASES / 4);
});

test('random bytes between good messages', () => {
  const below = random(SEED + 1);
  const reader = new FrameReader(LIMITS);
  const order = wire(golden('D'));
  let orders = 0;
  for (let i = 0; i < 2_000; i++) {
    const noise = Uint8Array.from({ length: below(60) }, () => below(256));
    expect(reader.push(Uint8Array.from([...noise, ...order]), () => orders++)).toBe('ok');
  }
  expect(orders).toBe(2_000);
});

test('every field list encodes to one valid message, or is refused by the field that cannot be sent', () => {
  const below = random(SEED + 2);
  const out = new Uint8Array(4096);
  const view = new MessageView();
  const id = { beginString: 'FIX.4.4', senderCompId: 'A', targetCompId: 'B' };
  let refused = 0;
  for (let i = 0; i < 20_000; i++) {
    const highest = below(2) === 0 ? 256 : 70_000;
    const fields = Array.from({ length: below(8) }, (): [number, string] => {
      const text = String.fromCharCode(
        ...Array.from({ length: below(20) }, () => (below(99) === 0 ? 1 : below(highest))),
      );
      return [1000 + below(30_000), text];
    });
    const [number, time] = [1 + below(1e9), below(2 ** 31) * 1000];
    const own = encodeMessage(out, 0, id, 'B', number, time, fields, undefined, undefined, false);
    // A field without a value is left out.
    const filled = fields.filter(([, value]) => value !== '');
    expect([view.index(out, 0, own), view.count]).toEqual([true, filled.length + 8]);
    try {
      const end = encodeMessage(out, 0, id, 'B', number, time, fields);
      expect([view.index(out, 0, end), view.count]).toEqual([true, fields.length + 8]);
      expect(fields.map((_, k) => view.stringAt(k + 7))).toEqual(fields.map(([, value]) => value));
    } catch (error) {
      expect(error).toBeInstanceOf(FieldError);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(5_000);
  expect(refused).toBeLessThan(19_000);
});
