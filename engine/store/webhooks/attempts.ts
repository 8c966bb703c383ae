/** Attempts as records have them: `<at>,<status>,<reason>`, with semicolons between them. */
import type { Attempt } from '../../domain/webhooks/webhook.js';

export const attemptsText = (attempts: readonly Attempt[]): string =>
  attempts.map(({ atMs, httpStatus, reason }) => `${atMs},${httpStatus},${reason}`).join(';');

export const attemptsFrom = (text: string): Attempt[] => (text === '' ? [] : text.split(';').map(attemptFrom));

function attemptFrom(text: string): Attempt {
  const [at, status, reason] = text.split(',');
  return { atMs: Number(at), httpStatus: Number(status), reason: reason as Attempt['reason'] };
}
