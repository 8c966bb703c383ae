/** TradeCaptureReportRequest(AD), answered with TradeCaptureReportRequestAck(AQ) and TradeCaptureReport(AE). */

import type { Field, MessageView } from 'node-quickfix-ts';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import type { Trade, TradeRange } from '../../service/conversions/index.js';
import { mayPerform, perform } from '../../service/perform.js';
import { callerOf, type FixContext, inOrder, noteRefusal } from '../context.js';
import { type AnswerTo, answerTo, type Desk } from '../desk.js';
import { NO_SYMBOL } from '../fields.js';
import { FIX_REASONS } from '../refusals.js';
import { UNSUPPORTED_IN_TRADE_REQUEST, unsupportedField } from '../unsupported-fields.js';
import { beside, sendPaced, tooManyAnswers } from './paced-answer.js';
import { tradeReport } from './trade-report.js';

interface TradeRequest extends AnswerTo {
  /** TradeRequestType(569) as it was sent. */
  readonly type: string;
  readonly subscriptionType: string | undefined;
  readonly token: string | undefined;
}

/** The input of `findTrades`. */
interface Criteria {
  readonly fromDate?: string | undefined;
  readonly toDate?: string | undefined;
  readonly fromNumber?: number | undefined;
}

/** TradeRequestStatus(750). */
const ACCEPTED = 0;
const COMPLETED = 1;
const REJECTED = 2;

const readTradeRequest = (message: MessageView): TradeRequest => ({
  ...answerTo(message, Tag.TradeRequestID),
  type: message.string(Tag.TradeRequestType) ?? '',
  subscriptionType: message.string(Tag.SubscriptionRequestType),
  token: message.string(Tag.AuthToken),
});

export function handleTradeRequest(context: FixContext, desk: Desk, message: MessageView): void {
  const request = readTradeRequest(message);
  const criteria = criteriaOf(message, request);
  inOrder(context, desk, () => answer(context, desk, request, criteria));
}

/** The desk exceeds its message rate. */
export function rejectThrottledTradeRequest(context: FixContext, desk: Desk, message: MessageView): void {
  rejectRequest(context, desk, readTradeRequest(message), refuse('RATE_LIMITED'));
}

async function answer(
  context: FixContext,
  desk: Desk,
  request: TradeRequest,
  criteria: Criteria | Refusal,
): Promise<void> {
  const caller = await callerOf(context, desk, request.token);
  if (!desk.session.loggedOn) return;
  const no = (refusal: Refusal) => rejectRequest(context, desk, request, refusal);
  if (isRefusal(caller)) return no(caller);
  const missing = mayPerform('findTrades', caller);
  if (missing) return no(missing);
  if (isRefusal(criteria)) return no(criteria);
  const tooMany = tooManyAnswers(desk);
  if (tooMany) return no(tooMany);
  const range = await perform(context.services, 'findTrades', caller, criteria);
  if (isRefusal(range)) return no(range);
  acknowledge(desk, request, range);
  if (range.count === 0) return;
  const { id: requestId, route } = request;
  const total = range.count;
  const send = (trade: Trade, at: number) =>
    desk.session.send('AE', [...route, ...tradeReport(trade, { requestId, total, isLast: at === total })]);
  beside(context, desk, () => sendPaced(context, desk, caller, { range, send, sent: () => undefined, failed: no }));
}

/** Refuses with VALIDATION_FAILED, UNSUPPORTED_SUBSCRIPTION_TYPE, UNSUPPORTED_FIELD, in this order, and VALIDATION_FAILED for the criteria. */
function criteriaOf(message: MessageView, { type, subscriptionType = '0' }: TradeRequest): Criteria | Refusal {
  if (type !== '0' && type !== '1') return refuse('VALIDATION_FAILED', 'TradeRequestType(569) must be 0 or 1');
  if (subscriptionType !== '0') {
    return refuse(
      'UNSUPPORTED_SUBSCRIPTION_TYPE',
      'SubscriptionRequestType(263) must be 0 or absent: new conversions are reported by ExecutionReport(8)',
    );
  }
  const unsupported = unsupportedField(message, UNSUPPORTED_IN_TRADE_REQUEST);
  if (unsupported) return unsupported;
  const days =
    message.int(Tag.NoDates) === 0 ? [] : message.groups(Tag.NoDates).map((day) => day.string(Tag.TradeDate));
  if (days.length > 2)
    return refuse('VALIDATION_FAILED', 'NoDates(580) must be 1, a day, or 2, the first and the last');
  if (days.includes(undefined)) return refuse('VALIDATION_FAILED', 'NoDates(580) without TradeDate(75)');
  const [fromDate, toDate] = days;
  const fromNumber = message.has(Tag.FromTradeNumber) ? message.int(Tag.FromTradeNumber) : 0;
  if (fromNumber === undefined || fromNumber < 0)
    return refuse('VALIDATION_FAILED', `FromTradeNumber(${Tag.FromTradeNumber}) must be a whole number, 0 or above`);
  const isNamed = fromDate !== undefined || message.has(Tag.FromTradeNumber);
  if (type === '1' && !isNamed) {
    const text = `TradeRequestType(569) 1 needs TradeDate(75) or FromTradeNumber(${Tag.FromTradeNumber})`;
    return refuse('VALIDATION_FAILED', text);
  }
  return { fromDate, toDate, fromNumber };
}

function acknowledge(desk: Desk, request: TradeRequest, { count, next }: TradeRange): void {
  const more: Field[] =
    next === undefined
      ? []
      : [
          [Tag.Text, `The first ${count}: send FromTradeNumber(${Tag.FromTradeNumber})=${next} for the others`],
          [Tag.FromTradeNumber, next],
        ];
  sendAck(desk, request, count, 0, count === 0 ? COMPLETED : ACCEPTED, more);
}

function rejectRequest(context: FixContext, desk: Desk, request: TradeRequest, refusal: Refusal): void {
  const { refusal: code, text } = refusal;
  noteRefusal(context, desk, 'AQ', refusal);
  sendAck(desk, request, 0, FIX_REASONS[code].tradeRequest, REJECTED, [
    [Tag.Text, text],
    [Tag.ErrorCode, code],
  ]);
}

function sendAck(
  desk: Desk,
  { id, route, type, subscriptionType }: TradeRequest,
  total: number,
  result: number,
  status: number,
  more: readonly Field[],
): void {
  const subscription: Field[] = subscriptionType === undefined ? [] : [[Tag.SubscriptionRequestType, subscriptionType]];
  desk.session.send('AQ', [
    ...route,
    [Tag.TradeRequestID, id],
    [Tag.TradeRequestType, type],
    ...subscription,
    [Tag.TotNumTradeReports, total],
    [Tag.TradeRequestResult, result],
    [Tag.TradeRequestStatus, status],
    [Tag.Symbol, NO_SYMBOL],
    ...more,
  ]);
}
