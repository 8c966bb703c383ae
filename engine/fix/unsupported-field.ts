/** Fields that would make another request of it: a message with one is refused, because to pass it over would carry out something else. */
import type { MessageView } from 'node-quickfix-ts';
import { type Refusal, refuse } from '../domain/refusal.js';

interface UnsupportedField {
  readonly name: string;
  /** Values that ask for nothing else than what is done without the field. */
  readonly accepted?: readonly string[];
}

/** By tag. */
type UnsupportedFields = Readonly<Record<number, UnsupportedField>>;

/** Another quantity or price, a second leg, or a qualifier. */
export const UNSUPPORTED_IN_QUOTE_REQUEST: UnsupportedFields = {
  40: { name: 'OrdType', accepted: ['1', '2', 'D'] },
  44: { name: 'Price' },
  152: { name: 'CashOrderQty' },
  192: { name: 'OrderQty2' },
  193: { name: 'SettlDate2' },
  516: { name: 'OrderPercent' },
  555: { name: 'NoLegs' },
  640: { name: 'Price2' },
  735: { name: 'NoQuoteQualifiers' },
  854: { name: 'QtyType', accepted: ['0'] },
};

/** Another quantity, price or time, a second leg, an instruction how to execute, or an allocation. */
export const UNSUPPORTED_IN_ORDER: UnsupportedFields = {
  18: { name: 'ExecInst' },
  78: { name: 'NoAllocs' },
  99: { name: 'StopPx' },
  110: { name: 'MinQty' },
  111: { name: 'MaxFloor' },
  126: { name: 'ExpireTime' },
  152: { name: 'CashOrderQty' },
  168: { name: 'EffectiveTime' },
  192: { name: 'OrderQty2' },
  193: { name: 'SettlDate2' },
  210: { name: 'MaxShow' },
  211: { name: 'PegOffsetValue' },
  386: { name: 'NoTradingSessions' },
  388: { name: 'DiscretionInst' },
  389: { name: 'DiscretionOffsetValue' },
  423: { name: 'PriceType', accepted: ['2'] },
  432: { name: 'ExpireDate' },
  516: { name: 'OrderPercent' },
  640: { name: 'Price2' },
  847: { name: 'TargetStrategy' },
  848: { name: 'TargetStrategyParameters' },
  849: { name: 'ParticipationRate' },
  854: { name: 'QtyType', accepted: ['0'] },
};

/** UNSUPPORTED_FIELD for the first such field in the order of the message, whatever its value, zero included; undefined: there is none. */
export function unsupportedField(message: MessageView, fields: UnsupportedFields): Refusal | undefined {
  for (let i = 0; i < message.count; i++) {
    const tag = message.tagAt(i);
    const field = fields[tag];
    if (field === undefined || field.accepted?.includes(message.stringAt(i) ?? '')) continue;
    const remedy = field.accepted ? `send ${field.accepted.join(', ')}, or leave it out` : 'leave it out';
    return refuse('UNSUPPORTED_FIELD', `${field.name}(${tag}) is not supported: ${remedy}`);
  }
  return undefined;
}
