import type { MessageView } from 'node-quickfix-ts';
import { type Refusal, refuse } from '../domain/core/refusal.js';
import * as Tag from '../domain/fix/tags.js';
import { NO_SYMBOL } from './fields.js';

/**
 * Fields that would make another request of the message: ignoring one would change the request, so the message is rejected. By tag the
 * values that mean the same as an absent field.
 */
type UnsupportedFields = Readonly<Record<number, readonly string[]>>;

const NAMES = new Map(Object.entries(Tag).map(([name, tag]) => [Number(tag), name]));

/** Another quantity or price, a second leg, or a qualifier. */
export const UNSUPPORTED_IN_QUOTE_REQUEST: UnsupportedFields = {
  [Tag.OrdType]: ['1', '2', 'D'],
  [Tag.Price]: [],
  [Tag.CashOrderQty]: [],
  [Tag.OrderQty2]: [],
  [Tag.SettlDate2]: [],
  [Tag.OrderPercent]: [],
  [Tag.NoLegs]: [],
  [Tag.Price2]: [],
  [Tag.NoQuoteQualifiers]: [],
  [Tag.QtyType]: ['0'],
};

/** Instruments or quotes to be cancelled by name. */
export const UNSUPPORTED_IN_QUOTE_CANCEL: UnsupportedFields = { [Tag.NoQuoteEntries]: [] };

/** Another quantity, price or time, an instruction how to execute, or an allocation. */
export const UNSUPPORTED_IN_ORDER: UnsupportedFields = {
  [Tag.ExecInst]: [],
  [Tag.NoAllocs]: [],
  [Tag.MinQty]: [],
  [Tag.MaxFloor]: [],
  [Tag.ExpireTime]: [],
  [Tag.EffectiveTime]: [],
  [Tag.MaxShow]: [],
  [Tag.PegOffsetValue]: [],
  [Tag.NoTradingSessions]: [],
  [Tag.DiscretionInst]: [],
  [Tag.DiscretionOffsetValue]: [],
  [Tag.PriceType]: ['2'],
  [Tag.ExpireDate]: [],
  [Tag.OrderPercent]: [],
  [Tag.Price2]: [],
  [Tag.TargetStrategy]: [],
  [Tag.TargetStrategyParameters]: [],
  [Tag.ParticipationRate]: [],
};

/** Another selection of trades. */
export const UNSUPPORTED_IN_TRADE_REQUEST: UnsupportedFields = {
  [Tag.ClOrdID]: [],
  [Tag.ExecID]: [],
  [Tag.OrderID]: [],
  [Tag.Side]: [],
  [Tag.Symbol]: [NO_SYMBOL],
  [Tag.TransactTime]: [],
  [Tag.ExecType]: [],
  [Tag.TradingSessionID]: [],
  [Tag.MultiLegReportingType]: ['1'],
  [Tag.NoPartyIDs]: [],
  [Tag.NoLegs]: [],
  [Tag.TradeReportID]: [],
  [Tag.MatchStatus]: ['0'],
  [Tag.TradeInputSource]: [],
  [Tag.TradeInputDevice]: [],
  [Tag.TradingSessionSubID]: [],
  [Tag.NoUnderlyings]: [],
  [Tag.ClearingBusinessDate]: [],
  [Tag.ResponseTransportType]: ['0'],
  [Tag.ResponseDestination]: [],
  [Tag.SecondaryTradeReportID]: [],
  [Tag.TradeLinkID]: [],
  [Tag.TrdType]: ['0'],
  [Tag.TrdSubType]: [],
  [Tag.TransferReason]: [],
  [Tag.SecondaryTrdType]: [],
  [Tag.TrdMatchID]: [],
  [Tag.TimeBracket]: [],
};

/** Another selection of orders. */
export const UNSUPPORTED_IN_MASS_STATUS: UnsupportedFields = {
  [Tag.Account]: [],
  [Tag.Side]: [],
  [Tag.UnderlyingSecurityID]: [],
  [Tag.UnderlyingSymbol]: [],
  [Tag.TradingSessionID]: [],
  [Tag.NoPartyIDs]: [],
  [Tag.TradingSessionSubID]: [],
};

/** Another selection of orders. */
export const UNSUPPORTED_IN_MASS_CANCEL: UnsupportedFields = {
  [Tag.Symbol]: [NO_SYMBOL],
  [Tag.Side]: [],
  [Tag.UnderlyingSecurityID]: [],
  [Tag.UnderlyingSymbol]: [],
  [Tag.TradingSessionID]: [],
  [Tag.TradingSessionSubID]: [],
};

/** Another quantity or price, or a second leg: refused with VALIDATION_FAILED. */
const NOT_TAKEN_IN_ORDER: UnsupportedFields = {
  [Tag.StopPx]: [],
  [Tag.CashOrderQty]: [],
  [Tag.OrderQty2]: [],
  [Tag.SettlDate2]: [],
  [Tag.QtyType]: ['0'],
};

/** UNSUPPORTED_FIELD for the first such field in the order of the message, whatever its value, zero included; undefined: there is none. */
export function unsupportedField(message: MessageView, fields: UnsupportedFields): Refusal | undefined {
  const found = firstOf(message, fields);
  if (found === undefined) return undefined;
  const { accepted } = found;
  const remedy = accepted.length > 0 ? `send ${accepted.join(', ')}, or leave it out` : 'leave it out';
  return refuse('UNSUPPORTED_FIELD', `${found.label} is not supported: ${remedy}`);
}

/** VALIDATION_FAILED likewise. */
export function notTakenField(message: MessageView): Refusal | undefined {
  const found = firstOf(message, NOT_TAKEN_IN_ORDER);
  return found && refuse('VALIDATION_FAILED', `${found.label} is not taken: leave it out`);
}

function firstOf(message: MessageView, fields: UnsupportedFields) {
  for (let i = 0; i < message.count; i++) {
    const tag = message.tagAt(i);
    const accepted = fields[tag];
    if (accepted !== undefined && !accepted.includes(message.stringAt(i) ?? ''))
      return { label: `${NAMES.get(tag)}(${tag})`, accepted };
  }
  return undefined;
}
