import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '../engine/domain/refusal.js';

const MAX_BODY_BYTES = 65_536;
const ACCEPTED_TYPE = /^(application\/json|multipart\/form-data)\s*(;|$)/i;

/**
 * What is wrong with the body before it is read: its size, or a type that we do not take. Without a body any content-type is
 * fine. No operation here reads a body; what is sent all the same is let run out by the server, within its time limit.
 */
export function bodyFault({ headers }: IncomingMessage): Refusal | undefined {
  const length = Number(headers['content-length'] ?? 0);
  if (length > MAX_BODY_BYTES) return refuse('BODY_TOO_LARGE');
  if (length === 0 && headers['transfer-encoding'] === undefined) return undefined;
  if (!ACCEPTED_TYPE.test(headers['content-type'] ?? '')) return refuse('UNSUPPORTED_CONTENT_TYPE');
  return undefined;
}
