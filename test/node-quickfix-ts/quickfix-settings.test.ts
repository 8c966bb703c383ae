import { readFileSync } from 'node:fs';
import {
  Acceptor,
  type Dictionary,
  Initiator,
  memoryStoreFactory,
  quickfixSettings,
  type Session,
} from 'node-quickfix-ts';
import { afterEach, describe, expect, test } from 'vitest';
import { dictionaryXml } from './dictionaries.js';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const FILE = `# the file of a desk
[DEFAULT]
ConnectionType=initiator
BeginString=FIX.4.4
StartTime=17:00:00
EndTime=17:00:00
TimeZone=America/New_York
HeartBtInt=30
ReconnectInterval=5;2*10
DataDictionary=FIX44.xml
ValidateUserDefinedFields=N
FileStorePath=store

[SESSION]
SenderCompID=DESK1
TargetCompID=VENUE
SessionQualifier=prices
SocketConnectHost=venue.example
SocketConnectPort=5200
SocketConnectHost1=backup.example
SocketConnectPort1=5201
ResetOnLogon=Y
CheckLatency=N

[SESSION]
senderCompID=DESK2
TargetCompID=VENUE
TargetSubID=FX
StartDay=Sunday
EndDay=Friday
SocketConnectHost=venue.example
SocketConnectPort=5202
SocketUseSSL=Y
SocketCAFile=ca.pem
MaxLatency=60
ValidateUnorderedGroupFields=N
Hertbeat=3
`;

const files: Readonly<Record<string, string>> = { 'FIX44.xml': dictionaryXml('FIX44'), 'ca.pem': 'CA' };
const readFile = (path: string): string => {
  const text = files[path];
  if (text === undefined) throw new Error(`no ${path}`);
  return text;
};

test('initiators of a file, each with what [DEFAULT] says', () => {
  const { initiators, acceptors, problems } = quickfixSettings(FILE, { readFile });
  expect([initiators.length, acceptors]).toEqual([2, []]);
  const [first, second] = initiators;
  expect(first).toMatchObject({
    beginString: 'FIX.4.4',
    senderCompId: 'DESK1',
    targetCompId: 'VENUE',
    qualifier: 'prices',
    host: 'venue.example',
    port: 5200,
    backups: [{ host: 'backup.example', port: 5201 }],
    heartBtInt: 30,
    resetOnLogon: true,
    reconnect: { waitsMs: [5_000, 10_000, 10_000] },
  });
  expect(first!.profile).toMatchObject({ userTags: 'ignore', maxLatencyS: Number.POSITIVE_INFINITY });
  expect((first!.dictionary as Dictionary).knows('D')).toBe(true);
  expect(first).not.toHaveProperty('tls');
  expect(second).toMatchObject({ senderCompId: 'DESK2', targetSubId: 'FX', tls: { ca: 'CA' }, resetOnLogon: false });
  expect(second!.profile).toMatchObject({ maxLatencyS: 60, groupOrder: 'any' });
  // Each day 17:00 to 17:00, and Sunday to Friday.
  const saturday = Date.UTC(2026, 0, 17, 12);
  expect([first, second].map((one) => one!.profile!.schedule!.isOpen(saturday))).toEqual([true, false]);
  expect(problems).toEqual([
    { line: 12, key: 'FileStorePath', kind: 'unsupported', text: 'give `store` to the Initiator or Acceptor' },
    { line: 37, key: 'Hertbeat', kind: 'unknown', text: 'no setting of this name; check its spelling' },
  ]);
});

describe('problems', () => {
  const session = (lines: string): string =>
    `[SESSION]\nConnectionType=initiator\nBeginString=FIX.4.4\nSenderCompID=A\nTargetCompID=B\nHeartBtInt=30\nNonStopSession=Y\n` +
    `SocketConnectHost=h\nSocketConnectPort=1\n${lines}`;
  test.each([
    ['SocketConnectPort=70000', 'SocketConnectPort', 'invalid'],
    ['HeartBtInt=-1', 'HeartBtInt', 'invalid'],
    ['ResetOnLogon=true', 'ResetOnLogon', 'invalid'],
    ['ReconnectInterval=soon', 'ReconnectInterval', 'invalid'],
    ['BeginString=FIX.9.9', 'BeginString', 'invalid'],
    ['BeginString=FIXT.1.1', 'DefaultApplVerID', 'missing'],
    ['DataDictionary=missing.xml', 'DataDictionary', 'invalid'],
    ['ResetOnLogout=Y', 'ResetOnLogout', 'unsupported'],
    ['LogonTimeout=30', 'LogonTimeout', 'unsupported'],
    ['SenderCompID=a/b', 'SenderCompID', 'invalid'],
    ['SessionQualifier=..', 'SessionQualifier', 'invalid'],
    ['StartDay=Monkey', 'StartDay', 'invalid'],
    ['EndDay=F', 'EndDay', 'invalid'],
    ['LogonTag=user', 'LogonTag', 'invalid'],
    ['LogonTag1=34=9', 'LogonTag1', 'invalid'],
    ['LogonTag=554=p€ss', 'LogonTag', 'invalid'],
    ['DefaultApplVerID=FIX.5.0', 'DefaultApplVerID', 'unsupported'],
    ['SocketAcceptPort=1', 'SocketAcceptPort', 'unsupported'],
    ['AllowPosDup=Y', 'AllowPosDup', 'unsupported'],
    ['RejectInvalidMessage=N', 'RejectInvalidMessage', 'unsupported'],
    ['MaxMessagesInResendRequest=100', 'MaxMessagesInResendRequest', 'unsupported'],
    ['DisconnectOnError=Y', 'DisconnectOnError', 'unsupported'],
    ['HttpAcceptPort=1', 'HttpAcceptPort', 'unsupported'],
    [`SenderSubID=\${DESK}`, 'SenderSubID', 'invalid'],
    ['Weekdays=Mon,Tue\nStartDay=Monday', 'Weekdays', 'invalid'],
    ['no setting at all', 'no setting at all', 'invalid'],
    ['[OTHER]', '[OTHER]', 'invalid'],
  ])('%s', (line, key, kind) => {
    const { initiators, problems } = quickfixSettings(session(line), { readFile });
    expect(problems.map((problem) => [problem.key, problem.kind])).toEqual([[key, kind]]);
    const isSession = kind === 'unsupported' || line.startsWith('no') || line.startsWith('[');
    expect(initiators.length).toBe(isSession ? 1 : 0);
    const application = { onLogon() {}, onMessage() {}, onLogout() {} };
    for (const options of initiators) new Initiator({ ...options, application, store: memoryStoreFactory() });
  });

  test.each([
    'SocketKeyStore=x.jks',
    'SSLEnable=Y',
    'SSLCACertificate=ca.pem',
    'SocketCABytes=x',
    'SocketPrivateKeyBytes=x',
    'UseTLS=Y',
    'SocketMinimumTLSVersion=TLS10',
    'EnabledProtocols=TLSv1',
    'CipherSuites=TLS_AES_128_GCM_SHA256',
    'NeedClientAuth=Y',
    'CertificateVerifyLevel=0',
    'SSLProtocol=all',
    'SocketUseSSL=N\nSocketTrustStore=x.jks',
  ])('%s: no session, and never one without TLS', (lines) => {
    const { initiators, problems } = quickfixSettings(session(lines), { readFile });
    const kind = /^(SSLE|SSLCA|SocketCAB|SocketPrivateKeyB|UseTLS)/.test(lines) ? 'unknown' : 'unsupported';
    expect([initiators, problems.map((problem) => problem.kind)]).toEqual([[], [kind]]);
  });

  test('TLS settings that say what holds anyway are none', () => {
    const lines =
      'SocketUseSSL=Y\nSocketCAFile=ca.pem\nSocketMinimumTLSVersion=TLS12\nEnabledProtocols=TLSv1.3,TLSv1.2\nEndpointIdentificationAlgorithm=HTTPS';
    const { initiators, problems } = quickfixSettings(session(lines), { readFile });
    expect([initiators[0]?.tls, problems]).toEqual([{ ca: 'CA' }, []]);
  });

  test('variables', () => {
    const { initiators, problems } = quickfixSettings(session(`SenderSubID=\${DESK}-\${N}`), {
      variables: { DESK: 'fx', N: '1' },
    });
    expect([initiators[0]?.senderSubId, problems]).toEqual(['fx-1', []]);
  });

  test('zones behind the times, and two of them', () => {
    const of = (times: string) => quickfixSettings(session(times).replace('NonStopSession=Y\n', ''), { readFile });
    const { initiators, problems } = of(
      'StartTime=08:00:00 America/New_York\nEndTime=17:00:00 America/New_York\nStartDay=mo\nEndDay=Fri',
    );
    const { isOpen } = initiators[0]!.profile!.schedule!;
    const hours = [12, 13].map((hour) => isOpen(Date.UTC(2026, 0, 12, hour, 30)));
    expect([problems, hours]).toEqual([[], [false, true]]);
    expect(of('StartTime=08:00:00 Europe/London\nEndTime=17:00:00').problems).toMatchObject([
      { key: 'EndTime', kind: 'invalid' },
    ]);
  });

  test('one [DEFAULT] for both sides, and a dictionary that is not used, are none', () => {
    const text = `[DEFAULT]\nBeginString=FIX.4.4\nNonStopSession=Y\nHeartBtInt=30\nReconnectInterval=5\nSocketAcceptPort=1
SocketConnectHost=h\nSocketConnectPort=2\nTransportDataDictionary=T\nDefaultApplVerID=9\nAppDataDictionary=A\nUseDataDictionary=N\nDataDictionary=FIX44.xml
[SESSION]\nConnectionType=initiator\nSenderCompID=A\nTargetCompID=B\nLogonTag=553=user\nLogonTag1=554=a=b
[SESSION]\nConnectionType=acceptor\nSenderCompID=B\nTargetCompID=A\n`;
    const { acceptors, initiators, problems } = quickfixSettings(text, { readFile });
    expect([problems, initiators.length, acceptors.length]).toEqual([[], 1, 1]);
    expect(initiators[0]).toMatchObject({
      dictionary: 'none',
      logonFields: [
        [553, 'user'],
        [554, 'a=b'],
      ],
    });
  });

  test('two sessions with the same ids', () => {
    const twice = (more: string) => quickfixSettings(`${session('')}${session(`MaxLatency=5\n${more}`)}`);
    const { initiators, problems } = twice('');
    expect(initiators.map(({ profile }) => profile!.maxLatencyS)).toEqual([120]);
    expect(problems).toMatchObject([{ line: 14, key: 'TargetCompID', kind: 'invalid' }]);
    expect(twice('SessionQualifier=2').problems).toEqual([]);
  });

  test('a session without its times, ids and address names each of them', () => {
    const { problems } = quickfixSettings('[SESSION]\nConnectionType=acceptor\n');
    expect(problems.map(({ key, kind }) => `${kind} ${key}`)).toEqual(
      ['BeginString', 'SenderCompID', 'TargetCompID', 'StartTime', 'EndTime', 'SocketAcceptPort'].map(
        (key) => `missing ${key}`,
      ),
    );
  });
});

describe('a file of quickfixgo', () => {
  const common = 'BeginString=FIX.4.4\nSenderCompID=A\nTargetCompID=B\n';

  test('has no ConnectionType and no hours: the address tells, and it is always open', () => {
    const { acceptors, initiators, problems } = quickfixSettings(
      `[SESSION]\n${common}SocketConnectHost=h\nSocketConnectPort=1\nHeartBtInt=30\n[SESSION]\n${common}SocketAcceptPort=2\nResetOnLogon=Y\n`.replace(
        /A\nTargetCompID=B\n(?=SocketAccept)/,
        'B\nTargetCompID=A\n',
      ),
    );
    expect([initiators.length, acceptors.length, problems]).toEqual([1, 1, []]);
    expect(initiators[0]!.profile!.schedule!.isOpen(0)).toBe(true);
    expect([...acceptors[0]!.profiles.values()][0]!.resetOnLogon).toBe(true);
  });

  test.each([
    ['SocketConnectHost=h\nSocketConnectPort=1\nSocketAcceptPort=2\nHeartBtInt=30', ['ConnectionType']],
    ['HeartBtInt=30', ['ConnectionType']],
    ['SocketConnectHost=h\nSocketConnectPort=1\nHeartBtInt=30\nStartTime=08:00:00', ['EndTime']],
    ['SocketConnectHost=h\nSocketConnectPort=1\nHeartBtInt=30\nStartDay=Monday', ['StartTime', 'EndTime']],
  ])('%s is not enough', (lines, missing) => {
    const { acceptors, initiators, problems } = quickfixSettings(`[SESSION]\n${common}${lines}`);
    const found = problems.filter(({ kind }) => kind === 'missing').map(({ key }) => key);
    expect([initiators.length, acceptors.length]).toEqual([0, 0]);
    for (const key of missing) expect(found).toContain(key);
  });

  test.each(['quickfix', 'quickfixgo', 'quickfixj'])(
    'ours, %s-initiator.cfg, gives a session, with TLS too',
    (name) => {
      const file = readFileSync(new URL(`../../fix-config/${name}-initiator.cfg`, import.meta.url), 'utf8');
      const options = { readFile: (path: string) => files[path.replace('-ratewire', '')] ?? 'PEM' };
      const { initiators, problems } = quickfixSettings(file, options);
      expect([initiators.length, problems.filter(({ kind }) => kind !== 'unsupported')]).toEqual([1, []]);
      if (name !== 'quickfixgo') return;
      const secure = quickfixSettings(file.replace(/# (Socket\w+=)/g, '$1'), options);
      expect(secure.initiators[0]?.tls).toEqual({ ca: 'PEM' });
    },
  );
});

test('the versions of FIXT.1.1', () => {
  const text = `[SESSION]\nConnectionType=initiator\nBeginString=FIXT.1.1\nSenderCompID=A\nTargetCompID=B\nHeartBtInt=0\n
NonStopSession=Y\nSocketConnectHost=h\nSocketConnectPort=1\nDefaultApplVerID=FIX.5.0SP2\nTransportDataDictionary=FIXT11
AppDataDictionary=FIX50SP2\nAppDataDictionary.FIX.4.4=FIX44\n`;
  const { initiators, problems } = quickfixSettings(text, { readFile: (name) => dictionaryXml(name as 'FIX44') });
  expect(problems).toEqual([]);
  expect(initiators[0]).toMatchObject({ beginString: 'FIXT.1.1', defaultApplVerId: '9', heartBtInt: 0 });
  expect(Object.keys(initiators[0]!.applications!).sort()).toEqual(['6', '9']);
});

describe('sessions of one address', () => {
  const others: Readonly<Record<string, string>> = {
    ...files,
    'other.xml': dictionaryXml('FIX44'),
    'FIX50.xml': dictionaryXml('FIX50'),
    'FIX50SP2.xml': dictionaryXml('FIX50SP2'),
    'FIXT11.xml': dictionaryXml('FIXT11'),
  };
  const of = (common: string, ...sessions: string[]) => {
    const listening = `[DEFAULT]\nConnectionType=acceptor\nSocketAcceptPort=1\nNonStopSession=Y\nSenderCompID=VENUE\n${common}\n`;
    const text = sessions.map((lines, i) => `[SESSION]\nTargetCompID=DESK${i}\n${lines}\n`).join('');
    const { acceptors, problems } = quickfixSettings(listening + text, { readFile: (name) => others[name] ?? name });
    const { options, profiles } = acceptors[0]!;
    return { options, sessions: profiles.size, problems: problems.map(({ key, kind, line }) => [key, kind, line]) };
  };

  test('have a dictionary for each ApplVerID', () => {
    const fix50 = 'DefaultApplVerID=FIX.5.0\nAppDataDictionary=FIX50.xml';
    const sp2 = 'DefaultApplVerID=FIX.5.0SP2\nAppDataDictionary=FIX50SP2.xml';
    const { options, problems } = of('BeginString=FIXT.1.1\nTransportDataDictionary=FIXT11.xml', fix50, sp2, sp2);
    expect(problems).toEqual([]);
    expect(options.versions!.map(({ applications }) => Object.keys(applications!).sort())).toEqual([['7', '9']]);
    expect(options.versions![0]!.applications![9]!.knows('AE')).toBe(true);
  });

  test('that cannot share a dictionary, a LogonTimeout or TLS', () => {
    const { options, problems, sessions } = of(
      'BeginString=FIX.4.4',
      'DataDictionary=FIX44.xml',
      'DataDictionary=other.xml',
      'DataDictionary=FIX44.xml\nLogonTimeout=30',
      'DataDictionary=FIX44.xml\nSocketUseSSL=Y\nSocketPrivateKeyFile=key\nSocketCertificateFile=cert',
    );
    expect(problems).toEqual([
      ['DataDictionary', 'unsupported', 12],
      ['LogonTimeout', 'unsupported', 16],
      ['SocketUseSSL', 'unsupported', 20],
    ]);
    expect([sessions, options.tls, options.versions!.length]).toEqual([3, undefined, 1]);
    const application = 'DefaultApplVerID=9\nAppDataDictionary=FIX50SP2.xml';
    expect(of('BeginString=FIXT.1.1', application, 'DefaultApplVerID=7').problems).toEqual([
      ['AppDataDictionary', 'unsupported', 0],
    ]);
  });

  test('with any CompID that is legal in QuickFIX', () => {
    const { options } = of('BeginString=FIX.4.4', 'TargetCompID=BANK:FX (A&B) ltd.', 'TargetSubID=[1]');
    const whole = new RegExp(`^(?:${options.compIdPattern!.source})$`);
    const ids = ['BANK:FX (A&B) ltd.', 'DESK9', '[1]', '1', 'BANK:FX', 'BANK:FX (A&B) ltdx'];
    expect(ids.map((id) => whole.test(id))).toEqual([true, true, true, true, false, false]);
  });
});

test('the two sides of a file connect', async () => {
  const common = 'BeginString=FIX.4.4\nNonStopSession=Y\nDataDictionary=FIX44.xml\n';
  const acceptor = quickfixSettings(
    `[DEFAULT]\nConnectionType=acceptor\nSocketAcceptPort=1\nSocketAcceptAddress=127.0.0.1\n${common}
[SESSION]\nSenderCompID=VENUE\nTargetCompID=DESK1\n[SESSION]\nSenderCompID=VENUE\nTargetCompID=DESK:2 & 3\nTargetSubID=FX\nResetOnLogon=Y\n`,
    { readFile },
  );
  expect([acceptor.problems, acceptor.acceptors.length]).toEqual([[], 1]);
  const [{ options, authenticate }] = acceptor.acceptors as [(typeof acceptor.acceptors)[0]];
  const up: string[] = [];
  const listener = new Acceptor({
    ...options,
    port: 0,
    store: memoryStoreFactory(),
    application: {
      authenticate,
      onLogon: (session: Session) => void up.push(`${session.id.targetCompId} ${session.profile.resetOnLogon}`),
      onMessage() {},
      onLogout() {},
    },
  });
  stops.push(() => listener.stop());
  const { port } = await listener.listen();
  const desk = (lines: string): void => {
    const { initiators, problems } = quickfixSettings(
      `[SESSION]\nConnectionType=initiator\nSocketConnectHost=127.0.0.1\nSocketConnectPort=${port}\nHeartBtInt=30\nTargetCompID=VENUE\n${common}${lines}`,
      { readFile },
    );
    expect(problems).toEqual([]);
    const application = { onLogon() {}, onMessage() {}, onLogout() {} };
    const initiator = new Initiator({ ...initiators[0]!, application, store: memoryStoreFactory() });
    stops.push(() => initiator.stop());
    initiator.start();
  };
  desk('SenderCompID=DESK1\n');
  desk('SenderCompID=DESK:2 & 3\nSenderSubID=FX\n');
  await expect.poll(() => [...up].sort()).toEqual(['DESK1 false', 'DESK:2 & 3 true']);
});
