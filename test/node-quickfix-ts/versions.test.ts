/** Several versions of FIX on one port, and FIXT.1.1 with more than one version of the application. */
import {
  Acceptor,
  type BeginString,
  Initiator,
  type LogonAttempt,
  MemoryStore,
  memoryStoreFactory,
  profile,
  type Session,
  type VersionOptions,
} from 'node-quickfix-ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readDictionary } from './dictionaries.js';
import { fieldOf, Peer, utc } from './session/session-peer.js';

const VERSIONS: readonly VersionOptions[] = [
  { beginString: 'FIX.4.0', dictionary: readDictionary('FIX40') },
  { beginString: 'FIX.4.2', dictionary: readDictionary('FIX42') },
  { beginString: 'FIX.4.4', dictionary: readDictionary('FIX44') },
  {
    beginString: 'FIXT.1.1',
    dictionary: readDictionary('FIXT11'),
    applications: { 7: readDictionary('FIX50'), 9: readDictionary('FIX50SP2') },
  },
];
const TAKES = profile({ supported: new Set(['D', 'CB']), stored: new Set(['D']), userTags: 'strict' });

const stops: (() => unknown)[] = [];
let port = 0;
let attempts: LogonAttempt[] = [];
const taken: string[] = [];

beforeEach(async () => {
  attempts = [];
  taken.splice(0);
  const acceptor = new Acceptor({
    port: 0,
    versions: VERSIONS,
    store: memoryStoreFactory(),
    application: {
      authenticate(attempt) {
        attempts.push(attempt);
        return { accept: true, profile: TAKES, reply: [], context: undefined };
      },
      onLogon() {},
      onMessage(session, message) {
        taken.push(`${session.id.beginString} ${message.string(1128) ?? session.applVerId} ${message.msgType}`);
        session.send('D', [[11, message.string(11) ?? 'none']]);
      },
      onLogout() {},
    },
  });
  stops.push(() => acceptor.stop());
  ({ port } = await acceptor.listen());
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** A desk that speaks one version; `fields` of its Logon(A) are added. */
class Desk {
  private number = 0;
  private constructor(
    private readonly peer: Peer,
    public beginString: string,
    private readonly compId: string,
  ) {}

  static async open(beginString: string, fields = '', compId = 'DESK'): Promise<Desk> {
    const peer = await Peer.open(port);
    stops.push(() => peer.close());
    const desk = new Desk(peer, beginString, compId);
    desk.say('A', `98=0|108=30|${fields}`);
    return desk;
  }
  say(type: string, fields = '', header = ''): void {
    this.peer.send(
      `8=${this.beginString}|35=${type}|34=${++this.number}|49=${this.compId}|52=${utc()}|56=VENUE|${header}${fields}`,
    );
  }
  next(): Promise<string | undefined> {
    return this.peer.next();
  }
  closed(): Promise<string> {
    return this.peer.closed();
  }
}

const ORDER = '11=o1|54=1|55=EUR/USD|40=1|';

describe('several versions on one port', () => {
  test.each([
    // version    the order       the answer, without 9, 34, 52 and 10
    ['FIX.4.0', `${ORDER}21=1|38=1`, 20],
    ['FIX.4.2', `${ORDER}21=1|60=20260114-12:00:00`, 24],
    ['FIX.4.4', `${ORDER}60=20260114-12:00:00`, 24],
  ] as const)('%s has its own dictionary and its own time stamps', async (beginString, order, length) => {
    const desk = await Desk.open(beginString);
    expect(await desk.next()).toContain(`8=${beginString}|`);
    expect(attempts.map(({ id, applVerId }) => [id.beginString, applVerId])).toEqual([[beginString, undefined]]);
    desk.say('D', order);
    const answer = await desk.next();
    expect(answer).toContain(`8=${beginString}|`);
    expect(`52=${fieldOf(answer, 52)}`).toHaveLength(length);
    // 60 is required from 4.2 on and not defined in 4.0.
    desk.say('D', order.includes('60=') ? order.replace('60', '126') : `${order}|60=20260114-12:00:00`);
    const refusal = await desk.next();
    expect(refusal).toContain(
      beginString === 'FIX.4.0'
        ? '|45=3|58=Tag not defined for this message type (60)|10='
        : '|45=3|58=Required tag missing|371=60|372=D|373=1|10=',
    );
  });

  test('the same CompIDs in two versions are two sessions, with numbers of their own', async () => {
    const desks = [await Desk.open('FIX.4.2'), await Desk.open('FIX.4.4'), await Desk.open('FIXT.1.1', '1137=9')];
    for (const desk of desks) {
      expect(fieldOf(await desk.next(), 34)).toBe('1');
      desk.say('1', '112=x');
      expect(fieldOf(await desk.next(), 34)).toBe('2');
    }
  });

  test.each(['FIX.4.1', 'FIX.4.3', 'FIX.5.0', 'FIXT.1.2', 'FIX.4'])(
    '%s, which is not accepted here, is disconnected without an answer',
    async (beginString) => {
      expect(await (await Desk.open(beginString, '1137=9')).closed()).toBe('');
      expect(attempts).toEqual([]);
    },
  );

  test('a session keeps to the BeginString(8) of its Logon(A)', async () => {
    const desk = await Desk.open('FIX.4.2');
    await desk.next();
    desk.beginString = 'FIX.4.4';
    desk.say('0');
    expect(fieldOf(await desk.next(), 58)).toBe('Incorrect BeginString');
  });

  test('without a dictionary the session messages are validated, and orders are not', async () => {
    const acceptor = new Acceptor({
      port: 0,
      store: memoryStoreFactory(),
      application: {
        authenticate: () => ({ accept: true, profile: TAKES, reply: [], context: undefined }),
        onLogon() {},
        onMessage: (_, message) => void taken.push(message.msgType),
        onLogout() {},
      },
    });
    stops.push(() => acceptor.stop());
    ({ port } = await acceptor.listen());
    const refused = await Desk.open('FIX.4.4', '55=EUR/USD|', 'OTHER');
    expect(fieldOf(await refused.next(), 58)).toBe('Invalid tag number (55)');
    const desk = await Desk.open('FIX.4.4');
    expect(fieldOf(await desk.next(), 35)).toBe('A');
    desk.say('D', '9000=any|11=|');
    expect(await desk.next()).toContain('|45=2|58=Tag specified without a value|371=11|372=D|373=4|10=');
    desk.say('D', '9000=any|11=o1|');
    desk.say('0', '58=hello');
    expect(await desk.next()).toContain('|45=4|58=Tag not defined for this message type|371=58|372=0|373=2|10=');
    expect(taken).toEqual(['D']);
  });

  test.each([
    // options of an acceptor                                      what is wrong
    [{ versions: [VERSIONS[0]!, VERSIONS[0]!] }, 'two of them have the same beginString'],
    [{ versions: [] }, 'versions is empty'],
    [{ versions: VERSIONS, beginString: 'FIX.4.4' }, 'versions stands in place of beginString'],
    [{ ...VERSIONS[3]!, beginString: 'FIX.4.4' }, 'FIX.4.4 has one dictionary'],
    [{ beginString: 'FIX.5.0' }, 'beginString FIX.5.0 is none of FIX.4.0, '],
  ] as const)('an acceptor cannot have the versions of %j', (options, message) => {
    const open = () =>
      new Acceptor({ port: 0, ...(options as object), store: memoryStoreFactory(), application: {} as never });
    expect(open).toThrow(message);
  });

  test.each([
    // version    16 of the request   answered by a gap fill to 36, or rejected
    ['FIX.4.0', '999999', '36=1200001'],
    ['FIX.4.0', '0', '36=1200001'],
    ['FIX.4.2', '0', '36=1200001'],
    ['FIX.4.2', '999999', '58=Value is incorrect (out of range) for this tag'],
  ])('%s: a ResendRequest(2) to %s beyond a million messages is answered by %s', async (beginString, end, expected) => {
    const store = new MemoryStore();
    await store.settle(1_200_000, 1);
    const acceptor = new Acceptor({
      port: 0,
      beginString: beginString as BeginString,
      store: () => store,
      application: {
        authenticate: () => ({ accept: true, profile: TAKES, reply: [], context: undefined }),
        onLogon() {},
        onMessage() {},
        onLogout() {},
      },
    });
    stops.push(() => acceptor.stop());
    ({ port } = await acceptor.listen());
    const desk = await Desk.open(beginString);
    expect(fieldOf(await desk.next(), 34)).toBe('1200000');
    desk.say('2', `7=1199990|16=${end}`);
    expect(await desk.next()).toContain(`|${expected}|`);
  });
});

describe('FIXT.1.1', () => {
  const APPLICATION_MESSAGE = `${ORDER}60=20260114-12:00:00`;

  test('the answer has the DefaultApplVerID(1137) of the Logon(A), which authenticate sees', async () => {
    const desk = await Desk.open('FIXT.1.1', '1137=7');
    expect(await desk.next()).toMatch(/\|98=0\|108=30\|1137=7\|10=\d+\|$/);
    expect(attempts[0]?.applVerId).toBe('7');
  });

  test('a Logon(A) without DefaultApplVerID(1137) is disconnected without an answer', async () => {
    expect(await (await Desk.open('FIXT.1.1')).closed()).toBe('');
    expect(attempts).toEqual([]);
  });

  test.each([
    ['8', 'Invalid/Unsupported Application Version (1137)'],
    ['4', 'Invalid/Unsupported Application Version (1137)'],
    ['77', 'Invalid/Unsupported Application Version (1137)'],
    ['', 'Tag specified without a value (1137)'],
  ])(
    'DefaultApplVerID(1137) "%s", for which there is no dictionary, is logged out with the reason',
    async (value, text) => {
      const desk = await Desk.open('FIXT.1.1', `1137=${value}`);
      const logout = await desk.next();
      expect([fieldOf(logout, 35), fieldOf(logout, 58)]).toEqual(['5', text]);
      expect(await desk.closed()).toBe('');
    },
  );

  test('a message is validated with the dictionary of its ApplVerID(1128), else of the default', async () => {
    const desk = await Desk.open('FIXT.1.1', '1137=7');
    await desk.next();
    // UserNotification(CB) is of 5.0SP1 and later, and needs UserStatus(926).
    desk.say('CB', '926=3');
    expect(await desk.next()).toContain('|45=2|58=Invalid MsgType|371=35|372=CB|373=11|10=');
    desk.say('CB', '926=3', '1128=9|');
    expect(fieldOf(await desk.next(), 35)).toBe('D');
    desk.say('CB', '', '1128=9|');
    expect(await desk.next()).toContain('|45=4|58=Required tag missing|371=926|372=CB|373=1|10=');
    desk.say('D', APPLICATION_MESSAGE, '1128=7|1156=2|1129=OURS|');
    expect(fieldOf(await desk.next(), 35)).toBe('D');
    expect(taken).toEqual(['FIXT.1.1 9 CB', 'FIXT.1.1 7 D']);
  });

  test('an ApplVerID(1128) without a dictionary is rejected, and the session continues', async () => {
    const desk = await Desk.open('FIXT.1.1', '1137=9');
    await desk.next();
    desk.say('D', APPLICATION_MESSAGE, '1128=6|');
    expect(await desk.next()).toContain('|45=2|58=Invalid/Unsupported Application Version|371=1128|372=D|373=18|10=');
    desk.say('D', APPLICATION_MESSAGE, '1128=|');
    expect(await desk.next()).toContain('|45=3|58=Tag specified without a value|371=1128|372=D|373=4|10=');
    desk.say('1', '112=on', '1128=6|');
    expect(fieldOf(await desk.next(), 112)).toBe('on');
    expect(taken).toEqual([]);
  });

  test('session messages have the dictionary of the transport alone', async () => {
    const desk = await Desk.open('FIXT.1.1', '1137=9');
    await desk.next();
    desk.say('0', '55=EUR/USD');
    expect(await desk.next()).toContain('|45=2|58=Invalid tag number|371=55|372=0|373=0|10=');
  });

  test('ApplVerID(1128) of a message that we send is in its header, also when it is resent', async () => {
    const sessions: Session[] = [];
    const acceptor = new Acceptor({
      port: 0,
      ...VERSIONS[3]!,
      store: memoryStoreFactory(),
      application: {
        authenticate: () => ({ accept: true, profile: TAKES, reply: [], context: undefined }),
        onLogon: (session) => void sessions.push(session),
        onMessage() {},
        onLogout() {},
      },
    });
    stops.push(() => acceptor.stop());
    ({ port } = await acceptor.listen());
    const desk = await Desk.open('FIXT.1.1', '1137=9');
    await desk.next();
    sessions[0]!.send('D', [
      [11, 'x'],
      [1128, '7'],
    ]);
    expect(await desk.next()).toMatch(/\|56=DESK\|1128=7\|11=x\|10=/);
    desk.say('2', '7=2|16=2');
    expect(await desk.next()).toMatch(/\|43=Y\|.*\|122=[^|]*\|1128=7\|11=x\|10=/);
  });
});

describe('an initiator', () => {
  async function call(beginString: BeginString, options: object = {}): Promise<string[]> {
    const events: string[] = [];
    const version = VERSIONS.find((one) => one.beginString === beginString)!;
    const initiator = new Initiator({
      host: '127.0.0.1',
      port,
      ...version,
      senderCompId: 'DESK',
      targetCompId: 'VENUE',
      heartBtInt: 30,
      resetOnLogon: true,
      store: memoryStoreFactory(),
      profile: profile({ supported: new Set(['D']) }),
      ...options,
      application: {
        onLogon(session, logon) {
          events.push(`logon ${logon.string(1137)} ${session.applVerId}`);
          session.send('D', [
            [11, 'o1'],
            ...(beginString === 'FIX.4.0'
              ? ([
                  [21, 1],
                  [38, 1],
                ] as const)
              : []),
            [54, 1],
            [55, 'EUR/USD'],
            [40, 1],
            ...(beginString === 'FIX.4.0' ? [] : ([[60, '20260114-12:00:00']] as const)),
          ]);
        },
        onMessage: (_, message) => void events.push(`${message.string(8)} ${message.msgType}`),
        onLogout: (_, reason) => void events.push(reason),
      },
    });
    stops.push(() => initiator.stop());
    initiator.start();
    await expect.poll(() => events.length).toBeGreaterThanOrEqual(2);
    return events;
  }

  test.each([
    // version   options: the answer lacks what an order requires         events
    ['FIX.4.0', { dictionary: undefined }, ['logon undefined undefined', 'FIX.4.0 D']],
    ['FIX.4.4', { dictionary: 'none' }, ['logon undefined undefined', 'FIX.4.4 D']],
    [
      'FIXT.1.1',
      { dictionary: undefined, applications: undefined, defaultApplVerId: '9' },
      ['logon 9 9', 'FIXT.1.1 D'],
    ],
  ] as const)('of %s logs on and exchanges an order', async (beginString, options, expected) => {
    expect(await call(beginString, options)).toEqual(expected);
    expect(attempts[0]?.id.beginString).toBe(beginString);
  });

  test('of FIXT.1.1 needs a DefaultApplVerID(1137), and only that one', async () => {
    await expect(call('FIXT.1.1')).rejects.toThrow('defaultApplVerId is required with FIXT.1.1');
    await expect(call('FIX.4.4', { defaultApplVerId: '9' })).rejects.toThrow('defaultApplVerId is required');
  });
});
