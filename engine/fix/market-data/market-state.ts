import { type Field, formatUtcTimestamp, type MessageView } from 'node-quickfix-ts';
import { isRefusal } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { perform } from '../../service/perform.js';
import { type MarketState, marketState } from '../../service/prices/pairs.js';
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

const headOf = ({ id, route }: AnswerTo): Field[] => [...route, [Tag.TradSesReqID, id], [Tag.TradingSessionID, MARKET]];

/** TradingSessionStatusRequest(g): the state of the market, once or at every change. */
export function handleTradingSessionStatusRequest(context: FixContext, desk: Desk, message: MessageView): void {
  const request = answerTo(message, Tag.TradSesReqID);
  const tradingSessionId = message.string(Tag.TradingSessionID) ?? MARKET;
  const subscriptionType = message.string(Tag.SubscriptionRequestType);
  inOrder(context, desk, async () => {
    if (subscriptionType === '2') {
      desk.marketRequest = undefined;
      return;
    }
    if (tradingSessionId !== MARKET || (subscriptionType !== '0' && subscriptionType !== '1')) {
      const reason: Field[] = tradingSessionId === MARKET ? [] : [[Tag.TradSesStatusRejReason, UNKNOWN_SESSION_ID]];
      const text =
        tradingSessionId === MARKET
          ? 'SubscriptionRequestType(263) must be 0, 1 or 2'
          : `TradingSessionID(336) must be ${MARKET}`;
      desk.session.send('h', [...headOf(request), [Tag.TradSesStatus, REQUEST_REJECTED], ...reason, [Tag.Text, text]]);
      return;
    }
    const reported = await sendMarketState(context, desk, request);
    if (reported && subscriptionType === '1') desk.marketRequest = { ...request, reported };
  });
}

/** Publishes a change of the market's state (open, closed, without prices) to every subscribed desk. */
export function publishMarketState(context: FixContext, desks: Iterable<Desk>): void {
  const { services } = context;
  const ofAll = marketState(services);
  for (const desk of desks) {
    const { marketRequest } = desk;
    if (marketRequest === undefined) continue;
    const isHalted = ofAll === 'open' && services.states.isHalted(desk.identity.caller.clientId);
    const state = isHalted ? 'halted' : ofAll;
    if (marketRequest.reported === state) continue;
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
  const fields: Field[] = [...headOf(request), [Tag.TradSesStatus, TRAD_SES_STATUS[state]]];
  if (opensAtMs !== undefined) fields.push([Tag.TradSesStartTime, formatUtcTimestamp(opensAtMs)]);
  if (closesAtMs !== undefined) {
    const closes = formatUtcTimestamp(closesAtMs);
    fields.push([Tag.TradSesCloseTime, closes], [Tag.TradSesEndTime, closes]);
  }
  desk.session.send('h', [...fields, [Tag.Text, TEXT[state]]]);
  return state;
}
