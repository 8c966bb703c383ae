import { refuse } from '../../domain/core/refusal.js';
import { plainAddress } from '../../service/core/caller.js';
import type { FixContext } from '../context.js';
import type { Desk } from '../desk.js';
import { DEFAULT_TOKEN_WARNING_MS } from '../settings.js';
import { endToken, warnOfExpiry } from './user-request.js';

/** Tokens read at once: a thousand replies in one event-loop turn would delay every desk's prices. */
const SLICE = 50;
/** Every token and entitlement is read again after so many unchanged counts of revocations. */
const QUIET_LOOKS = 10;

/**
 * Ends the streams of ended tokens: by the clock at expiry, by the store's notification at revocation, and, in case a notification is lost,
 * by reading the count of revocations once a second: when it has changed, every token in use and every desk's entitlement is read again.
 * A store outage ends nothing.
 */
export class TokenWatch {
  private reading = false;
  private revocations: string | undefined;
  private quietLooks = 0;

  constructor(
    private readonly context: FixContext,
    private readonly desks: () => Iterable<Desk>,
  ) {}

  /** By the clock: warns, and ends what is due. */
  onTimer(): void {
    const nowMs = this.context.services.now();
    const { tokenWarningMs = DEFAULT_TOKEN_WARNING_MS } = this.context.settings;
    for (const desk of this.desks()) {
      const { token } = desk;
      if (token && token.expiresAtMs <= nowMs) endToken(this.context, desk, token.hash, 'TOKEN_EXPIRED');
      else if (token && !desk.warned && token.expiresAtMs - nowMs <= tokenWarningMs) warnOfExpiry(desk, token);
      for (const { tokenHash, expiresAtMs } of desk.streams.values()) {
        if (expiresAtMs <= nowMs) endToken(this.context, desk, tokenHash, 'TOKEN_EXPIRED');
      }
    }
  }

  revoked(hash: string): void {
    for (const desk of this.desks()) {
      if (desk.revoking !== hash && usesToken(desk, hash)) endToken(this.context, desk, hash, 'TOKEN_REVOKED');
    }
  }

  /** Called once a second. Never two at a time. */
  async reread(): Promise<void> {
    const { sessions, services } = this.context;
    if (this.reading || !sessions.isStoreUp()) return;
    this.reading = true;
    try {
      const revocations = await sessions.revocations();
      if (revocations === this.revocations && ++this.quietLooks < QUIET_LOOKS) return;
      const hashes = [...new Set([...this.desks()].flatMap(hashesOf))];
      for (let at = 0; at < hashes.length; at += SLICE) await this.read(hashes.slice(at, at + SLICE));
      const desks = [...this.desks()];
      for (let at = 0; at < desks.length; at += SLICE)
        await Promise.all(desks.slice(at, at + SLICE).map((desk) => logoutIfRevoked(this.context, desk)));
      this.revocations = revocations;
      this.quietLooks = 0;
    } catch (error) {
      services.log.warn(
        { fault: error instanceof Error ? error.name : 'unknown' },
        'tokens could not be read again; trying in a second',
      );
    } finally {
      this.reading = false;
    }
  }

  private async read(hashes: readonly string[]): Promise<void> {
    for (const hash of await this.context.sessions.revokedOf(hashes)) this.revoked(hash);
  }
}

function hashesOf(desk: Desk): string[] {
  const hashes = [...desk.streams.values()].map((stream) => stream.tokenHash);
  return desk.token ? [desk.token.hash, ...hashes] : hashes;
}

function usesToken(desk: Desk, hash: string): boolean {
  return hashesOf(desk).includes(hash);
}

/**
 * Logs a desk out whose CompID, client or key was revoked while it logged on, or whose revocation this gateway missed; and ends its
 * streams on tokens of a key that is revoked or not allowed from the desk's address. A store outage ends nothing: each request is checked
 * by its token.
 */
export async function logoutIfRevoked(context: FixContext, desk: Desk): Promise<void> {
  const { compId, clientKey, caller } = desk.identity;
  const address = plainAddress(desk.session.remoteAddress);
  try {
    const { clientId } = caller;
    if (!(await context.sessions.mayStayLoggedOn({ compId, clientId, clientKey, address }))) {
      desk.session.logout('NOT_ENTITLED: shut out by our operator');
      return;
    }
    await endStreamsOfOtherKeys(context, desk, address);
  } catch (error) {
    const fault = error instanceof Error ? error.name : 'unknown';
    context.services.log.warn({ compId, fault }, 'whether a desk may still be here could not be read');
  }
}

async function endStreamsOfOtherKeys(context: FixContext, desk: Desk, address: string): Promise<void> {
  for (const [key, stream] of [...desk.streams]) {
    if (stream.keyId === desk.identity.clientKey) continue;
    const isEnded = await context.sessions.isKeyEnded(stream.keyId, address);
    if (isEnded && desk.streams.get(key) === stream) stream.end(refuse('NOT_ENTITLED', 'Not entitled'));
  }
}
