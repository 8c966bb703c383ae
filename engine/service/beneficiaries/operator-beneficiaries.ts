/** Stored beneficiaries for the operator: listed and shown. */
import { z } from 'zod';
import { BENEFICIARY_STATUSES, type Beneficiary } from '../../domain/beneficiaries/beneficiary.js';
import { refuse } from '../../domain/core/refusal.js';
import { ACCOUNT_CURRENCY, CLIENT_ID, ID } from '../core/inputs.js';
import type { RecordKind } from '../core/lists.js';
import { defineOpenOperation } from '../core/operation.js';
import { defineListOfAll } from '../core/operator-lookup.js';

const KIND: RecordKind<Beneficiary, 'beneficiaries'> = {
  list: 'beneficiaries',
  noun: 'beneficiary',
  statuses: BENEFICIARY_STATUSES,
  currency: ACCOUNT_CURRENCY.optional(),
  currenciesOf: ({ currency }) => [currency],
  read: ({ store }, client, id) => store.beneficiaries.read(client, id),
};

/** Beneficiaries of one client or of all, newest first. Refuses with UNKNOWN_CLIENT. */
export const findBeneficiaries = defineListOfAll(KIND, (found) => ({
  beneficiaries: found.map(({ clientId, one }) => ({ clientId, beneficiary: one })),
}));

const A_VERSION = { error: 'a whole number from 1' };

/** A beneficiary, or an earlier version of it. Refuses with UNKNOWN_CLIENT, NOT_FOUND. */
export const showBeneficiary = defineOpenOperation({
  input: z.object({
    clientId: CLIENT_ID,
    beneficiaryId: ID,
    version: z.int(A_VERSION).min(1, A_VERSION).optional(),
  }),
  async execute({ store: { clients, beneficiaries } }, _operator, { clientId, beneficiaryId, version }) {
    const client = await clients.get(clientId);
    if (client === undefined) return refuse('UNKNOWN_CLIENT');
    const beneficiary =
      version === undefined
        ? await beneficiaries.read(client, beneficiaryId)
        : await beneficiaries.readVersion(client, beneficiaryId, version);
    if (beneficiary) return { beneficiary };
    return refuse(
      'NOT_FOUND',
      `No such beneficiary: \`ratewire beneficiaries list --client ${clientId}\` shows those there are`,
    );
  },
});
