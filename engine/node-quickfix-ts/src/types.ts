/**
 * What an application of this engine sees: the ports it implements (Application, SessionStore) and the session it is
 * handed. Nothing here knows what a message is about.
 */
import type { MessageView } from './codec/message-view.js';
import type { SharedBody } from './codec/publish.js';
import type { FieldEncoding } from './codec/text-form.js';
import type { ValidationOptions } from './dictionary/validate.js';
import type { SessionEvent, SessionState } from './events.js';
import type { NumberRefusal } from './session/set-numbers.js';

/** A FIX field to send. Numbers are written as decimal integers; floats must be passed as text. */
export type Field = readonly [tag: number, value: string | number];

/**
 * One session as this side writes its header: our SenderCompID(49), the peer's TargetCompID(56). SubIDs and LocationIDs, where the session has them,
 * identify it too and are in the header of each message, unless that message has routing fields of its own.
 */
export interface SessionId {
  readonly beginString: string;
  readonly senderCompId: string;
  readonly targetCompId: string;
  /** SenderSubID(50) and SenderLocationID(142). */
  readonly senderSubId?: string;
  readonly senderLocationId?: string;
  /** TargetSubID(57) and TargetLocationID(143). */
  readonly targetSubId?: string;
  readonly targetLocationId?: string;
  /** Distinguishes sessions with the same header, on this side only: it is never sent. */
  readonly qualifier?: string;
}

/** A Logon(A) before anything of its session is opened. Its ids match the acceptor's `compIdPattern`. */
export interface LogonAttempt {
  readonly id: SessionId;
  /** The Logon itself; valid until `authenticate` settles. */
  readonly logon: MessageView;
  /** DefaultApplVerID(1137) of FIXT.1.1: 7 is FIX 5.0, 8 SP1, 9 SP2. Whether a dictionary is there for it is checked afterwards. */
  readonly applVerId?: string;
  readonly remoteAddress: string;
  readonly secure: boolean;
  /** Common name and DNS names of the peer's certificate, where the listener asks for one and has verified it. */
  readonly certificateNames?: readonly string[];
}

/** How one session behaves; the defaults are in session/profile.ts. */
export interface SessionProfile extends ValidationOptions {
  /**
   * Accepted HeartBtInt(108), seconds; 0 to 60 by default. With 0 a session has no heartbeats and does not end by silence (TCP keep-alive finds
   * a dead connection); published data is still probed.
   */
  readonly heartBtIntMin: number;
  readonly heartBtIntMax: number;
  /** Largest distance of SendingTime(52) from our clock, seconds. */
  readonly maxLatencyS: number;
  /**
   * Sequence numbers start at 1 at every Logon: of an acceptor whether or not the peer sets ResetSeqNumFlag(141), of an initiator with 141=Y, as its
   * option of the same name.
   */
  readonly resetOnLogon: boolean;
  /**
   * NextExpectedMsgSeqNum(789) in each Logon(A) of ours, from FIX 4.4 on; false: only in the answer to one that has it. The peer's is used
   * either way: what it misses is resent without a ResendRequest(2).
   */
  readonly sendNextExpected: boolean;
  /** Encoding of text in both directions; `latin1` by default. Data fields are bytes in each of them. */
  readonly encoding: FieldEncoding;
  /** MsgTypes stored by number before the socket write and replayed on ResendRequest(2); the others are gap-filled. */
  readonly stored: ReadonlySet<string>;
  /** Tags of secrets: a message is stored, and replayed, without these body fields. */
  readonly unstoredFields: ReadonlySet<number>;
  /** Application MsgTypes that the application takes; any other known one is answered j 380=3. */
  readonly supported: ReadonlySet<string>;
  /** Extra fields of that BusinessMessageReject(j), e.g. a code of the application in a user tag. */
  readonly unsupportedFields: readonly Field[];
  /**
   * `quickfix`, for QuickFIX's acceptance scenarios: a Reject(3) of MsgType(35), a CompID, SendingTime(52), OrigSendingTime(122) or the value of
   * NewSeqNo(36) has no RefTagID(371), and a Logon(A) whose SendingTime(52) is too far from our clock is closed without an answer. `full`, the
   * default: it has the tag, and the Logon(A) is answered by Reject(3) and Logout(5).
   */
  readonly rejects: 'full' | 'quickfix';
  /** How long a message waits for its store before it is sent unstored (a later resend gap-fills it), milliseconds. */
  readonly storeWaitMs: number;
  /** Logout(5) `Heartbeat timeout` before a silent peer is disconnected; false: disconnected without a Logout(5). */
  readonly logoutOnTimeout: boolean;
  /** When the session may be logged on; undefined is always. */
  readonly schedule?: Schedule;
  /** Unsent bytes above which market data is conflated (`session.congested`), and above which the session is ended. */
  readonly congestedBytes: number;
  readonly maxBacklogBytes: number;
  /**
   * Published data is followed by a TestRequest(1) after so many bytes, or so many milliseconds after the first that is unanswered;
   * the session is congested while so many bytes are unanswered by a Heartbeat(0).
   */
  readonly probeBytes: number;
  readonly probeAfterMs: number;
  readonly maxUnansweredBytes: number;
  /** How long unsent bytes, or published data behind an unanswered TestRequest(1), may wait before the session is ended, milliseconds. */
  readonly maxUndrainedMs: number;
}

/** The hours of a session, asked with each message; `weeklySchedule` makes one. */
export interface Schedule {
  /** True when a session may be logged on at this moment (epoch ms). */
  isOpen(nowMs: number): boolean;
  /** Start of the session period that holds `nowMs`: a stored session older than this starts at 1 again. */
  periodStart(nowMs: number): number;
}

/** What `authenticate` returns. */
export type LogonDecision =
  /** `reply` fields are added to our Logon(A) after 98, 108, 141, 789, 1137. */
  | {
      readonly accept: true;
      readonly profile: SessionProfile;
      readonly reply: readonly Field[];
      readonly context: unknown;
    }
  /** Logout(5) with `text`, then the connection is closed after `closeAfterMs`. No session state is touched. */
  | { readonly accept: false; readonly text: string; readonly closeAfterMs: number }
  /** Closed without a Logout(5). */
  | { readonly accept: false; readonly silent: true };

/** The application on top of the session layer. Callbacks run in order and must not throw. */
export interface Application {
  /**
   * Called before any session state is opened, claimed or reset. When it throws or rejects, or its `reply` is `bad-field`, the connection is closed
   * without a Logout(5): an event `logon-refused`, `failed`, and `onError` where there is one.
   */
  authenticate(attempt: LogonAttempt): Promise<LogonDecision> | LogonDecision;
  /** The session is up. `logon` is the peer's Logon(A), valid only during the call: an initiator reads from it what it was answered. */
  onLogon(session: Session, logon: MessageView): void;
  /** An application message, in sequence, once. The view is valid only during the call. */
  onMessage(session: Session, message: MessageView): void;
  onLogout(session: Session, reason: string): void;
  /**
   * Before each administrative message (Logon(A), Heartbeat(0) to Logout(5)) is sent, a gap fill of a resend too: returns the fields to add,
   * e.g. the signature of a Logon(A). A field with the tag of one in the message replaces it, and a routing field goes to the header. It must
   * not send; it may log the session out, and then the message is not sent.
   *
   * A hook that throws, or returns what `bad-field` is, ends the session without a Logout(5). The Logout(5) that refuses a Logon(A) without a session has no hook, nor
   * has `publish`.
   */
  toAdmin?(session: Session, message: OutgoingMessage): readonly Field[] | undefined;
  /** The same for each other message; false: it is not sent, or is gap-filled where it would be sent again. */
  toApp?(session: Session, message: OutgoingMessage): readonly Field[] | false | undefined;
  /** A valid administrative message of the peer, before the session acts on it; the view is valid only during the call. */
  fromAdmin?(session: Session, message: MessageView): void;
  /** A congested session has drained, or the peer has answered: the newest state may be published again. */
  onDrain?(session: Session): void;
  /** A ResendRequest(2) has been served: gap-filled market data may be published afresh. */
  onResent?(session: Session): void;
  /** Whether a stored message may still be sent again; false: it is gap-filled (a quote that has expired). Default: true. */
  mayResend?(session: Session, message: MessageView): boolean;
  /** A Reject(3) or BusinessMessageReject(j) received from or sent to the peer, a garbled message ...: for counting. */
  onEvent?(session: Session | undefined, event: SessionEvent): void;
  /**
   * A callback has thrown, which is a bug: that session is logged out with `Internal error`, the others continue; after `onEvent` it continues too. Without
   * this method the error is thrown on and ends the process, but for one of `authenticate`.
   */
  onError?(session: Session | undefined, error: unknown): void;
}

/** A message that is about to be sent, as `toAdmin` and `toApp` see it. */
export interface OutgoingMessage {
  readonly msgType: string;
  /** MsgSeqNum(34) that it will have. */
  readonly msgSeqNum: number;
  /** SendingTime(52) that it will have, as it is on the wire. */
  readonly sendingTime: string;
  /** Body fields, without header and trailer. Of a message that is sent again they are one character a byte, whatever the encoding. */
  readonly fields: readonly Field[];
  /** It is sent again, with PossDupFlag(43)=Y. */
  readonly possDup: boolean;
}

/** Why a message was not sent; nothing of it has left, and no number is used. */
export interface NotSent {
  readonly reason: NotSentReason;
  /** With `bad-field`: the field that cannot be sent; 35 is the MsgType, 0 what is no field. */
  readonly tag?: number;
  /** One line for a log, without the values of fields. */
  readonly text: string;
}

/** Why `send` has sent nothing. */
export type NotSentReason =
  /** The session is not up, or its Logout(5) is sent. */
  | 'not-logged-on'
  /** Both sides are resetting their numbers, and 1,000 messages are kept already. */
  | 'too-many-deferred'
  /** It was deferred, and the session has ended before the reset was done. */
  | 'reset-failed'
  /**
   * A tag, a value or a character that cannot be sent, a header field that the session generates (see `encodeMessage`), or a MsgType that is none
   * (1 to 16 letters and digits) or that only the session sends: Heartbeat(0), Reject(3), SequenceReset(4), Logout(5), Logon(A).
   */
  | 'bad-field'
  /** Above 1 MiB. */
  | 'too-long'
  /** `toApp` has returned false. */
  | 'refused'
  /** Sent from within `toAdmin` or `toApp`. */
  | 'in-hook';

/**
 * Both sides are resetting their numbers: the message is kept, and sent after the reset, in order, with a number that is not known yet. Do not send
 * it again: what becomes of it otherwise is an event `not-sent`, before `onLogout` where the session ends.
 */
export interface Deferred {
  readonly reason: 'deferred';
  readonly text: string;
}

/** MsgSeqNum(34) of the message, or that it is sent later, or why it was not sent. */
export type SendResult = number | Deferred | NotSent;

/** A logged-on session, as the application sees it. */
export interface Session {
  readonly id: SessionId;
  readonly profile: SessionProfile;
  /** DefaultApplVerID(1137) of the peer's Logon(A), in FIXT.1.1: the version of its messages without ApplVerID(1128). */
  readonly applVerId: string | undefined;
  /** What `authenticate` returned with its acceptance. */
  readonly context: unknown;
  readonly remoteAddress: string;
  /** Each change is an event `state`. */
  readonly state: SessionState;
  /** The state is `up`. */
  readonly loggedOn: boolean;
  /** Unsent or unanswered bytes are above the profile's bound, or a stored message waits for its store: publish nothing, mark dirty. */
  readonly congested: boolean;
  readonly backlogBytes: number;
  /** MsgSeqNum(34) of what is sent next, and of what is expected next. */
  readonly nextOut: number;
  readonly nextIn: number;
  /**
   * Sends one message; `profile.stored` decides whether it is stored first. Body fields in wire order; routing fields and
   * PossResend(97) among them go to the header. Returns the number, `deferred` while both sides reset their numbers, or why the message was not
   * sent; it never throws for what it is given.
   *
   * `reference` is handed to the store's `append` with a message of a stored type, e.g. the entry of a queue that the message is made from:
   * the store removes the entry in the step that stores the message, so what was not sent, or sent unstored, is still there to be sent again.
   */
  send(msgType: string, fields: readonly Field[], reference?: string): SendResult;
  /**
   * The publication path: header, `prefix` (fields of this session, e.g. MDReqID(262), with its byte sum) and a body that
   * many sessions share, encoded into the turn's buffer with the next number. Never stored. Allocates nothing.
   * The caller has checked `congested`. Written at the latest at the end of the event-loop turn, or by `flush`.
   */
  publish(msgType: PublishedType, prefix: SharedBody, body: SharedBody): void;
  /**
   * SendingTime(52), epoch ms, of everything published in this event-loop turn; fixed from this call on. A price that is checked for freshness
   * after this call is never older than its SendingTime(52), wherever the process stalls in between.
   */
  sendingTimeMs(): number;
  /** Writes what this turn has encoded for this session: one socket write. */
  flush(): void;
  /** Reject(3) of an inbound application message, in the form of the version: before FIX 4.2 the tag is in the text. */
  reject(message: MessageView, reason: number, tag: number | undefined, text: string): void;
  /** BusinessMessageReject(j); in FIX 4.0 and 4.1, which have none, Reject(3) with the text and the extra fields. */
  businessReject(message: MessageView, reason: number, text: string, extra?: readonly Field[]): void;
  /** Logout(5) with a text, answered within a bound or closed. */
  logout(text: string): void;
  /**
   * Resets both sides' numbers to 1, and deletes the stored messages: Logon(A) with ResetSeqNumFlag(141)=Y in the midst of the session, which the peer
   * answers by the same within ten seconds; else the session ends, and the next Logon(A) of an initiator has 141=Y. Until then `send` defers. Resolves to
   * false when the session is not up, is resetting already, has ended, or the version (FIX 4.0) has no such flag.
   */
  reset(): Promise<boolean>;
  /**
   * MsgSeqNum(34) of the next message, from `nextOut` to 999,999,999: the peer sees a gap, requests it, and gets a gap fill. Resolves when the store
   * has reserved it, to undefined or why it was not set.
   */
  setNextOutgoing(next: number): Promise<NumberRefusal | undefined>;
  /**
   * The number that is expected next, 1 to 999,999,999. A lower one has the peer resend; with a higher one the peer's next message is too low and
   * ends the session, unless it waits behind a gap already. Saved as every inbound number is: after a crash an older one may be in the store.
   */
  setNextIncoming(next: number): NumberRefusal | undefined;
}

/** MsgType of a published message, interned once with `publishedType('W')`: its header bytes and their sum. */
export interface PublishedType {
  readonly msgType: string;
  readonly bytes: Uint8Array;
  readonly sum: number;
}

/** Numbers and messages of one session, durable or not. Every promise settles within a bound of the implementation's. */
export interface SessionStore {
  /**
   * Reads what is there and claims the session for this process. Undefined: it is live in another process, and its peer is not to be let in
   * here. `onTakenOver` is called when another process has claimed the session since: it ends here, and nothing more of it is sent.
   */
  open(onTakenOver: () => void): Promise<StoredNumbers | undefined>;
  /** Resets both numbers to 1 and deletes all messages, in one step. */
  reset(nowMs: number): Promise<void>;
  /** Durably: no outbound number below `bound` is ever given out again by a later process. */
  reserve(bound: number): Promise<void>;
  /** At a clean stop: the exact next numbers. */
  settle(nextOut: number, nextIn: number): Promise<void>;
  /** Write-behind; never ahead of what was executed. */
  saveNextIn(nextIn: number): void;
  /**
   * The message, whole, under its number; durable when the promise resolves. `reference` is what `send` was given: where the store knows what it
   * names, it is removed in the same step; any other store passes it over.
   */
  append(number: number, message: Uint8Array, reference?: string): Promise<void>;
  /** Stored messages from..to inclusive in ascending order, at most `limit`. */
  read(
    from: number,
    to: number,
    limit: number,
  ): Promise<readonly { readonly number: number; readonly message: Uint8Array }[]>;
  close(): Promise<void>;
}

/** The next MsgSeqNum(34) in each direction, from 1. */
export interface StoredNumbers {
  readonly nextOut: number;
  readonly nextIn: number;
  /** When the numbers last started at 1, epoch ms. */
  readonly createdAtMs: number;
}

/** The store of a session, asked for at each logon. `context` is what `authenticate` has accepted with; undefined for an initiator. */
export type SessionStoreFactory = (id: SessionId, context: unknown) => SessionStore;
