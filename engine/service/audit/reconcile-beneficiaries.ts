/** Compares stored beneficiaries with the index of their accounts, and payments with the versions that they used. */
import type { BeneficiaryDetails } from '../../domain/beneficiaries/beneficiary.js';
import type { Client } from '../../store/access/clients.js';
import { StoreUnavailable } from '../../store/connection/errors.js';
import { decodeOrUndefined } from '../../store/connection/fields.js';
import { accountHash } from '../beneficiaries/index.js';
import type { Services } from '../core/services.js';
import { listPages, type Pace } from './list-pages.js';
import { type Differing, difference, NONE } from './recompute.js';

/** Each listed beneficiary is readable and unaltered, and the index of accounts has its account, and no other. */
export async function compareBeneficiaries(
  { store }: Services,
  client: Client,
  pace: Pace,
): Promise<readonly Differing[]> {
  const { beneficiaries, lists, subKey } = store;
  const found: Differing[] = [];
  let listed = 0;
  for await (const ids of listPages(store, client, 'beneficiaries', pace)) {
    listed += ids.length;
    for (const id of ids) {
      const stored = await beneficiaries.stored(client, id).catch(unlessUnavailable);
      const account = stored && decodeOrUndefined(() => accountHash(subKey, stored.beneficiary));
      if (stored === undefined || account === undefined)
        found.push([
          `list of beneficiaries: record of ${id}`,
          'a beneficiary as it was stored',
          'none, or an altered one',
        ]);
      else if (stored.account !== account || stored.indexed !== id)
        found.push([`beneficiary ${id}: account`, `the index has it for ${id}`, stored.indexed ?? NONE]);
    }
  }
  if (listed === 0 && (await beneficiaries.accounts(client)) === 0) return found;
  // One that was created or changed between the two reads is no difference.
  const [accounts, all] = [await beneficiaries.accounts(client), await lists.count(client, 'beneficiaries', {})];
  if (accounts !== all.all && accounts !== listed)
    found.push(['index of accounts of beneficiaries', String(all.all), String(accounts)]);
  return [...found, ...(await comparePayments(store, client, pace))];
}

/** Each payment that names a beneficiary has the fields of the version that it shows. */
async function comparePayments(store: Services['store'], client: Client, pace: Pace): Promise<Differing[]> {
  const found: Differing[] = [];
  for await (const ids of listPages(store, client, 'payments', pace)) {
    // What cannot be read is found by the replay of the journal.
    const read = ids.map((id) => store.payments.read(client, id).catch(unlessUnavailable));
    for (const payment of await Promise.all(read)) {
      const { beneficiaryId, beneficiaryVersion = 0 } = payment?.payee ?? {};
      if (payment === undefined || beneficiaryId === undefined) continue;
      const version = await store.beneficiaries
        .readVersion(client, beneficiaryId, beneficiaryVersion)
        .catch(unlessUnavailable);
      const what = `payment ${payment.id}: beneficiary ${beneficiaryId} version ${beneficiaryVersion}`;
      if (version === undefined) found.push([what, 'a version of a beneficiary', NONE]);
      else found.push(...difference(what, named(version.details), named(payment.details)));
    }
  }
  return found;
}

/** Who is paid: what a difference may show. Of an account the last four characters. */
function named({ beneficiary }: Pick<BeneficiaryDetails, 'beneficiary'>): string {
  const { name = '', countryCode = '', accountNumber, walletId, cardNumber } = beneficiary;
  const account = accountNumber ?? walletId ?? cardNumber ?? '';
  return `${name}, ${countryCode}, ${account.length} characters, ${account.slice(-4)}`;
}

/** Of an altered record. */
function unlessUnavailable(error: unknown): undefined {
  if (error instanceof StoreUnavailable) throw error;
  return undefined;
}
