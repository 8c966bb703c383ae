/**
 * Ends the streams of tokens that have ended: at their expiry, at the store's word of a revocation, and, should that be lost, by looking
 * each second whether anything has been revoked. A store that is away ends nothing.
 */
import type { Services } from '../../engine/service/services.js';
import { CLOSE, type Viewer } from './viewer.js';

const LOOK_MS = 1_000;
/** However quiet, every token is read again after so many looks. */
const QUIET_LOOKS = 10;

export class TokenEnds {
  readonly #timer: NodeJS.Timeout;
  readonly #unlisten: () => void;
  #revocations: string | undefined;
  #quietLooks = 0;
  #isLooking = false;

  constructor(
    private readonly services: Services,
    private readonly viewers: () => Iterable<Viewer>,
  ) {
    this.#unlisten = services.store.tokens.onRevoked((hash) => this.#revoked(hash));
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
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

  async #look(): Promise<void> {
    const { store, now, log } = this.services;
    for (const viewer of this.viewers())
      if (viewer.caller.expiresAtMs <= now()) viewer.close(CLOSE.TOKEN, 'The login has expired');
    const hashes = new Set([...this.viewers()].map(({ caller }) => caller.tokenHash));
    if (hashes.size === 0 || this.#isLooking || !store.isUp()) return;
    this.#isLooking = true;
    try {
      const revocations = await store.tokens.revocations();
      if (revocations === this.#revocations && ++this.#quietLooks < QUIET_LOOKS) return;
      // At most as many as there may be viewers.
      const asked = [...hashes];
      const read = await store.tokens.readMany(asked);
      for (const [i, record] of read.entries())
        if (record === undefined || record.state !== 'live') this.#revoked(asked[i]!);
      this.#revocations = revocations;
      this.#quietLooks = 0;
    } catch (error) {
      log.warn({ fault: error instanceof Error ? error.name : 'unknown' }, 'tokens of pages could not be read again');
    } finally {
      this.#isLooking = false;
    }
  }
}
