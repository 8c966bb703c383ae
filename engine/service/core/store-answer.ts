import { type Refusal, refuse } from '../../domain/refusal.js';
import { StoreKeyFault, StoreUnavailable } from '../../store/connection/errors.js';
import type { Services } from './services.js';

/** An operator has to repair the key first. */
const MENDED_AFTER = { retryAfterS: 30, outcome: 'none' } as const;
const NOT_WRITABLE = 'A record cannot be written: nothing was done; tell us, and send the same request again later';

/**
 * The store's answer; STORE_UNAVAILABLE with outcome `none` when the store is unavailable, or when a key has another type than a step
 * writes. Any other error is a bug and is rethrown.
 */
export async function storeAnswer<T>(services: Pick<Services, 'log'>, ask: () => Promise<T> | T): Promise<T | Refusal> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof StoreKeyFault) {
      services.log.error({ role: error.role, err: error }, 'a step was not taken: an operator has to mend the store');
      return refuse('STORE_UNAVAILABLE', NOT_WRITABLE, MENDED_AFTER);
    }
    if (!(error instanceof StoreUnavailable)) throw error;
    services.log.warn({ outcome: error.outcome }, 'the store does not answer');
    return refuse('STORE_UNAVAILABLE', undefined, { retryAfterS: 1, outcome: error.outcome });
  }
}
