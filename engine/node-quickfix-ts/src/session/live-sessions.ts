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
