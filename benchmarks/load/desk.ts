/** One desk of a load run: logs on, subscribes, and reads prices as cheaply as it can while checking every number. */
import { connect, type Socket } from 'node:net';
import { Percentiles } from '../measure.js';
import { utcMicros, wallMicros } from './clock.js';
import type { LoadPlan } from './plan.js';

const SOH = '\x01';
/** The latency of every 8th message is recorded. */
const SAMPLE_EVERY = 8;
const NONE = Buffer.alloc(0);
/** Its messages are processed before the next socket is read, so all desks share it. */
const READ_BUFFER = Buffer.allocUnsafe(1 << 18);

/** What all desks of a run have read. */
export class Readings {
  messages = 0;
  latency = new Percentiles();
  /** When the current bytes were read, microseconds. */
  readAt = 0;
  isEnding = false;
  readonly #faults = new Map<string, number>();

  fault(what: string): void {
    this.#faults.set(what, (this.#faults.get(what) ?? 0) + 1);
  }

  faults(): string[] {
    return [...this.#faults].map(([what, times]) => `${times} x ${what}`);
  }
}

export class Desk {
  state: 'connecting' | 'logged on' | 'streaming' | 'stalled' | 'closed' = 'connecting';
  readonly #socket: Socket;
  readonly #ids: string;
  #carry: Buffer = NONE;
  #nextIn = 1;
  #nextOut = 1;
  #token = '';

  constructor(
    private readonly number: number,
    private readonly plan: LoadPlan,
    private readonly readings: Readings,
  ) {
    this.#ids = `49=CLI${String(number).padStart(4, '0')}|56=${plan.targetCompId}|`;
    const callback = (bytes: number): boolean => {
      readings.readAt = wallMicros();
      this.take(READ_BUFFER.subarray(0, bytes));
      return true;
    };
    const onread = { buffer: READ_BUFFER, callback };
    this.#socket = connect({
      port: plan.servers[number % plan.servers.length]!.port,
      host: '127.0.0.1',
      noDelay: true,
      onread,
    });
    this.#socket.on('connect', () => this.send('A', `98=0|108=60|141=Y|553=key${number}|554=secret${number}|`));
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      if (!readings.isEnding && this.state !== 'stalled') readings.fault(`connection closed while ${this.state}`);
      this.state = 'closed';
    });
  }

  /** This many requests for the same pairs multiply the messages. */
  subscribe(times: number): void {
    for (let request = 1; request <= times; request++) this.ask(`MDR${this.number}.${request}`);
    this.state = 'streaming';
  }

  private ask(mdReqId: string): void {
    const { pairs } = this.plan;
    const symbols = pairs.map((pair) => `55=${pair}|`).join('');
    const terms = '263=1|264=1|265=0|267=2|269=0|269=1';
    this.send('V', `262=${mdReqId}|${terms}|146=${pairs.length}|${symbols}20001=${this.#token}|`);
  }

  /** Stops reading, and sends nothing. */
  stall(): void {
    this.state = 'stalled';
    this.#socket.pause();
  }

  logOut(): void {
    if (this.state === 'streaming') this.send('5', '');
  }

  private send(type: string, fields: string): void {
    const time = utcMicros(Math.round(wallMicros())).slice(0, -3);
    const body = `35=${type}|34=${this.#nextOut++}|${this.#ids}52=${time}|${fields}`.replaceAll('|', SOH);
    const message = `8=FIX.4.4${SOH}9=${body.length}${SOH}${body}`;
    let sum = 0;
    for (let i = 0; i < message.length; i++) sum += message.charCodeAt(i);
    this.#socket.write(`${message}10=${String(sum & 255).padStart(3, '0')}${SOH}`, 'latin1');
  }

  private take(chunk: Buffer): void {
    const bytes = this.#carry.length > 0 ? Buffer.concat([this.#carry, chunk]) : chunk;
    let at = 0;
    while (bytes.length - at > 20) {
      let p = at + 12;
      let length = 0;
      for (; p < bytes.length && bytes[p] !== 1; p++) length = length * 10 + bytes[p]! - 48;
      const end = p + 1 + length + 7;
      if (end > bytes.length) break;
      if (bytes[end - 7] !== 49 || bytes[end - 1] !== 1) {
        this.readings.fault('malformed message');
        this.#socket.destroy();
        return;
      }
      this.onMessage(bytes, p + 1, end);
      at = end;
    }
    this.#carry = at === bytes.length ? NONE : Buffer.from(bytes.subarray(at));
  }

  /** `body` is where `35=` begins. */
  private onMessage(bytes: Buffer, body: number, end: number): void {
    const isOneLetter = bytes[body + 4] === 1;
    let number = 0;
    for (let p = body + (isOneLetter ? 8 : 9); bytes[p] !== 1; p++) number = number * 10 + bytes[p]! - 48;
    if (number !== this.#nextIn) this.readings.fault('MsgSeqNum(34) out of order');
    this.#nextIn = number + 1;
    if (bytes[body + 3] !== PRICE || !isOneLetter) {
      this.onOther(bytes.toString('latin1', body - 1, end));
      return;
    }
    this.readings.messages++;
    if (number % SAMPLE_EVERY !== 0) return;
    const sentAt = sourceMicros(bytes, end, this.readings.readAt);
    if (sentAt !== undefined) this.readings.latency.record(this.readings.readAt - sentAt);
  }

  private onOther(message: string): void {
    const value = (tag: number) => message.split(`${SOH}${tag}=`)[1]?.split(SOH, 1)[0] ?? '';
    switch (value(35)) {
      case 'A':
        this.#token = value(20001);
        this.state = 'logged on';
        return;
      case '1':
        this.send('0', `112=${value(112)}|`);
        return;
      case '0':
      case 'f':
        return;
      default:
        if (!this.readings.isEnding) this.readings.fault(`35=${value(35)} ${value(58)}`);
    }
  }
}

const PRICE = 'W'.charCodeAt(0);

/** SourceTime(20017), the last field before CheckSum(10); undefined in a snapshot without a tick. */
function sourceMicros(bytes: Buffer, end: number, now: number): number | undefined {
  const at = end - 7 - '20017=YYYYMMDD-HH:MM:SS.ffffff|'.length;
  if (bytes.toString('latin1', at, at + 6) !== '20017=') return undefined;
  const two = (i: number) => (bytes[at + i]! - 48) * 10 + bytes[at + i + 1]! - 48;
  let micros = 0;
  for (let i = 24; i < 30; i++) micros = micros * 10 + bytes[at + i]! - 48;
  const midnight = now - (now % 86_400e6);
  return midnight + (two(15) * 3600 + two(18) * 60 + two(21)) * 1e6 + micros;
}
