import type { MessageView } from 'node-quickfix-ts';
import { PAIRS } from '../domain/pair.js';
import { isRefusal, type Refusal, refuse } from '../domain/refusal.js';
import { type PairState, pairState } from '../service/market-status.js';
import type { Desk } from './desk.js';
import { type Door, noteRefusal } from './door.js';
import { pairOfSymbol } from './market-data-checks.js';

/** SecurityTradingStatus(326). */
const SECURITY_TRADING_STATUS: Record<PairState, number> = { halted: 2, ready: 17, unavailable: 18 };
const UNKNOWN_OR_INVALID = 20;

const TEXT: Record<PairState, string> = {
  ready: 'Priced',
  unavailable: 'No provider has a price',
  halted: 'The market is closed',
};

/** SecurityStatusRequest(e): whether a pair has a price, once or at every change. */
export function takeSecurityStatusRequest(door: Door, desk: Desk, message: MessageView): void {
  const reqId = message.string(324) ?? '';
  const symbol = message.string(55) ?? '';
  const pair = watched(desk, reqId, symbol, message.string(263));
  if (isRefusal(pair)) refuseStatus(door, desk, reqId, symbol, pair);
  else if (pair) sendPairState(desk, reqId, pair.symbol, pairState(door.services, pair.index));
}

/** The pair whose status is to be sent; undefined when the desk wants no more of it. */
function watched(desk: Desk, reqId: string, symbol: string, subscriptionType: string | undefined) {
  const pair = pairOfSymbol(symbol);
  if (isRefusal(pair)) return pair;
  if (subscriptionType === '2') {
    desk.pairReqIds.delete(pair.index);
    return undefined;
  }
  if (subscriptionType !== '0' && subscriptionType !== '1') return refuse('UNSUPPORTED_SUBSCRIPTION_TYPE');
  if (subscriptionType === '1') desk.pairReqIds.set(pair.index, reqId);
  return pair;
}

function refuseStatus(door: Door, desk: Desk, reqId: string, symbol: string, refusal: Refusal): void {
  noteRefusal(door, desk, 'f', refusal);
  desk.session.send('f', [
    [324, reqId],
    [55, symbol.slice(0, 20)],
    [326, UNKNOWN_OR_INVALID],
    [58, refusal.text],
  ]);
}

/** Tells desks when a pair that they stream or asked about loses all its providers, or has one again. */
export class PairWatch {
  private readonly last: (PairState | undefined)[] = [];

  constructor(private readonly door: Door) {}

  look(desks: readonly Desk[]): void {
    const { publication, services } = this.door;
    for (const { index, symbol } of PAIRS) {
      const state = pairState(services, index);
      const before = this.last[index];
      this.last[index] = state;
      if (before === undefined || before === state) continue;
      for (const desk of desks) {
        const reqId = desk.pairReqIds.get(index);
        if (reqId !== undefined || publication.streams(desk.session, index)) sendPairState(desk, reqId, symbol, state);
      }
    }
  }
}

function sendPairState(desk: Desk, reqId: string | undefined, symbol: string, state: PairState): void {
  const { session } = desk;
  if (!session.loggedOn) return;
  const request = reqId === undefined ? [] : ([[324, reqId]] as const);
  session.send('f', [...request, [55, symbol], [326, SECURITY_TRADING_STATUS[state]], [58, TEXT[state]]]);
}
