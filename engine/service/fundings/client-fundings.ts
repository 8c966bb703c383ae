import { z } from 'zod';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { depositCurrency, FUNDING_STATUSES, type Funding, type FundingFacts } from '../../domain/fundings/funding.js';
import { parsePositive } from '../../domain/money/money.js';
import type { Client } from '../../store/access/clients.js';
import { type Caller, clientOf } from '../core/caller.js';
import { fingerprintOf, newId } from '../core/ids.js';
import {
  ABOVE_ZERO,
  ACCOUNT_CURRENCY,
  ACCOUNT_NUMBER,
  amountsAboveZero,
  BESIDE_OTHER_FAULTS,
  boundedText,
  ID,
  isNotAboveZero,
  REQUEST_ID,
} from '../core/inputs.js';
import { defineFind, defineList, type RecordKind } from '../core/lists.js';
import { defineOperation } from '../core/operation.js';
import type { Services } from '../core/services.js';
import { completesAtMs } from './move-funding.js';

const DEPOSIT_ACCOUNT = 'BankName-AccountNumber-Currency, such as DBS Bank-0012345678-USD';
const A_REFERENCE = '1 to 140 characters';

const INPUT = z.object({
  accountNumber: ACCOUNT_NUMBER,
  /** In units of the account's currency. */
  amount: z.number({ error: 'a number' }),
  depositAccount: boundedText(140, A_REFERENCE).refine((text) => depositCurrency(text) !== undefined, {
    error: DEPOSIT_ACCOUNT,
  }),
  reference: boundedText(140, A_REFERENCE).min(1, { error: A_REFERENCE }),
  requestId: REQUEST_ID.optional(),
});
type Command = z.infer<typeof INPUT>;
/** Parsed on its own, so that the deposit account is checked whatever else is wrong. */
const NAMED = INPUT.pick({ accountNumber: true, depositAccount: true });

/**
 * Announces money for an account of the caller; the balance rises when the funding completes. With a request id the same command is
 * executed once. Refuses with VALIDATION_FAILED (the deposit account takes another currency), REQUEST_ID_REUSED, UNKNOWN_ACCOUNT,
 * ACCOUNT_INACTIVE, BAD_AMOUNT.
 */
export const createFunding = defineOperation({
  input: INPUT.superRefine(amountsAboveZero('amount'), BESIDE_OTHER_FAULTS),
  right: 'pay',
  grows: true,
  async faults({ store }, { clientId }, input) {
    const named = NAMED.safeParse(input);
    const client = named.success ? await store.clients.cached(clientId) : undefined;
    if (!named.success || client === undefined) return { faults: [] };
    const currency = await store.accounts.currencyOf(client, String(named.data.accountNumber));
    const takes = depositCurrency(named.data.depositAccount);
    if (currency === undefined || takes === undefined || takes === currency) return { faults: [] };
    const message = `it takes ${takes}, and the account is in ${currency}`;
    const { amount } = input as { readonly amount?: unknown };
    return {
      faults: [
        { field: 'depositAccount', code: 'invalid_combination', message },
        ...(isNotAboveZero(amount) ? [{ field: 'amount', code: 'incorrect_value' as const, message: ABOVE_ZERO }] : []),
      ],
    };
  },
  async execute(services, caller, command) {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    return create(services, client, caller, command);
  },
});

async function create(
  services: Services,
  client: Client,
  { keyId }: Caller,
  command: Command,
): Promise<{ readonly funding: Funding; readonly replayed: boolean } | Refusal> {
  const { store } = services;
  const account = String(command.accountNumber);
  const currency = await store.accounts.currencyOf(client, account);
  const at = store.clock.now(client);
  const id = newId('GLR', at);
  const amount = currency === undefined ? refuse('UNKNOWN_ACCOUNT') : parsePositive(command.amount, currency);
  const outcome = await store.fundings.create(client, {
    id,
    account,
    fingerprint: fingerprint(command),
    requestId: command.requestId,
    actor: keyId,
    completesAtMs: completesAtMs(services, command.reference, at),
    ...(isRefusal(amount)
      ? { refusal: { code: amount.refusal, text: amount.text } }
      : { facts: factsOf(command, { id, account, currency: currency!, amount: String(amount), createdAtMs: at }) }),
  });
  if (outcome.kind === 'refused') return refuse(outcome.code, outcome.text || undefined);
  return { funding: outcome.funding, replayed: outcome.kind === 'replayed' };
}

function factsOf(
  { depositAccount, reference, requestId = '' }: Command,
  known: Omit<FundingFacts, 'depositAccount' | 'reference' | 'requestId'>,
): FundingFacts {
  return { ...known, depositAccount, reference, requestId };
}

/** Of the whole command; its first word distinguishes it from every other kind of command. */
function fingerprint({ accountNumber, amount, depositAccount, reference }: Command): string {
  return fingerprintOf(['funding', accountNumber, amount, depositAccount, reference]);
}

export const NO_FUNDING = refuse('NOT_FOUND', 'No such funding of yours: check the reference');

/** The current state of a funding of the caller. Refuses with NOT_FOUND. */
export const readFunding = defineFind({
  input: z.object({ fundingId: ID }),
  missing: NO_FUNDING,
  async find({ store }, client, { fundingId }) {
    const funding = await store.fundings.read(client, fundingId);
    return funding && { funding };
  },
});

export const FUNDINGS: RecordKind<Funding, 'fundings'> = {
  list: 'fundings',
  noun: 'funding',
  statuses: FUNDING_STATUSES,
  currency: ACCOUNT_CURRENCY.optional().describe('Only fundings in this currency'),
  currenciesOf: ({ currency }) => [currency],
  read: ({ store }, client, id) => store.fundings.read(client, id),
};
export const listFundings = defineList(FUNDINGS);
