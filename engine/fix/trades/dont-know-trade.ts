/** DontKnowTrade(Q): a desk does not know a conversion that it got a report of. The operator settles it with the desk. */

import type { MessageView } from 'node-quickfix-ts';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { perform } from '../../service/perform.js';
import { type FixContext, inOrder } from '../context.js';
import type { Desk } from '../desk.js';
import { executionNumber, onOneLine } from '../orders/execution-report.js';
import { BUSINESS_REASON } from '../refusals.js';
import { businessReject } from '../rejects.js';

const TEXT_MAX = 128;

/** It has no token: the session that got the report may answer it. */
export function handleDontKnowTrade(context: FixContext, desk: Desk, message: MessageView): void {
  const kept = message.copy();
  inOrder(context, desk, () => record(context, desk, kept), 'logged on or not');
}

async function record(context: FixContext, desk: Desk, message: MessageView): Promise<void> {
  const { services, counters } = context;
  const { compId, caller } = desk.identity;
  const [confirmationId = '', execId = ''] = [Tag.OrderID, Tag.ExecID].map((tag) => message.string(tag));
  const reason = message.string(Tag.DKReason) ?? '';
  const amendment = executionNumber(confirmationId, execId);
  const text = onOneLine(message.string(Tag.Text) ?? '').slice(0, TEXT_MAX);
  const trade = { confirmationId, amendment, reason, text, compId };
  const answer = amendment === undefined ? NOT_OURS : await perform(services, 'recordDontKnowTrade', caller, trade);
  if (isRefusal(answer)) {
    const refusal = answer.refusal === 'UNKNOWN_ORDER' ? NOT_OURS : answer;
    businessReject(context, desk, message, REASONS[refusal.refusal] ?? BUSINESS_REASON.other, refusal);
  } else if (answer.isNew) {
    counters.dontKnowTrades++;
    const { clientId } = caller;
    services.log.warn(
      { compId, client: clientId, orderId: confirmationId, execId, reason },
      'a desk does not know a trade',
    );
  }
}

const NOT_OURS = refuse('UNKNOWN_ORDER', 'OrderID(37) and ExecID(17) are not those of a trade of yours');

const REASONS: Partial<Record<Refusal['refusal'], number>> = {
  UNKNOWN_ORDER: BUSINESS_REASON.unknownId,
  STORE_UNAVAILABLE: BUSINESS_REASON.notAvailable,
  NOT_ENTITLED: BUSINESS_REASON.notAuthorized,
};
