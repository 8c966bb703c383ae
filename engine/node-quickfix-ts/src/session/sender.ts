import { checkFields, type HeaderExtras, splitHeader } from '../codec/encode.js';
import type { MessageView } from '../codec/message-view.js';
import { reverseRoute } from '../codec/reverse-route.js';
import { FieldError } from '../codec/text-form.js';
import { formatUtcTimestamp } from '../codec/values.js';
import type { Deferred, Field, NotSent, OutgoingMessage, SendResult } from '../types.js';
import { MessageTooLong } from './outbound.js';
import type { FixSession } from './session.js';

const NOT_LOGGED_ON: NotSent = Object.freeze({ reason: 'not-logged-on', text: 'the session is not logged on' });
const DEFERRED: Deferred = Object.freeze({
  reason: 'deferred',
  text: 'kept until both sides have reset their numbers',
});
const TOO_MANY_DEFERRED: NotSent = Object.freeze({
  reason: 'too-many-deferred',
  text: 'too many messages wait until both sides have reset their numbers',
});
const RESET_FAILED: NotSent = Object.freeze({
  reason: 'reset-failed',
  text: 'the session has ended before both sides had reset their numbers',
});
const REFUSED: NotSent = Object.freeze({ reason: 'refused', text: 'toApp has refused it' });
const IN_HOOK: NotSent = Object.freeze({ reason: 'in-hook', text: 'toAdmin and toApp must not send' });

/** Heartbeat(0) to Logout(5), and Logon(A). */
export function isAdministrative(msgType: string): boolean {
  return msgType.length === 1 && '012345A'.includes(msgType);
}

/** Throws a FieldError for a MsgType(35) that the application cannot send. */
function checkMsgType(msgType: unknown): void {
  if (typeof msgType !== 'string' || !/^[A-Za-z0-9]{1,16}$/.test(msgType)) {
    throw new FieldError(35, 'a MsgType is 1 to 16 letters and digits');
  }
  // A TestRequest(1) and a ResendRequest(2) leave the state of the session as it is.
  if (isAdministrative(msgType) && msgType !== '1' && msgType !== '2') {
    throw new FieldError(35, 'only the session itself sends Heartbeat, Reject, SequenceReset, Logout and Logon');
  }
}

/** A message with what its hook has added: fields of the body, and of the header. */
interface Hooked {
  readonly body: readonly Field[];
  readonly extras: HeaderExtras | undefined;
}

/** Messages that a session sends: of the application, and its own, with the hooks of the application before each. */
export class Sender {
  /** A hook is running: nothing may be sent, because the number that it has seen is not used yet. */
  inHook = false;

  constructor(private readonly session: FixSession) {}

  /** A message of the application. */
  send(msgType: string, fields: readonly Field[], reference?: string): SendResult {
    const { session } = this;
    const { numberReset, outbound } = session;
    if (session.state !== 'up') return NOT_LOGGED_ON;
    if (this.inHook) return this.notSent(msgType, IN_HOOK);
    if (numberReset.isFull) return this.notSent(msgType, TOO_MANY_DEFERRED);
    try {
      checkMsgType(msgType);
      const { body, routing, possResend } = splitHeader(fields);
      const extras = routing.length > 0 || possResend ? { routing, possResend } : undefined;
      if (numberReset.active) {
        outbound.check(msgType, body, extras);
        numberReset.defer({ msgType, fields, reference });
        return DEFERRED;
      }
      let number: number;
      if (this.isHooked(msgType)) {
        const timeMs = outbound.sendingTimeMs();
        const hooked = this.hooked(msgType, outbound.numbers.next, timeMs, body, extras);
        if (hooked === undefined) return session.loggedOn ? REFUSED : NOT_LOGGED_ON;
        number = outbound.send(msgType, hooked.body, hooked.extras, reference, timeMs);
      } else number = outbound.send(msgType, body, extras, reference);
      session.count('sent', msgType);
      return number;
    } catch (error) {
      if (error instanceof FieldError)
        return this.notSent(msgType, { reason: 'bad-field', tag: error.tag, text: error.message });
      if (error instanceof MessageTooLong) return this.notSent(msgType, { reason: 'too-long', text: error.message });
      throw error;
    }
  }

  /** A message that was deferred: why it is not sent is an event in any case, because `send` has returned. */
  sendDeferred(msgType: string, fields: readonly Field[], reference: string | undefined): void {
    const result = this.send(msgType, fields, reference);
    if (result === REFUSED || result === NOT_LOGGED_ON) this.notSent(msgType, result);
  }

  resetFailed(msgType: string): void {
    this.notSent(msgType, RESET_FAILED);
  }

  /** A message of our own: it leaves whatever its text, unless its hook refuses it. */
  sendOwn(msgType: string, body: readonly Field[], routing: readonly Field[]): void {
    const { outbound } = this.session;
    const extras = routing.length > 0 ? { routing } : undefined;
    if (this.isHooked(msgType)) {
      const timeMs = outbound.sendingTimeMs();
      const hooked = this.hooked(msgType, outbound.numbers.next, timeMs, body, extras);
      if (hooked === undefined) return;
      outbound.sendOwn(msgType, hooked.body, hooked.extras, timeMs);
    } else outbound.sendOwn(msgType, body, extras);
    this.session.count('sent', msgType);
  }

  /** One that answers `request` is routed back to its sender. */
  answer(msgType: string, fields: readonly Field[], request: MessageView): void {
    this.sendOwn(msgType, fields, reverseRoute(request, this.session.rules.hasLocationIds));
  }

  /** Under a used number: the replay of a stored message, or a gap fill. False: the hook has refused it. */
  sendAgain(number: number, msgType: string, body: readonly Field[], extras: HeaderExtras): boolean {
    const { outbound } = this.session;
    if (!this.isHooked(msgType)) {
      outbound.sendAgain(number, msgType, body, extras);
      return true;
    }
    const timeMs = outbound.sendingTimeMs();
    const hooked = this.hooked(msgType, number, timeMs, body, extras);
    if (hooked === undefined) return false;
    outbound.sendAgain(number, msgType, hooked.body, hooked.extras ?? extras, timeMs);
    return true;
  }

  private isHooked(msgType: string): boolean {
    const { toAdmin, toApp } = this.session.host.application;
    return !this.inHook && (isAdministrative(msgType) ? toAdmin : toApp) !== undefined;
  }

  /** What the application's hook makes of a message; undefined: it is not sent. */
  private hooked(
    msgType: string,
    msgSeqNum: number,
    timeMs: number,
    fields: readonly Field[],
    extras: HeaderExtras | undefined,
  ): Hooked | undefined {
    const { session } = this;
    const { next } = session.outbound.numbers;
    const { state } = session;
    const sendingTime = formatUtcTimestamp(timeMs).slice(0, session.rules.timestampLength);
    const possDup = extras?.possDup === true;
    const added = this.ask({ msgType, msgSeqNum, sendingTime, fields, possDup });
    // The hook has logged the session out, or has failed.
    if (added === false || session.state !== state || session.outbound.numbers.next !== next) return undefined;
    if (added === undefined || added.length === 0) return { body: fields, extras };
    const { body, routing } = splitHeader(added);
    return {
      body: merged(fields, body),
      extras: routing.length === 0 ? extras : { ...extras, routing: merged(extras?.routing ?? [], routing) },
    };
  }

  private ask(message: OutgoingMessage): readonly Field[] | false | undefined {
    const { application } = this.session.host;
    this.inHook = true;
    try {
      const isOwn = isAdministrative(message.msgType);
      const added = (isOwn ? application.toAdmin : application.toApp)?.call(application, this.session, message);
      // `send` refuses what toApp has made of its message.
      if (added && (isOwn || message.possDup)) checkFields(added, this.session.form);
      return added ?? undefined;
    } catch (error) {
      if (application.onError === undefined) throw error;
      application.onError(this.session, error);
      this.session.fail();
      return false;
    } finally {
      this.inHook = false;
    }
  }

  private notSent(msgType: string, why: NotSent): NotSent {
    const { reason: detail, ...more } = why;
    this.session.host.application.onEvent?.(this.session, { kind: 'not-sent', detail, msgType, ...more });
    return why;
  }
}

/** The fields with those of a hook: one of the same tag is replaced in its place, the others follow. */
function merged(fields: readonly Field[], added: readonly Field[]): readonly Field[] {
  const all = [...fields];
  for (const field of added) {
    const at = all.findIndex(([tag]) => tag === field[0]);
    if (at < 0) all.push(field);
    else all[at] = field;
  }
  return all;
}
