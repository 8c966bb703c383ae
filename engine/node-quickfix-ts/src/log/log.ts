import type { SessionId } from '../types.js';

/**
 * Receives what passes over the connections of an acceptor or an initiator. Without one nothing is recorded and nothing is spent. The calls
 * are made where messages are processed and sent: they must copy what they keep, return at once and not throw.
 */
export interface Log {
  /** Called once for each connection of a session. Undefined: what belongs to no session, e.g. a Logon(A) that was refused. */
  session(id: SessionId | undefined): SessionLog;
}

/** The log of one session. The bytes are valid during the call only, and are not redacted. */
export interface SessionLog {
  /** False: published messages (`session.publish`), i.e. prices, are left out. */
  readonly published: boolean;
  /** One whole message, before it is processed. */
  incoming(bytes: Uint8Array, start: number, end: number): void;
  /** One or more whole messages, as they are handed to the connection. */
  outgoing(bytes: Uint8Array, start: number, end: number): void;
  /** Input that is no message, at most its first 1,024 bytes. */
  garbled(bytes: Uint8Array, start: number, end: number): void;
  /** What happened, e.g. `logged on`; at most 1,024 characters, which may come from the peer. */
  event(text: string): void;
}

/** Bytes of garbled input, and characters of an event, that are passed to a log. */
export const LOGGED_MAX = 1_024;

/** Each log receives everything that it wants. */
export function combineLogs(...logs: readonly Log[]): Log {
  return {
    session(id) {
      const all = logs.map((log) => log.session(id));
      const forPublished = all.filter(({ published }) => published);
      if (all.length === 1 || all.length === forPublished.length || forPublished.length === 0) return joined(all);
      throw new RangeError('logs with and without published messages cannot be combined');
    },
  };
}

function joined(all: readonly SessionLog[]): SessionLog {
  return {
    published: all.some(({ published }) => published),
    incoming(bytes, start, end) {
      for (const log of all) log.incoming(bytes, start, end);
    },
    outgoing(bytes, start, end) {
      for (const log of all) log.outgoing(bytes, start, end);
    },
    garbled(bytes, start, end) {
      for (const log of all) log.garbled(bytes, start, end);
    },
    event(text) {
      for (const log of all) log.event(text);
    },
  };
}

/** Calls `each` with every message of a run of whole messages, by their BodyLength(9). What is none is passed as one. */
export function splitMessages(
  bytes: Uint8Array,
  start: number,
  end: number,
  each: (bytes: Uint8Array, start: number, end: number) => void,
): void {
  for (let at = start; at < end; ) {
    const next = endOfMessage(bytes, at, end);
    each(bytes, at, next);
    at = next;
  }
}

const SOH = 1;
const EQUALS = 0x3d;
const NINE = 0x39;

/** `8=...|9=<length>|`, so many bytes, and `10=xxx|`. */
function endOfMessage(bytes: Uint8Array, start: number, end: number): number {
  const lengthAt = bytes.indexOf(SOH, start) + 1;
  if (lengthAt <= start || bytes[lengthAt] !== NINE || bytes[lengthAt + 1] !== EQUALS) return end;
  let length = 0;
  let at = lengthAt + 2;
  for (; at < end && bytes[at] !== SOH; at++) length = length * 10 + bytes[at]! - 0x30;
  const next = at + 1 + length + '10=xxx|'.length;
  return next > start && next <= end ? next : end;
}

/** A message as one line: control characters except SOH, and the backslash, as `\xNN`. A character is a byte. */
export function escapeLine(text: string): string {
  return text.replace(
    /[\x00\x02-\x1f\x7f\\]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** The text that `escapeLine` was given. */
export function unescapeLine(line: string): string {
  return line.replace(/\\x([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
