/** Plays the script with one desk: each step waits for what the desk must send, within a bound, and judges it. */

import { setTimeout as pause } from 'node:timers/promises';
import { redact, type Session } from 'node-quickfix-ts';
import { ENGINE_COMP_ID } from '../../domain/core/ids.js';
import * as Tag from '../../domain/fix/tags.js';
import type { Relay } from './relay.js';
import {
  DeskRules,
  type MessageNames,
  named,
  numberOf,
  SECRETS,
  type Side,
  typeOf,
  WireLog,
  type WireMessage,
} from './wire.js';

/** One step of the script: what a person reads, and how it is judged. */
export interface Step {
  readonly name: string;
  readonly title: string;
  /** How the desk knows that the step has begun. */
  readonly begins: string;
  /** What the engine's side does. */
  readonly engine: string;
  /** What is expected of the desk. */
  readonly desk: string;
  /** What is judged, by a name of its own, in the order of the report. */
  readonly checks: Readonly<Record<string, string>>;
  /** The session's own behaviour: the next step is tried even when this one fails. */
  readonly independent?: true;
  run(run: Conductor): Promise<void>;
}

export interface CheckResult {
  readonly check: string;
  readonly text: string;
  readonly result: 'passed' | 'failed' | 'not judged';
  readonly reason?: string;
}

export interface StepResult {
  readonly step: number;
  readonly name: string;
  readonly title: string;
  readonly result: 'passed' | 'failed' | 'not reached';
  readonly checks: readonly CheckResult[];
  readonly messages: readonly WireMessage[];
}

/** The engine under test, as the steps need it. */
export interface EngineUnderTest {
  readonly clientKey: string;
  readonly clientSecret: string;
  readonly tokenOnRequest: 'required' | 'session';
  /** The desk's session while it is logged on. */
  session(): Session | undefined;
  startRates(): Promise<void>;
  /** TOKEN_EXPIRING is sent at once for a token that has not been announced yet. */
  announceExpiry(on: boolean): void;
}

export interface ConductorOptions {
  readonly compId: string;
  readonly steps: readonly Step[];
  readonly engine: EngineUnderTest;
  readonly names: MessageNames;
  /** How long each message of the desk may take, ms, in the step of this number. */
  readonly waitMs: (step: number) => number;
  /** How long the first Logon(A) may take, ms. */
  readonly firstMs: number;
  readonly onStep?: (step: Step, number: number) => void;
  readonly onResult?: (result: StepResult) => void;
  /** Each once. */
  readonly onTlsFault?: (why: string) => void;
}

/** The check that every step has. */
export const WIRE_CHECK =
  'Every message of the desk is whole, carries the right CompIDs, SendingTime(52) and MsgSeqNum(34), and no message is rejected by either side';

/** Messages kept of one run; a desk that sends more is not playing this script. */
const MAX_MESSAGES = 20_000;
const MAX_FAULTS = 20;

/** Ends a step whose desk has not sent what the step waits for. */
class NotReceived extends Error {}
/** Ends the run: an operator's signal. */
class Interrupted extends Error {}

export class Conductor {
  readonly log = new WireLog(MAX_MESSAGES);
  readonly rules: DeskRules;
  readonly engine: EngineUnderTest;
  /** Kept from step to step: the desk's session, hold and orders, and the first number that was kept back from it. */
  readonly memory = {
    logonAt: 0,
    token: '',
    holdId: '',
    heartBtS: 0,
    orders: new Set<string>(),
    lastOrder: '',
    missed: 0,
  };
  /** Messages before this index have been dealt with. */
  cursor = 0;
  relay!: Relay;
  /** A line that the step itself brings down, or that the desk may end, is no fault. */
  mayClose = false;
  #step = 0;
  #judged = new Map<string, { ok: boolean; reason: string }>();
  #faults: string[] = [];
  #wake = new Set<() => void>();
  #interrupted = false;
  #tlsFaults = new Set<string>();
  #connected = 0;
  #closed = 0;

  constructor(readonly options: ConductorOptions) {
    this.engine = options.engine;
    this.rules = new DeskRules(options.compId, ENGINE_COMP_ID, options.names);
  }

  // --- events of the relay

  onMessage(message: WireMessage): void {
    if (this.log.full) this.fault(`more than ${MAX_MESSAGES} messages: the rest is not judged`);
    else if (message.from === 'desk') for (const fault of this.rules.check(message)) this.fault(fault);
    else this.#checkEngine(message);
    this.log.add(message);
    this.#woken();
  }

  onConnected(connection: number): void {
    this.#connected = connection;
    // A Logon(A) that was rejected has used no number.
    if (this.memory.token === '') this.rules.next = 0;
    this.#woken();
  }

  onClosed(connection: number, by: Side | 'relay'): void {
    this.#closed = Math.max(this.#closed, connection);
    if (by === 'desk' && !this.mayClose && this.memory.logonAt > 0) this.fault('the desk has closed the connection');
    this.#woken();
  }

  onGarbled(from: Side): void {
    if (from === 'desk')
      this.fault('bytes that are no FIX message, or a wrong BodyLength(9) or CheckSum(10): the engine ignores them');
    this.#woken();
  }

  onTlsFault(why: string): void {
    if (!this.#tlsFaults.has(why)) this.options.onTlsFault?.(why);
    this.#tlsFaults.add(why);
  }

  interrupt(): void {
    this.#interrupted = true;
    this.#woken();
  }

  get interrupted(): boolean {
    return this.#interrupted;
  }

  /** No connection of the desk is open. */
  get isDisconnected(): boolean {
    return this.isClosed(this.#connected);
  }

  /** The connection has ended, or a later one has. */
  isClosed(connection: number): boolean {
    return this.#closed >= connection;
  }

  // --- the script

  /** Every step in turn; the rest is not reached when a step that later ones build on has failed. */
  async play(): Promise<StepResult[]> {
    const results: StepResult[] = [];
    let ended = false;
    for (const [i, step] of this.options.steps.entries()) {
      if (ended || this.#interrupted) {
        results.push(notReached(step, i + 1));
        continue;
      }
      const from = this.#begin(i + 1);
      this.options.onStep?.(step, i + 1);
      const isThrough = await this.#run(step);
      const result = this.#result(step, i + 1, from);
      results.push(result);
      this.options.onResult?.(result);
      ended = !isThrough && step.independent === undefined;
    }
    return results;
  }

  /** Judges a check of the step; the first failure of a check stays. */
  judge(check: string, ok: boolean, reason = ''): void {
    if (this.#judged.get(check)?.ok !== false) this.#judged.set(check, { ok, reason: printable(reason) });
  }

  /** Something in this step that no message may do. */
  fault(text: string): void {
    const fault = printable(text);
    if (this.#faults.length < MAX_FAULTS && !this.#faults.includes(fault)) this.#faults.push(fault);
  }

  /** The desk's next message of the type that has not arrived before; the cursor moves behind it. */
  async desk(type: string, matches: (message: WireMessage) => boolean = () => true, withinMs?: number) {
    return this.next('desk', [type], (message) => !message.repeated && matches(message), withinMs);
  }

  /** The next message of one of the types; the cursor moves behind it. Throws when it does not come in time. */
  async next(
    from: Side,
    types: readonly string[],
    matches: (message: WireMessage) => boolean = () => true,
    withinMs = this.waitMs,
  ): Promise<WireMessage> {
    const start = this.cursor;
    const index = await this.until(
      () => {
        const found = this.find(from, types, matches, start);
        return found < 0 ? undefined : found;
      },
      `no ${types.map(this.options.names).join(' or ')} from the ${from}`,
      withinMs,
    );
    this.cursor = index + 1;
    return this.log.messages[index]!;
  }

  /** Index of the first such message at or after `start`, or -1. Without types: of any. */
  find(from: Side, types: readonly string[], matches: (message: WireMessage) => boolean, start: number): number {
    const { messages } = this.log;
    for (let i = start; i < messages.length; i++) {
      const message = messages[i]!;
      const isType = types.length === 0 || types.includes(typeOf(message));
      if (message.from === from && isType && matches(message)) return i;
    }
    return -1;
  }

  /** The engine's answer to a request: one of these types, or Reject(3) or BusinessMessageReject(j) of its number. */
  answer(request: WireMessage, types: readonly string[], matches: (message: WireMessage) => boolean) {
    const number = numberOf(request);
    return this.next('engine', [...types, '3', 'j'], (message) =>
      types.includes(typeOf(message)) ? matches(message) : message.view.int(Tag.RefSeqNum) === number,
    );
  }

  /** A TestRequest(1) of the engine. */
  testRequest(testReqId: string): void {
    this.session().send('1', [[Tag.TestReqID, testReqId]]);
    this.session().flush();
  }

  /** The desk's Heartbeat(0) with this TestReqID(112). */
  heartbeat(testReqId: string): Promise<WireMessage> {
    return this.next('desk', ['0'], ({ view }) => view.string(Tag.TestReqID) === testReqId);
  }

  session(): Session {
    const session = this.engine.session();
    if (session === undefined) throw new NotReceived('the desk is not logged on');
    return session;
  }

  get waitMs(): number {
    return this.options.waitMs(this.#step);
  }

  /** Waits for a condition, which is evaluated at each event of the line. */
  async until<T>(found: () => T | undefined, missing: string, withinMs = this.waitMs): Promise<T> {
    const lateAt = performance.now() + withinMs;
    for (;;) {
      if (this.#interrupted) throw new Interrupted('interrupted');
      const value = found();
      if (value !== undefined) return value;
      const leftMs = lateAt - performance.now();
      if (leftMs <= 0) throw new NotReceived(`${missing} within ${seconds(withinMs)} s`);
      await this.#event(Math.min(leftMs, POLL_MS));
    }
  }

  // --- its own parts

  #begin(number: number): number {
    this.#step = number;
    this.#judged = new Map();
    this.#faults = [];
    return this.log.beginStep();
  }

  /** False: the desk has not done what the next step begins with. */
  async #run(step: Step): Promise<boolean> {
    try {
      await step.run(this);
      return true;
    } catch (error) {
      if (!(error instanceof NotReceived || error instanceof Interrupted)) throw error;
      const open = Object.keys(step.checks).find((check) => !this.#judged.has(check));
      const away = ['the desk is not connected', ...this.#tlsFaults];
      const reason = [error.message, ...(this.isDisconnected ? away : [])].join('; ');
      if (open !== undefined) this.judge(open, false, reason);
      else this.fault(reason);
      this.relay.withholds = () => false;
      this.engine.announceExpiry(false);
      return false;
    } finally {
      this.mayClose = false;
    }
  }

  #result(step: Step, number: number, from: number): StepResult {
    const checks: CheckResult[] = Object.entries(step.checks).map(([name, text], i) => {
      const judged = this.#judged.get(name);
      const result = judged === undefined ? 'not judged' : judged.ok ? 'passed' : 'failed';
      const check = `${number}${'abcdefghij'[i]}`;
      return { check, text, result, ...(judged?.ok === false && { reason: judged.reason }) };
    });
    const isWhole = this.#faults.length === 0;
    checks.push({
      check: `${number}${'abcdefghij'[checks.length]}`,
      text: WIRE_CHECK,
      result: isWhole ? 'passed' : 'failed',
      ...(!isWhole && { reason: this.#faults.join('; ') }),
    });
    const passed = checks.every(({ result }) => result === 'passed');
    const messages = this.log.messages.slice(from);
    const { name, title } = step;
    return { step: number, name, title, result: passed ? 'passed' : 'failed', checks, messages };
  }

  #checkEngine(message: WireMessage): void {
    const { view } = message;
    const text = view.string(Tag.Text) ?? 'no text';
    if (view.msgType === '3' || view.msgType === 'j') {
      const tag = view.has(Tag.RefTagID) ? `, tag ${view.string(Tag.RefTagID)}` : '';
      const about = `${this.options.names(view.string(Tag.RefMsgType) ?? '?')} 34=${view.string(Tag.RefSeqNum) ?? '?'}${tag}`;
      this.fault(`the engine rejects the desk's ${about}: ${text}`);
    } else if (view.msgType === '5' && view.has(Tag.Text)) this.fault(`the engine logs the desk out: ${text}`);
    else if (view.string(Tag.ErrorCode) === 'RATE_LIMITED') this.fault(`the desk sends too fast: ${text}`);
  }

  async #event(withinMs: number): Promise<void> {
    const ended = new AbortController();
    await Promise.race([
      new Promise<void>((resolve) => {
        this.#wake.add(resolve);
        ended.signal.addEventListener('abort', () => this.#wake.delete(resolve));
      }),
      pause(withinMs, undefined, { signal: ended.signal }).catch(() => {}),
    ]);
    ended.abort();
  }

  #woken(): void {
    for (const wake of [...this.#wake]) wake();
  }
}

/** A session's end has no event of the line that is sure to come after it. */
const POLL_MS = 100;

const REASON_MAX = 400;

/** A reason may quote what a desk has sent. */
function printable(text: string): string {
  const plain = redact(text, SECRETS).replace(/\p{C}/gu, '?');
  return plain.length > REASON_MAX ? `${plain.slice(0, REASON_MAX)}...` : plain;
}

function seconds(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}

function notReached({ name, title, checks }: Step, step: number): StepResult {
  const texts = [...Object.values(checks), WIRE_CHECK];
  const open = texts.map((text, i) => ({ check: `${step}${'abcdefghij'[i]}`, text, result: 'not judged' as const }));
  return { step, name, title, result: 'not reached', checks: open, messages: [] };
}

/** What a message is, for a reason: `NewOrderSingle(D) 34=7`. */
export const nameOf = (run: Conductor, message: WireMessage): string => named(message, run.options.names);
