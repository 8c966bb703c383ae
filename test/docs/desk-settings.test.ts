/** The settings for QuickFIX engines in fix-config: each key is one that the engine's manual has, and all of them describe the same session. */
import { expect, test } from 'vitest';
import { read } from '../tidy/tree.js';

const SCHEDULE = ['TimeZone', 'StartDay', 'StartTime', 'EndDay', 'EndTime'];
const COMMON = [
  ...'BeginString SenderCompID TargetCompID SocketConnectHost SocketConnectPort HeartBtInt ReconnectInterval'.split(
    ' ',
  ),
  ...'DataDictionary ValidateFieldsOutOfOrder CheckLatency MaxLatency FileStorePath FileLogPath ResetOnLogon'.split(
    ' ',
  ),
];

/** Of those that the files use, as the manuals spell them: quickfixengine.org, quickfixj.org (configuration), quickfixgo (config). */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  'quickfix-initiator.cfg': [
    ...COMMON,
    ...SCHEDULE,
    ...'ConnectionType TimestampPrecision UseDataDictionary ValidateUserDefinedFields ValidateFieldsHaveValues'.split(
      ' ',
    ),
  ],
  'quickfixj-initiator.cfg': [
    ...COMMON,
    ...SCHEDULE,
    ...'ConnectionType TimeStampPrecision UseDataDictionary ValidateUserDefinedFields ValidateFieldsHaveValues'.split(
      ' ',
    ),
    ...'NonStopSession SocketUseSSL EnabledProtocols SocketTrustStore SocketTrustStorePassword'.split(' '),
    'EndpointIdentificationAlgorithm',
  ],
  'quickfixgo-initiator.cfg': [
    ...COMMON.filter((key) => key !== 'ResetOnLogon'),
    ...SCHEDULE,
    ...'TimeStampPrecision RejectInvalidMessage SocketUseSSL SocketMinimumTLSVersion SocketCAFile'.split(' '),
  ],
};

/** By section, `#key=value` lines of the comments included where `all` is set. */
function settingsOf(file: string, all = false): Record<string, string> {
  const lines = read(`fix-config/${file}`).split('\n');
  const found = lines.flatMap((line) => {
    const [, comment, key, value] = /^(# )?([A-Za-z]+)=(\S+)$/.exec(line) ?? [];
    return key === undefined || (comment && !all) ? [] : [[key, value!] as const];
  });
  return Object.fromEntries(found);
}

test.each(Object.keys(KEYS))('%s has keys of its engine, once each', (file) => {
  const keys = Object.keys(settingsOf(file, true));
  expect(keys.filter((key) => !KEYS[file]!.includes(key))).toEqual([]);
  expect(keys.length).toBeGreaterThan(14);
  const lines = read(`fix-config/${file}`).match(/^[A-Za-z]+=/gm)!;
  expect(new Set(lines).size).toBe(lines.length);
  expect(read(`fix-config/${file}`).match(/^\[.*\]$/gm)).toEqual(['[DEFAULT]', '[SESSION]']);
});

test.each(Object.keys(KEYS))('%s describes the session of the demo client', (file) => {
  expect(settingsOf(file)).toMatchObject({
    BeginString: 'FIX.4.4',
    SenderCompID: 'DEMO1',
    TargetCompID: 'FXENGINE',
    SocketConnectHost: '127.0.0.1',
    SocketConnectPort: '5200',
    HeartBtInt: '30',
    MaxLatency: '120',
  });
  expect(read(`fix-config/${file}`)).not.toMatch(/^(Username|Password)/m);
});
