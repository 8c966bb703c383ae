/** The fields of a stored beneficiary in the place of its id, before a command that names it is validated. */

import { type Beneficiary, DESTINATION_FIELDS } from '../../domain/beneficiaries/beneficiary.js';
import { type FieldFault, isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import type { Field } from '../../domain/payments/corridors/field.js';
import { type Caller, clientOf } from '../core/caller.js';
import type { ResolvedBeneficiary } from '../core/payment-parts.js';
import type { Services } from '../core/services.js';
import { fieldsOf } from './beneficiary-version.js';

type Sent = Readonly<Record<string, unknown>>;

/** Undefined: the input names none. An id that is unknown or disabled is refused when the other fields are right: `resolved` says why. */
export function resolveBeneficiary(services: Services, caller: Caller, input: unknown): Promise<unknown> | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { beneficiaryId, resolved: notOurs, ...sent } = input as Sent;
  if (typeof beneficiaryId === 'string' && beneficiaryId !== '') return resolve(services, caller, beneficiaryId, sent);
  return notOurs === undefined ? undefined : Promise.resolve({ ...sent, beneficiaryId });
}

async function resolve(services: Services, caller: Caller, beneficiaryId: string, sent: Sent): Promise<unknown> {
  const client = await clientOf(services, caller);
  if (isRefusal(client)) return client;
  const { stored, fieldsVersion = 0 } = (await services.store.beneficiaries.readToPay(client, beneficiaryId)) ?? {};
  const refusal = refusalOf(stored, sent.beneficiaryVersion);
  const fields = stored && refusal === undefined ? fieldsOf(services.store.subKey, stored) : undefined;
  const resolved: ResolvedBeneficiary = {
    id: beneficiaryId,
    version: stored?.version ?? 0,
    fieldsVersion,
    conflicts: conflictsOf(sent, fields?.destinationCurrency),
    ...(refusal && { refusal }),
  };
  const others = Object.fromEntries(Object.entries(sent).filter(([name]) => !OF_BENEFICIARY.has(name)));
  const own = relationshipIn(sent.beneficiary);
  const beneficiary = own === undefined ? fields?.beneficiary : { ...fields?.beneficiary, relationship: own };
  return { ...others, ...fields, ...(beneficiary && { beneficiary }), beneficiaryId, resolved };
}

function refusalOf(stored: Beneficiary | undefined, version: unknown): Refusal | undefined {
  if (stored === undefined) return refuse('UNKNOWN_BENEFICIARY');
  if (typeof version === 'number' && version !== stored.version) {
    const text = `The beneficiary has version ${stored.version}, and beneficiary_version is ${version}: read it again, then send the payment`;
    return refuse('VERSION_CONFLICT', text);
  }
  return stored.status === 'ACTIVE' ? undefined : refuse('BENEFICIARY_DISABLED');
}

/** What the remitter is to the beneficiary may differ from payment to payment. */
function relationshipIn(beneficiary: unknown): unknown {
  if (typeof beneficiary !== 'object' || beneficiary === null) return undefined;
  const { relationship } = beneficiary as Sent;
  return relationship === '' ? undefined : relationship;
}

const OF_BENEFICIARY: ReadonlySet<string> = new Set(['beneficiary', ...DESTINATION_FIELDS]);

/** The currency may be said again. */
function conflictsOf(sent: Sent, currency: string | undefined): Field[] {
  const beside = DESTINATION_FIELDS.filter((field) => isSent(sent[field])).filter(
    (field) => field !== 'destinationCurrency' || (currency !== undefined && sent[field] !== currency),
  );
  const { beneficiary = {} } = sent;
  const inner = typeof beneficiary === 'object' && beneficiary !== null ? Object.entries(beneficiary) : [['', 0]];
  const named = inner.filter(([name, value]) => isSent(value) && name !== 'relationship');
  return [...beside, ...named.map(([name]) => (name === '' ? 'beneficiary' : `beneficiary.${name}`) as Field)];
}

const isSent = (value: unknown): boolean => value !== undefined && value !== '';

/** The faults of fields that were sent beside the id. */
export const conflictFaults = ({ conflicts }: ResolvedBeneficiary): FieldFault[] =>
  conflicts.map((field) => ({
    field,
    code: 'invalid_combination',
    message:
      field === 'destinationCurrency'
        ? 'the beneficiary receives another currency'
        : 'send beneficiary_id or the fields of the beneficiary, not both',
  }));
