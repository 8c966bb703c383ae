/**
 * Header, trailer and session messages of each version, from its FIX specification: used where the application gives no dictionary, or one
 * without them. A field is `tag`, `tag!` where it must be there, with `@4.1+`, `@4.2-4.3` or `@T` (FIXT.1.1) where it is of these versions
 * only, and with `(...)` around the fields of a repeating group.
 */
import { type BeginString, VERSION_RULES } from '../version-rules.js';
import { Dictionary } from './dictionary.js';

const HEADER =
  '8! 9! 35! 1128@T 1156@T 1129@T 49! 56! 115 128 90 91 34! 50 142@4.1+ 57 143@4.1+ 116 144@4.1+ 129 145@4.1+ 43 97 52! 122 ' +
  '212@4.2+ 213@4.2+ 347@4.2+ 369@4.2+ 370@4.2-4.3 627@4.3+(628 629 630)';

const TRAILER = '93 89 10!';

const MESSAGES: readonly (readonly [type: string, name: string, fields: string])[] = [
  ['0', 'Heartbeat', '112'],
  ['1', 'TestRequest', '112!'],
  ['2', 'ResendRequest', '7! 16!'],
  ['3', 'Reject', '45! 371@4.2+ 372@4.2+ 1130@T 1406@T 1131@T 373@4.2+ 58 354@4.2+ 355@4.2+'],
  ['4', 'SequenceReset', '123 36!'],
  ['5', 'Logout', '1409@T 58 354@4.2+ 355@4.2+'],
  [
    'A',
    'Logon',
    '98! 108! 95 96 141@4.1+ 789@4.4+ 383@4.2+ 384@4.2+(372 385 1130@T 1406@T 1131@T 1410@T) 464@4.3+ 553@4.3+ 554@4.3+ ' +
      '925@T 1400@T 1401@T 1402@T 1403@T 1404@T 1409@T 1137!@T 1407@T 1408@T 58@T 354@T 355@T',
  ],
];

/** By tag: name, type and, where only these are right, values. */
const FIELDS: Readonly<Record<string, string>> = {
  7: 'BeginSeqNo SEQNUM',
  8: 'BeginString STRING',
  9: 'BodyLength LENGTH',
  10: 'CheckSum STRING',
  16: 'EndSeqNo SEQNUM',
  34: 'MsgSeqNum SEQNUM',
  35: 'MsgType STRING',
  36: 'NewSeqNo SEQNUM',
  43: 'PossDupFlag BOOLEAN',
  45: 'RefSeqNum SEQNUM',
  49: 'SenderCompID STRING',
  50: 'SenderSubID STRING',
  52: 'SendingTime UTCTIMESTAMP',
  56: 'TargetCompID STRING',
  57: 'TargetSubID STRING',
  58: 'Text STRING',
  89: 'Signature DATA',
  90: 'SecureDataLen LENGTH',
  91: 'SecureData DATA',
  93: 'SignatureLength LENGTH',
  95: 'RawDataLength LENGTH',
  96: 'RawData DATA',
  97: 'PossResend BOOLEAN',
  98: 'EncryptMethod INT 0 1 2 3 4 5 6',
  108: 'HeartBtInt INT',
  112: 'TestReqID STRING',
  115: 'OnBehalfOfCompID STRING',
  116: 'OnBehalfOfSubID STRING',
  122: 'OrigSendingTime UTCTIMESTAMP',
  123: 'GapFillFlag BOOLEAN',
  128: 'DeliverToCompID STRING',
  129: 'DeliverToSubID STRING',
  141: 'ResetSeqNumFlag BOOLEAN',
  142: 'SenderLocationID STRING',
  143: 'TargetLocationID STRING',
  144: 'OnBehalfOfLocationID STRING',
  145: 'DeliverToLocationID STRING',
  212: 'XmlDataLen LENGTH',
  213: 'XmlData DATA',
  347: 'MessageEncoding STRING',
  354: 'EncodedTextLen LENGTH',
  355: 'EncodedText DATA',
  369: 'LastMsgSeqNumProcessed SEQNUM',
  370: 'OnBehalfOfSendingTime UTCTIMESTAMP',
  371: 'RefTagID INT',
  372: 'RefMsgType STRING',
  373: 'SessionRejectReason INT',
  383: 'MaxMessageSize LENGTH',
  384: 'NoMsgTypes NUMINGROUP',
  385: 'MsgDirection CHAR R S',
  464: 'TestMessageIndicator BOOLEAN',
  553: 'Username STRING',
  554: 'Password STRING',
  627: 'NoHops NUMINGROUP',
  628: 'HopCompID STRING',
  629: 'HopSendingTime UTCTIMESTAMP',
  630: 'HopRefID SEQNUM',
  789: 'NextExpectedMsgSeqNum SEQNUM',
  925: 'NewPassword STRING',
  1128: 'ApplVerID STRING',
  1129: 'CstmApplVerID STRING',
  1130: 'RefApplVerID STRING',
  1131: 'RefCstmApplVerID STRING',
  1137: 'DefaultApplVerID STRING',
  1156: 'ApplExtID INT',
  1400: 'EncryptedPasswordMethod INT',
  1401: 'EncryptedPasswordLen LENGTH',
  1402: 'EncryptedPassword DATA',
  1403: 'EncryptedNewPasswordLen LENGTH',
  1404: 'EncryptedNewPassword DATA',
  1406: 'RefApplExtID INT',
  1407: 'DefaultApplExtID INT',
  1408: 'DefaultCstmApplVerID STRING',
  1409: 'SessionStatus INT',
  1410: 'DefaultVerIndicator BOOLEAN',
};

const VERSIONS = Object.keys(VERSION_RULES);

const compiled = new Map<BeginString, Dictionary>();

/** The definitions of a version, compiled once. It knows no application message. */
export function sessionDictionary(beginString: BeginString): Dictionary {
  let dictionary = compiled.get(beginString);
  if (dictionary === undefined) {
    dictionary = Dictionary.parse(definitionsOf(beginString));
    compiled.set(beginString, dictionary);
  }
  return dictionary;
}

/** As QuickFIX XML. */
function definitionsOf(beginString: BeginString): string {
  const [type, major, minor] = beginString.split('.');
  const version = VERSIONS.indexOf(beginString);
  const used = new Set<string>();
  const messages = MESSAGES.map(
    ([msgtype, name, fields]) =>
      `<message name='${name}' msgtype='${msgtype}' msgcat='admin'>${membersOf(fields, version, used)}</message>`,
  );
  return `<fix type='${type}' major='${major}' minor='${minor}'><header>${membersOf(HEADER, version, used)}</header>
    <trailer>${membersOf(TRAILER, version, used)}</trailer><messages>${messages.join('')}</messages>
    <fields>${[...used].map(fieldOf).join('')}</fields></fix>`;
}

const MEMBER = /(\d+)(!?)(?:@([\d.]+|T)(\+|-[\d.]+)?)?(?:\(([^)]*)\))?/g;

/** The fields of one level, as far as the version has them. */
function membersOf(fields: string, version: number, used: Set<string>): string {
  let xml = '';
  for (const [, tag = '', required, from, to, group] of fields.matchAll(MEMBER)) {
    const first = from === undefined ? 0 : placeOf(from);
    const last = from === undefined || to === '+' ? Infinity : to === undefined ? first : placeOf(to.slice(1));
    if (version < first || version > last) continue;
    used.add(tag);
    const attributes = `name='${FIELDS[tag]!.split(' ', 1)[0]}' required='${required === '!' ? 'Y' : 'N'}'`;
    xml += group ? `<group ${attributes}>${membersOf(group, version, used)}</group>` : `<field ${attributes}/>`;
  }
  return xml;
}

function placeOf(version: string): number {
  return VERSIONS.findIndex((one) => one === `FIX.${version}` || (version === 'T' && one === 'FIXT.1.1'));
}

function fieldOf(tag: string): string {
  const [name, type, ...values] = FIELDS[tag]!.split(' ');
  return `<field number='${tag}' name='${name}' type='${type}'>${values.map((value) => `<value enum='${value}'/>`).join('')}</field>`;
}
