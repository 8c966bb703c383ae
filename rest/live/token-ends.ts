/**
 * Ends the streams of tokens that have ended: at their expiry, and at the notification of a revocation. Since a notification may be lost, it
 * also checks each second whether a token was revoked, and whether the key may still be used from the page's address. While the store does
 * not answer no stream is ended.
 */
import type { LiveSource } from './source.js';
import { CLOSE, type Viewer } from './viewer.js';

const CHECK_MS = 1_000;
/** However quiet, every token is read again after so many checks. */
const QUIET_CHECKS = 10;

export class TokenEnds {
  readonly #timer: NodeJS.Timeout;
  readonly #unlisten: () => void;
  #revocations: string | undefined;
  /** Of the last time that tokens were read. */
  #known: ReadonlySet<string> = new Set();
  #quietChecks = 0;
  #isChecking = false;

  constructor(
    private readonly source: LiveSource,
    private readonly viewers: () => Iterable<Viewer>,
  ) {
    this.#unlisten = source.access.onRevoked((hash) => this.#revoked(hash));
    this.#timer = setInterval(() => void this.#check(), CHECK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#unlisten();
  }

  #revoked(hash: string): void {
    for (const viewer of this.viewers())
      if (viewer.caller.tokenHash === hash) viewer.close(CLOSE.TOKEN, 'You were logged out');
  }

  /** A key may be revoked by now, or its addresses be others. */
  async #judgeKeys(): Promise<void> {
    const { access } = this.source;
    const viewers = [...this.viewers()];
    const may = await Promise.all(viewers.map(({ caller }) => access.mayUseKey(caller.keyId, caller.address)));
    for (const [i, viewer] of viewers.entries())
      if (!may[i]) viewer.close(CLOSE.TOKEN, 'Your key may not be used any more, or not from here');
  }

  async #check(): Promise<void> {
    const { access, log } = this.source;
    const nowMs = this.source.now();
    for (const viewer of this.viewers())
      if (viewer.caller.expiresAtMs <= nowMs) viewer.close(CLOSE.TOKEN, 'The login has expired');
    const hashes = new Set([...this.viewers()].map(({ caller }) => caller.tokenHash));
    if (hashes.size === 0 || this.#isChecking || !this.source.isStoreUp()) return;
    this.#isChecking = true;
    try {
      await this.#judgeKeys();
      const revocations = await access.revocations();
      // A page opened since the last check may use a token that was revoked before it.
      const isQuiet = revocations === this.#revocations && [...hashes].every((hash) => this.#known.has(hash));
      if (isQuiet && ++this.#quietChecks < QUIET_CHECKS) return;
      // At most as many as there may be viewers.
      const asked = [...hashes];
      const live = await access.areLive(asked);
      for (const [i, isLive] of live.entries()) if (!isLive) this.#revoked(asked[i]!);
      this.#revocations = revocations;
      this.#known = hashes;
      this.#quietChecks = 0;
    } catch (error) {
      log.warn({ fault: error instanceof Error ? error.name : 'unknown' }, 'tokens of pages could not be read again');
    } finally {
      this.#isChecking = false;
    }
  }
}
