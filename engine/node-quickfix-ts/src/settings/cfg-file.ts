/** The text of a QuickFIX settings file: sections, keys, values, and which of them were read. */

/** What a settings file asks for and does not get. */
export interface SettingProblem {
  /** Of the file, from 1; 0: a setting that is not there. */
  readonly line: number;
  readonly key: string;
  /**
   * `unknown`: no setting of this name. `unsupported`: one of another engine, or a value of it, without a counterpart here. `invalid`: a value
   * that is none. `missing`: required, and not there.
   */
  readonly kind: 'unknown' | 'unsupported' | 'invalid' | 'missing';
  /** One line: what to do. */
  readonly text: string;
}

interface Entry {
  readonly line: number;
  readonly key: string;
  readonly value: string;
}

/** The settings of one session: its own, and those of [DEFAULT] that it does not have. */
export class CfgSection {
  readonly #entries = new Map<string, Entry>();
  readonly #read = new Set<string>();
  /** No setting is missing or invalid. */
  isUsable = true;

  constructor(
    entries: readonly Entry[],
    readonly problems: SettingProblem[],
  ) {
    for (const entry of entries) this.#entries.set(entry.key.toLowerCase(), entry);
  }

  has(key: string): boolean {
    return this.#entries.has(key.toLowerCase());
  }

  text(key: string): string | undefined {
    this.#read.add(key.toLowerCase());
    return this.#entries.get(key.toLowerCase())?.value;
  }

  required(key: string): string {
    const value = this.text(key);
    if (value === undefined || value === '') this.problem(key, 'missing', `give ${key}`);
    return value ?? '';
  }

  /** `Y` or `N`, in either case. */
  flag(key: string, absent = false): boolean {
    const value = this.text(key);
    if (value === undefined) return absent;
    if (!/^[yn]$/i.test(value)) this.problem(key, 'invalid', 'write Y or N');
    return /^y$/i.test(value);
  }

  /** A whole number; undefined where it is absent or invalid. */
  whole(key: string, min: number, max: number): number | undefined {
    const value = this.text(key);
    if (value === undefined) return undefined;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    this.problem(key, 'invalid', `write a whole number from ${min} to ${max}`);
    return undefined;
  }

  /** Keys that begin with this, with what follows. */
  suffixesOf(prefix: string): readonly string[] {
    const start = prefix.toLowerCase();
    return [...this.#entries.values()].flatMap(({ key }) =>
      key.toLowerCase().startsWith(start) ? [key.slice(prefix.length)] : [],
    );
  }

  problem(key: string, kind: SettingProblem['kind'], text: string): void {
    if (kind === 'missing' || kind === 'invalid') this.isUsable = false;
    const line = this.#entries.get(key.toLowerCase())?.line ?? 0;
    const isKnown = this.problems.some((other) => other.line === line && other.key === key && other.kind === kind);
    // A setting of [DEFAULT] is reported once.
    if (!isKnown || line === 0) this.problems.push({ line, key, kind, text });
  }

  /** Reports every setting that was not read. */
  reportUnread(unsupported: Readonly<Record<string, string>>): void {
    const known = new Map(Object.entries(unsupported).map(([key, text]) => [key.toLowerCase(), text]));
    for (const [name, { key }] of this.#entries) {
      if (this.#read.has(name)) continue;
      const text = known.get(name);
      if (text === undefined) this.problem(key, 'unknown', 'no setting of this name; check its spelling');
      else this.problem(key, 'unsupported', text);
    }
  }
}

/** The [SESSION] sections of the text, in order. Lines that are neither section, `key=value`, comment nor empty are problems. */
export function readCfg(text: string, problems: SettingProblem[]): readonly CfgSection[] {
  const defaults: Entry[] = [];
  const sessions: Entry[][] = [];
  let section: Entry[] | undefined;
  for (const [i, whole] of text.split(/\r\n|\r|\n/).entries()) {
    const line = i + 1;
    const row = whole.replace(/^\uFEFF/, '').trim();
    if (row === '' || row.startsWith('#')) continue;
    const name = /^\[\s*(\w+)\s*\]$/.exec(row)?.[1]?.toUpperCase();
    const at = row.indexOf('=');
    if (name === 'DEFAULT') section = defaults;
    else if (name === 'SESSION') {
      section = [];
      sessions.push(section);
    } else if (section === undefined || at < 1 || name !== undefined) {
      problems.push({
        line,
        key: row.slice(0, 40),
        kind: 'invalid',
        text: 'write [DEFAULT], [SESSION], or Key=Value below one of them',
      });
    } else section.push({ line, key: row.slice(0, at).trim(), value: row.slice(at + 1).trim() });
  }
  return sessions.map((own) => new CfgSection([...defaults, ...own], problems));
}

const STORE = 'give `store` to the Initiator or Acceptor';
const LOG = 'give `log` to the Initiator or Acceptor';
const JAVA = 'a key store of Java: use SocketPrivateKeyFile and SocketCertificateFile';
const ALWAYS = 'it is always checked';

/** Settings of other engines, and what to do instead. */
export const UNSUPPORTED: Readonly<Record<string, string>> = {
  FileStorePath: STORE,
  FileStoreMaxCachedMsgs: STORE,
  FileStoreSync: STORE,
  JdbcDriver: STORE,
  JdbcURL: STORE,
  JdbcUser: STORE,
  JdbcPassword: STORE,
  SQLStoreDriver: STORE,
  SQLStoreDataSourceName: STORE,
  MongoStoreConnection: STORE,
  FileLogPath: LOG,
  FileLogHeartbeats: LOG,
  ScreenLogShowIncoming: LOG,
  ScreenLogShowOutgoing: LOG,
  ScreenLogShowEvents: LOG,
  SLF4JLogHeartbeats: LOG,
  SocketKeyStore: JAVA,
  SocketKeyStorePassword: JAVA,
  SocketTrustStore: JAVA,
  SocketTrustStorePassword: JAVA,
  KeyStoreType: JAVA,
  EnabledProtocols: 'TLS 1.2 at least; see `tls`',
  CipherSuites: 'see `tls`',
  NeedClientAuth: 'see `tls`: requestCert and ca',
  CheckCompID: ALWAYS,
  ValidateFieldsOutOfOrder: ALWAYS,
  ValidateFieldsHaveValues: ALWAYS,
  ValidateIncomingMessage: 'leave the dictionary out',
  ValidateLengthAndChecksum: ALWAYS,
  AllowUnknownMsgFields: 'extend the dictionary',
  RefreshOnLogon: 'the store is read at each logon',
  RequiresOrigSendingTime: ALWAYS,
  MillisecondsInTimeStamp: 'the version decides',
  TimeStampPrecision: 'the version decides',
  SendRedundantResendRequests: 'a gap is requested once',
  ClosedResendInterval: 'a resend is requested without an end',
  ResendRequestChunkSize: 'a resend is requested without an end',
  SocketNodelay: 'it is always set',
  SocketTcpNoDelay: 'it is always set',
  SocketReuseAddress: 'it is always set',
  SocketConnectTimeout: 'it is 10 seconds',
  AcceptorTemplate: '`authenticate` decides on each session',
  DynamicSession: '`authenticate` decides on each session',
  HeartBtIntOverride: 'the initiator decides; bounds are in the profile',
  UseLocalTime: 'name the zone in TimeZone',
};
