import {
  type Application,
  MemoryStore,
  MessageView,
  type Session,
  type SessionIdField,
  type SessionProfile,
  type StoredNumbers,
} from 'node-quickfix-ts';
import { TimerWheel } from '../../../engine/node-quickfix-ts/src/session/host.js';
import { receive } from '../../../engine/node-quickfix-ts/src/session/inbound.js';
import { idRule, LiveSessions } from '../../../engine/node-quickfix-ts/src/session/live-sessions.js';
import {
  answerLogon,
  type Counterparty,
  type LogonAcceptor,
} from '../../../engine/node-quickfix-ts/src/session/logon.js';
import { profile } from '../../../engine/node-quickfix-ts/src/session/profile.js';
import { Protocol } from '../../../engine/node-quickfix-ts/src/session/protocol.js';
import type { FixSession, SessionHost } from '../../../engine/node-quickfix-ts/src/session/session.js';
import { SharedWriteBuffer } from '../../../engine/node-quickfix-ts/src/session/shared-write-buffer.js';
import { readDictionary } from '../dictionaries.js';
import { message, utc } from './session-peer.js';

const protocol = new Protocol({ beginString: 'FIX.4.4', dictionary: readDictionary() });
const unvalidated = new Protocol({ beginString: 'FIX.4.4', dictionary: 'none' });

/** Both clocks of a session, turned by hand. */
export class HandClock {
  wallMs = Date.UTC(2026, 0, 14, 12);
  monotonicMs = 1_000;
  now = (): number => this.wallMs;
  elapsed = (): number => this.monotonicMs;
}

/** The connection of a session, without a socket: what was written is what the desk has read, unless it stops reading. */
export class HandWire implements Counterparty {
  readonly remoteAddress = '192.0.2.1';
  readonly secure = false;
  closed = false;
  reading = true;
  backlogBytes = 0;
  writes = 0;
  text = '';
  paused = false;

  write(bytes: Uint8Array): boolean {
    if (this.closed) return true;
    this.writes++;
    if (!this.reading) {
      this.backlogBytes += bytes.length;
      return false;
    }
    this.text += Buffer.from(bytes).toString('latin1');
    return true;
  }
  end(): void {
    this.closed = true;
  }
  endAfter(): void {
    this.closed = true;
  }
  destroy(): void {
    this.closed = true;
  }
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
}

/** A memory store that can be made slow, made to fail, or left as by a crash. */
class MoodyStore extends MemoryStore {
  holding = false;
  failing = false;
  calls: string[] = [];
  isElsewhere = false;
  takeOver: () => void = () => {};
  private readonly held: (() => void)[] = [];

  override open(onTakenOver: () => void = () => {}): Promise<StoredNumbers> {
    this.calls.push('open');
    this.takeOver = onTakenOver;
    // A process that has the session elsewhere.
    if (this.isElsewhere) return Promise.resolve(undefined) as never;
    return super.open();
  }
  override reset(nowMs: number): Promise<void> {
    this.calls.push('reset');
    return this.in(() => super.reset(nowMs));
  }
  override reserve(bound: number): Promise<void> {
    return this.failing ? Promise.reject(new Error('away')) : super.reserve(bound);
  }
  override append(number: number, bytes: Uint8Array): Promise<void> {
    this.calls.push(`append ${number}`);
    return this.in(() => super.append(number, bytes));
  }

  /** Releases what was held up. */
  release(): Promise<void> {
    this.holding = false;
    for (const go of this.held.splice(0)) go();
    return turn();
  }

  private async in(work: () => Promise<void>): Promise<void> {
    if (this.holding) await new Promise<void>((resolve) => this.held.push(resolve));
    if (this.failing) throw new Error('away');
    await work();
  }
}

/** An acceptor without sockets, and the desks that call it. */
export class Floor {
  readonly clock = new HandClock();
  readonly live = new LiveSessions();
  readonly events: string[] = [];
  readonly taken: string[] = [];
  readonly ends: string[] = [];
  readonly host: SessionHost;
  readonly wheel: TimerWheel;
  /** The store of DESK1; another desk has one of its own. */
  store = new MoodyStore();
  profile: SessionProfile = profile({ supported: new Set(['D']), stored: new Set(['8']) });
  authenticate: Application['authenticate'] = () => ({
    accept: true,
    profile: this.profile,
    reply: [],
    context: 'client',
  });
  compIdPattern: RegExp | undefined;
  identifyBy = new Set<SessionIdField>();
  /** More of the application. */
  more: Partial<Application> = {};

  constructor(private readonly options: { readonly dictionary?: 'none' | undefined } = {}) {
    this.wheel = new TimerWheel(this.clock.elapsed());
    const application: Application = {
      authenticate: (attempt) => this.authenticate(attempt),
      onLogon: (session, logon) => this.more.onLogon?.(session, logon),
      onMessage: (session, view) => {
        this.taken.push(view.string(11) ?? view.msgType);
        this.more.onMessage?.(session, view);
      },
      onLogout: (session, reason) => {
        this.ends.push(reason);
        this.more.onLogout?.(session, reason);
      },
      onEvent: (session, event) => {
        this.events.push(`${event.kind} ${event.detail}`);
        this.more.onEvent?.(session, event);
      },
      onDrain: (session) => this.more.onDrain?.(session),
      onResent: (session) => this.more.onResent?.(session),
      mayResend: (session, view) => this.more.mayResend?.(session, view) ?? true,
    };
    this.host = {
      application,
      clock: this.clock,
      writeBuffer: new SharedWriteBuffer(this.clock),
      wheel: this.wheel,
    };
  }

  private get desk(): LogonAcceptor {
    return {
      host: this.host,
      live: this.live,
      store: ({ targetCompId, targetSubId }) =>
        targetCompId === 'DESK1' && targetSubId === undefined ? this.store : new MoodyStore(),
      protocols: new Map([['FIX.4.4', this.options.dictionary === 'none' ? unvalidated : protocol]]),
      senderCompIds: new Set(['FXENGINE']),
      isId: idRule(this.compIdPattern),
      identifyBy: this.identifyBy,
    };
  }

  /** A Logon(A) on a connection of its own. */
  async call(more = '', header = '34=1|49=DESK1|56=FXENGINE'): Promise<Desk> {
    return this.callWith(`35=A|${header}|52=${this.time()}|98=0|108=30|${more}`);
  }

  /** The first message on a connection of its own, unchanged. */
  async callWith(fields: string, wire = new HandWire()): Promise<Desk> {
    const session = await answerLogon(this.desk, wire, viewOf(fields));
    this.host.writeBuffer.flush();
    return new Desk(this, wire, session);
  }

  /** Time goes by, on both clocks, in steps of a tenth of a second. */
  async pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds * 10; i++) {
      this.clock.wallMs += 100;
      this.clock.monotonicMs += 100;
      this.wheel.advance(this.clock.elapsed());
    }
    await turn();
  }

  time(seconds = 0): string {
    return utc(seconds, this.clock.wallMs);
  }
}

/** The peer of a session on the floor. */
export class Desk {
  private number = 1;

  constructor(
    readonly floor: Floor,
    readonly wire: HandWire,
    readonly session: (FixSession & Session) | undefined,
  ) {}

  /** Sends a message; 34, 49, 52, 56 are added unless given. */
  async say(type: string, fields = '', number?: number): Promise<void> {
    this.number = number ?? this.number + 1;
    const given = fields.includes('52=') ? '' : `52=${this.floor.time()}|`;
    this.sayRaw(message(`35=${type}|34=${this.number}|49=DESK1|56=FXENGINE|${given}${fields}`));
    await turn();
  }

  sayRaw(text: string): void {
    const view = new MessageView();
    const bytes = Buffer.from(text, 'latin1');
    if (!view.index(bytes, 0, bytes.length, this.session!.form)) this.session!.garbled();
    else receive(this.session!, view);
    this.session!.readDone();
  }

  /** Messages sent to the peer since the last call: `35|34|rest` of each message, without header and trailer. */
  sent(): string[] {
    const text = this.wire.text;
    this.wire.text = '';
    return text
      .split(/(?<=\x0110=\d{3}\x01)/)
      .filter((part) => part !== '')
      .map((part) =>
        part
          .split('\x01')
          .filter((field) => field !== '' && !/^(8|9|10|49|52|56)=/.test(field))
          .join('|'),
      );
  }

  /** The peer reads again. */
  readOn(): void {
    this.wire.reading = true;
    this.wire.backlogBytes = 0;
    this.session!.drained();
    this.floor.host.writeBuffer.flush();
  }
}

function viewOf(fields: string): MessageView {
  const view = new MessageView();
  const bytes = Buffer.from(message(fields), 'latin1');
  if (!view.index(bytes, 0, bytes.length)) throw new Error(`garbled: ${fields}`);
  return view;
}

/** All that is due in this turn of the event loop has been done, and what it has caused. */
export async function turn(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}
