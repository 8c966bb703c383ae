import { type Refusal, refuse } from '../domain/refusal.js';
import { StoreUnavailable } from '../store/errors.js';
import type { Services } from './services.js';

/** What the store answers; STORE_UNAVAILABLE when it is away. Any other error is a bug and goes on. */
export async function storeAnswer<T>(services: Pick<Services, 'log'>, ask: () => Promise<T> | T): Promise<T | Refusal> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    services.log.warn({ outcome: error.outcome }, 'the store does not answer');
    return refuse('STORE_UNAVAILABLE', undefined, { retryAfterS: 1, outcome: error.outcome });
  }
}
