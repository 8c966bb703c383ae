/** What crosses the line between the desk and the engine under test, as the certification reads it, and the rules that hold in every step. */

import { type MessageView, SECRET_TAGS } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';

export type Side = 'desk' | 'engine';

/** What no report shows. */
export const SECRETS: ReadonlySet<number> = new Set([...SECRET_TAGS, Tag.Username, Tag.AuthToken]);

/** One whole message on the line. */
export interface WireMessage {
  readonly from: Side;
  /** Which connection, 1 and up. */
  readonly connection: number;
  /** Epoch ms. */
  readonly atMs: number;
  /** Owns its bytes. */
  readonly view: MessageView;
  /** The relay has kept it from the other side. */
  withheld: boolean;
  /** Of the desk: sent again (PossDupFlag(43)=Y), and its number had arrived before. */
  repeated?: boolean;
}

export const typeOf = ({ view }: WireMessage): string => view.msgType;
/** MsgSeqNum(34); 0: none that can be read. */
export const numberOf = ({ view }: WireMessage): number => view.int(Tag.MsgSeqNum) ?? 0;
export const isResent = ({ view }: WireMessage): boolean => view.flag(Tag.PossDupFlag);

/** As a report names a message: `NewOrderSingle(D) 34=7`. */
export function named({ view }: WireMessage, names: MessageNames): string {
  return `${names(view.msgType)} 34=${view.string(Tag.MsgSeqNum) ?? 'missing'}`;
}

/** Name and type of a message, `Logon(A)`. */
export type MessageNames = (msgType: string) => string;

/** Largest distance of SendingTime(52) from this machine's clock, ms; the engine's own bound. */
const LATENCY_MAX_MS = 120_000;

/** Prices may come by thousands: so many of each type and QuoteCondition(276) are kept in a step. */
const PRICES_KEPT = 5;
const PRICES = new Set(['W', 'X']);

/** The session's rules for each message of the desk, whatever the step. Returns one sentence for each fault. */
export class DeskRules {
  /** MsgSeqNum(34) of the desk's next message; 0: before its first. */
  next = 0;
  /** Numbers of the desk that have arrived. */
  readonly #arrived = new Set<number>();

  constructor(
    private readonly compId: string,
    private readonly engineCompId: string,
    private readonly names: MessageNames,
  ) {}

  check(message: WireMessage): string[] {
    const { view } = message;
    const what = named(message, this.names);
    const faults: string[] = [];
    if (view.string(Tag.SenderCompID) !== this.compId) faults.push(`${what}: SenderCompID(49) must be ${this.compId}`);
    if (view.string(Tag.TargetCompID) !== this.engineCompId)
      faults.push(`${what}: TargetCompID(56) must be ${this.engineCompId}`);
    const distance = Math.abs(view.time(Tag.SendingTime) - message.atMs);
    if (!(distance <= LATENCY_MAX_MS))
      faults.push(`${what}: SendingTime(52) must be the time in UTC, within 120 seconds of the engine's clock`);
    if (view.msgType === '3' || view.msgType === 'j') {
      const about = `${view.string(Tag.RefMsgType) ?? '?'} 34=${view.string(Tag.RefSeqNum) ?? '?'} tag ${view.string(Tag.RefTagID) ?? 'none'}`;
      faults.push(`${what}: the desk rejects the engine's message (${about}): ${view.string(Tag.Text) ?? 'no text'}`);
    }
    return [...faults, ...this.#sequence(message, what)];
  }

  #sequence(message: WireMessage, what: string): string[] {
    const { view } = message;
    const number = view.int(Tag.MsgSeqNum);
    if (number === undefined || number < 1) return [`${what}: MsgSeqNum(34) must be a number from 1 on`];
    if (view.msgType === 'A' && view.flag(Tag.ResetSeqNumFlag)) {
      this.#arrived.clear();
      this.next = 2;
      return number === 1 ? [] : [`${what}: with ResetSeqNumFlag(141)=Y it must be 1`];
    }
    if (view.msgType === '4') return this.#reset(message, number, what);
    message.repeated = view.flag(Tag.PossDupFlag) && this.#arrived.has(number);
    this.#arrived.add(number);
    if (view.flag(Tag.PossDupFlag))
      return view.has(Tag.OrigSendingTime) ? [] : [`${what}: PossDupFlag(43)=Y needs OrigSendingTime(122)`];
    const expected = this.next;
    this.next = number + 1;
    // What was sent into a broken connection is not seen here: a Logon(A) may be ahead of it.
    const ahead = view.msgType === 'A' && number > expected;
    if (expected === 0 || number === expected || ahead) return [];
    return [`${what}: MsgSeqNum(34) must be ${expected}`];
  }

  #reset({ view }: WireMessage, number: number, what: string): string[] {
    const next = view.int(Tag.NewSeqNo) ?? 0;
    const expected = this.next;
    this.next = Math.max(expected, next);
    if (!view.flag(Tag.GapFillFlag)) return [`${what}: a SequenceReset(4) must be a gap fill, GapFillFlag(123)=Y`];
    return view.flag(Tag.PossDupFlag) || number === expected ? [] : [`${what}: MsgSeqNum(34) must be ${expected}`];
  }
}

/** Messages in order. Of prices only the first ones of each step are kept; `full` when nothing more can be kept. */
export class WireLog {
  readonly messages: WireMessage[] = [];
  /** Prices that were left out. */
  leftOut = 0;
  private prices = new Map<string, number>();

  constructor(private readonly most: number) {}

  get full(): boolean {
    return this.messages.length >= this.most;
  }

  add(message: WireMessage): void {
    if (PRICES.has(message.view.msgType)) {
      const kind = `${message.view.msgType} ${message.view.string(Tag.QuoteCondition)}`;
      const kept = this.prices.get(kind) ?? 0;
      this.prices.set(kind, kept + 1);
      if (kept >= PRICES_KEPT) {
        this.leftOut++;
        return;
      }
    }
    if (!this.full) this.messages.push(message);
  }

  /** The number of messages so far; the next step keeps its own first prices. */
  beginStep(): number {
    this.prices = new Map();
    return this.messages.length;
  }
}
