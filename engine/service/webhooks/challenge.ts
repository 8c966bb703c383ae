/** A challenge of an endpoint's URL: a random text that it must answer with before it gets events. */
import { randomBytes } from 'node:crypto';
import { ATTEMPTS_KEPT, type Attempt, type Webhook } from '../../domain/webhooks/webhook.js';
import { newId } from '../core/ids.js';
import { type SendOptions, send } from './send.js';
import { type SigningKey, signedHeaders } from './signatures.js';

const CHALLENGE_BYTES = 32;

/**
 * Sends a challenge of its own, and resolves with what came of it. It is answered by 2xx and the text, alone or as the member `challenge` of a
 * JSON object. Never rejects.
 */
export async function sendChallenge(
  url: string,
  webhookId: string,
  keys: readonly SigningKey[],
  sending: SendOptions,
): Promise<Attempt> {
  const atMs = Date.now();
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
  const body = JSON.stringify({
    type: 'webhook.challenge',
    timestamp: new Date(atMs).toISOString(),
    sequence: 0,
    challenge,
    data: { object: { webhook_id: webhookId }, previous: {} },
  });
  const headers = signedHeaders(keys, newId('CHL', atMs), atMs, body);
  const { httpStatus, reason, text } = await send(url, headers, body, { ...sending, readsAnswer: true });
  return { atMs, httpStatus, reason: reason === '' && !isEcho(text, challenge) ? 'challenge' : reason };
}

function isEcho(text: string, challenge: string): boolean {
  if (text.trim() === challenge) return true;
  try {
    return (JSON.parse(text) as { readonly challenge?: unknown } | null)?.challenge === challenge;
  } catch {
    return false;
  }
}

/** The newest of its attempts, oldest first. */
export const withAttempt = ({ challenge }: Webhook, attempt: Attempt): readonly Attempt[] =>
  [...(challenge?.attempts ?? []), attempt].slice(-ATTEMPTS_KEPT);
