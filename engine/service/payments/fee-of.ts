import type { FeeTerms } from '../../domain/fee.js';
import { feeTermsFor, type PaidWhere } from '../../domain/fee-rule.js';
import type { Client } from '../../store/access/clients.js';
import type { Services } from '../core/services.js';

/** What a payment of this client costs, by where and how it is paid out. A change is in force within a second. */
export async function feeOf({ store }: Services, client: Client, where: PaidWhere): Promise<FeeTerms> {
  return feeTermsFor(await store.fees.believed(client), where);
}
