import type { Field } from '../types.js';
import type { FixSession } from './session.js';

/**
 * The body of a Logon(A) of ours, as far as its version has the fields: 98, 108, ResetSeqNumFlag(141), NextExpectedMsgSeqNum(789) where it
 * is given, DefaultApplVerID(1137).
 */
export function logonBody({ heartBtMs, ownApplVerId, rules }: FixSession, reset: boolean, expected?: number): Field[] {
  const fields: Field[] = [
    [98, 0],
    [108, heartBtMs / 1000],
  ];
  if (reset && rules.hasResetSeqNumFlag) fields.push([141, 'Y']);
  if (expected !== undefined && rules.hasNextExpectedMsgSeqNum) fields.push([789, expected]);
  if (ownApplVerId !== undefined) fields.push([1137, ownApplVerId]);
  return fields;
}
