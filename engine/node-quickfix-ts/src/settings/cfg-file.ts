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
  readonly isDefault: boolean;
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
    /** Values of `${NAME}`. */
    private readonly variables: Readonly<Record<string, string | undefined>>,
  ) {
    for (const entry of entries) this.#entries.set(entry.key.toLowerCase(), entry);
  }

  has(key: string): boolean {
    return this.#entries.has(key.toLowerCase());
  }

  text(key: string): string | undefined {
    this.#read.add(key.toLowerCase());
    const value = this.#entries.get(key.toLowerCase())?.value;
    return value?.replace(/\$\{([^}]*)\}/g, (whole, name: string) => {
      const known = this.variables[name];
      if (known === undefined) this.problem(key, 'invalid', `give \`variables\` a value of ${whole}`);
      return known ?? whole;
    });
  }

  /** A TLS setting that is not understood makes the session unusable: it is never one without TLS, or with less of it than the file asks for. */
  refuseUnknownTls(): void {
    for (const [name, { key, value }] of this.#entries) {
      const same = SAME_TLS.get(name);
      const isUnknown = !same?.test(value) && TLS_KEY.test(key) && !TLS_READ.test(key);
      if (same || isUnknown) this.#read.add(name);
      if (!isUnknown) continue;
      const text = UNSUPPORTED.get(name);
      this.problem(key, text ? 'unsupported' : 'unknown', text ?? 'no TLS setting of this name; check its spelling');
      this.isUsable = false;
    }
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

  /** Reports every setting that was not read, but for one of [DEFAULT] that is of sessions of another type or version. */
  reportUnread(): void {
    for (const [name, { isDefault, key }] of this.#entries) {
      if (this.#read.has(name)) continue;
      const text = UNSUPPORTED.get(name);
      if (text !== undefined) this.problem(key, 'unsupported', text);
      else if (!OF_SOME.test(key)) this.problem(key, 'unknown', 'no setting of this name; check its spelling');
      else if (!isDefault) this.problem(key, 'unsupported', 'it has no effect in a session of this type and version');
    }
  }
}

/** The [SESSION] sections of the text, in order. Lines that are neither section, `key=value`, comment nor empty are problems. */
export function readCfg(
  text: string,
  problems: SettingProblem[],
  variables: Readonly<Record<string, string | undefined>>,
): readonly CfgSection[] {
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
    } else {
      const isDefault = section === defaults;
      section.push({ isDefault, line, key: row.slice(0, at).trim(), value: row.slice(at + 1).trim() });
    }
  }
  return sessions.map((own) => new CfgSection([...defaults, ...own], problems, variables));
}

/** Settings that only an initiator or an acceptor has, or only some versions. */
const OF_SOME =
  /^(HeartBtInt|ReconnectInterval|(SocketConnectHost|SocketConnectPort|LogonTag)\d*|SocketAccept(Port|Address|Host)|(Client|Server)Certificate(Key)?File|(Transport)?DataDictionary|DefaultApplVerID|AppDataDictionary(\..+)?)$/i;

/** Settings of TLS, whatever engine has them, and those that are read. */
const TLS_KEY =
  /SSL|TLS|Certificat|Ciphers?Suite|KeyStore|TrustStore|KeyManager|PrivateKey|SocketCA|SNI|InsecureSkipVerify|EnabledProtocols|NeedClientAuth|EndpointIdentification|SocketServerName/i;
const TLS_READ =
  /^(SocketUseSSL|Socket(PrivateKey|Certificate|CA)File|(Client|Server)Certificate(Key)?File|CertificationAuthoritiesFile|SocketServerName|SocketInsecureSkipVerify)$/i;
/** Values of other TLS settings that say what holds here anyway. */
const SAME_TLS: ReadonlyMap<string, RegExp> = new Map([
  ['socketminimumtlsversion', /^TLS12$/i],
  ['enabledprotocols', /^(TLSv1\.3 *, *TLSv1\.2|TLSv1\.2 *, *TLSv1\.3)$/i],
  ['endpointidentificationalgorithm', /^HTTPS$/i],
  ['needclientauth', /^N$/i],
  ['usesni', /^Y$/i],
]);

const ALWAYS = 'it is always checked';

/** Settings of other engines by what to do instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  'give `store` to the Initiator or Acceptor':
    'FileStorePath FileStoreMaxCachedMsgs FileStoreSync JdbcDriver JdbcURL JdbcUser JdbcPassword JdbcDataSourceName JdbcConnectionTestQuery ' +
    'SQLStoreDriver SQLStoreDataSourceName SQLStoreConnMaxLifetime MongoStoreConnection MongoStoreDatabase SleepycatDatabaseDir ' +
    'MySQLStoreDatabase MySQLStoreUser MySQLStorePassword MySQLStoreHost MySQLStorePort PostgreSQLStoreDatabase PostgreSQLStoreUser ' +
    'PostgreSQLStorePassword PostgreSQLStoreHost PostgreSQLStorePort OdbcStoreConnectionString OdbcStoreUser OdbcStorePassword ' +
    'ForceResendWhenCorruptedStore',
  'give `log` to the Initiator or Acceptor':
    'FileLogPath FileLogBackupPath FileLogHeartbeats FileIncludeMilliseconds FileIncludeTimeStampForMessages ScreenLogShowIncoming ' +
    'ScreenLogShowOutgoing ScreenLogShowEvents ScreenLogShowHeartbeats ScreenIncludeMilliseconds SLF4JLogHeartbeats SLF4JLogEventCategory ' +
    'SLF4JLogIncomingMessageCategory SLF4JLogOutgoingMessageCategory JdbcLogHeartBeats SQLLogDriver SQLLogDataSourceName MongoLogConnection ' +
    'LogMessageWhenSessionNotFound',
  'a key store of Java: use SocketPrivateKeyFile and SocketCertificateFile':
    'SocketKeyStore SocketKeyStorePassword SocketTrustStore SocketTrustStorePassword KeyStoreType TrustStoreType KeyManagerFactoryAlgorithm ' +
    'TrustManagerFactoryAlgorithm',
  'see `tls`: TLS 1.2 at least, certificates are verified':
    'EnabledProtocols CipherSuites UseSNI SNIHostName EndpointIdentificationAlgorithm SSLProtocol SSLCipherSuite CertificateVerifyLevel ' +
    'CertificateVerificationLevel CertificateRevocationListFile SocketMinimumTLSVersion',
  'see `tls`: requestCert and ca': 'NeedClientAuth',
  [ALWAYS]:
    'CheckCompID ValidateFieldsOutOfOrder ValidateFieldsHaveValues ValidateLengthAndChecksum RequiresOrigSendingTime',
  [`${ALWAYS}; a garbled message is ignored, a field that cannot be read is rejected`]:
    'ValidateChecksum RejectGarbledMessage',
  [`${ALWAYS}; operators set numbers by \`setNextOutgoing\` and \`setNextIncoming\``]:
    'ValidateSequenceNumbers ForceResync',
  'leave the dictionary out': 'ValidateIncomingMessage',
  'what the dictionary does not allow is rejected': 'RejectInvalidMessage',
  'extend the dictionary': 'AllowUnknownMsgFields AllowUnknownMessageFields FirstFieldInGroupIsDelimiter',
  'PossDupFlag(43) is of resent messages only: PossResend(97) may be sent': 'AllowPosDup',
  'the store is read at each logon': 'RefreshOnLogon',
  'the version decides': 'MillisecondsInTimeStamp TimeStampPrecision TimestampPrecision',
  'a gap is requested once, without an end':
    'SendRedundantResendRequests ClosedResendInterval ResendRequestChunkSize MaxMessagesInResendRequest IgnorePossDupResendRequests',
  'it is always set': 'SocketNodelay SocketTcpNoDelay SocketReuseAddress SocketKeepAlive',
  'it is 10 seconds': 'SocketConnectTimeout SocketTimeout',
  'the system decides, or `prepare` of the acceptor':
    'SocketSendBufferSize SocketReceiveBufferSize SocketLinger SocketOobInline SocketTrafficClass SocketLocalHost SocketLocalPort ' +
    'SocketSynchronousWrites SocketSynchronousWriteTimeout SocketAcceptProtocol SocketConnectProtocol UseTCPProxy',
  'connect to the proxy of your own':
    'ProxyType ProxyVersion ProxyHost ProxyPort ProxyUser ProxyPassword ProxyDomain ProxyWorkstation',
  '`authenticate` decides on each session':
    'AcceptorTemplate DynamicSession DynamicSessions DynamicQualifier AllowedRemoteAddresses LogonIdentifierTag',
  'the initiator decides; bounds are in the profile': 'HeartBtIntOverride',
  'a silent peer is tested after 1.5 and disconnected after 2.4 times HeartBtInt':
    'DisableHeartBeatCheck HeartBeatTimeoutMultiplier TestRequestDelayMultiplier',
  'a session that fails ends, and the others continue':
    'DisconnectOnError ResetOnError RejectMessageOnUnhandledException ContinueInitializationOnError',
  'fields are read by tag, and sent in the order given': 'PreserveMessageFieldsOrder',
  'add LastMsgSeqNumProcessed(369) in `toAdmin` and `toApp`': 'EnableLastMsgSeqNumProcessed',
  'the backlog is bounded by the profile': 'InChanCapacity MaxScheduledWriteRequests',
  'give StartTime and EndTime': 'LogonTime LogoutTime LogonDay LogoutDay ResetSeqTime EnableResetSeqTime',
  'name the zone in TimeZone': 'UseLocalTime',
  'read the state of a session in the program': 'HttpAcceptPort Description',
};
const UNSUPPORTED: ReadonlyMap<string, string> = new Map(
  Object.entries(INSTEAD).flatMap(([text, keys]) => keys.split(' ').map((key) => [key.toLowerCase(), text] as const)),
);
