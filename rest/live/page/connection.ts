/** The stream of messages, with the server's clock: connects, notices silence, and reconnects, a little later each time. */
import { askSession } from './login.js';
import type { Message } from './messages.js';

export type ConnectionState = 'connecting' | 'live' | 'waiting' | 'ended';

export interface ConnectionEvents {
  message(message: Message): void;
  /** `waiting` with the seconds until the next attempt, and the server's reason for closing. */
  changed(state: ConnectionState, waitS: number, reason: string): void;
  /** The login has ended. */
  loggedOut(reason: string): void;
}

/** The server sends a message each second. */
const SILENT_MS = 4_000;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;
/** A connection that lasted so long was a good one: the next wait is short again. */
const GOOD_MS = 10_000;
const LOGGED_OUT = 4401;

export class Connection {
  #socket: WebSocket | undefined;
  #receivedAtMs = 0;
  #openedAtMs = 0;
  #waitMs = FIRST_WAIT_MS;
  #timer = 0;
  #isWanted = false;

  constructor(private readonly events: ConnectionEvents) {
    window.setInterval(() => this.#check(), 1_000);
    // Back from sleep, or from a network outage: retried at once.
    window.addEventListener('online', () => this.retryNow());
    document.addEventListener('visibilitychange', () => document.hidden || this.retryNow());
  }

  start(): void {
    this.#isWanted = true;
    this.#connect();
  }

  stop(): void {
    this.#isWanted = false;
    window.clearTimeout(this.#timer);
    this.#timer = 0;
    this.#socket?.close(1000);
    this.#socket = undefined;
    this.events.changed('ended', 0, '');
  }

  retryNow(): void {
    if (!this.#isWanted || this.#timer === 0) return;
    window.clearTimeout(this.#timer);
    this.#connect();
  }

  ask(history: number): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ history }));
  }

  #connect(): void {
    this.#timer = 0;
    this.events.changed('connecting', 0, '');
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/live/stream`);
    this.#socket = socket;
    this.#receivedAtMs = performance.now();
    socket.addEventListener('open', () => {
      this.#openedAtMs = performance.now();
    });
    socket.addEventListener('message', ({ data }) => {
      if (socket !== this.#socket) return;
      this.#receivedAtMs = performance.now();
      const message = JSON.parse(String(data)) as Message;
      if (message.t === 'hello') this.events.changed('live', 0, '');
      this.events.message(message);
    });
    socket.addEventListener('close', ({ code, reason }) => socket === this.#socket && this.#closed(code, reason));
  }

  #closed(code: number, reason: string): void {
    this.#socket = undefined;
    if (!this.#isWanted) return;
    if (code === LOGGED_OUT) {
      this.#isWanted = false;
      this.events.loggedOut(reason);
      return;
    }
    if (this.#openedAtMs > 0 && performance.now() - this.#openedAtMs > GOOD_MS) this.#waitMs = FIRST_WAIT_MS;
    this.#openedAtMs = 0;
    // Not all pages at once, when a server comes back.
    const waitMs = this.#waitMs * (0.75 + Math.random() / 2);
    this.#waitMs = Math.min(this.#waitMs * 2, MAX_WAIT_MS);
    this.events.changed('waiting', Math.max(1, Math.round(waitMs / 1_000)), reason);
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#again(), waitMs);
  }

  /** A browser does not report why a stream was rejected: the session shows whether the login has ended. */
  async #again(): Promise<void> {
    const session = await askSession();
    if (!this.#isWanted) return;
    if (session === 'none') {
      this.#isWanted = false;
      this.events.loggedOut('The login has ended');
    } else this.#connect();
  }

  #check(): void {
    const socket = this.#socket;
    if (socket === undefined || performance.now() - this.#receivedAtMs < SILENT_MS) return;
    // A peer that has vanished does not answer a close either.
    this.#socket = undefined;
    socket.close();
    this.#closed(0, '');
  }
}

/** The server's clock: its last time, and the time since then by a clock of the page that never jumps. */
let serverTime = { nowMs: Date.now(), atMs: performance.now() };

export function setServerNow(nowMs: number): void {
  serverTime = { nowMs, atMs: performance.now() };
}

/** Epoch ms. */
export function serverNow(): number {
  return serverTime.nowMs + performance.now() - serverTime.atMs;
}
