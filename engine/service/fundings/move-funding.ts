/** Status changes of a funding: by an operator, or automatically in a sandbox, where no money is sent. */

import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import { FUNDING_FROM, type Funding, type FundingStatus } from '../../domain/fundings/funding.js';
import type { Client } from '../../store/access/clients.js';
import type { FundingMoveOutcome } from '../../store/fundings/fundings.js';
import { insufficientBalance } from '../core/booking-refusal.js';
import { DEACTIVATED } from '../core/operator-lookup.js';
import type { Services } from '../core/services.js';

export interface FundingDecision {
  readonly to: Exclude<FundingStatus, 'PENDING'>;
  readonly actor: string;
  readonly reason: string;
  readonly allowReceivable?: boolean | undefined;
}

/**
 * Repeating a change that is already made returns the same answer. Refuses with WRONG_STATE, ACCOUNT_INACTIVE, INSUFFICIENT_BALANCE,
 * BALANCE_LIMIT.
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

function refused({ code, more }: FundingMoveOutcome & { kind: 'refused' }, { to, actor }: FundingDecision): Refusal {
  const isOperator = actor === 'operator';
  if (code === 'WRONG_STATE')
    return refuse(code, `The funding is ${more}: only a ${FUNDING_FROM[to]} one becomes ${to}`);
  if (code === 'ACCOUNT_INACTIVE') return isOperator ? DEACTIVATED : refuse(code);
  return code === 'INSUFFICIENT_BALANCE'
    ? insufficientBalance(more, isOperator ? `${USED}; ${RECEIVABLE}` : USED)
    : refuse(code);
}

const USED = 'the money has been used since';
const RECEIVABLE = '--allow-receivable takes the rest as what the client owes';

/**
 * Words in the client's reference that make a sandbox leave the funding to the operator, or reject it. rest/README.md documents them for
 * integrators.
 */
const MANUAL = /MANUAL/;
const REJECTED = /REJECTED/;

/** When a sandbox completes a funding announced now; undefined: an operator decides. */
export function completesAtMs({ settings }: Services, reference: string, nowMs: number): number | undefined {
  const { sandboxFundingMs } = settings;
  return sandboxFundingMs === undefined || MANUAL.test(reference) ? undefined : nowMs + sandboxFundingMs;
}

/**
 * Completes or rejects a funding whose time has come; an operator's earlier decision stays. `later`: the account cannot take it now.
 * `nothing`: it is already decided, or this is no sandbox any more.
 */
export async function autoCompleteFunding(
  services: Services,
  client: Client,
  id: string,
): Promise<'done' | 'later' | 'nothing'> {
  if (services.settings.sandboxFundingMs === undefined) return 'nothing';
  const funding = await services.store.fundings.read(client, id);
  if (funding?.status !== 'PENDING') return 'nothing';
  const isRejected = REJECTED.test(funding.reference);
  const moved = await moveFunding(services, client, funding, {
    to: isRejected ? 'REJECTED' : 'COMPLETED',
    actor: 'sandbox',
    reason: isRejected ? 'The payment reference asks for it' : '',
  });
  if (!isRefusal(moved)) return 'done';
  return moved.refusal === 'WRONG_STATE' ? 'nothing' : 'later';
}
