/**
 * Interoperability of the engine in every version: a real QuickFIX C++ initiator, with the dictionaries of test/data/fix, has a session of each
 * version with one acceptor on one port, and neither side rejects a message of the other.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Acceptor, memoryStoreFactory, profile, type VersionOptions } from 'node-quickfix-ts';
import { expect, test } from 'vitest';
import { type DictionaryName, dictionaryXml, readDictionary } from '../node-quickfix-ts/dictionaries.js';
import { temporaryDirectory } from '../wiring/launcher.js';
import { compile, passOver, whatIsMissing } from './quickfix.js';

const VERSIONS: readonly VersionOptions[] = [
  { beginString: 'FIX.4.0', dictionary: readDictionary('FIX40') },
  { beginString: 'FIX.4.1', dictionary: readDictionary('FIX41') },
  { beginString: 'FIX.4.2', dictionary: readDictionary('FIX42') },
  { beginString: 'FIX.4.3', dictionary: readDictionary('FIX43') },
  { beginString: 'FIX.4.4', dictionary: readDictionary('FIX44') },
  {
    beginString: 'FIXT.1.1',
    dictionary: readDictionary('FIXT11'),
    applications: { 7: readDictionary('FIX50'), 8: readDictionary('FIX50SP1'), 9: readDictionary('FIX50SP2') },
  },
];
/** SenderCompID(49), settings of the session. */
const SESSIONS: readonly (readonly [string, string, DictionaryName])[] = [
  ['V40', 'BeginString=FIX.4.0\nResetOnLogon=N', 'FIX40'],
  ['V41', 'BeginString=FIX.4.1', 'FIX41'],
  ['V42', 'BeginString=FIX.4.2', 'FIX42'],
  ['V43', 'BeginString=FIX.4.3', 'FIX43'],
  ['V44', 'BeginString=FIX.4.4', 'FIX44'],
  ['V50', 'BeginString=FIXT.1.1\nDefaultApplVerID=FIX.5.0', 'FIX50'],
  ['V51', 'BeginString=FIXT.1.1\nDefaultApplVerID=FIX.5.0SP1', 'FIX50SP1'],
  ['V52', 'BeginString=FIXT.1.1\nDefaultApplVerID=FIX.5.0SP2', 'FIX50SP2'],
];

const HEADER = new Set([8, 9, 10, 34, 35, 43, 49, 52, 56, 97, 122]);

test('QuickFIX trades in all eight versions on one port without a reject', async ({ skip }) => {
  const missing = whatIsMissing();
  if (missing !== undefined) return passOver(missing, skip);
  const dir = temporaryDirectory();
  const events: string[] = [];
  const acceptor = new Acceptor({
    port: 0,
    versions: VERSIONS,
    store: memoryStoreFactory(),
    application: {
      authenticate: () => ({
        accept: true,
        profile: profile({ supported: new Set(['D']), stored: new Set(['D']), userTags: 'strict' }),
        reply: [],
        context: undefined,
      }),
      onLogon() {},
      onMessage(session, order) {
        const fields = Array.from({ length: order.count }, (_, i) => [order.tagAt(i), order.stringAt(i)!] as const);
        session.send(
          'D',
          fields.filter(([tag]) => !HEADER.has(tag)),
        );
      },
      onLogout() {},
      onEvent: (session, { kind }) => {
        if (/reject|refused|garbled|not-sent/.test(kind)) events.push(`${session?.id.targetCompId} ${kind}`);
      },
    },
  });
  try {
    const { port } = await acceptor.listen();
    const program = path.join(dir.path, 'versions');
    compile(fileURLToPath(new URL('versions.cpp', import.meta.url)), program);
    const initiator = spawn(program, [settingsIn(dir.path, port), String(SESSIONS.length)]);
    let output = '';
    for (const stream of [initiator.stdout, initiator.stderr]) stream.on('data', (chunk) => (output += chunk));
    await once(initiator, 'close');
    expect(output.trim().split('\n')).toEqual(
      SESSIONS.map(([id, settings]) => `${/FIXT?\.\d\.\d/.exec(settings)![0]} ${id} orders=3 rejects=0 logouts=1`),
    );
    expect(events).toEqual([]);
  } finally {
    await acceptor.stop();
    dir.remove();
  }
});

function settingsIn(directory: string, port: number): string {
  const dictionary = (name: DictionaryName): string => {
    const file = path.join(directory, `${name}.xml`);
    writeFileSync(file, dictionaryXml(name));
    return file;
  };
  const sessions = SESSIONS.map(([id, settings, name]) => {
    const dictionaries = settings.includes('FIXT')
      ? `TransportDataDictionary=${dictionary('FIXT11')}\nAppDataDictionary=${dictionary(name)}`
      : `DataDictionary=${dictionary(name)}`;
    return `[SESSION]\nSenderCompID=${id}\n${settings}\n${dictionaries}`;
  });
  const file = path.join(directory, 'versions.cfg');
  writeFileSync(
    file,
    `[DEFAULT]
ConnectionType=initiator
SocketConnectHost=127.0.0.1
SocketConnectPort=${port}
TargetCompID=VENUE
StartTime=00:00:00
EndTime=00:00:00
HeartBtInt=5
ReconnectInterval=1
ResetOnLogon=Y
${sessions.join('\n')}
`,
  );
  return file;
}
