import { z } from 'zod';
import { type Refusal, refuse } from '../../domain/refusal.js';
import type { KeyRecord } from '../../store/access/client-keys.js';
import { knownText } from '../core/inputs.js';
import type { Audited } from '../core/operation.js';
import type { Services } from '../core/services.js';

/** By its name alone: whatever was typed, the store knows it or not. */
export const KEY_INPUT = z.object({ clientKey: knownText(128) });

/** A change of one key. */
export const keyAudited: Audited<z.infer<typeof KEY_INPUT>> = {
  subject: ({ clientKey }) => `key ${clientKey}`,
  state: ({ store }, { clientKey }) => store.keys.read(clientKey),
};

/** A key that may still be changed. Refuses with UNKNOWN_KEY, WRONG_STATE (it is revoked). */
export async function liveKey({ store }: Pick<Services, 'store'>, clientKey: string): Promise<KeyRecord | Refusal> {
  const key = await store.keys.read(clientKey);
  if (key === undefined) return refuse('UNKNOWN_KEY');
  return key.revoked ? refuse('WRONG_STATE', 'The key is revoked, for good: issue a new one') : key;
}
