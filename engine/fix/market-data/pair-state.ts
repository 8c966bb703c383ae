import type { Field, MessageView } from 'node-quickfix-ts';
import { isRefusal, type Refusal, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { PAIRS, type PairState } from '../../domain/money/pair.js';
import type { Services } from '../../service/core/services.js';
import { dealingTime } from '../../service/prices/index.js';
import { pairState } from '../../service/prices/pairs.js';
import { type FixContext, noteRefusal } from '../context.js';
import { type AnswerTo, answerTo, type Desk } from '../desk.js';
import { pairOfSymbol } from '../fields.js';

/** SecurityTradingStatus(326). */
const SECURITY_TRADING_STATUS: Record<PairState, number> = { halted: 2, closed: 2, ready: 17, unavailable: 18 };
/** Sent once after a halt, before the pair's state. */
const RESUME = 3;
const UNKNOWN_OR_INVALID = 20;

const TEXT: Record<PairState, string> = {
  ready: 'Priced',
  unavailable: 'No provider has a price',
  halted: 'Halted',
  closed: 'The market is closed',
};

/** SecurityStatusRequest(e): whether a pair has a price, once or at every change. */
export function handleSecurityStatusRequest(context: FixContext, desk: Desk, message: MessageView): void {
  const request = answerTo(message, Tag.SecurityStatusReqID);
  const symbol = message.string(Tag.Symbol) ?? '';
  const subscriptionType = message.string(Tag.SubscriptionRequestType);
  const pair = pairOfSymbol(symbol);
  if (isRefusal(pair)) refuseStatus(context, desk, request, symbol, pair);
  else if (subscriptionType === '2') desk.pairRequests.delete(pair.index);
  else if (subscriptionType === '0' || subscriptionType === '1') {
    const reported = pairState(context.services, pair.index, desk.identity.caller.clientId);
    if (subscriptionType === '1') desk.pairRequests.set(pair.index, { ...request, reported });
    sendPairState(desk, request, pair.symbol, reported);
  } else refuseStatus(context, desk, request, symbol, refuse('UNSUPPORTED_SUBSCRIPTION_TYPE'));
}

function refuseStatus(
  context: FixContext,
  desk: Desk,
  { id, route }: AnswerTo,
  symbol: string,
  refusal: Refusal,
): void {
  noteRefusal(context, desk, 'f', refusal);
  desk.session.send('f', [
    ...route,
    [Tag.SecurityStatusReqID, id],
    [Tag.Symbol, symbol.slice(0, 20)],
    [Tag.SecurityTradingStatus, UNKNOWN_OR_INVALID],
    [Tag.Text, refusal.text],
  ]);
}

/** Notifies desks when a pair that they stream or subscribed to loses all its providers, or has one again, and when their client is halted. */
export class PairWatch {
  private states: PairState[];
  /** Desks of clients that were halted when it last looked. */
  private halted = new WeakSet<Desk>();

  constructor(private readonly context: FixContext) {
    this.states = statesNow(context.services);
  }

  onTimer(desks: readonly Desk[]): void {
    const { publication, services } = this.context;
    const now = statesNow(services);
    const before = this.states;
    const changed = PAIRS.filter(({ index }) => before[index] !== now[index]);
    this.states = now;
    for (const desk of desks) {
      const wasHalted = this.halted.has(desk);
      const isHalted = services.states.isHalted(desk.identity.caller.clientId);
      if (isHalted) this.halted.add(desk);
      else this.halted.delete(desk);
      for (const [index, request] of desk.pairRequests) {
        const state = seenBy(isHalted, now[index]!);
        if (request.reported !== state) sendChange(desk, request, PAIRS[index]!.symbol, request.reported, state);
        request.reported = state;
      }
      for (const { index, symbol } of isHalted === wasHalted ? changed : PAIRS) {
        if (desk.pairRequests.has(index) || !publication.streams(desk.session, index)) continue;
        const [was, state] = [seenBy(wasHalted, before[index]!), seenBy(isHalted, now[index]!)];
        if (was !== state) sendChange(desk, undefined, symbol, was, state);
      }
    }
  }
}

/** The state of a pair as a desk has it: for a halted client every pair is halted. */
const seenBy = (isHalted: boolean, state: PairState): PairState => (isHalted && state !== 'closed' ? 'halted' : state);

// A price in the book is read directly; only a pair without one is computed as a cross.
function statesNow(services: Services): PairState[] {
  const { book, settings } = services;
  if (!settings.marketHours.isOpen(dealingTime(services))) return PAIRS.map(() => 'closed');
  return PAIRS.map(({ index }) => (book.bid[index] !== 0 ? 'ready' : pairState(services, index)));
}

type Request = AnswerTo | undefined;

function sendChange(desk: Desk, request: Request, symbol: string, was: PairState, state: PairState): void {
  const isResumed = was === 'halted' && state !== 'closed';
  if (isResumed) sendStatus(desk, request, symbol, RESUME, 'Resumed');
  sendPairState(desk, request, symbol, state);
}

function sendPairState(desk: Desk, request: Request, symbol: string, state: PairState): void {
  sendStatus(desk, request, symbol, SECURITY_TRADING_STATUS[state], TEXT[state]);
}

function sendStatus(desk: Desk, request: Request, symbol: string, status: number, text: string): void {
  const { session } = desk;
  if (!session.loggedOn) return;
  const head: Field[] = request === undefined ? [] : [...request.route, [Tag.SecurityStatusReqID, request.id]];
  session.send('f', [...head, [Tag.Symbol, symbol], [Tag.SecurityTradingStatus, status], [Tag.Text, text]]);
}
