/** A FIX message as a line for people: names of fields and messages, secrets replaced. */
import { type Dictionary, type MessageView, SECRET_TAGS } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';

const SECRETS = new Set([...SECRET_TAGS, Tag.AuthToken]);
/** BeginString(8), BodyLength(9), CheckSum(10): of no interest. MsgType(35) has its name in front. */
const PASSED_OVER = new Set([Tag.BeginString, Tag.BodyLength, Tag.CheckSum]);

/** `< MarketDataSnapshotFullRefresh MsgType(35)=W MsgSeqNum(34)=3 ... MDEntryType(269)=0:BID ...` */
export function messageLine(direction: '<' | '>', message: MessageView, names: Names): string {
  const fields: string[] = [];
  for (let i = 0; i < message.count; i++) {
    const tag = message.tagAt(i);
    if (PASSED_OVER.has(tag)) continue;
    const text = message.stringAt(i) ?? '';
    const value = SECRETS.has(tag) ? '*'.repeat(text.length) : text;
    fields.push(`${names.field(tag)}(${tag})=${value.replace(/[^\x20-\x7e]/g, '?')}${names.value(tag, value)}`);
  }
  return `${direction} ${names.message(message.msgType)} ${fields.join(' ')}`;
}

export interface Names {
  message(msgType: string): string;
  field(tag: number): string;
  /** `:BID` behind a value that has a name of its own. */
  value(tag: number, value: string): string;
}

export function namesOf(dictionary: Dictionary): Names {
  // By tag, of tags that the dictionary knows: bounded. MsgType(35) has its name in front already.
  const values = new Map<number, ReadonlyMap<string, string>>([[Tag.MsgType, new Map()]]);
  return {
    message: (msgType) => dictionary.rules(msgType)?.name ?? msgType,
    field: (tag) => dictionary.fieldName(tag) ?? '',
    value(tag, value) {
      if (!values.has(tag) && dictionary.fieldName(tag) !== undefined) values.set(tag, dictionary.valueNames(tag));
      const name = values.get(tag)?.get(value);
      return name ? `:${name}` : '';
    },
  };
}
