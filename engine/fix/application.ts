import { type Application, DEFAULT_PROFILE, profile, type Session, type SessionEvent } from 'node-quickfix-ts';
import { characterFault } from '../domain/core/text.js';
import * as Tag from '../domain/fix/tags.js';
import { dealingTime } from '../service/prices/index.js';
import { CONFORMANCE, type Conformance } from './conformance.js';
import { countUp, type FixContext } from './context.js';
import { Desk, type DeskIdentity } from './desk.js';
import { MESSAGES } from './message-table.js';
import { SESSION_REASON } from './refusals.js';
import { decideLogon } from './session/logon.js';
import { throttleViolation } from './session/throttles.js';
import { logoutIfRevoked } from './session/token-watch.js';

/**
 * Stored by number before they are sent, and replayed on ResendRequest(2); prices, and the quotes of a stream, which are published as prices
 * are, are not: a fresh one is better.
 */
const STORED = new Set(['Y', 'j', 'BF', 'S', 'AG', 'AI', '8', 'r']);

/** Fields that answers repeat: an id of eight kilobytes would be stored with each answer for a week. */
const ECHOED = [
  Tag.Account,
  Tag.ClOrdID,
  Tag.Currency,
  Tag.OrderQty,
  Tag.Price,
  Tag.Symbol,
  Tag.QuoteID,
  Tag.QuoteReqID,
  Tag.MDReqID,
  Tag.SecurityReqID,
  Tag.SecurityStatusReqID,
  Tag.TradSesReqID,
  Tag.Username,
  Tag.TradeRequestID,
  Tag.MassStatusReqID,
  Tag.QuoteStatusReqID,
  Tag.QuoteRespID,
  Tag.UserRequestID,
];
const ECHO_MAX = 128;
const isEchoed = (text = ''): boolean => text.length <= ECHO_MAX && characterFault(text) === undefined;

/** Text(58) of the Logout(5) of an engine that stops; it begins with the word that the rules of engagement document. */
export const DRAINING = 'DRAINING: this engine stops; log on at another address at once, or here in a minute';

/** The application on top of the session layer: logons, messages and logouts of desks. */
export function deskApplication(
  context: FixContext,
  desks: Map<Session, Desk>,
  conformance: Conformance | undefined,
  isStopping: () => boolean,
): Application {
  const { services, counters, publication, quotes } = context;
  const deskProfile = profile({
    ...DEFAULT_PROFILE,
    heartBtIntMin: 1,
    stored: STORED,
    // A UserResponse(BF) that is replayed says that the session has a token, but not which: the desk requests another.
    unstoredFields: new Set([Tag.AuthToken]),
    supported: new Set(Object.keys(MESSAGES)),
    unsupportedFields: [[Tag.ErrorCode, 'UNSUPPORTED_MSGTYPE']],
    ...(context.settings.schedule ? { schedule: context.settings.schedule } : {}),
  });
  return {
    authenticate(attempt) {
      const scenario = conformance?.decide(attempt.id);
      if (scenario) return scenario;
      const draining = { accept: false, text: DRAINING, closeAfterMs: 1_000 } as const;
      if (isStopping()) return draining;
      const isLive = (compId: string, secure: boolean) =>
        [...desks.values()].some(({ identity }) => identity.compId === compId && identity.secure === secure);
      return decideLogon(context, deskProfile, isLive, attempt).then((decision) =>
        decision.accept && isStopping() ? draining : decision,
      );
    },
    onLogon(session, logon) {
      counters.sessions++;
      counters.logons++;
      if (session.context === CONFORMANCE) return;
      const desk = new Desk(session, session.context as DeskIdentity, services.now(), logon.time(Tag.SendingTime));
      desks.set(session, desk);
      context.outbox.opened(desk);
      void logoutIfRevoked(context, desk);
      services.log.info({ compId: desk.identity.compId, client: desk.identity.caller.clientId }, 'logged on');
    },
    onMessage(session, message) {
      const desk = desks.get(session);
      const handler = MESSAGES[message.msgType];
      if (desk === undefined || handler === undefined) return;
      if (handler.endsWithSession && desk.isFromEarlierSession(message)) return;
      const isWithinRate = desk.isWithinRate(message, services.now());
      // Of the body or of a group.
      const refused = ECHOED.find((tag) => !isEchoed(message.stringAt(message.find(tag))));
      if (refused !== undefined) {
        const text = 'Value is incorrect (out of range) for this tag';
        session.reject(message, SESSION_REASON.incorrectValue, refused, text);
      } else if (isWithinRate) {
        desk.handling = message.int(Tag.MsgSeqNum);
        handler.handle(context, desk, message);
        desk.handling = undefined;
      } else handler.rejectThrottled(context, desk, message);
      if (!isWithinRate) throttleViolation(context, desk);
    },
    onLogout(session, reason) {
      counters.sessions--;
      counters.logouts++;
      const desk = desks.get(session);
      if (desk === undefined) return;
      desks.delete(session);
      context.outbox.closed(desk);
      publication.end(session);
      quotes.endAll(session);
      services.log.info({ compId: desk.identity.compId, reason }, 'logged out');
    },
    onDrain(session) {
      publication.drained(session);
      quotes.drained(session);
    },
    onResent(session) {
      publication.resent(session);
      quotes.resent(session);
    },
    // A Quote(S) is firm until ValidUntilTime(62): later it is gap-filled.
    mayResend: (_session, message) =>
      message.msgType !== 'S' || !(message.time(Tag.ValidUntilTime) < dealingTime(services)),
    onError(session, error) {
      const compId = session?.id.targetCompId;
      const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
      services.log.error({ compId, fault }, 'a fault in the session of a desk');
    },
    onEvent(session, event) {
      count(context, event);
      if (event.kind === 'not-sent') {
        const { msgType, detail, text } = event;
        services.log.error(
          { compId: session?.id.targetCompId, msgType, fault: detail },
          `a message was not sent: ${text}`,
        );
      }
      // The session has answered a message type that is not supported; it counts against the rate all the same.
      const desk = session && desks.get(session);
      if (event.kind !== 'received' || desk === undefined || event.detail in MESSAGES || isAdmin(event.detail)) return;
      if (!desk.messages.take(services.now())) throttleViolation(context, desk);
    },
  };
}

const ADMIN = new Set(['0', '1', '2', '3', '4', '5', 'A']);
const isAdmin = (msgType: string): boolean => ADMIN.has(msgType);

function count({ counters }: FixContext, { kind, detail }: SessionEvent): void {
  if (kind === 'received') countUp(counters.received, detail);
  else if (kind === 'sent') countUp(counters.sent, detail);
  else if (kind === 'garbled') counters.garbled++;
  else if (kind === 'slow-consumer') counters.slowConsumers++;
  else if (kind !== 'state') countUp(counters.events, kind);
}
