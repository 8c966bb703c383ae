import { type Field, formatUtcTimestamp, type MessageView } from 'node-quickfix-ts';
import { isRefusal } from '../../domain/refusal.js';
import { perform } from '../../service/core/perform.js';
import { type MarketState, marketState } from '../../service/rates/pairs.js';
import { type FixContext, inOrder } from '../context.js';
import { type AnswerTo, answerTo, type Desk } from '../desk.js';

/** TradSesStatus(340). */
const TRAD_SES_STATUS: Record<MarketState, number> = { halted: 1, open: 2, closed: 3 };
const REQUEST_REJECTED = 6;
/** TradSesStatusRejReason(567). */
const UNKNOWN_SESSION_ID = 1;

const TEXT: Record<MarketState, string> = {
  open: 'Open',
  halted: 'Halted: no pair has a price',
  closed: 'Closed',
};

/** TradingSessionID(336): there is one market. */
const MARKET = 'FX';

const headOf = ({ id, route }: AnswerTo): Field[] => [...route, [335, id], [336, MARKET]];

/** TradingSessionStatusRequest(g): the state of the market, once or at every change. */
export function handleTradingSessionStatusRequest(context: FixContext, desk: Desk, message: MessageView): void {
  const request = answerTo(message, 335);
  const tradingSessionId = message.string(336) ?? MARKET;
  const subscriptionType = message.string(263);
  inOrder(context, desk, async () => {
    if (subscriptionType === '2') {
      desk.marketRequest = undefined;
      return;
    }
    if (tradingSessionId !== MARKET || (subscriptionType !== '0' && subscriptionType !== '1')) {
      const reason: Field[] = tradingSessionId === MARKET ? [] : [[567, UNKNOWN_SESSION_ID]];
      const text =
        tradingSessionId === MARKET
          ? 'SubscriptionRequestType(263) must be 0, 1 or 2'
          : `TradingSessionID(336) must be ${MARKET}`;
      desk.session.send('h', [...headOf(request), [340, REQUEST_REJECTED], ...reason, [58, text]]);
      return;
    }
    const reported = await sendMarketState(context, desk, request);
    if (reported && subscriptionType === '1') desk.marketRequest = { ...request, reported };
  });
}

/** Publishes a change of the market's state (open, closed, without prices) to every subscribed desk. */
export function publishMarketState(context: FixContext, desks: Iterable<Desk>): void {
  const state = marketState(context.services);
  for (const desk of desks) {
    const { marketRequest } = desk;
    if (marketRequest === undefined || marketRequest.reported === state) continue;
    marketRequest.reported = state;
    inOrder(context, desk, async () => void (await sendMarketState(context, desk, marketRequest)));
  }
}

/** The state that was sent; undefined when none was. */
async function sendMarketState(
  { services }: FixContext,
  desk: Desk,
  request: AnswerTo,
): Promise<MarketState | undefined> {
  const status = await perform(services, 'marketStatus', desk.identity.caller, {});
  if (isRefusal(status) || !desk.session.loggedOn) return undefined;
  const { state, opensAtMs, closesAtMs } = status;
  const fields: Field[] = [...headOf(request), [340, TRAD_SES_STATUS[state]]];
  if (opensAtMs !== undefined) fields.push([341, formatUtcTimestamp(opensAtMs)]);
  if (closesAtMs !== undefined) {
    const closes = formatUtcTimestamp(closesAtMs);
    fields.push([344, closes], [345, closes]);
  }
  desk.session.send('h', [...fields, [58, TEXT[state]]]);
  return state;
}
