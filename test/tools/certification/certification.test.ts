/** `ratewire certify` with a desk on node-quickfix-ts: it passes unattended, and each step fails for its own reason. */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { rootCertificates } from 'node:tls';
import type { Field } from 'node-quickfix-ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { markOf, writeStoreFile } from '../../../engine/store/managed-redis/store-file.js';
import { type Certification, type Certified, certify } from '../../../engine/tools/certification/certify.js';
import { privateDirectory } from '../../../engine/tools/certification/engine-under-test.js';
import { STEPS, scriptHash } from '../../../engine/tools/certification/script.js';
import { freePort } from '../../support/free-port.js';
import { read } from '../../tidy/tree.js';
import { temporaryDirectory } from '../../wiring/launcher.js';
import {
  brokenOnce,
  type CertificationDeskOptions,
  certificationDesk,
  changingLine,
  type LineChange,
  laterOnce,
  withFields,
} from './certification-desk.js';

const out = temporaryDirectory();
const KEY = 'CK_CERTIFY1';
const SECRET = 'a secret of the operator, with = and |';
const credentials = join(out.path, 'desk.json');
beforeAll(() => writeFileSync(credentials, JSON.stringify({ client_key: KEY, client_secret: SECRET })));
/** Stores of runs of this file alone: other tests run at the same time. */
const stores = temporaryDirectory();
vi.stubEnv('TMPDIR', stores.path);
let running = 0;
/** Reports are named by the millisecond in which a run begins. */
const folder = () => mkdtempSync(join(out.path, 'run-'));
afterAll(() => {
  vi.unstubAllEnvs();
  for (const directory of [out, stores]) directory.remove();
});

interface Played {
  readonly desk?: Partial<CertificationDeskOptions>;
  /** Of the line between the desk and the certification. */
  readonly line?: LineChange;
  /** The step in which the desk does not send what is expected: bounds are short from there on. */
  readonly silentIn?: number;
  readonly tls?: 'generated';
  /** A health check and a scan visit the port in each step. */
  readonly visitors?: true;
}

interface ReportJson {
  readonly result: string;
  readonly steps: readonly {
    readonly step: number;
    readonly result: string;
    readonly checks: readonly { readonly check: string; readonly result: string; readonly reason: string | null }[];
    readonly messages: readonly { readonly from: string; readonly message: string; readonly withheld?: boolean }[];
  }[];
}

/** Both sides are in one process, which may stall for seconds on a busy machine: no heartbeat is missed by it. */
const PATIENT = { heartBtInt: 10 };

async function play({ desk = {}, line, silentIn, tls, visitors }: Played) {
  const ends: (() => void | Promise<void>)[] = [];
  let printed = '';
  // Any free one, which the first text names.
  let port = 0;
  const certification = certify({
    compId: 'ACME1',
    host: '127.0.0.1',
    port: 0,
    credentials,
    ...(tls && { tls }),
    waitSeconds: 120,
    firstSeconds: silentIn === 1 ? 3 : 120,
    waitSecondsOf: (step) => (silentIn !== undefined && step >= silentIn ? 3 : 120),
    out: folder(),
    operator: 'test',
    version: '0.0.0',
    env: {},
    print(text) {
      printed += text;
      if (text.startsWith('Certification of ')) {
        port = Number(/^ {2}address +\S+:(\d+)/m.exec(text)![1]);
        const [, certificate] = /^ {2}certificate +(\S+)$/m.exec(text) ?? [];
        void connectDesk(certificate);
      }
      if (visitors && port !== 0) visit(port);
    },
  });
  async function connectDesk(certificate: string | undefined): Promise<void> {
    const trusted = certificate === undefined ? {} : { ca: readFileSync(certificate, 'utf8') };
    const changing = line && (await changingLine(port, line));
    if (changing) ends.push(() => changing.close());
    const started = certificationDesk({
      port: changing?.port ?? port,
      clientKey: KEY,
      clientSecret: SECRET,
      ...trusted,
      ...desk,
    });
    ends.push(() => started.stop());
  }
  const certified = await untilDone(certification).finally(() => Promise.all(ends.map((end) => end())));
  return { ...certified, report: JSON.parse(certified.json) as ReportJson, printed };
}

/** One reads and goes, one sends a request that is not FIX. */
function visit(port: number): void {
  for (const bytes of ['', 'GET / HTTP/1.0\r\n\r\n']) {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('error', () => {}).resume();
  }
}

async function untilDone({ done }: Certification): Promise<Certified> {
  running++;
  const certified = await done.finally(() => running--);
  // Every run removes its store.
  const left = readdirSync(stores.path).filter((name) => name.startsWith('ratewire-certify-'));
  expect(left.length).toBeLessThanOrEqual(running);
  return certified;
}

/** Checks that failed, with their reasons; and the steps that were not reached. */
function faultsOf({ steps }: ReportJson): string[] {
  return steps.flatMap(({ step, result, checks }) => {
    if (result === 'not reached') return [`${step} not reached`];
    return checks.filter(({ result }) => result === 'failed').map(({ check, reason }) => `${check} ${reason}`);
  });
}

test('a run removes the folders of runs that were killed, and of no others', async () => {
  const dead = { pid: 2 ** 22 + 1, started: '1' };
  const owners = { killed: dead, running: markOf(process.pid), none: undefined };
  for (const [name, owner] of Object.entries(owners)) {
    const folder = join(stores.path, `ratewire-certify-${name}`);
    mkdirSync(folder);
    const file = { kind: 'embedded', host: '127.0.0.1', port: 1, password: '', server: dead, owner } as const;
    if (owner) writeStoreFile(folder, { ...file, owner });
  }
  mkdirSync(join(stores.path, 'another'));
  const stops: (() => Promise<void>)[] = [];
  const own = privateDirectory((stop) => void stops.push(stop));
  const others = () => readdirSync(stores.path).filter((name) => name !== basename(own));
  expect(others().sort()).toEqual(['another', 'ratewire-certify-none', 'ratewire-certify-running']);
  await Promise.all(stops.map((stop) => stop()));
  for (const name of others()) rmSync(join(stores.path, name), { recursive: true });
});

// A run waits for the clock most of the time.
describe.concurrent('a run', () => {
  test('a desk passes every step unattended, visitors on its port or not, and the report can be signed', async () => {
    const { result, report, files, json, printed } = await play({ visitors: true, desk: PATIENT });
    expect(faultsOf(report).join('\n')).toBe('');
    expect(result).toBe('passed');
    expect(report.steps.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    const [jsonFile, textFile] = files.map((file) => readFileSync(file, 'utf8')) as [string, string];
    expect(jsonFile).toBe(json);
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(textFile).toContain(`SHA-256 of that file: ${hash(jsonFile)}`);
    expect(textFile).toContain(`SHA-256 ${hash(read('fix-config/FIX44-ratewire.xml'))}`);
    expect(textFile).toContain(scriptHash());
    expect(textFile).toMatch(/^Result +PASSED: every step has passed$/m);
    expect(textFile.match(/Signature _+/g)).toHaveLength(2);
    for (const { title } of STEPS) expect(textFile).toContain(`  ${title}: passed\n`);
    for (const secret of [KEY, SECRET]) expect(json + textFile + printed).not.toContain(secret);
    expect(json).toContain('20001=***');
    expect(json).not.toMatch(/20001=[\w-]{20}/);
    const lost = report.steps.flatMap(({ messages }) => messages.filter(({ withheld }) => withheld));
    expect(lost.map(({ message }) => /35=(\w+)/.exec(message)![1])).toEqual(expect.arrayContaining(['1', '8']));
  });

  test('a desk passes over TLS, with the certificate that the run has made', async () => {
    const { result, report, json } = await play({ tls: 'generated', desk: PATIENT });
    expect(faultsOf(report).join('\n')).toBe('');
    expect([result, JSON.parse(json).transport]).toEqual(['passed', 'TLS']);
  });

  test.each<[string, readonly (string | RegExp)[], Played]>([
    [
      '1 a first message that is no Logon',
      [/^1a the first message is Heartbeat\(0\)/],
      {
        line: (message, connection) =>
          connection === 1 && message.get(35) === 'A' ? withFields(message, { 35: '0' }) : undefined,
      },
    ],
    [
      '1 a desk with TLS at a port without it',
      [/^1a no message .* not connected; a connection began with TLS, and this port has none$/],
      { desk: { ca: rootCertificates[0]! }, silentIn: 1 },
    ],
    [
      '1 a desk without TLS at a port with it',
      [/^1a no message .* not connected; a connection failed in TLS: ERR_SSL_\w+$/],
      { desk: { ca: undefined }, tls: 'generated', silentIn: 1 },
    ],
    [
      '1 a wrong secret',
      [/^1c Password\(554\) missing, or not of this run/, /^1d Authentication failed/],
      {
        line: (message, connection) =>
          connection === 1 && message.get(35) === 'A' ? withFields(message, { 554: 'wrong' }) : undefined,
      },
    ],
    [
      '1 another interval than 1 to 60',
      [/^1b 108=61/, /^1d HeartBtInt out of range/],
      {
        line: (message, connection) =>
          connection === 1 && message.get(35) === 'A' ? withFields(message, { 108: '61' }) : undefined,
      },
    ],
    [
      '2 a TestRequest that is answered under another id',
      [/^2a no Heartbeat\(0\) from the desk within 3 s/],
      {
        silentIn: 2,
        line: (message) => (message.get(112) === 'CERT-2' ? withFields(message, { 112: 'X' }) : undefined),
      },
    ],
    [
      '2 no heartbeat of its own',
      [/^2b no Heartbeat\(0\) without TestReqID\(112\) within 3 s/],
      {
        silentIn: 2,
        line: (message) =>
          message.get(35) === '0' && !message.get(112) ? withFields(message, { 112: 'X' }) : undefined,
      },
    ],
    [
      '3 a ResendRequest from a later number',
      [/^3a \d+ is missing, and the desk requests 7=\d+ 16=0/],
      {
        silentIn: 3,
        line: laterOnce(),
      },
    ],
    [
      '4 a ResendRequest without an answer',
      [/^4a not all of 1 to \d+: the answer ends before 1 within 3 s/],
      {
        silentIn: 4,
        line: (message) => (message.get(43) === 'Y' ? 'dropped' : undefined),
      },
    ],
    [
      '4 a Logon that is sent again',
      [/^4b Logon\(A\) 34=1/],
      {
        line: (message) =>
          message.get(35) === '4' && message.get(34) === '1'
            ? withFields(message, { 35: 'A', 36: undefined, 123: undefined, 98: '0', 108: '1' })
            : undefined,
        silentIn: 4,
      },
    ],
    [
      '5 a request without its token',
      [/^5b MarketDataRequest\(V\).* AuthToken\(20001\) is missing/, /^5c Y: .*TOKEN_REQUIRED/],
      {
        desk: { change: (type, fields) => (type === 'V' ? fields.filter(([tag]) => tag !== 20001) : fields) },
        silentIn: 6,
      },
    ],
    [
      '5 no request for prices',
      [/^5a no MarketDataRequest\(V\) from the desk within 3 s/, '6 not reached'],
      {
        desk: { change: (type, fields) => (type === 'V' ? undefined : fields) },
        silentIn: 5,
      },
    ],
    [
      '6 a hold in place of an indicative quote',
      [/^6a 131=Q2 537=1/],
      {
        desk: { change: (_, fields) => (has(fields, 131, 'Q2') ? set(fields, 537, 1) : fields) },
        silentIn: 7,
      },
    ],
    [
      '7 an amount that the engine does not hold',
      [/^7c AG: .*\(AMOUNT_ABOVE_LIMIT\)/, /^8a no NewOrderSingle\(D\)/],
      {
        desk: { change: (_, fields) => (has(fields, 131, 'Q3') ? set(fields, 38, 900_000_000) : fields) },
        silentIn: 8,
      },
    ],
    [
      '8 an order that is not on the hold',
      [/^8a 40=1 117=missing/],
      {
        desk: {
          change: (_, fields) =>
            has(fields, 40, 'D')
              ? set(
                  fields.filter(([tag]) => tag !== 117),
                  40,
                  1,
                )
              : fields,
        },
      },
    ],
    [
      '9 an order that the engine fills',
      [/^9a ExecutionReport\(8\).* 150=F/],
      {
        desk: { change: (_, fields) => (has(fields, 11, 'O2') ? set(fields, 44, '9.5') : fields) },
        silentIn: 10,
      },
    ],
    [
      '10 sequence numbers that begin again',
      [/^10c 34=1 141=Y, and its next number is \d+/],
      {
        line: (message, connection) =>
          connection === 2 && message.get(35) === 'A' ? withFields(message, { 34: '1', 141: 'Y' }) : undefined,
        silentIn: 10,
      },
    ],
    [
      '10 missed messages that are not requested',
      [/^10d \d+ is missing, and 7=\d+/],
      {
        line: (message, connection) =>
          connection === 2 && message.get(35) === '2'
            ? withFields(message, { 7: String(Number(message.get(7)) + 1) })
            : undefined,
        silentIn: 10,
      },
    ],
    [
      '10 the order under another id',
      [/^10e NewOrderSingle\(D\)/],
      {
        desk: {
          onLogon(session, logons, token) {
            const again: Field[] = [
              [11, 'O4'],
              [55, 'EUR/USD'],
              [54, 1],
              [38, 10_000],
              [15, 'EUR'],
              [60, '20261120-08:00:00'],
              [40, 1],
              [20001, token],
            ];
            if (logons === 2) session.send('D', again);
          },
        },
        silentIn: 10,
      },
    ],
    [
      '11 the old token',
      [/^11c OrderStatusRequest\(H\).* AuthToken\(20001\) is another one/],
      {
        desk: { change: oldTokenOnStatus() },
      },
    ],
    [
      '12 no Logout',
      [/^12a the connection ended without one/],
      {
        line: (message) => (message.get(35) === '5' ? 'closed' : undefined),
      },
    ],
    [
      'a reject whose text has control characters and a secret: the report does not repeat them',
      [/^\d+\w .*the desk rejects the engine's message .*: \?\[31mred 554=\*+$/],
      {
        line: (message) =>
          message.get(35) === 'V'
            ? withFields(message, { 35: '3', 45: '1', 58: `\x1b[31mred 554=${SECRET}` })
            : undefined,
        silentIn: 5,
      },
    ],
    [
      'a wrong CheckSum',
      [/bytes that are no FIX message, or a wrong BodyLength\(9\) or CheckSum\(10\)/],
      {
        line: brokenOnce(),
        silentIn: 6,
      },
    ],
    [
      'a number that is left out',
      [/^6d QuoteRequest\(R\).*: MsgSeqNum\(34\) must be \d+/],
      {
        line: (message) =>
          message.get(131) === 'Q2' && message.get(43) !== 'Y'
            ? withFields(message, { 34: String(Number(message.get(34)) + 5) })
            : undefined,
        silentIn: 6,
      },
    ],
  ])('fails %s', async (_, expected, played) => {
    const { result, report, json } = await play(played);
    expect(result).toBe('failed');
    expect(json).not.toContain(SECRET);
    const faults = faultsOf(report);
    for (const one of expected) expect(faults).toContainEqual(one instanceof RegExp ? expect.stringMatching(one) : one);
  });

  test('ends at a signal: the report says what was reached, and the store is removed', async () => {
    const port = await freePort();
    let desk: { stop(): Promise<void> } | undefined;
    const certification = certify({
      compId: 'ACME1',
      host: '127.0.0.1',
      port,
      credentials,
      waitSeconds: 120,
      firstSeconds: 120,
      out: folder(),
      operator: 'test',
      version: '0.0.0',
      env: {},
      print(text) {
        if (text.startsWith('Certification of '))
          desk = certificationDesk({ port, clientKey: KEY, clientSecret: SECRET, change: () => undefined });
        if (text.startsWith('Step 5 ')) certification.interrupt();
      },
    });
    const { result, json, files } = await untilDone(certification);
    await desk?.stop();
    expect(result).toBe('incomplete');
    const { steps } = JSON.parse(json) as ReportJson;
    expect(steps.map(({ result }) => result).slice(0, 4)).toEqual(['passed', 'passed', 'passed', 'passed']);
    expect(steps[11]!.result).toBe('not reached');
    expect(readFileSync(files[1]!, 'utf8')).toContain('INCOMPLETE: ended by the operator');
  });
});

const has = (fields: readonly Field[], tag: number, value: string | number): boolean =>
  fields.some(([of, is]) => of === tag && String(is) === String(value));
const set = (fields: readonly Field[], tag: number, value: string | number): readonly Field[] =>
  fields.map((field) => (field[0] === tag ? [tag, value] : field));

function oldTokenOnStatus(): NonNullable<CertificationDeskOptions['change']> {
  let first: Field | undefined;
  return (type, fields) => {
    first = type === 'V' ? fields.find(([tag]) => tag === 20001) : first;
    return type === 'H' && first ? [...fields.filter(([tag]) => tag !== 20001), first] : fields;
  };
}
