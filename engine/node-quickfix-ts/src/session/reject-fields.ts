/** The bodies of Reject(3) and BusinessMessageReject(j) in each version, ascending. */
import type { MessageView } from '../codec/message-view.js';
import type { Field } from '../types.js';
import type { VersionRules } from '../version-rules.js';

export function rejectFields(
  rules: VersionRules,
  message: MessageView,
  reason: number,
  tag: number | undefined,
  text: string,
): Field[] {
  const ref: Field = [45, message.int(34) ?? 0];
  const max = rules.rejectReasonMax;
  if (max === 0) return [ref, [58, tag === undefined ? text : `${text} (${tag})`]];
  const fields: Field[] = [ref, [58, text]];
  if (tag !== undefined) fields.push([371, tag]);
  if (message.msgType !== '') fields.push([372, message.msgType]);
  if (reason <= max) fields.push([373, reason]);
  return fields;
}

/** Of a version without BusinessMessageReject(j) the body is that of a Reject(3). User-defined fields of the application follow the text. */
export function businessRejectFields(
  rules: VersionRules,
  message: MessageView,
  reason: number,
  text: string,
  extra: readonly Field[],
): Field[] {
  const ref: Field = [45, message.int(34) ?? 0];
  if (!rules.hasBusinessReject) return [ref, [58, text], ...extra];
  const why: Field[] = [
    [372, message.msgType],
    [380, reason],
  ];
  if (extra.some(([tag]) => tag >= 5000)) return [ref, ...why, [58, text], ...extra];
  const fields: Field[] = [ref, [58, text], ...why, ...extra];
  return fields.sort((a, b) => a[0] - b[0]);
}
