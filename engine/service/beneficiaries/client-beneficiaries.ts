import { z } from 'zod';
import {
  BENEFICIARY_STATUSES,
  type Beneficiary,
  type BeneficiaryStatus,
} from '../../domain/beneficiaries/beneficiary.js';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { payeeNumber } from '../../domain/payments/payment-details.js';
import type { Client } from '../../store/access/clients.js';
import { type Caller, clientOf } from '../core/caller.js';
import { fingerprintOf, newId } from '../core/ids.js';
import { boundedText, ID, patternText, REQUEST_ID, VERSION } from '../core/inputs.js';
import { listInput, type Page, readPage, someOf } from '../core/lists.js';
import { type Answer, type Audited, defineOperation } from '../core/operation.js';
import { AN_OBJECT, BENEFICIARY, DESTINATION, part } from '../core/payment-parts.js';
import type { Services } from '../core/services.js';
import { changedBy, withAudit } from '../core/with-audit.js';
import { beneficiaryFaults, fieldsOf, type Version, versionOf } from './beneficiary-version.js';

const NO_BENEFICIARY = refuse('NOT_FOUND', 'No such beneficiary of yours: check the id');
const FIELDS = {
  ...DESTINATION,
  beneficiary: part(z.strictObject(BENEFICIARY, AN_OBJECT), 'Who is paid'),
};

const CREATE = z.strictObject({
  requestId: REQUEST_ID.meta({
    description: 'Unique id of the request, chosen by the client: the same command again gets the first answer',
    examples: ['ben-20261120-0001'],
  }),
  ...FIELDS,
});

interface Answered {
  readonly beneficiary: Beneficiary;
}

interface Named {
  readonly clientId: string;
  readonly beneficiaryId: string;
  /** The fields that a change has changed. */
  readonly changed?: readonly string[];
}

const ENDING = 4;

/** Who is paid, as a batch shows it: of the account the last four characters. */
const auditedBeneficiary: Audited<Named> = {
  subject: ({ clientId, beneficiaryId }) => `beneficiary ${beneficiaryId} of client ${clientId}`,
  async state({ store }, { clientId, beneficiaryId }) {
    const client = await store.clients.get(clientId);
    const found = client && (await store.beneficiaries.read(client, beneficiaryId));
    if (found === undefined) return undefined;
    const { version, status, country, currency, method, details } = found;
    const { beneficiary } = details;
    const accountEnding = payeeNumber(method, beneficiary).slice(-ENDING);
    return { version, status, country, currency, method, payee: beneficiary.name, accountEnding };
  },
};

/** Makes a change of a beneficiary between two entries of the audit log. */
const audited = <Output>(
  services: Services,
  caller: Caller,
  name: string,
  named: Omit<Named, 'clientId'>,
  make: () => Answer<Output>,
): Promise<Output | Refusal> =>
  withAudit(services, name, auditedBeneficiary, { clientId: caller.clientId, ...named }, make, changedBy(caller));

/**
 * Stores a beneficiary, after the corridor's rules have passed it. With the same request id the same command is executed once. Refuses with
 * REQUEST_ID_REUSED, DUPLICATE_BENEFICIARY with the id of the one that has the account, BENEFICIARY_LIMIT.
 */
export const createBeneficiary = defineOperation({
  input: CREATE,
  right: 'manage',
  grows: true,
  faults: beneficiaryFaults,
  async execute(services, caller, input): Promise<(Answered & { readonly replayed: boolean }) | Refusal> {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const { store } = services;
    const { requestId, ...fields } = input;
    const createdAtMs = store.clock.now(client);
    const id = newId('BNF', createdAtMs);
    const version = versionOf(store.subKey, id, fields, caller.keyId);
    const { facts, account } = version;
    const { country, currency, method, details } = facts;
    const fingerprint = fingerprintOf(['beneficiary', account, country, currency, method, details]);
    const create = async () => {
      const created = await store.beneficiaries.create(client, { id, requestId, fingerprint, createdAtMs, ...version });
      if (created.kind === 'created' || created.kind === 'replayed')
        return { beneficiary: created.beneficiary, replayed: created.kind === 'replayed' };
      if (created.kind === 'duplicate') return duplicateOf(created.id);
      return refuse(created.kind === 'limit' ? 'BENEFICIARY_LIMIT' : 'REQUEST_ID_REUSED');
    };
    const isRepeated = await store.beneficiaries.isKnown(client, requestId);
    return isRepeated ? create() : audited(services, caller, 'createBeneficiary', { beneficiaryId: id }, create);
  },
});

const duplicateOf = (beneficiaryId: string): Refusal =>
  refuse('DUPLICATE_BENEFICIARY', undefined, { details: { beneficiaryId } });

/** A beneficiary, or an earlier version of it. Refuses with NOT_FOUND. */
export const readBeneficiary = defineOperation({
  input: z.object({
    beneficiaryId: ID,
    version: z
      .int({ error: 'a whole number from 1' })
      .min(1)
      .optional()
      .meta({ description: 'An earlier version, such as a payment shows; absent: the newest', examples: [1] }),
  }),
  right: 'manage',
  async execute(services, caller, { beneficiaryId, version }): Promise<Answered | Refusal> {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const { beneficiaries } = services.store;
    const beneficiary =
      version === undefined
        ? await beneficiaries.read(client, beneficiaryId)
        : await beneficiaries.readVersion(client, beneficiaryId, version);
    return beneficiary ? { beneficiary } : NO_BENEFICIARY;
  },
});

/** Newest first. Refuses with VALIDATION_FAILED for a cursor that is not of this list. */
export const listBeneficiaries = defineOperation({
  input: listInput({
    status: someOf(BENEFICIARY_STATUSES, 'Only beneficiaries with this status'),
    currency: patternText(/^[A-Z]{3}$/, 3, 'one code of three upper-case letters')
      .optional()
      .describe('Only beneficiaries that receive this currency'),
    country: patternText(/^[A-Z]{2}$/, 2, 'one code of two upper-case letters')
      .optional()
      .describe('Only beneficiaries in this country'),
    name: boundedText(140, '1 to 140 characters')
      .optional()
      .describe('Only beneficiaries whose name begins like this, in any case'),
  }),
  right: 'manage',
  async execute(services, caller, requested): Promise<Page<Beneficiary> | Refusal> {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    const { lists, beneficiaries } = services.store;
    const { status, currency, country, from: fromMs, to: toMs } = requested;
    const name = requested.name?.toLowerCase();
    const matches = (one: Beneficiary) =>
      (status === undefined || status.includes(one.status)) &&
      (currency === undefined || one.currency === currency) &&
      (country === undefined || one.country === country) &&
      (name === undefined || one.details.beneficiary.name?.toLowerCase().startsWith(name) === true);
    const filters = { status, currency, country, name, from: fromMs, to: toMs };
    return readPage(
      services,
      { clientId: client.id, list: 'beneficiaries', filters },
      requested,
      async (after, count) => {
        const found = await lists.page(client, 'beneficiaries', { fromMs, toMs }, after, count + 1);
        const records = await Promise.all(found.slice(0, count).map(({ id }) => beneficiaries.read(client, id)));
        return records.map((one, at) => ({
          item: one && matches(one) ? one : undefined,
          next: found[at + 1] && found[at]!.place,
        }));
      },
    );
  },
});

/**
 * Changes the fields that are sent; an empty text removes one. Refuses with NOT_FOUND, VERSION_CONFLICT, DUPLICATE_BENEFICIARY,
 * BENEFICIARY_LIMIT (too many changes).
 */
export const changeBeneficiary = defineOperation({
  input: z.strictObject({
    beneficiaryId: ID,
    version: VERSION,
    ...FIELDS,
    /** The record that the change was merged into: made by the operation, never sent. */
    current: z.custom<Beneficiary>().optional(),
  }),
  right: 'manage',
  grows: true,
  resolve: (services, caller, input) => withCurrent(services, caller, input as Sent),
  faults(services, caller, input) {
    // Without a record there is nothing whole to judge.
    return (input as Sent).current === undefined ? { faults: [] } : beneficiaryFaults(services, caller, input);
  },
  async execute(services, caller, { beneficiaryId, version, current, ...fields }) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    if (current === undefined) return NO_BENEFICIARY;
    const { subKey } = services.store;
    const changed = versionOf(subKey, beneficiaryId, fields, caller.keyId);
    const before = versionOf(subKey, beneficiaryId, fieldsOf(subKey, current), caller.keyId);
    // What was merged must be what is there: a change of the same moment is not overwritten.
    const expected = version ?? current.version;
    const names = changedNames(before, changed);
    if (names.length === 0) return change(services, client, current, { expected });
    return audited(services, caller, 'changeBeneficiary', { beneficiaryId, changed: names }, () =>
      change(services, client, current, { expected, changed }),
    );
  },
});

/** Names of what differs, not its values. `account`: another one is paid, and not the same in another notation. */
function changedNames(before: Version, changed: Version): string[] {
  const [was, is] = [flat(before), flat(changed)];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => was[name] !== is[name]).sort();
}

function flat({ account, facts: { country, currency, method, details } }: Version): Readonly<Record<string, string>> {
  const { beneficiary, ...routing } = details;
  const named = Object.entries(beneficiary).map(([name, value]) => [`beneficiary.${name}`, value]);
  const all = { account, country, destinationCurrency: currency, method, ...routing, ...Object.fromEntries(named) };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, JSON.stringify(value)]));
}

type Sent = Readonly<Record<string, unknown>>;

/** The fields that are sent over those that there are, so that the whole is validated. */
async function withCurrent(services: Services, caller: Caller, sent: Sent): Promise<unknown> {
  const client = await clientOf(services, caller);
  if (isRefusal(client)) return client;
  const { store } = services;
  const current = await store.beneficiaries.read(client, String(sent.beneficiaryId));
  if (current === undefined) return sent;
  const fields = fieldsOf(store.subKey, current);
  const { beneficiary = {} } = sent;
  const isObject = typeof beneficiary === 'object' && beneficiary !== null && !Array.isArray(beneficiary);
  const defined = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  const merged = isObject ? { ...fields.beneficiary, ...beneficiary } : beneficiary;
  return { ...fields, ...defined, beneficiary: merged, current };
}

/** Refuses payments that name it, until it is enabled; those that were made are paid. Refuses with NOT_FOUND, VERSION_CONFLICT. */
export const disableBeneficiary = statusChange('disableBeneficiary', 'DISABLED');
/** Refuses with NOT_FOUND, VERSION_CONFLICT. */
export const enableBeneficiary = statusChange('enableBeneficiary', 'ACTIVE');

function statusChange(name: string, status: BeneficiaryStatus) {
  return defineOperation({
    input: z.object({ beneficiaryId: ID, version: VERSION }),
    right: 'manage',
    async execute(services, caller, { beneficiaryId, version: expected }): Promise<Answered | Refusal> {
      const client = await clientOf(services, caller);
      if (isRefusal(client)) return client;
      const current = await services.store.beneficiaries.read(client, beneficiaryId);
      if (current === undefined) return NO_BENEFICIARY;
      const make = () => change(services, client, current, { status, expected });
      return current.status === status ? make() : audited(services, caller, name, { beneficiaryId }, make);
    },
  });
}

async function change(
  { store }: Services,
  client: Client,
  current: Beneficiary,
  wanted: Parameters<typeof store.beneficiaries.change>[2],
): Promise<Answered | Refusal> {
  const answer = await store.beneficiaries.change(client, current, wanted);
  switch (answer.kind) {
    case 'changed':
      return { beneficiary: answer.beneficiary };
    case 'same':
      return { beneficiary: current };
    case 'duplicate':
      return duplicateOf(answer.id);
    case 'missing':
      return NO_BENEFICIARY;
    case 'version':
      return refuse('VERSION_CONFLICT');
    case 'limit':
      return refuse('BENEFICIARY_LIMIT');
  }
}
