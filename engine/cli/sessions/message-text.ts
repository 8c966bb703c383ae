/** Lines of the message log for people, for programs, and for those outside the firm. */
import { Dictionary, escapeLine, MessageView, redactor, unescapeLine } from 'node-quickfix-ts';
import { FIX_DICTIONARY, readProjectFile } from '../../domain/data/data-file.js';
import * as Tag from '../../domain/fix/tags.js';
import type { MessageLine } from '../../service/audit/message-log.js';
import { messageLine, namesOf } from './message-line.js';

const SOH = '\x01';
const SHOWN_CHARACTERS = 4;
const STAR = 0x2a;

/** `***********5521`: the last four characters; nothing of a value that is not longer. */
const maskAccounts = redactor([Tag.Account, Tag.BuyAccount, Tag.SellAccount], (bytes, start, end) => {
  bytes.fill(STAR, start, end - start > SHOWN_CHARACTERS ? end - SHOWN_CHARACTERS : end);
});

/** The accounts masked, for a support request that leaves the firm. */
export function withoutAccounts(line: MessageLine): MessageLine {
  // As it was received: the digits of an escaped character would be part of the tag behind it.
  const bytes = Buffer.from(unescapeLine(line.text), 'latin1');
  maskAccounts(bytes, 0, bytes.length);
  return { ...line, text: escapeLine(bytes.toString('latin1')) };
}

const DIRECTIONS = { '<': 'in', '>': 'out', '!': 'garbled', '*': 'event' } as const;

/** Time, CompID of the peer, direction, and the message with `|` as separator. */
export const plainLine = ({ time, target, sign, text }: MessageLine): string =>
  `${time} ${target} ${sign} ${text.replaceAll(SOH, '|')}`;

export const jsonOf = ({ time, sender, target, sign, text }: MessageLine): object => ({
  time,
  sender,
  target,
  direction: DIRECTIONS[sign],
  text: text.replaceAll(SOH, '|'),
});

/** Names of messages, fields and values from the dictionary. What is no whole message stays as it is. */
export function decoder(): (line: MessageLine) => string {
  const names = namesOf(Dictionary.parse(readProjectFile(FIX_DICTIONARY)));
  const view = new MessageView();
  return (line) => {
    const bytes = summed(Buffer.from(unescapeLine(line.text), 'latin1'));
    const isMessage = line.sign === '<' || line.sign === '>';
    if (!isMessage || !view.index(bytes, 0, bytes.length) || view.unreadable) return plainLine(line);
    return `${line.time} ${line.target} ${messageLine(line.sign, view, names)}`;
  };
}

/** With the CheckSum(10) of what is shown: masked values have changed it, and a message with a wrong one is none. */
function summed(bytes: Buffer): Buffer {
  const trailerAt = bytes.length - '10=xxx|'.length;
  let sum = 0;
  for (let i = 0; i < trailerAt; i++) sum += bytes[i]!;
  if (trailerAt > 0) bytes.write(`10=${String(sum % 256).padStart(3, '0')}${SOH}`, trailerAt, 'latin1');
  return bytes;
}
