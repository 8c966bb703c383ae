import type { Field, MessageView } from 'node-quickfix-ts';
import { isRefusal, refuse } from '../../domain/core/refusal.js';
import * as Tag from '../../domain/fix/tags.js';
import { spotLagDays } from '../../domain/money/value-date.js';
import { perform } from '../../service/perform.js';
import type { OfferedPair } from '../../service/prices/pairs.js';
import { type FixContext, inOrder, noteRefusal } from '../context.js';
import { type AnswerTo, answerTo, type Desk } from '../desk.js';
import { pairOfSymbol } from '../fields.js';
import { MAX_BANDS } from '../publication/book-ladders.js';

/** SecurityRequestResult(560). */
const FOUND = 0;
const INVALID = 1;
const NONE_FOUND = 2;
const NOT_AUTHORIZED = 3;

/** SecurityListRequest(x): the pairs offered to this desk's client, one or all. */
export function handleSecurityListRequest(context: FixContext, desk: Desk, message: MessageView): void {
  const request = answerTo(message, Tag.SecurityReqID);
  const type = message.string(Tag.SecurityListRequestType);
  const symbol = message.string(Tag.Symbol);
  inOrder(context, desk, async () => {
    if (type !== '4' && !(type === '0' && symbol !== undefined)) return sendList(desk, request, INVALID);
    const listed = await perform(context.services, 'listPairs', desk.identity.caller, {});
    if (!desk.session.loggedOn) return;
    if (isRefusal(listed)) {
      noteRefusal(context, desk, 'y', listed);
      return sendList(desk, request, NOT_AUTHORIZED);
    }
    if (type === '4') return sendList(desk, request, listed.pairs.length > 0 ? FOUND : NONE_FOUND, listed.pairs);
    const requested = pairOfSymbol(symbol!);
    if (isRefusal(requested)) {
      noteRefusal(context, desk, 'y', requested);
      return sendList(desk, request, NONE_FOUND);
    }
    const offered = listed.pairs.filter(({ pair }) => pair === requested);
    if (offered.length === 0) noteRefusal(context, desk, 'y', refuse('NOT_ENTITLED'));
    sendList(desk, request, offered.length > 0 ? FOUND : NOT_AUTHORIZED, offered);
  });
}

function sendList(desk: Desk, { id, route }: AnswerTo, result: number, pairs: readonly OfferedPair[] = []): void {
  const fields: Field[] = [
    ...route,
    [Tag.SecurityReqID, id],
    [Tag.SecurityResponseID, `${id}.1`],
    [Tag.SecurityRequestResult, result],
  ];
  if (result === FOUND) {
    fields.push([Tag.TotNoRelatedSym, pairs.length], [Tag.NoRelatedSym, pairs.length]);
    for (const offered of pairs) fields.push(...entryOf(offered, desk.identity.ladder ? MAX_BANDS : 1));
  }
  desk.session.send('y', fields);
}

// User-defined fields are not allowed in a group, so Text(58) carries the terms that have no FIX 4.4 field.
function entryOf({ pair, types }: OfferedPair, depth: number): Field[] {
  const { symbol, base, quote, priceDigits, pipDigits, minAmount, maxAmount } = pair;
  return [
    [Tag.Symbol, symbol],
    [Tag.Product, 4],
    [Tag.SecurityType, 'FOR'],
    [Tag.SecurityDesc, `${base} against ${quote}`],
    [Tag.Currency, base],
    [Tag.RoundLot, 1],
    [Tag.MinTradeVol, minAmount],
    [
      Tag.Text,
      `dp=${priceDigits};pip=${pipDigits};max=${maxAmount};types=${types.join(',')};spot=T+${spotLagDays(pair)};depth=${depth}`,
    ],
  ];
}
