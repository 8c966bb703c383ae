/** Compares the answers that the client got about a payment with its outcome. */
import type { PaymentIntent } from './payment-log.js';
import type { PaymentTrail } from './payment-trail.js';

/** Refusals that a payment of these callers may get. */
const FAIR = new Set(['HOLD_EXPIRED']);

/** Undefined: no fault. */
export function intentFault(intent: PaymentIntent, trail: PaymentTrail | undefined): string | undefined {
  const { told, number } = intent;
  for (const one of told) {
    if ('paymentId' in one && one.paymentId !== trail?.id) return `answered ${one.paymentId}, it is ${trail?.id}`;
    if (one.kind === 'refused' && !FAIR.has(one.code)) return `refused with ${one.code}`;
    if (one.kind === 'duplicate' && one.requestId !== number)
      return `answered ${one.requestId} for the first request id`;
  }
  if (told.filter(({ kind }) => kind === 'created').length > 1) return 'answered twice as created';
  if (intent.sent === 1 && told[0]?.kind === 'duplicate') return 'sent once, and answered as a duplicate';
  if (!trail) return undefined;
  if (intent.mustNotExist)
    return `only ever answered ${told.map(({ kind }) => kind).join(', ') || 'nothing'}, and it is ${trail.id}`;
  return createdFault(intent, trail) ?? askedFault(intent, trail);
}

function createdFault(
  { created, number }: PaymentIntent,
  { id, facts, firstStatus }: PaymentTrail,
): string | undefined {
  if (!created) return undefined;
  const { body } = created;
  const expected = {
    reference_number: number,
    payment_id: id,
    status: firstStatus,
    sub_status: '',
    currency: facts.currency,
    created_at: timeOf(facts.createdAtMs),
    ...(facts.version === 2 && { hold_fx_expires_on: facts.holdId === '' ? '' : timeOf(facts.holdExpiryMs) }),
  };
  for (const [field, value] of Object.entries(expected))
    if (body[field] !== value) return `answered ${field} ${String(body[field])}, and it is ${value}`;
  return undefined;
}

/** In the time format of the interface. */
const timeOf = (ms: number): string => new Date(ms).toISOString().replace('Z', '+00:00');

function askedFault(
  { cancels, answers }: PaymentIntent,
  { cancelled, answered, standing }: PaymentTrail,
): string | undefined {
  for (const [what, asked, happened] of [
    ['cancelled', cancels, cancelled],
    ['answered', answers, answered],
  ] as const) {
    const done = asked.filter((one) => one === 'done').length;
    if (happened > 1 || done > happened) return `answered ${done} times as ${what}, it was ${happened} times`;
    if (happened > 0 && done === 0 && !asked.includes('unknown'))
      return `${what}, and no answer said so: ${asked.join(', ')}`;
  }
  return cancelled > 0 && standing.status !== 'USER_REJECTED' ? `cancelled, and ${standing.status}` : undefined;
}
