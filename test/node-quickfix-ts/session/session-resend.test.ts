import { MemoryStore } from 'node-quickfix-ts';
import { expect, test } from 'vitest';
import { Floor, turn } from './session-harness.js';
import { message } from './session-peer.js';

const order = (id: string): string => `11=${id}|55=EUR/USD|54=1|60=20260114-12:00:00|40=1`;

test('over a gap the application gets 3, 4, 5, each once, whatever is sent twice', async () => {
  const floor = new Floor();
  const desk = await floor.call();
  const again = `43=Y|122=${floor.time()}|`;
  await desk.say('D', order('two'), 2);
  await desk.say('D', order('five'), 5);
  await desk.say('D', order('five'), 5);
  await desk.say('D', again + order('three'), 3);
  await desk.say('D', again + order('three'), 3);
  await desk.say('D', again + order('four'), 4);
  await desk.say('D', again + order('five'), 5);
  expect(floor.taken).toEqual(['two', 'three', 'four', 'five']);
  expect(desk.sent()).toEqual(['35=A|34=1|98=0|108=30', '35=2|34=2|7=3|16=0']);
});

test('a gap is requested once, again only while it is not closed, and finally the session ends', async () => {
  const floor = new Floor();
  const desk = await floor.call();
  let number = 10;
  for (let i = 0; i < 50; i++) await desk.say('0', '', number++);
  expect(desk.sent().filter((m) => m.startsWith('35=2'))).toHaveLength(1);
  for (let i = 0; i < 12; i++) {
    await floor.pass(25);
    await desk.say('0', '', number++);
  }
  const resent = desk.sent().filter((m) => /^35=[25]/.test(m));
  expect(resent.map((m) => m.replace(/34=\d+\|/, ''))).toEqual([
    '35=2|7=2|16=0',
    '35=2|7=2|16=0',
    '35=2|7=2|16=0',
    '35=5|58=ResendRequest not answered',
  ]);
});

test('the messages kept behind a gap are bounded', async () => {
  const floor = new Floor();
  const desk = await floor.call();
  for (let number = 10; number < 5_000; number++) {
    desk.sayRaw(message(`35=D|34=${number}|49=DESK1|56=FXENGINE|52=${floor.time()}|${order(String(number))}`));
  }
  await turn();
  desk.sent();
  desk.sayRaw(message(`35=4|34=2|49=DESK1|56=FXENGINE|52=${floor.time()}|123=Y|36=10`));
  expect(floor.taken).toHaveLength(1_000);
  // The first that was dropped shows a gap again, and is asked for again.
  await desk.say('0', '', 5_000);
  expect(desk.sent()).toEqual(['35=2|34=3|7=1010|16=0']);
});

test('an expired quote is gap-filled, what is around it is sent again', async () => {
  const floor = new Floor();
  floor.profile = { ...floor.profile, stored: new Set(['8', 'S']) };
  const asked: string[] = [];
  floor.more.mayResend = (session, message) => {
    asked.push(`${session.id.targetCompId} ${message.msgType} ${message.string(34)}`);
    return message.msgType !== 'S' || (message.string(62) ?? '') > floor.time();
  };
  const desk = await floor.call();
  const [soon, later] = [floor.time(5), floor.time(60)];
  for (const [type, ...fields] of [
    ['8', [37, 'a']],
    ['S', [62, soon]],
    ['S', [62, soon]],
    ['8', [37, 'd']],
    ['S', [62, later]],
    ['S', [62, soon]],
  ] as const) {
    desk.session!.send(type, fields);
    await turn();
  }
  desk.sent();
  await floor.pass(10);
  await desk.say('2', '7=1|16=0');
  await turn();
  expect(asked).toEqual(['DESK1 8 2', 'DESK1 S 3', 'DESK1 S 4', 'DESK1 8 5', 'DESK1 S 6', 'DESK1 S 7']);
  expect(desk.sent().map((m) => m.replace(/\|122=[^|]*/, ''))).toEqual([
    '35=4|34=1|43=Y|36=2|123=Y',
    '35=8|34=2|43=Y|37=a',
    '35=4|34=3|43=Y|36=5|123=Y',
    '35=8|34=5|43=Y|37=d',
    `35=S|34=6|43=Y|62=${later}`,
    '35=4|34=7|43=Y|36=8|123=Y',
  ]);
});

test('a message is sent again with its routing, PossResend and first time, but never as if sent later than now', async () => {
  const floor = new Floor();
  const desk = await floor.call();
  const firstTime = floor.time();
  desk.session!.send('8', [
    [37, 'a'],
    [128, 'PB'],
    [97, 'Y'],
  ]);
  await turn();
  expect(desk.sent()[1]).toBe('35=8|34=2|97=Y|128=PB|37=a');
  await floor.pass(5);
  await desk.say('2', '7=2|16=2');
  await turn();
  expect(desk.sent()).toEqual([`35=8|34=2|43=Y|97=Y|122=${firstTime}|128=PB|37=a`]);
  floor.clock.wallMs -= 60_000;
  await desk.say('2', '7=2|16=2');
  await turn();
  expect(desk.sent()).toEqual([`35=8|34=2|43=Y|97=Y|122=${floor.time()}|128=PB|37=a`]);
});

test('while the store cannot be read the resend waits, and after a while the rest is gap-filled', async () => {
  const floor = new Floor();
  const desk = await floor.call();
  desk.session!.send('8', [[37, 'a']]);
  await turn();
  desk.sent();
  const read = floor.store.read.bind(floor.store);
  floor.store.read = () => Promise.reject(new Error('away'));
  await desk.say('2', '7=2|16=0');
  await floor.pass(2);
  expect(desk.sent()).toEqual([]);
  floor.store.read = read;
  await floor.pass(2);
  expect(desk.sent().map((m) => m.replace(/\|122=[^|]*/, ''))).toEqual(['35=8|34=2|43=Y|37=a']);

  floor.store.read = () => Promise.reject(new Error('away'));
  await desk.say('2', '7=2|16=0');
  for (let i = 0; i < 8; i++) await floor.pass(1);
  expect(desk.sent().map((m) => m.replace(/\|122=[^|]*/, ''))).toEqual(['35=4|34=2|43=Y|36=3|123=Y']);
});

test('repeated resend requests are served twenty times at once, then ten times a second', async () => {
  const floor = new Floor();
  const desk = await floor.call();
  desk.session!.send('8', [[37, 'a']]);
  await turn();
  let reads = 0;
  const read = floor.store.read.bind(floor.store);
  floor.store.read = (...range) => {
    reads++;
    return read(...range);
  };
  const ask = async (times: number) => {
    for (let i = 0; i < times; i++) {
      await desk.say('2', '7=2|16=0');
      await turn();
    }
  };
  desk.sent();
  await ask(20);
  expect(reads).toBe(20);
  expect(desk.sent()).toHaveLength(20);
  await ask(500);
  expect(reads).toBe(20);
  await floor.pass(0.2);
  expect(reads).toBe(21);
  await ask(500);
  for (let i = 0; i < 10; i++) await floor.pass(0.1);
  expect(reads).toBeLessThanOrEqual(32);
  // Everything that was asked for has been sent.
  expect(desk.sent().at(-1)).toContain('35=8|34=2|43=Y');
  expect(desk.session!.congested).toBe(false);
});

/** A million stored messages, made when they are read. */
class EndlessStore extends MemoryStore {
  reads = 0;
  mostAtOnce = 0;
  private readonly one = Buffer.from(
    message(
      '35=8|34=1|49=FXENGINE|56=DESK1|52=20260114-11:00:00.000|37=c|17=e|150=F|39=2|55=EUR/USD|54=1|151=0|14=1|6=1.1',
    ),
    'latin1',
  );
  override open() {
    return Promise.resolve({ nextOut: 1_000_001, nextIn: 1, createdAtMs: 0 });
  }
  override read(from: number, to: number, limit: number) {
    this.reads++;
    const found: { number: number; message: Uint8Array }[] = [];
    for (let n = from; n <= to && found.length < limit; n++) found.push({ number: n, message: this.one });
    this.mostAtOnce = Math.max(this.mostAtOnce, found.length);
    return Promise.resolve(found);
  }
}

test('a million stored messages: in chunks, no faster than the peer reads, with heartbeats in between', {
  timeout: 300_000,
}, async () => {
  const floor = new Floor();
  const store = new EndlessStore();
  floor.store = store as never;
  const desk = await floor.call();
  let sent = 0;
  let last = 0;
  let heartbeats = 0;
  const wire = desk.wire;
  wire.text = '';
  wire.write = (bytes) => {
    const text = Buffer.from(bytes).toString('latin1');
    if (text.includes('\x0135=0\x01')) heartbeats++;
    if (!text.includes('\x0135=8\x01')) return true;
    const first = Number(text.slice(text.indexOf('\x0134=') + 4, text.indexOf('\x0143=')));
    const end = text.lastIndexOf('\x0143=Y');
    const lastHere = Number(text.slice(text.lastIndexOf('\x0134=', end) + 4, end));
    expect(first).toBe(last + 1);
    sent += lastHere - first + 1;
    last = lastHere;
    return true;
  };
  // The peer stops reading for a while: so does the resend.
  await desk.say('2', '7=1|16=1000000');
  expect(desk.session!.congested).toBe(true);
  desk.session!.outbound.backlogged = true;
  for (let i = 0; i < 50; i++) await turn();
  const before = store.reads;
  for (let i = 0; i < 50; i++) await turn();
  expect(store.reads).toBe(before);
  desk.session!.drained();
  for (let turns = 1; sent < 1_000_000; turns++) {
    await turn();
    if (turns % 100 > 0) continue;
    await floor.pass(31);
    await desk.say('0');
  }
  expect(store.mostAtOnce).toBeLessThanOrEqual(200);
  expect(heartbeats).toBeGreaterThan(3);
  await turn();
  expect(desk.session!.congested).toBe(false);
});

test.each([
  // Three messages are sent: the next number is 4.
  ['7=3|16=9', ['35=4|34=3|43=Y|122=|36=4|123=Y'], 4],
  ['7=4|16=0', ['35=4|34=4|36=5|123=Y'], 5],
  ['7=5|16=0', ['35=3|34=4|45=2|58=Value is incorrect (out of range) for this tag|371=7|372=2|373=5'], 5],
  ['7=400|16=500', ['35=3|34=4|45=2|58=Value is incorrect (out of range) for this tag|371=7|372=2|373=5'], 5],
])('a ResendRequest %s beyond what was sent is answered', async (range, answer, next) => {
  const floor = new Floor();
  const desk = await floor.call();
  for (const text of ['one', 'two']) desk.session!.send('h', [[58, text]]);
  desk.session!.flush();
  desk.sent();
  await desk.say('2', range);
  expect(desk.sent().map((m) => m.replace(/122=[^|]*/, '122='))).toEqual(answer);
  expect(desk.session!.nextOut).toBe(next);
});
