import type { SessionId } from '../types.js';

/**
 * The only CompIDs that go beyond the first check of a Logon(A): no store key, file name or log line is ever made of
 * anything else. A path (`..`) is made of allowed characters, so a CompID of dots alone is refused too.
 */
const COMP_ID = /^(?!\.+$)[A-Za-z0-9._-]{1,32}$/;

export function isCompId(text: string | undefined): text is string {
  return text !== undefined && COMP_ID.test(text);
}

/** One key per session; `|` cannot be part of a CompID. */
export function sessionKey(id: SessionId): string {
  return `${id.beginString}|${id.senderCompId}|${id.targetCompId}`;
}
