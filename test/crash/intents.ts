/** The commands sent and the answers received, recorded outside of the programs that are killed. */
import type { CrashClient } from './clients.js';

export type Body = Readonly<Record<string, unknown>>;

/** The outcome of sending a command once. */
export type Attempt =
  /** Booked with this confirmation id; over REST with the whole confirmation. */
  | { readonly kind: 'acknowledged'; readonly confirmationId: string; readonly confirmation?: Body }
  /** Refused with a code: nothing moved. */
  | { readonly kind: 'refused'; readonly code: string }
  /** Answered that nothing reached the store, or never sent. */
  | { readonly kind: 'none' }
  /** The answer was lost, or stated that the outcome is unknown. */
  | { readonly kind: 'unknown' };

/** One command of a client under its request id, however often it is sent. */
export class Intent {
  readonly attempts: Attempt[] = [];
  /** Sent and not yet answered. */
  underWay = 0;

  constructor(
    readonly requestId: string,
    readonly client: CrashClient,
    readonly round: number,
    /** REST body or the fields of an order. */
    readonly command: Command,
  ) {}

  get acknowledged(): Extract<Attempt, { kind: 'acknowledged' }> | undefined {
    return this.attempts.find((attempt) => attempt.kind === 'acknowledged');
  }

  /** Whether some attempt has an unknown outcome, and no answer has settled it. */
  get isUnknown(): boolean {
    return this.acknowledged === undefined && this.attempts.some(({ kind }) => kind === 'unknown');
  }

  /** Nothing may be booked under it: every attempt was refused, or never reached the store. */
  get mustNotExist(): boolean {
    return this.attempts.every(({ kind }) => kind === 'refused' || kind === 'none');
  }
}

export type Command =
  /** `terms`: what the quote in the body was requested for. */
  | { readonly door: 'rest'; readonly path: string; readonly body: Body; readonly terms?: Body }
  | { readonly door: 'fix'; readonly desk: string; readonly order: readonly (readonly [number, string | number])[] };

/** A hold that was confirmed: firm from then on, for this amount. */
export interface HeldRate {
  readonly holdId: string;
  readonly client: CrashClient;
  readonly sells: string;
  readonly buys: string;
  readonly dealt: 'sell' | 'buy';
  /** Whole units of the dealt currency. */
  readonly amount: number;
  /** Epoch ms before its rate was requested; absent: it was locked right after the request. */
  readonly askedAtMs?: number;
}

/** All of one run. */
export class IntentLog {
  readonly intents = new Map<string, Intent>();
  readonly holds: HeldRate[] = [];
  #count = 0;

  constructor(readonly run: string) {}

  /** A new command; its request id is unique among all runs. */
  open(client: CrashClient, round: number, command: (requestId: string) => Command): Intent {
    const requestId = `${this.run}.${round}.${this.#count++}`;
    const intent = new Intent(requestId, client, round, command(requestId));
    this.intents.set(requestId, intent);
    return intent;
  }

  of(round: number): Intent[] {
    return [...this.intents.values()].filter((intent) => intent.round === round);
  }
}
