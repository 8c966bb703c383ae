import type { Field, MessageView } from 'node-quickfix-ts';
import type { Refusal } from '../domain/core/refusal.js';
import * as Tag from '../domain/fix/tags.js';
import { type FixContext, noteRefusal } from './context.js';
import type { AnswerTo, Desk, Route } from './desk.js';
import type { Reject } from './fields.js';
import { FIX_REASONS } from './refusals.js';

/** BusinessMessageReject(j) with our code. `message` may be a copy: rights are checked after the token has been read. */
export function businessReject(
  context: FixContext,
  desk: Desk,
  message: MessageView,
  reason: number,
  refusal: Refusal,
): void {
  noteRefusal(context, desk, 'j', refusal);
  desk.session.businessReject(message, reason, refusal.text, [[Tag.ErrorCode, refusal.refusal]]);
}

/** Reject(3) or BusinessMessageReject(j). */
export function sendReject(context: FixContext, desk: Desk, message: MessageView, reject: Reject): void {
  if (reject.rejectWith === 'j') businessReject(context, desk, message, reject.reason, reject.refusal);
  else desk.session.reject(message, reject.reason, reject.tag, reject.text);
}

/** MarketDataRequestReject(Y): refuses a request, or ends a live stream. */
export function rejectMarketData(
  context: FixContext,
  desk: Desk,
  { mdReqId, route }: { readonly mdReqId: string; readonly route: Route },
  refusal: Refusal,
): void {
  const reason = FIX_REASONS[refusal.refusal].marketData;
  const fields: Field[] = [...route, [Tag.MDReqID, mdReqId]];
  if (reason !== undefined) fields.push([Tag.MDReqRejReason, reason]);
  fields.push([Tag.Text, refusal.text], [Tag.ErrorCode, refusal.refusal]);
  desk.session.send('Y', fields);
  noteRefusal(context, desk, 'Y', refusal);
}

/** QuoteRequestReject(AG): refuses a request, or ends a live stream. */
export function rejectQuoteRequest(
  context: FixContext,
  desk: Desk,
  { id, route, symbol }: AnswerTo & { readonly symbol: string },
  refusal: Refusal,
): void {
  noteRefusal(context, desk, 'AG', refusal);
  desk.session.send('AG', [
    ...route,
    [Tag.QuoteReqID, id],
    [Tag.QuoteRequestRejectReason, FIX_REASONS[refusal.refusal].quoteRequest],
    [Tag.NoRelatedSym, 1],
    [Tag.Symbol, symbol.slice(0, 20)],
    [Tag.Text, refusal.text],
    [Tag.ErrorCode, refusal.refusal],
  ]);
}

/** Ends a live stream of prices from our side, saying why. */
export function endStream(context: FixContext, desk: Desk, mdReqId: string, refusal: Refusal): void {
  context.publication.unsubscribe(desk.session, mdReqId);
  const key = `${Tag.MDReqID}=${mdReqId}`;
  const route = desk.streams.get(key)?.route ?? [];
  desk.streams.delete(key);
  rejectMarketData(context, desk, { mdReqId, route }, refusal);
}
