import type { Field, MessageView } from 'node-quickfix-ts';
import { isRefusal, refuse } from '../../domain/refusal.js';
import { spotLagDays } from '../../domain/value-date.js';
import { perform } from '../../service/core/perform.js';
import type { OfferedPair } from '../../service/rates/pairs.js';
import { type FixContext, inOrder, noteRefusal } from '../context.js';
import { type AnswerTo, answerTo, type Desk } from '../desk.js';
import { pairOfSymbol } from '../fields.js';

/** SecurityRequestResult(560). */
const FOUND = 0;
const INVALID = 1;
const NONE_FOUND = 2;
const NOT_AUTHORIZED = 3;

/** SecurityListRequest(x): the pairs offered to this desk's client, one or all. */
export function handleSecurityListRequest(context: FixContext, desk: Desk, message: MessageView): void {
  const request = answerTo(message, 320);
  const type = message.string(559);
  const symbol = message.string(55);
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
  const fields: Field[] = [...route, [320, id], [322, `${id}.1`], [560, result]];
  if (result === FOUND) {
    fields.push([393, pairs.length], [146, pairs.length]);
    for (const offered of pairs) fields.push(...entryOf(offered));
  }
  desk.session.send('y', fields);
}

// User-defined fields are not allowed in a group, so Text(58) carries the terms that have no FIX 4.4 field.
function entryOf({ pair, types }: OfferedPair): Field[] {
  const { symbol, base, quote, priceDigits, pipDigits, minAmount, maxAmount } = pair;
  return [
    [55, symbol],
    [460, 4],
    [167, 'FOR'],
    [107, `${base} against ${quote}`],
    [15, base],
    [561, 1],
    [562, minAmount],
    [
      58,
      `dp=${priceDigits};pip=${pipDigits};max=${maxAmount};types=${types.join(',')};spot=T+${spotLagDays(pair)};depth=1`,
    ],
  ];
}
