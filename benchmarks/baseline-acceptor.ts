/**
 * The baseline: the least that `node:net` needs to stream prices over FIX. No session layer, no store, no validation, no rate book: a tick
 * is encoded once per price group, and a session's copy is header digits, a memory copy and a checksum. The cost of an engine is what
 * exceeds this.
 *
 *   tsx benchmarks/baseline-acceptor.ts --port 9880 --feed-port 9881 --groups 1 --mode turn|each
 *
 * Ticks arrive as lines `SYMBOL BID OFFER UTC-TIME` on the feed port. `turn`: one write per session for all ticks of a read; `each`: one
 * write per message.
 */
import { createServer, type Socket } from 'node:net';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '9880' },
    'feed-port': { type: 'string', default: '9881' },
    groups: { type: 'string', default: '1' },
    mode: { type: 'string', default: 'turn' },
  },
});
const GROUPS = Number(values.groups);
const PER_WRITE = values.mode === 'each' ? 1 : Number.POSITIVE_INFINITY;
const SOH = 1;

interface Body {
  readonly bytes: Buffer;
  readonly sum: number;
}
interface Desk {
  readonly socket: Socket;
  readonly group: number;
  next: number;
  /** `49=...|56=...|52=`, then the time, then `262=...|`; sums of the constant part. */
  ids: Buffer;
  request: Buffer;
  sum: number;
}

const streaming: Desk[] = [];
const BEGIN = Buffer.from('8=FIX.4.4\x019=');
const TYPE = Buffer.from('\x0135=W\x0134=');
const FIXED_SUM = byteSum(BEGIN) + byteSum(TYPE) + SOH;
const TIME_BYTES = 22;
const MAX_MESSAGE = 512;
const TRAILER_BYTES = 7;
const TRAILERS = Array.from({ length: 256 }, (_, sum) => Buffer.from(`10=${String(sum).padStart(3, '0')}\x01`));
let buffer = Buffer.allocUnsafe(1 << 20);
const time = Buffer.alloc(TIME_BYTES);
let timeMs = 0;
let timeSum = 0;

function byteSum(bytes: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < bytes.length; i++) sum += bytes[i]!;
  return sum;
}

function refreshTime(): void {
  const now = Date.now();
  if (now === timeMs) return;
  timeMs = now;
  time.write(`${utc(now)}\x01`, 'latin1');
  timeSum = byteSum(time);
}

function utc(ms: number): string {
  const iso = new Date(ms).toISOString();
  return `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 23)}`;
}

/** The prices of one tick, one body per group: a group's margin is its number in steps of 0.00001. */
function encodeTick(line: string): Body[] {
  const [symbol, bid, offer, at] = line.split(' ') as [string, string, string, string];
  const [down, up, side] = [
    Number(bid),
    Number(offer),
    `\x0115=${symbol.slice(0, 3)}\x01271=1000000\x01276=A\x01299=b.1\x01`,
  ];
  const head = `55=${symbol}\x01460=4\x01268=2\x01269=0\x01270=`;
  const tail = `${side}20012=20261124\x0120017=${at}\x01`;
  const bodies = new Array<Body>(GROUPS);
  for (let group = 0; group < GROUPS; group++) {
    const margin = group * 1e-5;
    const text = `${head}${(down - margin).toFixed(5)}${side}269=1\x01270=${(up + margin).toFixed(5)}${tail}`;
    const bytes = Buffer.from(text, 'latin1');
    bodies[group] = { bytes, sum: byteSum(bytes) };
  }
  return bodies;
}

function digitsOf(n: number): number {
  let digits = 1;
  for (let bound = 10; n >= bound; bound *= 10) digits++;
  return digits;
}

let digitSum = 0;
function writeDigits(at: number, n: number): number {
  const digits = digitsOf(n);
  digitSum = 0;
  for (let i = at + digits - 1; i >= at; i--) {
    const rest = Math.floor(n / 10);
    const byte = 48 + n - rest * 10;
    buffer[i] = byte;
    digitSum += byte;
    n = rest;
  }
  return at + digits;
}

function encode(at: number, desk: Desk, body: Body): number {
  const number = desk.next++;
  const digits = digitsOf(number);
  const length = 9 + digits + desk.ids.length + TIME_BYTES + desk.request.length + body.bytes.length;
  let sum = FIXED_SUM + timeSum + desk.sum + body.sum;
  buffer.set(BEGIN, at);
  at = writeDigits(at + BEGIN.length, length);
  sum += digitSum;
  buffer.set(TYPE, at);
  at = writeDigits(at + TYPE.length, number);
  sum += digitSum;
  buffer[at++] = SOH;
  buffer.set(desk.ids, at);
  at += desk.ids.length;
  buffer.set(time, at);
  at += TIME_BYTES;
  buffer.set(desk.request, at);
  at += desk.request.length;
  buffer.set(body.bytes, at);
  at += body.bytes.length;
  buffer.set(TRAILERS[sum & 255]!, at);
  return at + TRAILER_BYTES;
}

function fanOut(ticks: readonly Body[][]): void {
  refreshTime();
  for (const desk of streaming) {
    let end = 0;
    for (let i = 0; i < ticks.length; i++) {
      end = encode(end, desk, ticks[i]![desk.group]!);
      if ((i + 1) % PER_WRITE === 0 || i === ticks.length - 1 || end > buffer.length - MAX_MESSAGE) {
        write(desk.socket, end);
        end = 0;
      }
    }
  }
}

function write(socket: Socket, end: number): void {
  socket.write(buffer.subarray(0, end));
  // The stream still owns what the kernel did not accept.
  if (socket.writableLength > 0) buffer = Buffer.allocUnsafe(1 << 20);
}

createServer({ noDelay: true }, (feed) => {
  let rest = '';
  feed.setEncoding('latin1');
  feed.on('error', () => {});
  feed.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    fanOut(lines.map(encodeTick));
  });
}).listen(Number(values['feed-port']), '127.0.0.1');

function answer(desk: Desk, type: string, fields: string): void {
  const head = `35=${type}|34=${desk.next++}|`.replaceAll('|', '\x01') + desk.ids.toString('latin1') + utc(Date.now());
  const body = `${head}\x01${fields.replaceAll('|', '\x01')}`;
  const message = Buffer.from(`8=FIX.4.4\x019=${body.length}\x01${body}`, 'latin1');
  desk.socket.write(message);
  desk.socket.write(`10=${String(byteSum(message) & 255).padStart(3, '0')}\x01`);
}

let accepted = 0;
createServer({ noDelay: true }, (socket) => {
  const none = Buffer.alloc(0);
  const desk: Desk = { socket, group: accepted++ % GROUPS, next: 1, ids: none, request: none, sum: 0 };
  let rest = '';
  socket.setEncoding('latin1');
  socket.on('error', () => {});
  socket.on('close', () => {
    const at = streaming.indexOf(desk);
    if (at >= 0) streaming.splice(at, 1);
  });
  socket.on('data', (chunk: string) => {
    rest += chunk;
    for (let end = rest.search(/\x0110=\d{3}\x01/); end >= 0; end = rest.search(/\x0110=\d{3}\x01/)) {
      const message = rest.slice(0, end + 1);
      rest = rest.slice(end + 8);
      const value = (tag: number) => message.split(`\x01${tag}=`)[1]?.split('\x01', 1)[0] ?? '';
      const type = value(35);
      if (type === 'A') {
        desk.ids = Buffer.from(`49=${value(56)}\x0156=${value(49)}\x0152=`, 'latin1');
        answer(desk, 'A', `98=0|108=${value(108)}|141=Y|20001=none|`);
      } else if (type === 'V') {
        desk.request = Buffer.from(`262=${value(262)}\x01`, 'latin1');
        desk.sum = byteSum(desk.ids) + byteSum(desk.request);
        streaming.push(desk);
      } else if (type === '1') {
        answer(desk, '0', `112=${value(112)}|`);
      } else if (type === '5') {
        answer(desk, '5', '');
        socket.end();
      }
    }
  });
}).listen({ port: Number(values.port), host: '127.0.0.1', backlog: 4096 }, () => process.stdout.write('ready\n'));
