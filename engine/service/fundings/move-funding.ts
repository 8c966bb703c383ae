/** Moving a funding on: by an operator, or by the sandbox, where no money is sent and a funding completes by itself. */
import { FUNDING_FROM, type Funding, type FundingStatus } from '../../domain/funding.js';
import { isRefusal, type Refusal, refuse } from '../../domain/refusal.js';
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

/** Words in the client's reference: what a sandbox leaves to the operator, and what it refuses. rest/README.md has them for integrators. */
const MANUAL = /MANUAL/;
const REJECTED = /REJECTED/;

/** When a sandbox takes up what is announced now; undefined: an operator decides about it. */
export function takenUpAtMs({ settings }: Services, reference: string, nowMs: number): number | undefined {
  const { sandboxFundingMs } = settings;
  return sandboxFundingMs === undefined || MANUAL.test(reference) ? undefined : nowMs + sandboxFundingMs;
}

/**
 * Takes up a funding whose time has come; an operator who was faster is right. `later`: the account cannot take it now. `nothing`:
 * there is nothing to do, because it is decided, or because this is no sandbox any more.
 */
export async function takeUpFunding(
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
