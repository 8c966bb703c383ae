import { type Refusal, refuse } from '../../domain/refusal.js';
import { StoreKeyFault, StoreUnavailable } from '../../store/connection/errors.js';
import type { Services } from './services.js';

/** An operator has to mend the key first. */
const MENDED_AFTER = { retryAfterS: 30, outcome: 'none' } as const;
const NOT_WRITABLE = 'A record cannot be written: nothing was done; tell us, and send the same request again later';

/**
 * What the store answers; STORE_UNAVAILABLE when it is away, or when a key holds another type than a step writes: outcome `none`. Any other
 * error is a bug and is thrown on.
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
