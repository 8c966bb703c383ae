/** Taking a funding further: what the operator's commands and the sandbox have in common. */
import { FUNDING_FROM, type Funding, type FundingStatus } from '../../domain/funding.js';
import { type Refusal, refuse } from '../../domain/refusal.js';
import type { Client } from '../../store/access/clients.js';
import type { FundingMoveOutcome } from '../../store/ledger/fundings.js';
import { insufficientBalance } from '../core/booking-refusal.js';
import { DEACTIVATED } from '../core/of-all-clients.js';
import type { Services } from '../core/services.js';

export interface FundingDecision {
  readonly to: Exclude<FundingStatus, 'PENDING'>;
  readonly actor: string;
  readonly reason: string;
  readonly allowReceivable?: boolean | undefined;
}

/**
 * One that is there already is the same answer again. Refuses with WRONG_STATE, ACCOUNT_INACTIVE, INSUFFICIENT_BALANCE, BALANCE_LIMIT.
 */
export async function moveFunding(
  { store }: Services,
  client: Client,
  funding: Funding,
  decision: FundingDecision,
): Promise<{ readonly clientId: string; readonly funding: Funding } | Refusal> {
  const outcome = await store.fundings.move(client, funding, decision);
  if (outcome.kind === 'refused') return refused(outcome, decision);
  return { clientId: client.id, funding: outcome.funding };
}

function refused({ code, more }: FundingMoveOutcome & { kind: 'refused' }, { to }: FundingDecision): Refusal {
  if (code === 'WRONG_STATE')
    return refuse(code, `The funding is ${more}: only a ${FUNDING_FROM[to]} one becomes ${to}`);
  if (code === 'ACCOUNT_INACTIVE') return DEACTIVATED;
  return code === 'INSUFFICIENT_BALANCE' ? insufficientBalance(more, USED) : refuse(code);
}

const USED = 'the money has been used since; --allow-receivable takes the rest as what the client owes';
