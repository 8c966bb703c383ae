/**
 * Ends the streams of tokens that have ended: at their expiry, at the store's word of a revocation, and, should that be lost, by looking
 * each second whether anything has been revoked; and those of keys that may not be used from there any more. A store that is away ends
 * nothing.
 */
import { isAllowed } from '../../engine/service/core/address-list.js';
import type { Services } from '../../engine/service/core/services.js';
import { CLOSE, type Viewer } from './viewer.js';

const LOOK_MS = 1_000;
/** However quiet, every token is read again after so many looks. */
const QUIET_LOOKS = 10;

export class TokenEnds {
  readonly #timer: NodeJS.Timeout;
  readonly #unlisten: () => void;
  #revocations: string | undefined;
  /** Of the last time that tokens were read. */
  #known: ReadonlySet<string> = new Set();
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

  /** A key may be revoked by now, or its addresses be others. */
  async #judgeKeys(): Promise<void> {
    const { keys } = this.services.store;
    const viewers = [...this.viewers()];
    const read = await Promise.all(viewers.map(({ caller }) => keys.believed(caller.keyId)));
    for (const [i, key] of read.entries()) {
      const viewer = viewers[i]!;
      if (key && (key.revoked || !isAllowed(key.addresses, viewer.caller.address)))
        viewer.close(CLOSE.TOKEN, 'Your key may not be used any more, or not from here');
    }
  }

  async #look(): Promise<void> {
    const { store, now, log } = this.services;
    for (const viewer of this.viewers())
      if (viewer.caller.expiresAtMs <= now()) viewer.close(CLOSE.TOKEN, 'The login has expired');
    const hashes = new Set([...this.viewers()].map(({ caller }) => caller.tokenHash));
    if (hashes.size === 0 || this.#isLooking || !store.isUp()) return;
    this.#isLooking = true;
    try {
      await this.#judgeKeys();
      const revocations = await store.tokens.revocations();
      // A page that has come since the last look may stand on what was revoked before it.
      const isQuiet = revocations === this.#revocations && [...hashes].every((hash) => this.#known.has(hash));
      if (isQuiet && ++this.#quietLooks < QUIET_LOOKS) return;
      // At most as many as there may be viewers.
      const asked = [...hashes];
      const read = await store.tokens.readMany(asked);
      for (const [i, record] of read.entries())
        if (record === undefined || record.state !== 'live') this.#revoked(asked[i]!);
      this.#revocations = revocations;
      this.#known = hashes;
      this.#quietLooks = 0;
    } catch (error) {
      log.warn({ fault: error instanceof Error ? error.name : 'unknown' }, 'tokens of pages could not be read again');
    } finally {
      this.#isLooking = false;
    }
  }
}
