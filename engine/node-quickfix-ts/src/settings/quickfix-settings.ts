import { readFileSync } from 'node:fs';
import type { ConnectionOptions, TlsOptions } from 'node:tls';
import { STANDARD_PAIRS } from '../codec/text-form.js';
import { Dictionary } from '../dictionary/dictionary.js';
import { ALWAYS_OPEN, type Weekday, weeklySchedule } from '../schedule.js';
import { logonFieldsOf } from '../session/initiate.js';
import { isSafeId, sessionKey } from '../session/live-sessions.js';
import { profile as profileOf } from '../session/profile.js';
import type { VersionOptions } from '../session/protocol.js';
import type { InitiatorOptions } from '../transport/initiator.js';
import type { ReconnectWaits } from '../transport/reconnect.js';
import type { Field, Schedule, SessionId, SessionProfile } from '../types.js';
import { type BeginString, VERSION_RULES } from '../version-rules.js';
import { type CfgSection, readCfg, type SettingProblem } from './cfg-file.js';
import { type AcceptorSettings, addToListener, type Listener } from './listeners.js';

export type { SettingProblem } from './cfg-file.js';
export type { AcceptorSettings } from './listeners.js';

/** What a settings file says, as options of initiators and acceptors. */
export interface QuickfixSettings {
  /** Add `application` and `store`, and where wanted `log`, and `logonFields` beyond LogonTag. */
  readonly initiators: readonly Omit<InitiatorOptions, 'application' | 'store'>[];
  /** One for each address: its sessions share a listener. */
  readonly acceptors: readonly AcceptorSettings[];
  /** Everything in the file that has no effect, or none that could be given. Nothing is passed over silently. */
  readonly problems: readonly SettingProblem[];
}

/** What a settings file cannot say. */
export interface QuickfixSettingsOptions {
  /** What the file has no settings for: `supported`, `stored` and further limits. */
  readonly profile?: Partial<SessionProfile>;
  /** Reads a dictionary or certificate by the path in the file; from the file system by default. */
  readonly readFile?: (path: string) => string;
  /** The value of each `${NAME}` in the file, such as `process.env`; one that is not among them is a problem. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

interface Given extends QuickfixSettingsOptions {
  /** By path: sessions share what they are validated with. */
  readonly dictionaries: Map<string, Dictionary>;
}

/**
 * The sessions of a settings file of QuickFIX, QuickFIX/J or quickfixgo, as options of initiators and acceptors. Keys in either case, booleans Y or N,
 * times in UTC unless TimeZone, or the time itself, names another zone. Without ConnectionType, as quickfixgo has it, a session with SocketConnectHost is
 * an initiator, one with SocketAcceptPort an acceptor, and without StartTime and EndTime it is always open. Throws nothing for what is in the file: see `problems`. A session whose
 * required settings are missing or invalid is left out; so is one with the ids of a session before it, and one whose TLS is another one than that of a
 * session before it at the same address, or has a setting that is not understood.
 * Sessions of an address and version have the dictionary, and sessions of an address the LogonTimeout, of the first of them.
 */
export function quickfixSettings(text: string, given: QuickfixSettingsOptions = {}): QuickfixSettings {
  const options: Given = { ...given, dictionaries: new Map() };
  const problems: SettingProblem[] = [];
  const initiators: Omit<InitiatorOptions, 'application' | 'store'>[] = [];
  const listeners = new Map<string, Listener>();
  const keys = new Set<string>();
  for (const section of readCfg(text, problems, given.variables ?? {})) {
    const type = typeOf(section);
    section.refuseUnknownTls();
    const parts = partsOf(section, type, options);
    const key = sessionKey(parts.id);
    if (section.isUsable && keys.has(key))
      section.problem('TargetCompID', 'invalid', 'a session before it has the same BeginString and ids');
    keys.add(key);
    if (type === 'initiator') {
      const initiator = initiatorOf(section, parts, options);
      if (section.isUsable) initiators.push(initiator);
    } else if (type === 'acceptor') addAcceptor(section, parts, options, listeners);
    section.reportUnread();
  }
  return { initiators, acceptors: [...listeners.values()], problems };
}

function typeOf(section: CfgSection): string {
  const [connects, accepts] = [section.has('SocketConnectHost'), section.has('SocketAcceptPort')];
  if (!section.has('ConnectionType') && connects !== accepts) return connects ? 'initiator' : 'acceptor';
  const type = section.required('ConnectionType').toLowerCase();
  if (type !== '' && type !== 'initiator' && type !== 'acceptor')
    section.problem('ConnectionType', 'invalid', 'write initiator or acceptor');
  return type;
}

/** What initiators and acceptors have in common. */
interface Parts {
  readonly id: SessionId;
  readonly version: VersionOptions;
  readonly defaultApplVerId: string | undefined;
  readonly profile: SessionProfile;
}

function partsOf(section: CfgSection, type: string, options: Given): Parts {
  const beginString = section.required('BeginString');
  if (beginString !== '' && !(beginString in VERSION_RULES)) {
    section.problem('BeginString', 'invalid', `write one of ${Object.keys(VERSION_RULES).join(', ')}`);
  }
  const id: Record<string, string> = { beginString };
  for (const [key, name] of ID_KEYS) {
    const value = name.endsWith('CompId') ? section.required(key) : (section.text(key) ?? '');
    if (value !== '' || name.endsWith('CompId')) id[name] = value;
    if (value !== '' && !isSafeId(value))
      section.problem(key, 'invalid', 'write 1 to 64 printable characters without / and \\, not dots alone');
  }
  const defaultApplVerId =
    beginString === 'FIXT.1.1'
      ? applVerIdOf(section, 'DefaultApplVerID', section.required('DefaultApplVerID') || undefined)
      : undefined;
  return {
    id: id as unknown as SessionId,
    version: versionOf(section, beginString as BeginString, defaultApplVerId, options),
    defaultApplVerId,
    profile: sessionProfile(section, type, options),
  };
}

const ID_KEYS: readonly (readonly [string, keyof SessionId])[] = [
  ['SenderCompID', 'senderCompId'],
  ['TargetCompID', 'targetCompId'],
  ['SenderSubID', 'senderSubId'],
  ['SenderLocationID', 'senderLocationId'],
  ['TargetSubID', 'targetSubId'],
  ['TargetLocationID', 'targetLocationId'],
  ['SessionQualifier', 'qualifier'],
];

const APPL_VER_IDS = [
  '',
  '',
  'FIX.4.0',
  'FIX.4.1',
  'FIX.4.2',
  'FIX.4.3',
  'FIX.4.4',
  'FIX.5.0',
  'FIX.5.0SP1',
  'FIX.5.0SP2',
];

/** `9`, or `FIX.5.0SP2`. */
function applVerIdOf(section: CfgSection, key: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const at = APPL_VER_IDS.indexOf(value.toUpperCase());
  if (at > 0) return String(at);
  if (/^[2-9]$/.test(value)) return value;
  section.problem(key, 'invalid', 'write a version such as FIX.5.0SP2, or 2 to 9');
  return undefined;
}

function versionOf(
  section: CfgSection,
  beginString: BeginString,
  defaultApplVerId: string | undefined,
  options: Given,
): VersionOptions {
  const isUsed = section.flag('UseDataDictionary', true);
  const parse = (key: string): Dictionary | undefined => {
    const path = section.text(key);
    if (path === undefined || !isUsed) return undefined;
    const known = options.dictionaries.get(path);
    const dictionary = known ?? attempt(section, key, () => Dictionary.parse(readFile(options, path)));
    if (dictionary !== undefined) options.dictionaries.set(path, dictionary);
    return dictionary;
  };
  const isTransport = beginString === 'FIXT.1.1';
  const parsed = (isTransport ? parse('TransportDataDictionary') : undefined) ?? parse('DataDictionary');
  const dictionary = isUsed ? parsed : 'none';
  if (!isTransport) return { beginString, ...(dictionary && { dictionary }) };
  const applications: Record<string, Dictionary> = {};
  for (const suffix of section.suffixesOf('AppDataDictionary')) {
    const key = `AppDataDictionary${suffix}`;
    const applVerId = suffix === '' ? defaultApplVerId : applVerIdOf(section, key, suffix.replace(/^\./, ''));
    const application = parse(key);
    if (applVerId !== undefined && application !== undefined) applications[applVerId] = application;
  }
  const hasApplications = Object.keys(applications).length > 0;
  return { beginString, ...(dictionary && { dictionary }), ...(hasApplications && { applications }) };
}

function sessionProfile(section: CfgSection, type: string, options: Given): SessionProfile {
  const checksLatency = section.flag('CheckLatency', true);
  const maxLatencyS = section.whole('MaxLatency', 1, 86_400) ?? 120;
  const resets = [section.flag('ResetOnLogout'), section.flag('ResetOnDisconnect')];
  if (resets[0] !== resets[1]) {
    const key = resets[0] ? 'ResetOnLogout' : 'ResetOnDisconnect';
    section.problem(key, 'unsupported', 'set ResetOnLogout and ResetOnDisconnect together, or ResetOnLogon');
  }
  const resetOnLogon = section.flag('ResetOnLogon');
  const schedule = scheduleOf(section);
  return profileOf({
    heartBtIntMax: 3_600,
    ...options.profile,
    maxLatencyS: checksLatency ? maxLatencyS : Number.POSITIVE_INFINITY,
    userTags: section.flag('ValidateUserDefinedFields', true) ? 'strict' : 'ignore',
    resetOnLogon: (resets[0] && resets[1]) || (type === 'acceptor' && resetOnLogon),
    groupOrder: section.flag('ValidateUnorderedGroupFields', true) ? 'strict' : 'any',
    // The name of QuickFIX/J and quickfixgo, and of QuickFIX.
    sendNextExpected: [section.flag('EnableNextExpectedMsgSeqNum'), section.flag('SendNextExpectedMsgSeqNum')].includes(
      true,
    ),
    ...(!section.flag('PersistMessages', true) && { stored: new Set<string>() }),
    ...(schedule && { schedule }),
  });
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const WEEKDAYS = DAYS.map((day) => day.slice(0, 3) as Weekday);

/** `Monday`, `mon` or `Mo`. */
function dayOf(section: CfgSection, key: string, text: string | undefined): Weekday | undefined {
  if (text === undefined) return undefined;
  const start = text.trim().toLowerCase();
  const day = WEEKDAYS[start.length < 2 ? -1 : DAYS.findIndex((one) => one.toLowerCase().startsWith(start))];
  if (day === undefined) section.problem(key, 'invalid', 'write a day of the week, such as Sunday');
  return day;
}

function scheduleOf(section: CfgSection): Schedule | undefined {
  // QuickFIX/J has the zone behind the time, too.
  const [startTime, startZone] = section.text('StartTime')?.split(/\s+/) ?? [];
  const [endTime, endZone] = section.text('EndTime')?.split(/\s+/) ?? [];
  const startDay = dayOf(section, 'StartDay', section.text('StartDay'));
  const endDay = dayOf(section, 'EndDay', section.text('EndDay'));
  const named = section
    .text('Weekdays')
    ?.split(',')
    .map((day) => dayOf(section, 'Weekdays', day));
  const zone = section.text('TimeZone') ?? 'UTC';
  const timeZone = startZone ?? zone;
  if (named !== undefined && (startDay !== undefined || endDay !== undefined))
    section.problem('Weekdays', 'invalid', 'give Weekdays, or StartDay and EndDay, not both');
  if (section.flag('NonStopSession')) return ALWAYS_OPEN;
  const hasHours = ['StartTime', 'EndTime', 'StartDay', 'EndDay', 'Weekdays'].some((key) => section.has(key));
  if (!hasHours && !section.has('ConnectionType')) return ALWAYS_OPEN;
  if (startTime === undefined || endTime === undefined) {
    for (const key of ['StartTime', 'EndTime']) section.required(key);
    return undefined;
  }
  if ((endZone ?? zone) !== timeZone) section.problem('EndTime', 'invalid', 'write the zone of StartTime');
  // Without days each day has a session of its own; with the same time for both, one follows the other.
  const weekdays =
    named?.flatMap((day) => day ?? []) ?? (startDay === undefined && endDay === undefined ? WEEKDAYS : undefined);
  return attempt(section, 'StartTime', () =>
    weeklySchedule({
      startTime,
      endTime,
      timeZone,
      ...(weekdays && { weekdays }),
      ...(startDay && { startDay }),
      ...(endDay && { endDay }),
    }),
  );
}

function initiatorOf(
  section: CfgSection,
  { id, version, defaultApplVerId, profile }: Parts,
  options: Given,
): Omit<InitiatorOptions, 'application' | 'store'> {
  const addresses = [{ host: section.required('SocketConnectHost'), port: portOf(section, 'SocketConnectPort') }];
  for (let i = 1; section.has(`SocketConnectHost${i}`); i++) {
    addresses.push({ host: section.required(`SocketConnectHost${i}`), port: portOf(section, `SocketConnectPort${i}`) });
  }
  const [first, ...backups] = addresses;
  const tls = tlsOf(
    section,
    options,
    ['SocketPrivateKeyFile', 'ClientCertificateKeyFile'],
    ['SocketCertificateFile', 'ClientCertificateFile'],
  );
  const logonFields = logonTags(section, id, profile);
  section.required('HeartBtInt');
  onlyIf(section, 'LogonTimeout', '10');
  onlyIf(section, 'LogoutTimeout', '2');
  return {
    ...id,
    ...version,
    ...first!,
    ...(backups.length > 0 && { backups }),
    ...(tls && { tls }),
    ...(defaultApplVerId !== undefined && { defaultApplVerId }),
    heartBtInt: section.whole('HeartBtInt', 0, 3_600) ?? 0,
    ...(logonFields.length > 0 && { logonFields }),
    resetOnLogon: section.flag('ResetOnLogon'),
    reconnect: waitsOf(section),
    profile,
  };
}

/** `LogonTag=553=user`, `LogonTag1=554=secret` of QuickFIX/J. */
function logonTags(section: CfgSection, id: SessionId, { encoding }: SessionProfile): readonly Field[] {
  const suffixes = section.suffixesOf('LogonTag').filter((suffix) => /^\d*$/.test(suffix));
  return suffixes.flatMap((suffix): readonly Field[] => {
    const key = `LogonTag${suffix}`;
    const [, tag, value] = /^([1-9]\d{0,8})=(.+)$/.exec(section.text(key) ?? '') ?? [];
    if (tag !== undefined && value !== undefined) {
      const field: Field = [Number(tag), value];
      return attempt(section, key, () => logonFieldsOf(id, [field], STANDARD_PAIRS.form(encoding))) ?? [];
    }
    section.problem(key, 'invalid', 'write a tag and a value, such as 553=user');
    return [];
  });
}

/** Seconds, or a list of them such as `5;10` or `3*5;30`: QuickFIX's 30 by default. */
function waitsOf(section: CfgSection): ReconnectWaits {
  const text = section.text('ReconnectInterval') ?? '30';
  const waits = text.split(';').flatMap((part) => {
    const [, times = '1', seconds] = /^(?:(\d{1,2})[*x])?(\d{1,5})$/.exec(part.trim()) ?? [];
    return seconds === undefined || Number(seconds) === 0
      ? [0]
      : Array<number>(Number(times)).fill(Number(seconds) * 1_000);
  });
  const [first, ...more] = waits;
  if (first !== undefined && !waits.includes(0)) return { waitsMs: [first, ...more] };
  section.problem('ReconnectInterval', 'invalid', 'write seconds, or a list such as 5;10;30');
  return { waitsMs: [30_000] };
}

function addAcceptor(
  section: CfgSection,
  { id, version, profile }: Parts,
  options: Given,
  listeners: Map<string, Listener>,
): void {
  const port = portOf(section, 'SocketAcceptPort');
  // QuickFIX listens on every address where none is named.
  const host = section.text('SocketAcceptAddress') ?? section.text('SocketAcceptHost') ?? '0.0.0.0';
  const tls = tlsOf(
    section,
    options,
    ['SocketPrivateKeyFile', 'ServerCertificateKeyFile'],
    ['SocketCertificateFile', 'ServerCertificateFile'],
  );
  const logonTimeoutS = section.whole('LogonTimeout', 1, 300);
  onlyIf(section, 'LogoutTimeout', '2');
  if (id.qualifier !== undefined)
    section.problem('SessionQualifier', 'unsupported', 'a Logon(A) does not name it: for initiators only');
  if (!section.isUsable) return;
  const limits = logonTimeoutS === undefined ? undefined : { logonTimeoutMs: logonTimeoutS * 1_000 };
  const address = { host, port, ...(tls && { tls }), ...(limits && { limits }) };
  addToListener(section, { id, version, profile }, address, listeners);
}

function portOf(section: CfgSection, key: string): number {
  section.required(key);
  return section.whole(key, 1, 65_535) ?? 0;
}

/** The names of quickfixgo, then of QuickFIX; a key store of QuickFIX/J is a format of Java. */
function tlsOf(
  section: CfgSection,
  options: Given,
  keyNames: readonly string[],
  certificateNames: readonly string[],
): (TlsOptions & ConnectionOptions) | undefined {
  const read = (names: readonly string[]): string | undefined => {
    const name = names.find((one) => section.has(one));
    const path = name === undefined ? undefined : section.text(name);
    return path === undefined ? undefined : attempt(section, name!, () => readFile(options, path));
  };
  const [key, cert] = [read(keyNames), read(certificateNames)];
  const ca = read(['SocketCAFile', 'CertificationAuthoritiesFile']);
  const servername = section.text('SocketServerName');
  if (section.flag('SocketInsecureSkipVerify')) {
    section.problem(
      'SocketInsecureSkipVerify',
      'unsupported',
      'name the certificate in SocketCAFile: it is always verified',
    );
  }
  const isUsed = section.flag('SocketUseSSL', key !== undefined || cert !== undefined || ca !== undefined);
  if (!isUsed) return undefined;
  return { ...(key && { key }), ...(cert && { cert }), ...(ca && { ca }), ...(servername && { servername }) };
}

/** A setting with one possible value here. */
function onlyIf(section: CfgSection, key: string, value: string): void {
  const given = section.text(key);
  if (given !== undefined && given !== value) section.problem(key, 'unsupported', `it is ${value} seconds`);
}

const readFile = ({ readFile: read }: QuickfixSettingsOptions, path: string): string =>
  read?.(path) ?? readFileSync(path, 'utf8');

function attempt<T>(section: CfgSection, key: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    section.problem(key, 'invalid', error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
