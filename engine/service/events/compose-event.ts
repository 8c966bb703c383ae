/**
 * The resource of an event as it was at that moment, and as it was before: composed from its immutable facts and from what the event has of
 * its own. One table has a composer for each family of types.
 */

import type { Batch } from '../../domain/batches/batch.js';
import type { Beneficiary, BeneficiaryStatus } from '../../domain/beneficiaries/beneficiary.js';
import { asAmended } from '../../domain/conversions/amendment.js';
import type { Booking, HoldStatus } from '../../domain/conversions/booking.js';
import { type EventFamily, familyOf } from '../../domain/events/events.js';
import type { Funding, FundingStatus } from '../../domain/fundings/funding.js';
import { type Payment, paymentAt } from '../../domain/payments/payment.js';
import type { PaymentStatus, PaymentSubStatus } from '../../domain/payments/payment-status.js';
import type { Client } from '../../store/access/clients.js';
import type { Account } from '../../store/accounts/accounts.js';
import { batchState } from '../../store/batches/batches.js';
import type { HeldRate } from '../../store/conversions/holds.js';
import { bothTexts, type ClientEvent } from '../../store/events/events.js';
import { type WebhookState, webhookState } from '../../store/webhooks/webhooks.js';
import type { Services } from '../core/services.js';

/** A client key as its events show it. */
interface KeyState {
  readonly clientKey: string;
  readonly liveSecrets: number;
  readonly revoked: boolean;
}

/** Of an account that was credited: what of it repaid a receivable, and what is still owed in its currency, minor units. */
interface Repaid {
  readonly accountNumber: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly owed: bigint;
  /** What the credit was for, as its statement has it. */
  readonly reference: string;
}

/** What each family shows. An object of its own is stored with the event, as the interface has it. */
export interface Subjects {
  readonly payment: Payment;
  readonly conversion: Booking;
  readonly hold: HeldRate;
  readonly funding: Funding;
  readonly account: Account;
  readonly receivable: Repaid;
  readonly key: KeyState;
  readonly beneficiary: Beneficiary;
  readonly verification: object;
  readonly batch: Batch;
  readonly limit: object;
  readonly webhook: WebhookState;
  readonly test: object;
}

/** `before` is absent where the event is the resource's first. */
export interface Composed<Subject> {
  readonly now: Subject;
  readonly before?: Subject | undefined;
}

type Composer<Subject> = (
  services: Pick<Services, 'store'>,
  client: Client,
  event: ClientEvent,
) => Promise<Composed<Subject> | undefined> | Composed<Subject> | undefined;

const COMPOSERS: { readonly [Family in EventFamily]: Composer<Subjects[Family]> } = {
  async payment({ store }, client, { resource, atMs, more }) {
    const payment = await store.payments.read(client, resource);
    if (payment === undefined) return undefined;
    const [now, before] = bothTexts(more);
    return {
      now: paymentAt(paymentIn(payment, now), atMs),
      before: before === '' ? undefined : paymentIn(payment, before),
    };
  },
  async conversion({ store }, client, { resource, more }) {
    const [status, settledAt, length, ...before] = more.split('|');
    const states = [[status, settledAt, length], ...(before.length > 0 ? [before] : [])];
    const past = await store.bookings.past(client, resource, states as string[][]);
    return past && { now: asAmended(past[0]!), before: past[1] && asAmended(past[1]) };
  },
  async hold({ store }, client, { resource, more }) {
    const held = await store.holds.read(client, resource);
    const [now, before] = more.split('|') as HoldStatus[];
    return held && { now: { ...held, status: now! }, before: before && { ...held, status: before } };
  },
  async funding({ store }, client, { resource, more }) {
    const funding = await store.fundings.read(client, resource);
    const [status, at, before, beforeAt] = more.split('|');
    const as = (status: string, at: string | undefined): Funding => ({
      ...funding!,
      status: status as FundingStatus,
      updatedAtMs: Number(at),
    });
    return funding && { now: as(status!, at), before: before === undefined ? undefined : as(before, beforeAt) };
  },
  account(_services, _client, { type, resource, more }) {
    const [now, before] = type === 'account.opened' ? [more] : bothTexts(more);
    return { now: accountIn(resource, now!), before: before === undefined ? undefined : accountIn(resource, before) };
  },
  receivable(_services, _client, { resource: accountNumber, more }) {
    const [currency = '', amount = '0', owed = '0', ...reference] = more.split('|');
    return {
      now: { accountNumber, currency, amount: BigInt(amount), owed: BigInt(owed), reference: reference.join('|') },
    };
  },
  key(_services, _client, { type, resource: clientKey, more }) {
    const before = { clientKey, liveSecrets: Number(more), revoked: false };
    if (type === 'key.rotated') return { now: { ...before, liveSecrets: 2 }, before };
    return { now: { clientKey, liveSecrets: 0, revoked: true }, before };
  },
  async beneficiary({ store }, client, { resource, atMs, more }) {
    const [version, status, before] = more.split('|');
    const at = async (version: number, status: string | undefined): Promise<Beneficiary | undefined> => {
      const found = await store.beneficiaries.readVersion(client, resource, version);
      return found && { ...found, status: status as BeneficiaryStatus, updatedAtMs: atMs };
    };
    const now = await at(Number(version), status);
    return now && { now, before: before ? await at(Number(version) - 1, before) : undefined };
  },
  async batch({ store }, client, { resource, more }) {
    const batch = await store.batches.read(client, resource);
    const [now, before] = bothTexts(more);
    return (
      batch && {
        now: { ...batch, ...batchState(now) },
        before: before === '' ? undefined : { ...batch, ...batchState(before) },
      }
    );
  },
  webhook(_services, _client, { resource, more }) {
    const [now, before] = bothTexts(more);
    return { now: webhookState(resource, now), before: before === '' ? undefined : webhookState(resource, before) };
  },
  verification: stored,
  limit: stored,
  test: stored,
};

/** A JSON object. */
function stored(_services: unknown, _client: Client, { more }: ClientEvent): Composed<object> {
  return { now: JSON.parse(more) as object };
}

/** The resource of an event at its moment; undefined: it is no longer kept. */
export async function composeEvent(
  services: Pick<Services, 'store'>,
  client: Client,
  event: ClientEvent,
): Promise<Composed<Subjects[EventFamily]> | undefined> {
  return COMPOSERS[familyOf(event.type)](services, client, event);
}

/** From `<status>|<sub status>|<updated at>|<the bank's reference>|<description>`, as payments.lua writes it. */
function paymentIn(payment: Payment, text: string): Payment {
  const [status, subStatus, at, bankReference = '', ...description] = text.split('|');
  const state = {
    status: status as PaymentStatus,
    subStatus: subStatus as PaymentSubStatus,
    updatedAtMs: Number(at),
    bankReference,
    description: description.join('|'),
  };
  const isFunded = status !== 'AWAITING_FUNDS';
  return { ...payment, ...state, ...(!isFunded && { amount: '', toTransit: '', toFees: '', bookingIds: [] }) };
}

/** From `EUR 1 0 1 label`: currency, active, sequence, default, label. */
function accountIn(number: string, text: string): Account {
  const [, currency = '', active, sequence, isDefault, label = ''] =
    /^([A-Z]{3}) ([01]) (\d+) ([01]) (.*)$/s.exec(text) ?? [];
  return {
    number,
    currency,
    active: active === '1',
    isDefault: isDefault === '1',
    autoBookFxSequence: Number(sequence),
    label,
  };
}
