/** The faults of a requested payment by all rules, for this client now. */

import { isOfBeneficiary } from '../../domain/beneficiaries/beneficiary.js';
import { isRefusal, type Refusal } from '../../domain/core/refusal.js';
import { checkPayment } from '../../domain/payments/check/check-payment.js';
import type { CheckContext, Finding } from '../../domain/payments/check/context.js';
import { usdWorth } from '../../rates/usd-worth.js';
import type { Client } from '../../store/access/clients.js';
import { conflictFaults } from '../beneficiaries/index.js';
import { type Caller, clientOf } from '../core/caller.js';
import type { InputFaults } from '../core/operation.js';
import type { ResolvedBeneficiary } from '../core/payment-parts.js';
import type { Services } from '../core/services.js';

type Version = 1 | 2;

/** For an operation that makes the payment: warnings are left out. */
export const paymentFaults =
  (version: Version) =>
  async (services: Services, caller: Caller, input: unknown): Promise<InputFaults | Refusal> => {
    const checked = await check(services, caller, version, input);
    return isRefusal(checked) ? checked : { faults: checked.faults };
  };

/** For a dry run. */
export const paymentFaultsAndWarnings =
  (version: Version) =>
  (services: Services, caller: Caller, input: unknown): Promise<InputFaults | Refusal> =>
    check(services, caller, version, input);

async function check(
  services: Services,
  caller: Caller,
  version: Version,
  input: unknown,
): Promise<Required<InputFaults> | Refusal> {
  const client = await clientOf(services, caller);
  if (isRefusal(client)) return client;
  const account =
    version === 2 ? (input as { readonly sourceAccount?: unknown } | undefined)?.sourceAccount : undefined;
  const sourceCurrency =
    typeof account === 'number' ? await services.store.accounts.currencyOf(client, String(account)) : undefined;
  const { findings, warnings } = checkPayment({ version, input }, checkContext(services, client, sourceCurrency));
  const { resolved, beneficiaryId, beneficiaryVersion } = (input ?? {}) as {
    readonly resolved?: ResolvedBeneficiary;
    readonly beneficiaryId?: unknown;
    readonly beneficiaryVersion?: unknown;
  };
  if (resolved === undefined) {
    // A beneficiary is named, by a value of another type: its fields need not be sent.
    const isNamed = beneficiaryId !== undefined && beneficiaryId !== '';
    const isNeeded = ({ field, code }: Finding) => !isNamed || code !== 'field_missing' || !isOfBeneficiary(field);
    const ofVersion = isNamed || beneficiaryVersion === undefined ? [] : [VERSION_ALONE];
    return { faults: [...ofVersion, ...findings.filter(isNeeded)], warnings };
  }
  // What an unknown beneficiary lacks is no fault of the body.
  const concerns = ({ field }: Finding) => resolved.refusal === undefined || !isOfBeneficiary(field);
  const toChange = (finding: Finding) =>
    isOfBeneficiary(finding.field)
      ? { ...finding, message: `${finding.message}: change the beneficiary ${resolved.id}` }
      : finding;
  const faults = findings.filter(concerns).map(toChange);
  return { faults: [...conflictFaults(resolved), ...faults], warnings: warnings.filter(concerns) };
}

const VERSION_ALONE = {
  field: 'beneficiaryVersion',
  code: 'invalid_combination',
  message: 'sent without beneficiary_id: send both',
} as const;

function checkContext(services: Services, client: Client, sourceCurrency: string | undefined): CheckContext {
  const { ukModulus, thresholdsUsd } = services.settings;
  return {
    now: services.now(),
    onBehalf: client.onBehalf,
    allowTruncation: client.allowTruncation,
    clientName: client.name,
    sourceCurrency,
    usdEquivalent: (amount, currency) => usdEquivalent(services, amount, currency),
    ukModulus,
    thresholds: thresholdsUsd,
  };
}

/**
 * Approximate US dollars of an amount in units of its currency, only for comparison with the thresholds of a payment's checks. Undefined
 * where no provider quotes the currency: then a threshold counts as reached.
 */
export function usdEquivalent({ book }: Pick<Services, 'book'>, amount: number, currency: string): number | undefined {
  return usdWorth(book, currency)?.mul(amount).toNumber();
}
