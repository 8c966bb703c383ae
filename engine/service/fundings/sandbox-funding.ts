/** In a sandbox nobody sends money: a funding is found there, or not, by itself. */
import { isRefusal } from '../../domain/refusal.js';
import type { Client } from '../../store/access/clients.js';
import type { Services } from '../core/services.js';
import { moveFunding } from './move-funding.js';

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
