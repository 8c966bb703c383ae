import { type Refusal, refuse } from '../../domain/refusal.js';
import { AuditLogUnavailable, StoreKeyFault, StoreUnavailable } from '../../store/connection/errors.js';
import type { Services } from './services.js';

/** An operator has to repair the key first. */
const MENDED_AFTER = { retryAfterS: 30, outcome: 'none' } as const;
const BAD_RECORD = 'A record has the wrong type: nothing was done; tell us, and send the same request again later';

/**
 * The store's answer; STORE_UNAVAILABLE with outcome `none` when the store or AUDIT_LOG is unavailable, or when a key has another type than
 * ratewire writes; the log names the cause for the operator. Any other error is a bug and is rethrown.
 */
export async function storeAnswer<T>(
  services: Pick<Services, 'log' | 'operator'>,
  ask: () => Promise<T> | T,
): Promise<T | Refusal> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof StoreKeyFault) {
      services.log.error(
        { role: error.role, err: error },
        'a key of the store has the wrong type: an operator has to repair it',
      );
      const text = services.operator === undefined ? BAD_RECORD : error.message;
      return refuse('STORE_UNAVAILABLE', text, MENDED_AFTER);
    }
    if (error instanceof AuditLogUnavailable) return refuse('STORE_UNAVAILABLE', error.message, MENDED_AFTER);
    if (!(error instanceof StoreUnavailable)) throw error;
    services.log.warn({ outcome: error.outcome }, 'the store does not answer');
    return refuse('STORE_UNAVAILABLE', undefined, { retryAfterS: 1, outcome: error.outcome });
  }
}
