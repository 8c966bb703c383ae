import { readFileSync } from 'node:fs';
import type { ConnectionOptions, TlsOptions } from 'node:tls';
import { Dictionary } from '../dictionary/dictionary.js';
import { ALWAYS_OPEN, type Weekday, weeklySchedule } from '../schedule.js';
import { sessionKey } from '../session/live-sessions.js';
import { profile as profileOf } from '../session/profile.js';
import type { VersionOptions } from '../session/protocol.js';
import type { AcceptorOptions } from '../transport/acceptor.js';
import type { InitiatorOptions } from '../transport/initiator.js';
import type { ReconnectWaits } from '../transport/reconnect.js';
import type { Schedule, SessionId, SessionProfile } from '../types.js';
import { type BeginString, VERSION_RULES } from '../version-rules.js';
import { type CfgSection, readCfg, type SettingProblem, UNSUPPORTED } from './cfg-file.js';

export type { SettingProblem } from './cfg-file.js';

export interface QuickfixSettings {
  /** Add `application` and `store`, and where wanted `log` and `logonFields`. */
  readonly initiators: readonly Omit<InitiatorOptions, 'application' | 'store'>[];
  /** One for each address: its sessions share a listener. */
  readonly acceptors: readonly AcceptorSettings[];
  /** Everything in the file that has no effect, or none that could be given. Nothing is passed over silently. */
  readonly problems: readonly SettingProblem[];
}

export interface AcceptorSettings {
  /** Add `application` and `store`, and where wanted `log`. */
  readonly options: Omit<AcceptorOptions, 'application' | 'store'>;
  /** By `sessionKey`: what `authenticate` accepts with; a session that is not among them is not in the file. */
  readonly profiles: ReadonlyMap<string, SessionProfile>;
}

export interface QuickfixSettingsOptions {
  /** What the file has no settings for: `supported`, `stored` and further limits. */
  readonly profile?: Partial<SessionProfile>;
  /** Reads a dictionary or certificate by the path in the file; from the file system by default. */
  readonly readFile?: (path: string) => string;
}

/**
 * The sessions of a settings file of QuickFIX, QuickFIX/J or quickfixgo, as options of initiators and acceptors. Keys in either case, booleans Y or N,
 * times in UTC unless TimeZone names another zone. Throws nothing for what is in the file: see `problems`. A session whose required settings are
 * missing or invalid is left out.
 */
export function quickfixSettings(text: string, options: QuickfixSettingsOptions = {}): QuickfixSettings {
  const problems: SettingProblem[] = [];
  const initiators: Omit<InitiatorOptions, 'application' | 'store'>[] = [];
  const listeners = new Map<string, Listener>();
  for (const section of readCfg(text, problems)) {
    const type = section.required('ConnectionType').toLowerCase();
    if (type !== '' && type !== 'initiator' && type !== 'acceptor')
      section.problem('ConnectionType', 'invalid', 'write initiator or acceptor');
    const parts = partsOf(section, options);
    if (type === 'initiator') {
      const initiator = initiatorOf(section, parts, options);
      if (section.isUsable) initiators.push(initiator);
    } else if (type === 'acceptor') addAcceptor(section, parts, options, listeners);
    section.reportUnread(UNSUPPORTED);
  }
  return { initiators, acceptors: [...listeners.values()], problems };
}

/** What initiators and acceptors have in common. */
interface Parts {
  readonly id: SessionId;
  readonly version: VersionOptions;
  readonly defaultApplVerId: string | undefined;
  readonly profile: SessionProfile;
}

function partsOf(section: CfgSection, options: QuickfixSettingsOptions): Parts {
  const beginString = section.required('BeginString');
  if (beginString !== '' && !(beginString in VERSION_RULES)) {
    section.problem('BeginString', 'invalid', `write one of ${Object.keys(VERSION_RULES).join(', ')}`);
  }
  const id: Record<string, string> = {
    beginString,
    senderCompId: section.required('SenderCompID'),
    targetCompId: section.required('TargetCompID'),
  };
  for (const [key, name] of ID_KEYS) {
    const value = section.text(key);
    if (value !== undefined && value !== '') id[name] = value;
  }
  const defaultApplVerId = applVerIdOf(section, 'DefaultApplVerID', section.text('DefaultApplVerID'));
  if (beginString === 'FIXT.1.1' && defaultApplVerId === undefined) section.required('DefaultApplVerID');
  return {
    id: id as unknown as SessionId,
    version: versionOf(section, beginString as BeginString, defaultApplVerId, options),
    defaultApplVerId,
    profile: sessionProfile(section, options),
  };
}

const ID_KEYS: readonly (readonly [string, keyof SessionId])[] = [
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
  options: QuickfixSettingsOptions,
): VersionOptions {
  const isUsed = section.flag('UseDataDictionary', true);
  const parse = (key: string): Dictionary | undefined => {
    const path = section.text(key);
    if (path === undefined || !isUsed) return undefined;
    return attempt(section, key, () => Dictionary.parse(readFile(options, path)));
  };
  if (beginString !== 'FIXT.1.1') {
    const dictionary = isUsed ? parse('DataDictionary') : 'none';
    return { beginString, ...(dictionary && { dictionary }) };
  }
  const dictionary = isUsed ? (parse('TransportDataDictionary') ?? parse('DataDictionary')) : 'none';
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

function sessionProfile(section: CfgSection, options: QuickfixSettingsOptions): SessionProfile {
  const checksLatency = section.flag('CheckLatency', true);
  const maxLatencyS = section.whole('MaxLatency', 1, 86_400) ?? 120;
  const resets = [section.flag('ResetOnLogout'), section.flag('ResetOnDisconnect')];
  if (resets[0] !== resets[1]) {
    const key = resets[0] ? 'ResetOnLogout' : 'ResetOnDisconnect';
    section.problem(key, 'unsupported', 'set ResetOnLogout and ResetOnDisconnect together, or ResetOnLogon');
  }
  const resetOnLogon = section.flag('ResetOnLogon');
  const isAcceptor = section.text('ConnectionType')?.toLowerCase() === 'acceptor';
  const schedule = scheduleOf(section);
  return profileOf({
    heartBtIntMax: 3_600,
    ...options.profile,
    maxLatencyS: checksLatency ? maxLatencyS : Number.POSITIVE_INFINITY,
    userTags: section.flag('ValidateUserDefinedFields', true) ? 'strict' : 'ignore',
    resetOnLogon: (resets[0] && resets[1]) || (isAcceptor && resetOnLogon),
    groupOrder: section.flag('ValidateUnorderedGroupFields', true) ? 'strict' : 'any',
    sendNextExpected: section.flag('EnableNextExpectedMsgSeqNum'),
    ...(!section.flag('PersistMessages', true) && { stored: new Set<string>() }),
    ...(schedule && { schedule }),
  });
}

const DAYS: readonly Weekday[] = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** `Monday`, `mon` or `Mo`. */
function dayOf(section: CfgSection, key: string, text: string | undefined): Weekday | undefined {
  if (text === undefined) return undefined;
  const day = DAYS.find(
    (one) => text.length >= 2 && one.toLowerCase().startsWith(text.trim().slice(0, 3).toLowerCase()),
  );
  if (day === undefined) section.problem(key, 'invalid', 'write a day of the week, such as Sunday');
  return day;
}

function scheduleOf(section: CfgSection): Schedule | undefined {
  const [startTime, endTime] = [section.text('StartTime'), section.text('EndTime')];
  const startDay = dayOf(section, 'StartDay', section.text('StartDay'));
  const endDay = dayOf(section, 'EndDay', section.text('EndDay'));
  const named = section
    .text('Weekdays')
    ?.split(',')
    .map((day) => dayOf(section, 'Weekdays', day));
  const timeZone = section.text('TimeZone') ?? 'UTC';
  if (section.flag('NonStopSession')) return ALWAYS_OPEN;
  if (startTime === undefined || endTime === undefined) {
    for (const key of ['StartTime', 'EndTime']) section.required(key);
    return undefined;
  }
  // Without days each day has a session of its own; with the same time for both, one follows the other.
  const weekdays =
    named?.flatMap((day) => day ?? []) ?? (startDay === undefined && endDay === undefined ? DAYS : undefined);
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
  options: QuickfixSettingsOptions,
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
    resetOnLogon: section.flag('ResetOnLogon'),
    reconnect: waitsOf(section),
    profile,
  };
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

interface Listener extends AcceptorSettings {
  readonly options: Omit<AcceptorOptions, 'application' | 'store'> & {
    versions: VersionOptions[];
    senderCompIds: string[];
  };
  readonly profiles: Map<string, SessionProfile>;
}

function addAcceptor(
  section: CfgSection,
  { id, version, profile }: Parts,
  options: QuickfixSettingsOptions,
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
  if (section.text('HeartBtInt') !== undefined)
    section.problem('HeartBtInt', 'unsupported', 'the initiator decides; bounds are in the profile');
  if (id.qualifier !== undefined)
    section.problem('SessionQualifier', 'unsupported', 'a Logon(A) does not name it: for initiators only');
  if (!section.isUsable) return;
  const address = `${host}:${port}`;
  let listener = listeners.get(address);
  if (listener === undefined) {
    const common = {
      host,
      port,
      ...(tls && { tls }),
      ...(logonTimeoutS && { limits: { logonTimeoutMs: logonTimeoutS * 1_000 } }),
    };
    listener = {
      options: { ...common, versions: [], senderCompIds: [], identifyBy: ['subId', 'locationId'] },
      profiles: new Map(),
    };
    listeners.set(address, listener);
  }
  const { senderCompIds, versions } = listener.options;
  if (!senderCompIds.includes(id.senderCompId)) senderCompIds.push(id.senderCompId);
  if (!versions.some(({ beginString }) => beginString === version.beginString)) versions.push(version);
  listener.profiles.set(sessionKey(id), profile);
}

function portOf(section: CfgSection, key: string): number {
  section.required(key);
  return section.whole(key, 1, 65_535) ?? 0;
}

/** The names of quickfixgo, then of QuickFIX; a key store of QuickFIX/J is a format of Java. */
function tlsOf(
  section: CfgSection,
  options: QuickfixSettingsOptions,
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
