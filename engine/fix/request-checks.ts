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

/** Another quantity, price or time, an instruction how to execute, or an allocation. */
export const UNSUPPORTED_IN_ORDER: UnsupportedFields = {
  18: { name: 'ExecInst' },
  78: { name: 'NoAllocs' },
  110: { name: 'MinQty' },
  111: { name: 'MaxFloor' },
  126: { name: 'ExpireTime' },
  168: { name: 'EffectiveTime' },
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
};

/** What release 0.1.0 has refused with VALIDATION_FAILED already, which desks know: another quantity or price, or a second leg. */
const NOT_TAKEN_IN_ORDER: UnsupportedFields = {
  99: { name: 'StopPx' },
  152: { name: 'CashOrderQty' },
  192: { name: 'OrderQty2' },
  193: { name: 'SettlDate2' },
  854: { name: 'QtyType', accepted: ['0'] },
};

/** UNSUPPORTED_FIELD for the first such field in the order of the message, whatever its value, zero included; undefined: there is none. */
export function unsupportedField(message: MessageView, fields: UnsupportedFields): Refusal | undefined {
  const found = firstOf(message, fields);
  if (found === undefined) return undefined;
  const { accepted } = found;
  const remedy = accepted ? `send ${accepted.join(', ')}, or leave it out` : 'leave it out';
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
    const field = fields[tag];
    if (field !== undefined && !field.accepted?.includes(message.stringAt(i) ?? ''))
      return { label: `${field.name}(${tag})`, accepted: field.accepted };
  }
  return undefined;
}
