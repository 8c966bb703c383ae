/** One open page. A message that it cannot take in time is dropped, and replaced by the current state later; a page that stays behind is closed. */
import type { WebSocket } from 'ws';
import type { Message } from './page/messages.js';
import type { PageCaller } from './source.js';

export interface ViewerLimits {
  /** Bytes written and not taken, above which nothing more is written. */
  readonly backlogBytes: number;
  /** A page is closed after it has been behind for so long, ms. */
  readonly behindMs: number;
}

export const VIEWER_LIMITS: ViewerLimits = { backlogBytes: 256 * 1024, behindMs: 30_000 };

/** Whole numbers, for the metrics. */
export interface LiveCounts {
  frames: number;
  bytes: number;
  conflated: number;
  refused: number;
}

/** Why a stream was closed, for the page: 4xxx are ours. */
export const CLOSE = { GOING: 1001, MESSAGE: 1008, LATER: 1013, TOKEN: 4401 } as const;

const CLOSE_MS = 500;

export class Viewer {
  /** Answers to pings: false since the last one was sent. */
  isAlive = true;
  /** Messages of the page in this second. */
  requests = 0;
  #behindSinceMs = 0;

  constructor(
    readonly socket: WebSocket,
    readonly caller: PageCaller,
    private readonly counts: LiveCounts,
    private readonly limits: ViewerLimits,
  ) {}

  /** A message was dropped: the page gets the current state as soon as it reads again. */
  get isBehind(): boolean {
    return this.#behindSinceMs !== 0;
  }

  /** The page reads: little is buffered for it. */
  get hasRoom(): boolean {
    return this.socket.bufferedAmount <= this.limits.backlogBytes;
  }

  caughtUp(): void {
    this.#behindSinceMs = 0;
  }

  sendMessage(message: Message): void {
    this.send(Buffer.from(JSON.stringify(message)));
  }

  /** Bytes of one message, which may be those of many viewers. */
  send(bytes: Buffer): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.isBehind || !this.hasRoom) {
      this.counts.conflated++;
      if (!this.isBehind) this.#behindSinceMs = performance.now();
      return;
    }
    this.counts.frames++;
    this.counts.bytes += bytes.length;
    this.socket.send(bytes, { binary: false });
  }

  /** Checked once a second: a page that stays behind for too long is closed. */
  get isLost(): boolean {
    return this.isBehind && !this.hasRoom && performance.now() - this.#behindSinceMs > this.limits.behindMs;
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
    // A peer that does not answer is not waited for.
    setTimeout(() => this.socket.terminate(), CLOSE_MS).unref();
  }
}
