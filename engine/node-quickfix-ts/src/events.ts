import type { NotSentReason } from './types.js';

/**
 * What happens on a session or a connection, for counting and for logs. `detail` is a MsgType(35) that the dictionary knows, or a short word of
 * ours: never a value from the wire, so that it may be a label of a metric. What else an event has is for a log line.
 */
export type SessionEvent =
  | MessageEvent
  | PlainEvent
  | StateEvent
  | NotSentEvent
  | LogonRejectedEvent
  | ConnectionFailedEvent
  | WaitingEvent;

/** A message was received or sent, or refused by a Reject(3) or BusinessMessageReject(j) of ours; `detail` is its MsgType(35). */
export interface MessageEvent {
  readonly kind: 'received' | 'sent' | 'rejected' | 'business-rejected';
  readonly detail: string;
}

/** `detail` is a short reason. */
export interface PlainEvent {
  readonly kind:
    | 'garbled'
    | 'peer-rejected'
    | 'resend-requested'
    | 'logon-refused'
    | 'connection-refused'
    | 'slow-consumer'
    | 'store-failed'
    | 'throttled';
  readonly detail: string;
}

/** A message of the application cannot be sent as it is, a fault of the program: `send` has returned the same. Or one that was deferred is not sent. */
export interface NotSentEvent {
  readonly kind: 'not-sent';
  readonly detail: NotSentReason;
  readonly msgType: string;
  readonly tag?: number;
  readonly text: string;
}

/** Our Logon(A) was answered by a Reject(3); `detail` is its SessionRejectReason(373), 0 to 99, or `none`. */
export interface LogonRejectedEvent {
  readonly kind: 'logon-rejected';
  readonly detail: string;
  /** RefTagID(371). */
  readonly refTag?: number;
  /** The peer's Text(58), on one line, at most 120 characters. */
  readonly text: string;
}

/** `logging-on`: the Logon(A) of an initiator is out, or that of a peer is being answered. `logging-out`: our Logout(5) is out. */
export type SessionState = 'logging-on' | 'up' | 'logging-out' | 'ended';

/** An initiator without a session: outside its schedule (`closed`), before the next attempt (`waiting`), or `connecting`. */
export type InitiatorState = SessionState | 'stopped' | 'closed' | 'waiting' | 'connecting';

/** The state of a session, or without one of an initiator, has changed to `detail`. */
export interface StateEvent {
  readonly kind: 'state';
  readonly detail: InitiatorState;
}

/** An initiator has no connection, or has lost it by an error; the session is given where there was one. */
export interface ConnectionFailedEvent {
  readonly kind: 'connection-failed';
  /** `certificate`: the peer's is not trusted, or is of another host. `closed`: by the peer before a session. */
  readonly detail: 'refused' | 'dns' | 'timeout' | 'unreachable' | 'certificate' | 'tls' | 'reset' | 'closed' | 'other';
  readonly host: string;
  readonly port: number;
  /** Of Node or OpenSSL, e.g. ECONNREFUSED, ENOTFOUND, DEPTH_ZERO_SELF_SIGNED_CERT. */
  readonly code: string;
  readonly text: string;
}

/** An initiator waits so many milliseconds before its next attempt. */
export interface WaitingEvent {
  readonly kind: 'waiting';
  readonly detail: 'waiting';
  readonly ms: number;
}
