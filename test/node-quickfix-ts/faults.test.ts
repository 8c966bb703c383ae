import { readFileSync } from 'node:fs';
import { FrameReader, MessageView } from 'node-quickfix-ts';
import { expect, test } from 'vitest';
import { receive } from '../../engine/node-quickfix-ts/src/session/inbound.js';
import { type Desk, Floor, turn } from './session/session-harness.js';
import { message } from './session/session-peer.js';

/** Mulberry32: the same cases for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Bytes of a good message with one to four of them changed, lost, doubled or swapped. */
function mutated(good: Buffer, random: () => number): Buffer {
  let bytes = Buffer.from(good);
  const pick = (n: number): number => Math.floor(random() * n);
  for (let times = 1 + pick(4); times > 0; times--) {
    const at = pick(bytes.length);
    const kind = pick(5);
    if (kind === 0) bytes[at] = pick(256);
    else if (kind === 1) bytes[at] = bytes[at]! ^ (1 << pick(8));
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    else if (kind === 3)
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at, at + 1 + pick(8)), bytes.subarray(at)]);
    else bytes = Buffer.concat([bytes.subarray(at), bytes.subarray(0, at)]);
  }
  return bytes;
}

const order = '11=o|21=1|55=EUR/USD|54=1|60=20260114-12:00:00|40=1|386=2|336=A|336=B';
const kinds: readonly [string, string][] = [
  ['0', ''],
  ['1', '112=x'],
  ['2', '7=1|16=0'],
  ['3', '45=1|372=W|373=5'],
  ['4', '123=Y|36=9'],
  ['5', '58=bye'],
  ['A', '98=0|108=30|141=Y'],
  ['D', order],
  ['V', '262=r|263=1|264=1|267=2|269=0|269=1|146=1|55=EUR/USD'],
];

function recorded(file: string): string[] {
  return readFileSync(new URL(`data/${file}`, import.meta.url), 'latin1')
    .split('\n')
    .filter((line) => line !== '');
}

/** Real quotes, without their header: as our session's peer would send them. */
const quotes = recorded('quotes-2016-12-30.repaired.log')
  .slice(0, 40)
  .map((line): [string, string] => ['S', line.replace(/^.*?\|115=[^|]*\|142=[^|]*\|/, '').replace(/10=\d+\|$/, '')]);
const traffic = [...kinds, ...quotes];

interface State {
  readonly next: number;
  readonly state: string;
  readonly sent: number;
  readonly taken: number;
  readonly calls: number;
}

function stateOf(floor: Floor, desk: Desk): State {
  const session = desk.session!;
  return {
    next: session.inbound.next,
    state: session.state,
    sent: session.outbound.numbers.next,
    taken: floor.taken.length,
    calls: floor.store.calls.length,
  };
}

const CASES = 30_000;
const SEED = Number(process.env.FUZZ_SEED ?? 20260114);

test(`${CASES} mutated messages on a live session: no exception, and a garbled one changes nothing`, {
  timeout: 300_000,
}, async () => {
  const random = seeded(SEED);
  let floor = new Floor();
  let desk = await floor.call();
  let garbled = 0;
  let whole = 0;
  const view = new MessageView();
  for (let i = 0; i < CASES; i++) {
    const [type, fields] = traffic[Math.floor(random() * traffic.length)]!;
    const number = desk.session!.inbound.next + (random() < 0.1 ? Math.floor(random() * 5) - 2 : 0);
    const good = Buffer.from(
      message(`35=${type}|34=${number}|49=DESK1|56=FXENGINE|52=${floor.time()}|${fields}`),
      'latin1',
    );
    const bytes = random() < 0.1 ? good : mutated(good, random);
    const reader = new FrameReader({ maxMessageBytes: 8_192, maxFields: 1_000 });
    const before = stateOf(floor, desk);
    let frames = 0;
    reader.push(bytes, (buffer, start, end) => {
      if (!view.index(buffer, start, end)) return;
      frames++;
      receive(desk.session!, view);
    });
    if (frames === 0) {
      garbled++;
      expect(stateOf(floor, desk), `case ${i} of seed ${SEED}`).toEqual(before);
    } else whole++;
    if (i % 100 === 0) await turn();
    if (desk.session!.state !== 'up' || desk.wire.paused) {
      floor = new Floor();
      desk = await floor.call();
    }
    desk.wire.text = '';
  }
  expect(garbled).toBeGreaterThan(CASES / 2);
  expect(whole).toBeGreaterThan(CASES / 20);
});

test('repaired checksums: what gets past the frame is refused by name, or taken, and never breaks the session', {
  timeout: 300_000,
}, async () => {
  const random = seeded(SEED + 1);
  let floor = new Floor();
  let desk = await floor.call();
  let refused = 0;
  for (let i = 0; i < 20_000; i++) {
    const [type, fields] = traffic[Math.floor(random() * traffic.length)]!;
    const body = `34=${desk.session!.inbound.next}|49=DESK1|56=FXENGINE|52=${floor.time()}|${fields}`;
    const changed = mutated(Buffer.from(body, 'latin1'), random).toString('latin1').replaceAll('\x01', '');
    desk.sayRaw(message(`35=${type}|${changed}`));
    if (i % 50 === 0) {
      await turn();
      refused += desk.sent().filter((message) => message.startsWith('35=3')).length;
    }
    if (desk.session!.state !== 'up' || desk.wire.paused) {
      await turn();
      floor = new Floor();
      desk = await floor.call();
    }
  }
  expect(refused).toBeGreaterThan(1_000);
});

test('recorded messages whose lengths and sums are wrong are counted, and change nothing', async () => {
  const floor = new Floor();
  const desk = await floor.call();
  const before = stateOf(floor, desk);
  const reader = new FrameReader({ maxMessageBytes: 8_192, maxFields: 1_000 });
  const bytes = Buffer.from(recorded('quotes-2016-12-30.as-recorded.log').join('').replaceAll('|', '\x01'), 'latin1');
  reader.push(bytes, () => expect.unreachable());
  expect(reader.garbled).toBeGreaterThan(0);
  expect(stateOf(floor, desk)).toEqual(before);
});
