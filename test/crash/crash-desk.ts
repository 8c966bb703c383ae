/**
 * A desk that lives as long as the run: it reconnects whenever the engine has gone, continues its sequence numbers, resends what the engine
 * missed, and records the content of each number that it received.
 */
import { connect, type Socket } from 'node:net';
import { type Fields, frame, parse, type Received, timestamp } from '../support/desk.js';
import type { Violation } from './audit.js';
import type { CrashClient } from './clients.js';
import type { Site } from './site.js';
import { ToldNumbers } from './told-numbers.js';

export interface CrashDeskOptions {
  readonly site: Site;
  readonly client: CrashClient;
  readonly compId: string;
  readonly violation: Violation;
  /** Application messages, each once and in order. */
  readonly heard: (message: Received) => void;
  /** Logged on, with a new token. */
  readonly onLogon: () => void;
  /** Another message was resent because the engine had missed it. */
  readonly onSentAgain: () => void;
}

interface Sent {
  readonly msgType: string;
  readonly fields: Fields;
  readonly timeMs: number;
  readonly sentAgain: () => void;
}

const CALL_AGAIN_MS = 30;
const LOGON_MS = 6_000;
const LINES_KEPT = 200;
const ADMIN = new Set(['0', '1', '2', '3', '4', '5', 'A']);

export class CrashDesk {
  token = '';
  isUp = false;
  /** The next expected MsgSeqNum(34). */
  next = 1;
  #out = 1;
  #socket: Socket | undefined;
  #door = '';
  #stopped = false;
  #held = '';
  #asked = false;
  readonly #early = new Map<number, Received>();
  readonly #sent = new Map<number, Sent>();
  readonly #answered = new Set<string>();
  readonly #wire: string[] = [];
  readonly #numbers = new ToldNumbers((text) => this.#wrong(text));

  constructor(readonly options: CrashDeskOptions) {
    options.site.onSilent.add((door) => door === this.#door && this.#socket?.destroy());
    this.#call();
  }

  get compId(): string {
    return this.options.compId;
  }

  /** False: not logged on, so nothing was sent. `sentAgain` is called each time that the engine requests it again. */
  send(msgType: string, fields: Fields, sentAgain: () => void = () => {}): boolean {
    if (!this.isUp) return false;
    const timeMs = Date.now();
    const number = this.#out++;
    if (!ADMIN.has(msgType)) this.#sent.set(number, { msgType, fields, timeMs, sentAgain });
    this.#write(msgType, number, timeMs, fields);
    return true;
  }

  /** False when it is not answered in time. Otherwise all earlier messages have arrived. */
  async settled(withinMs: number): Promise<boolean> {
    const late = performance.now() + withinMs;
    for (let tried = 0; performance.now() < late; tried++) {
      const id = `T${this.#out}.${tried}`;
      if (!this.send('1', [[112, id]])) await later(20);
      for (let i = 0; i < 100 && this.isUp && !this.#answered.has(id); i++) await later(10);
      if (this.#answered.delete(id)) return true;
    }
    return false;
  }

  /**
   * Requests all messages from a number on once more: they must have the same content. Returns the reports among them that are gap-filled
   * now; undefined when they do not arrive in time.
   */
  async replay(from: number, withinMs: number): Promise<readonly string[] | undefined> {
    this.#numbers.beginReplay();
    const last = this.next - 1;
    this.#askFrom(from);
    const late = performance.now() + withinMs;
    while (this.#numbers.replayedUpTo(last) === undefined && performance.now() < late) await later(10);
    return this.#numbers.replayedUpTo(last);
  }

  /** The last messages on the wire, without prices. */
  lastLines(): string {
    return this.#wire.join('\n');
  }

  stop(): void {
    this.#stopped = true;
    this.#socket?.destroy();
  }

  #call(): void {
    if (this.#stopped) return;
    const address = this.options.site.fixDoor();
    if (address === undefined) {
      setTimeout(() => this.#call(), CALL_AGAIN_MS);
      return;
    }
    this.#door = address;
    const socket = connect(Number(address.split(':')[1]), '127.0.0.1');
    this.#socket = socket;
    this.#held = '';
    const late = setTimeout(() => !this.isUp && socket.destroy(), LOGON_MS);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('connect', () => this.#logon());
    socket.on('data', (chunk) => this.#read(chunk.toString('latin1')));
    socket.on('close', () => {
      clearTimeout(late);
      this.isUp = false;
      this.#asked = false;
      this.#early.clear();
      setTimeout(() => this.#call(), CALL_AGAIN_MS);
    });
  }

  /** The number is used even without an answer: the engine may have counted it. */
  #logon(): void {
    const { clientKey, clientSecret } = this.options.client;
    const fields: Fields = [
      [98, 0],
      [108, 30],
      [553, clientKey],
      [554, clientSecret],
    ];
    this.#write('A', this.#out++, Date.now(), fields);
  }

  #read(chunk: string): void {
    this.#held += chunk;
    for (let end = /\x0110=\d{3}\x01/.exec(this.#held); end; end = /\x0110=\d{3}\x01/.exec(this.#held)) {
      const length = end.index + end[0].length;
      const message = parse(this.#held.slice(0, length));
      this.#held = this.#held.slice(length);
      this.#receive(message);
    }
  }

  #receive(message: Received): void {
    const type = message.get(35);
    const number = Number(message.get(34));
    if (type !== 'W') this.#note(`< ${message.text}`);
    if (!this.isUp) {
      // A Logout(5) in answer to a rejected logon belongs to no session, and neither does its number.
      if (type !== 'A') return;
      this.token = message.get(20001) ?? '';
      this.isUp = true;
    }
    this.#numbers.note(message);
    if (type === '2') this.#serve(Number(message.get(7)), Number(message.get(16)));
    if (number > this.next) {
      this.#early.set(number, message);
      if (!this.#asked) this.#askFrom(this.next);
      this.#asked = true;
    } else if (number === this.next) this.#take(message);
    else if (message.get(43) !== 'Y') this.#wrong(`number ${number} was used before, now for ${message.text}`);
    for (let early = this.#early.get(this.next); early; early = this.#early.get(this.next)) {
      this.#early.delete(this.next);
      this.#take(early);
    }
    for (const passed of this.#early.keys()) if (passed < this.next) this.#early.delete(passed);
    if (this.#early.size === 0) this.#asked = false;
    if (type === 'A') this.options.onLogon();
  }

  #askFrom(number: number): void {
    this.send('2', [
      [7, number],
      [16, 0],
    ]);
  }

  #take(message: Received): void {
    const type = message.get(35)!;
    this.next++;
    if (type === '1') this.send('0', [[112, message.get(112) ?? '']]);
    else if (type === '0') this.#answered.add(message.get(112) ?? '');
    else if (type === '4') this.#pass(message);
    else if (type === '5' && message.get(58)?.startsWith('DRAINING')) this.#leave();
    else if (type === '3' || type === '5') this.#wrong(`the engine says ${message.text}`);
    else if (!ADMIN.has(type)) this.options.heard(message);
  }

  /** The engine stops: all its earlier messages have arrived. */
  #leave(): void {
    this.send('5', []);
    this.isUp = false;
    this.#socket?.end();
  }

  #pass(message: Received): void {
    if (message.get(123) !== 'Y') this.#wrong(`the engine starts its numbers again: ${message.text}`);
    this.next = Math.max(this.next, Number(message.get(36)));
  }

  /** Answers a ResendRequest(2): resends business messages, and gap-fills the rest. */
  #serve(from: number, to: number): void {
    const last = to === 0 ? this.#out - 1 : Math.min(to, this.#out - 1);
    let filled = from;
    const fill = (until: number): void => {
      if (filled < until)
        this.#write(
          '4',
          filled,
          Date.now(),
          [
            [123, 'Y'],
            [36, until],
          ],
          [[43, 'Y']],
        );
    };
    for (let number = from; number <= last; number++) {
      const sent = this.#sent.get(number);
      if (!sent) continue;
      fill(number);
      this.#write(sent.msgType, number, Date.now(), sent.fields, [
        [43, 'Y'],
        [122, timestamp(sent.timeMs)],
      ]);
      sent.sentAgain();
      this.options.onSentAgain();
      filled = number + 1;
    }
    fill(last + 1);
  }

  #write(msgType: string, number: number, timeMs: number, fields: Fields, more: Fields = []): void {
    const head: Fields = [
      [35, msgType],
      [34, number],
      [49, this.compId],
      [52, timestamp(timeMs)],
      [56, 'FXENGINE'],
      ...more,
    ];
    const wire = frame([...head, ...fields]);
    this.#note(`> ${wire.replaceAll('\x01', '|').replace(/\|(554|20001)=[^|]*/g, '|$1=...')}`);
    this.#socket?.write(wire, 'latin1');
  }

  #note(line: string): void {
    this.#wire.push(`${timestamp(Date.now()).slice(9)} ${line}`);
    if (this.#wire.length > 2 * LINES_KEPT) this.#wire.splice(0, LINES_KEPT);
  }

  #wrong(text: string): void {
    this.options.violation(`${this.compId}: ${text}`);
  }
}

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
