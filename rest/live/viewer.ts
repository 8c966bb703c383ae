/** One page that looks on. What it cannot take in time is passed over, and then it is shown how things stand; at last it is closed. */
import type { WebSocket } from 'ws';
import type { TokenCaller } from '../../engine/service/core/caller.js';
import type { Message } from './page/messages.js';

export interface ViewerLimits {
  /** Bytes written and not taken, above which nothing more is written. */
  readonly backlogBytes: number;
  /** So long behind, ms, and the page is closed. */
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

/** Who looks on, and from where. */
export interface PageCaller extends TokenCaller {
  readonly address: string;
}

export class Viewer {
  /** Answers to pings: false since the last one was sent. */
  isAlive = true;
  /** Messages of the page in this second. */
  asked = 0;
  #behindSinceMs = 0;

  constructor(
    readonly socket: WebSocket,
    readonly caller: PageCaller,
    readonly sees: { readonly operator: boolean; readonly rates: boolean; readonly blotter: boolean },
    private readonly counts: LiveCounts,
    private readonly limits: ViewerLimits,
  ) {}

  /** Something was passed over that it has to be shown as soon as it takes again. */
  get isBehind(): boolean {
    return this.#behindSinceMs !== 0;
  }

  /** It takes again, or has never stopped. */
  get hasRoom(): boolean {
    return this.socket.bufferedAmount <= this.limits.backlogBytes;
  }

  caughtUp(): void {
    this.#behindSinceMs = 0;
  }

  tell(message: Message): void {
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

  /** Called once a second: whoever stays behind is closed, and whoever is gone without a word. */
  get isLost(): boolean {
    return this.isBehind && !this.hasRoom && performance.now() - this.#behindSinceMs > this.limits.behindMs;
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
    // A peer that does not answer is not waited for.
    setTimeout(() => this.socket.terminate(), CLOSE_MS).unref();
  }
}
