/** What surrounds a session: clock, wire and timer, and the application, whose faults end one session and not all. */
import type { MessageEvent, PlainEvent, StateEvent } from '../events.js';
import type { Log, SessionLog } from '../log/log.js';
import type { Application, Session } from '../types.js';
import type { FixSession, SessionHost } from './session.js';
import { SharedWriteBuffer } from './shared-write-buffer.js';

/** What the sessions of one acceptor or initiator share, with the timer that turns their wheel. */
export class RunningHost implements SessionHost {
  readonly application: Application;
  readonly clock: Clock;
  readonly writeBuffer: SharedWriteBuffer;
  readonly wheel: TimerWheel;
  readonly strangers: SessionLog | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isRunning = false;

  constructor(
    application: Application,
    clock: Partial<Clock>,
    readonly log?: Log,
  ) {
    this.strangers = log?.session(undefined);
    this.application = loggedApplication(safeApplication(application), this.strangers);
    this.clock = { ...SYSTEM_CLOCK, ...clock };
    this.writeBuffer = new SharedWriteBuffer(this.clock);
    this.wheel = new TimerWheel(this.clock.elapsed(), undefined, () => this.turn());
  }

  start(): void {
    this.isRunning = true;
    this.turn();
  }

  stop(): void {
    this.isRunning = false;
    this.rest();
  }

  /** An empty wheel needs no timer, which wakes an idle process twenty times a second. */
  private turn(): void {
    if (!this.isRunning || this.wheel.isEmpty) return;
    this.timer ??= setInterval(() => {
      this.wheel.advance(this.clock.elapsed());
      if (this.wheel.isEmpty) this.rest();
    }, this.wheel.grainMs);
  }

  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** Events of sessions are in their logs; those of no session in that of strangers. Messages are logged as such. */
function loggedApplication(application: Application, strangers: SessionLog | undefined): Application {
  if (strangers === undefined) return application;
  const logOf = (session: Session): SessionLog | undefined => (session as FixSession).log;
  return {
    ...boundCallbacks(application),
    onLogon(session, logon) {
      const { nextIn, nextOut, remoteAddress } = session;
      logOf(session)?.event(`logged on, address ${remoteAddress}, next out ${nextOut}, next in ${nextIn}`);
      application.onLogon(session, logon);
    },
    onLogout(session, reason) {
      logOf(session)?.event(`ended: ${reason}`);
      application.onLogout(session, reason);
    },
    onEvent(session, event) {
      const { kind, detail } = event;
      const text = 'text' in event ? `, ${event.text}` : '';
      const log = session === undefined ? strangers : logOf(session);
      // A session's states are in its log as what they mean.
      const isLogged = kind !== 'received' && kind !== 'sent' && (kind !== 'state' || session === undefined);
      if (isLogged) log?.event(`${kind === detail ? kind : `${kind}: ${detail}`}${text}`);
      application.onEvent?.(session, event);
    },
  };
}

/** Every callback, also where the application is an instance of a class. */
function boundCallbacks(application: Application): Application {
  const bound: Record<string, unknown> = {};
  for (let at: object = application; at !== Object.prototype && at !== null; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      const callback = application[name as keyof Application];
      if (name !== 'constructor' && typeof callback === 'function') bound[name] ??= callback.bind(application);
    }
  }
  return bound as unknown as Application;
}

/** A session owns no socket, timer or clock: the acceptor and the initiator pass them in, and a test passes in others. */
export interface Clock {
  /** Epoch ms: SendingTime(52) and schedules. May step in either direction. */
  now(): number;
  /** Monotonic ms: every interval is measured with this one. */
  elapsed(): number;
}

const SYSTEM_CLOCK: Clock = { now: () => Date.now(), elapsed: () => performance.now() };

/** One connection, seen from the session. */
export interface Wire {
  readonly remoteAddress: string;
  /** Written bytes that the kernel has not accepted yet. */
  readonly backlogBytes: number;
  /** Writes the bytes. False: they are still needed and the caller must not touch them again. */
  write(bytes: Uint8Array): boolean;
  /** Closes when all bytes are sent, at the latest after a second. */
  end(): void;
  /** Closes now. */
  destroy(): void;
  /** No message is passed to the session until `resume`; the peer's bytes wait, within a bound. */
  pause(): void;
  resume(): void;
}

/** An event of a kind and a detail alone. */
export type CountedEvent = MessageEvent | PlainEvent | StateEvent;

const made = new Map<string, CountedEvent>();

/**
 * The event of this kind and detail, made once: counting must not allocate. The details are MsgTypes that the dictionary
 * knows and short words of our own, so the map is bounded.
 */
export function sessionEvent(kind: CountedEvent['kind'], detail: string): CountedEvent {
  const key = `${kind} ${detail}`;
  let event = made.get(key);
  if (event === undefined) {
    event = Object.freeze({ kind, detail }) as CountedEvent;
    made.set(key, event);
  }
  return event;
}

/**
 * Wraps the application's callbacks: a callback that throws is reported and its session logged out, so that one peer's message cannot end
 * all sessions. Without `onError` the application is returned unchanged.
 */
function safeApplication(application: Application): Application {
  const { onError } = application;
  if (onError === undefined) return application;
  const guarded =
    <A extends unknown[]>(callback: (session: Session, ...more: A) => void) =>
    (session: Session, ...more: A): void => {
      try {
        callback.call(application, session, ...more);
      } catch (error) {
        onError.call(application, session, error);
        session.logout('Internal error');
      }
    };
  // On an error the message is resent: a report that is gap-filled would be lost.
  const guardedAnswer =
    (mayResend: NonNullable<Application['mayResend']>): typeof mayResend =>
    (session, message) => {
      try {
        return mayResend.call(application, session, message);
      } catch (error) {
        onError.call(application, session, error);
        session.logout('Internal error');
        return true;
      }
    };
  // Its session continues: a Logout(5) would be the next event.
  const guardedEvent =
    (onEvent: NonNullable<Application['onEvent']>): typeof onEvent =>
    (session, event) => {
      try {
        onEvent.call(application, session, event);
      } catch (error) {
        onError.call(application, session, error);
      }
    };
  const { fromAdmin, onDrain, onResent, onEvent, mayResend, toAdmin, toApp } = application;
  return {
    authenticate: (attempt) => application.authenticate(attempt),
    onLogon: guarded(application.onLogon),
    onMessage: guarded(application.onMessage),
    onLogout: guarded(application.onLogout),
    onError: (session, error) => onError.call(application, session, error),
    ...(onDrain && { onDrain: guarded(onDrain) }),
    ...(onResent && { onResent: guarded(onResent) }),
    ...(onEvent && { onEvent: guardedEvent(onEvent) }),
    ...(mayResend && { mayResend: guardedAnswer(mayResend) }),
    ...(fromAdmin && { fromAdmin: guarded(fromAdmin) }),
    // What they throw is handled where they are called.
    ...(toAdmin && { toAdmin: toAdmin.bind(application) }),
    ...(toApp && { toApp: toApp.bind(application) }),
  };
}

/** True when the promise resolves within so many milliseconds. */
export function resolvesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false);
    void promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** An entry of the timer wheel. */
export interface Timed {
  /** When it is due, on the wheel's clock, ms; set by the wheel. */
  dueMs: number;
  /** Slot of the wheel that holds it, or -1; set by the wheel. */
  slot: number;
  /** Returns when it is due again, ms, or Infinity. */
  onDue(nowMs: number): number;
}

const SLOTS = 128;

/**
 * One timer for all sessions. Activity of a session does not touch the wheel: a due session returns when it is due again, so a busy
 * session costs one call per heartbeat interval.
 */
export class TimerWheel {
  private readonly slots: Set<Timed>[] = Array.from({ length: SLOTS }, () => new Set<Timed>());
  private turned: number;
  private armed = 0;

  /**
   * @param grainMs how late a due entry may be called.
   * @param onArmed called with each entry that is armed.
   */
  constructor(
    startMs: number,
    readonly grainMs = 50,
    private readonly onArmed: () => void = () => {},
  ) {
    this.turned = Math.floor(startMs / grainMs);
  }

  get isEmpty(): boolean {
    return this.armed === 0;
  }

  /** Calls `entry` at `dueMs`, or earlier if it is armed for earlier. */
  arm(entry: Timed, dueMs: number): void {
    if (entry.slot >= 0 && entry.dueMs <= dueMs) return;
    this.place(entry, dueMs);
  }

  disarm(entry: Timed): void {
    if (entry.slot < 0) return;
    this.slots[entry.slot]!.delete(entry);
    entry.slot = -1;
    this.armed--;
  }

  /** Calls every entry that is due. */
  advance(nowMs: number): void {
    const target = Math.floor(nowMs / this.grainMs);
    // After a stall of the process every slot is visited once, not once per missed turn.
    const from = Math.max(this.turned, target - SLOTS + 1);
    this.turned = target;
    for (let turn = from; turn <= target; turn++) {
      const slot = this.slots[turn % SLOTS]!;
      if (slot.size === 0) continue;
      for (const entry of [...slot]) {
        if (entry.dueMs > nowMs || entry.slot !== turn % SLOTS) continue;
        this.disarm(entry);
        const again = entry.onDue(nowMs);
        if (again < Infinity) this.arm(entry, Math.max(again, nowMs + this.grainMs));
      }
    }
  }

  private place(entry: Timed, dueMs: number): void {
    this.disarm(entry);
    entry.dueMs = dueMs;
    // Rounded up: an entry is never called before it is due; one beyond the wheel's end is skipped until its round.
    const turn = Math.max(this.turned, Math.ceil(dueMs / this.grainMs));
    entry.slot = turn % SLOTS;
    this.slots[entry.slot]!.add(entry);
    this.armed++;
    this.onArmed();
  }
}
