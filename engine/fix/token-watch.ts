import type { Desk } from './desk.js';
import type { Door } from './door.js';
import { endToken, warnOfExpiry } from './user-request.js';

/** Calls of `reread` that read every token once. */
export const SLICES = 10;
/** A desk is told this long before its token ends. */
const WARN_MS = 300_000;

/**
 * Ends the streams of tokens that have ended: by our own clock at their expiry, by the store's message on revocation, and by
 * re-reading every token in use once a second, should the message be lost. A store that is away ends nothing.
 * The re-reading goes in slices, because a thousand answers at once would keep a thousand desks waiting for their tick.
 */
export class TokenWatch {
  private reading = false;
  private due: string[] = [];
  private slice = 0;

  constructor(
    private readonly door: Door,
    private readonly desks: () => Iterable<Desk>,
  ) {}

  /** By the clock: warns, and ends what is due. */
  look(): void {
    const nowMs = this.door.services.now();
    for (const desk of this.desks()) {
      const { token } = desk;
      if (token && token.expiresAtMs <= nowMs) endToken(this.door, desk, token.hash, 'TOKEN_EXPIRED');
      else if (token && !desk.warned && token.expiresAtMs - nowMs <= WARN_MS) warnOfExpiry(desk, token);
      for (const { tokenHash, expiresAtMs } of desk.streams.values()) {
        if (expiresAtMs <= nowMs) endToken(this.door, desk, tokenHash, 'TOKEN_EXPIRED');
      }
    }
  }

  revoked(hash: string): void {
    for (const desk of this.desks()) {
      if (desk.revoking !== hash && usesToken(desk, hash)) endToken(this.door, desk, hash, 'TOKEN_REVOKED');
    }
  }

  /** Reads the next slice of the tokens in use again, in one pipeline; all of them in SLICES calls. Never two at a time. */
  async reread(): Promise<void> {
    const { store, log } = this.door.services;
    if (this.reading || !store.isUp()) return;
    if (this.due.length === 0) {
      this.due = [...new Set([...this.desks()].flatMap(hashesOf))];
      this.slice = Math.ceil(this.due.length / SLICES);
    }
    const hashes = this.due.splice(0, this.slice);
    if (hashes.length === 0) return;
    this.reading = true;
    try {
      const records = await store.tokens.readMany(hashes);
      records.forEach((record, i) => {
        if (record === undefined || record.state === 'revoked') this.revoked(hashes[i]!);
      });
    } catch (error) {
      log.warn(
        { fault: error instanceof Error ? error.name : 'unknown' },
        'tokens could not be read again; trying in a second',
      );
    } finally {
      this.reading = false;
    }
  }
}

function hashesOf(desk: Desk): string[] {
  const hashes = [...desk.streams.values()].map((stream) => stream.tokenHash);
  return desk.token ? [desk.token.hash, ...hashes] : hashes;
}

function usesToken(desk: Desk, hash: string): boolean {
  return hashesOf(desk).includes(hash);
}
