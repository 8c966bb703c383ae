import type { SessionId } from '../types.js';
import type { FixSession } from './session.js';

/** A claim on the CompIDs of one session: from the moment its store is opened until it is closed again. */
export interface Claim {
  /** Undefined while its Logon(A) is being answered. */
  session: FixSession | undefined;
  /** Resolves when the CompIDs are free again. */
  readonly released: Promise<void>;
  release(): void;
}

/** The sessions that are live in this process: never two with the same CompIDs. */
export class LiveSessions {
  private readonly claims = new Map<string, Claim>();

  holder(key: string): Claim | undefined {
    return this.claims.get(key);
  }

  /** Undefined: the CompIDs are in use. */
  claim(key: string): Claim | undefined {
    if (this.claims.has(key)) return undefined;
    let free: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      free = resolve;
    });
    const claim: Claim = {
      session: undefined,
      released,
      release: () => {
        if (this.claims.get(key) === claim) this.claims.delete(key);
        free();
      },
    };
    this.claims.set(key, claim);
    return claim;
  }

  *sessions(): Iterable<FixSession> {
    for (const { session } of this.claims.values()) if (session?.loggedOn) yield session;
  }

  /** Resolves when every session that is held now has been settled. */
  async allReleased(): Promise<void> {
    await Promise.all([...this.claims.values()].map((claim) => claim.released));
  }
}

/**
 * The only CompIDs that go beyond the first check of a Logon(A), unless the acceptor has a pattern of its own. A path (`..`) is made of allowed
 * characters, so a CompID of dots alone is refused too.
 */
const COMP_ID = /^(?!\.+$)[A-Za-z0-9._-]{1,32}$/;

/** What no pattern can allow: control characters, separators of paths, dots alone, blanks at either end, more than 64 characters. */
const SAFE = /^(?!\.+$)(?! )[\x20-\x7e]{1,64}(?<! )$/;
const SEPARATOR = /[/\\]/;

/** What the acceptor takes as a CompID by default: 1 to 32 letters, digits, `.`, `_` and `-`. */
export function isCompId(text: string | undefined): text is string {
  return text !== undefined && COMP_ID.test(text);
}

/** The test of CompIDs, SubIDs and LocationIDs: the whole text fits the pattern, `[A-Za-z0-9._-]{1,32}` by default, and is safe. */
export function idRule(pattern?: RegExp): (text: string | undefined) => text is string {
  if (pattern === undefined) return isCompId;
  const whole = new RegExp(`^(?:${pattern.source})$`, pattern.flags.replace(/[gy]/g, ''));
  return (text): text is string => isSafeId(text) && whole.test(text);
}

/** One that cannot leave the place of a store's key or file name. */
export function isSafeId(text: string | undefined): text is string {
  return text !== undefined && SAFE.test(text) && !SEPARATOR.test(text);
}

/** One key per session: its version, CompIDs, and where it has them SubIDs, LocationIDs and qualifier. */
export function sessionKey(id: SessionId): string {
  const { senderSubId, senderLocationId, targetSubId, targetLocationId, qualifier } = id;
  const more = [senderSubId, senderLocationId, targetSubId, targetLocationId, qualifier];
  const parts = [id.beginString, id.senderCompId, id.targetCompId];
  if (more.some((part) => part !== undefined)) parts.push(...more.map((part) => part ?? ''));
  // `|` within a part must not make two sessions one.
  return parts.map((part) => part.replace(/[%|]/g, encodeURIComponent)).join('|');
}

/** Which of the peer's header fields identify its session beside the CompIDs: SubIDs (50, 57), LocationIDs (142, 143). */
export type SessionIdField = 'subId' | 'locationId';
