/**
 * What differs by BeginString(8), in one table. Sources: the session protocol of each FIX version ("FIX Message Format and Session
 * Protocol" of 4.0 to 4.2, volume 2 of 4.3 and 4.4, FIXT 1.1), and for the texts the public acceptance scenarios. Whatever is not here
 * is the same in all versions; session-level fields that a version does not know are refused by its dictionary.
 */

export type BeginString = 'FIX.4.0' | 'FIX.4.1' | 'FIX.4.2' | 'FIX.4.3' | 'FIX.4.4' | 'FIXT.1.1';

/** What differs by BeginString(8), from the FIX specifications. */
export interface VersionRules {
  /** Characters of a SendingTime(52) and OrigSendingTime(122) of ours: 17 in whole seconds, 21 with milliseconds. Both are read. */
  readonly timestampLength: 17 | 21;
  /** EndSeqNo(16) of a ResendRequest(2) of ours for everything from BeginSeqNo(7) on. Both are read. */
  readonly resendWithoutEnd: 0 | 999999;
  /**
   * Highest SessionRejectReason(373) of a Reject(3); one above it is left out. 0: the version has no RefTagID(371), RefMsgType(372) and
   * 373, so the tag is named in Text(58), as `Required tag missing (55)`.
   */
  readonly rejectReasonMax: 0 | 11 | 17 | 99;
  /** BusinessMessageReject(j) exists; without it, Reject(3) with its text. */
  readonly hasBusinessReject: boolean;
  /** ResetSeqNumFlag(141) exists: without it, numbers are reset by agreement only. */
  readonly hasResetSeqNumFlag: boolean;
  /** NextExpectedMsgSeqNum(789) of the Logon(A) exists. */
  readonly hasNextExpectedMsgSeqNum: boolean;
  /** ApplVerID(1128) of a message and DefaultApplVerID(1137) of the Logon(A), which must be there, name the version of the application. */
  readonly hasApplVerId: boolean;
  /** The location fields 142 to 145 exist, and are exchanged in an answer. */
  readonly hasLocationIds: boolean;
}

const FIX_4_1: VersionRules = {
  timestampLength: 17,
  resendWithoutEnd: 999999,
  rejectReasonMax: 0,
  hasBusinessReject: false,
  hasResetSeqNumFlag: true,
  hasNextExpectedMsgSeqNum: false,
  hasApplVerId: false,
  hasLocationIds: true,
};
const FIX_4_2: VersionRules = {
  ...FIX_4_1,
  timestampLength: 21,
  resendWithoutEnd: 0,
  rejectReasonMax: 11,
  hasBusinessReject: true,
};
const FIX_4_4: VersionRules = { ...FIX_4_2, rejectReasonMax: 99, hasNextExpectedMsgSeqNum: true };

/** The rules of each version, oldest first. */
export const VERSION_RULES: Readonly<Record<BeginString, VersionRules>> = {
  'FIX.4.0': { ...FIX_4_1, hasResetSeqNumFlag: false, hasLocationIds: false },
  'FIX.4.1': FIX_4_1,
  'FIX.4.2': FIX_4_2,
  'FIX.4.3': { ...FIX_4_2, rejectReasonMax: 17 },
  'FIX.4.4': FIX_4_4,
  'FIXT.1.1': { ...FIX_4_4, hasApplVerId: true },
};

const rules = new Map<string, VersionRules>(Object.entries(VERSION_RULES));

/** The rules of a BeginString(8); those of FIX.4.4 for any other text. */
export function versionRules(beginString: string): VersionRules {
  return rules.get(beginString) ?? FIX_4_4;
}
