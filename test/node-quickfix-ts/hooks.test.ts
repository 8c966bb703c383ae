import { createHmac, generateKeyPairSync, sign, timingSafeEqual, verify } from 'node:crypto';
import {
  Acceptor,
  type Application,
  Dictionary,
  type Field,
  Initiator,
  type MessageView,
  memoryStoreFactory,
  type OutgoingMessage,
  profile,
  type SessionId,
} from 'node-quickfix-ts';
import { afterEach, describe, expect, test } from 'vitest';
import { dictionaryXml } from './dictionaries.js';
import { type Desk, Floor, turn } from './session/session-harness.js';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** What is signed: MsgType(35), SenderCompID(49), TargetCompID(56), MsgSeqNum(34) and SendingTime(52), separated by SOH. */
const payload = (sender: string, target: string, number: number | string, time: string): string =>
  ['A', sender, target, number, time].join('\x01');

const rawData = (text: string): readonly Field[] => [
  [95, text.length],
  [96, text],
];

/** An initiator that signs its Logon(A), and an acceptor that verifies it; the reason of the end, or `up`. */
async function logOn(signature: (payload: string) => string, holds: (payload: string, signature: string) => boolean) {
  const id = { senderCompId: 'CLIENT', targetCompId: 'VENUE' };
  const dictionary = Dictionary.parse(dictionaryXml('FIX44'));
  const acceptor = new Acceptor({
    port: 0,
    dictionary,
    store: memoryStoreFactory(),
    application: {
      authenticate({ logon }) {
        const text = payload('CLIENT', 'VENUE', logon.string(34) ?? '', logon.string(52) ?? '');
        return holds(text, logon.string(96) ?? '')
          ? { accept: true, profile: profile({}), reply: [], context: undefined }
          : { accept: false, text: 'Bad signature', closeAfterMs: 10 };
      },
      onLogon() {},
      onMessage() {},
      onLogout() {},
    },
  });
  stops.push(() => acceptor.stop());
  const { port } = await acceptor.listen();
  return new Promise<string>((resolve) => {
    const initiator = new Initiator({
      ...id,
      host: '127.0.0.1',
      port,
      beginString: 'FIX.4.4',
      heartBtInt: 30,
      resetOnLogon: true,
      store: memoryStoreFactory(),
      dictionary,
      application: {
        toAdmin: (session, { msgType, msgSeqNum, sendingTime }) =>
          msgType === 'A'
            ? rawData(signature(payload(session.id.senderCompId, session.id.targetCompId, msgSeqNum, sendingTime)))
            : undefined,
        onLogon: () => resolve('up'),
        onMessage() {},
        onLogout: (_, reason) => resolve(reason),
      },
    });
    stops.push(() => initiator.stop());
    initiator.start();
  });
}

describe('a signed Logon(A)', () => {
  test('by HMAC-SHA256', async () => {
    const hmac = (secret: string) => (text: string) => createHmac('sha256', secret).update(text).digest('base64');
    const holds = (text: string, given: string): boolean => {
      const [a, b] = [Buffer.from(hmac('s3cret')(text)), Buffer.from(given)];
      return a.length === b.length && timingSafeEqual(a, b);
    };
    expect(await logOn(hmac('s3cret'), holds)).toBe('up');
    expect(await logOn(hmac('other'), holds)).toBe('logon refused: Bad signature');
  });

  test('by Ed25519', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const signed = (text: string): string => sign(undefined, Buffer.from(text), privateKey).toString('base64');
    const holds = (text: string, given: string): boolean =>
      verify(undefined, Buffer.from(text), publicKey, Buffer.from(given, 'base64'));
    expect(await logOn(signed, holds)).toBe('up');
    expect(await logOn((text) => signed(`${text}!`), holds)).toBe('logon refused: Bad signature');
  });
});

/** A floor whose application has these hooks, with a desk logged on. */
async function hooked(hooks: Pick<Application, 'toAdmin' | 'toApp' | 'fromAdmin' | 'onError'>): Promise<{
  floor: Floor;
  desk: Desk;
}> {
  const floor = new Floor();
  Object.assign(floor.host.application, hooks);
  const desk = await floor.call();
  return { floor, desk };
}

const timed = (sent: string[]): string[] => sent.map((m) => m.replace(/(122)=[^|]*/, '$1='));

describe('hooks', () => {
  test('see each message with its number, its time and its fields, and may add to it', async () => {
    const seen: string[] = [];
    const note = ({ msgType, msgSeqNum, sendingTime, fields, possDup }: OutgoingMessage): void =>
      void seen.push(`${msgType} ${msgSeqNum} ${sendingTime} ${fields.join(' ')}${possDup ? ' again' : ''}`);
    const { floor, desk } = await hooked({
      toAdmin: (_, message) => {
        note(message);
        return message.msgType === '0'
          ? [
              [58, 'signed'],
              [50, 'SUB'],
            ]
          : undefined;
      },
      toApp: (_, message) => {
        note(message);
        return [[58, `no ${message.msgSeqNum}`]];
      },
    });
    const time = '20260114-12:00:00.000';
    expect(
      desk.session!.send('8', [
        [11, 'a'],
        [58, 'x'],
      ]),
    ).toBe(2);
    desk.session!.flush();
    await turn();
    await desk.say('1', '112=T');
    await desk.say('2', '7=1|16=0');
    expect(timed(desk.sent())).toEqual([
      '35=A|34=1|98=0|108=30',
      '35=8|34=2|11=a|58=no 2',
      '35=0|34=3|50=SUB|112=T|58=signed',
      '35=4|34=1|43=Y|122=|36=2|123=Y',
      '35=8|34=2|43=Y|122=|11=a|58=no 2',
      '35=4|34=3|43=Y|122=|36=4|123=Y',
    ]);
    expect(seen).toEqual([
      `A 1 ${time} 98,0 108,30`,
      `8 2 ${time} 11,a 58,x`,
      `0 3 ${time} 112,T`,
      `4 1 ${time} 36,2 123,Y again`,
      `8 2 ${time} 11,a 58,no 2 again`,
      `4 3 ${time} 36,4 123,Y again`,
    ]);
    expect((await floor.store.read(1, 9, 9)).map(({ message }) => Buffer.from(message).includes('58=no 2'))).toEqual([
      true,
    ]);
  });

  test('toApp refuses a message, and its replay, which is gap-filled', async () => {
    const refused = new Set<string>();
    const { desk } = await hooked({
      toApp: (_, { fields, possDup }) =>
        refused.has(`${fields[0]![1]}${possDup ? ' again' : ''}`) ? false : undefined,
    });
    const session = desk.session!;
    refused.add('b').add('c again');
    const results = ['a', 'b', 'c', 'd'].map((id) => session.send('8', [[11, id]]));
    expect(results).toEqual([2, { reason: 'refused', text: 'toApp has refused it' }, 3, 4]);
    session.flush();
    await turn();
    desk.sent();
    await desk.say('2', '7=1|16=0');
    expect(timed(desk.sent())).toEqual([
      '35=4|34=1|43=Y|122=|36=2|123=Y',
      '35=8|34=2|43=Y|122=|11=a',
      '35=4|34=3|43=Y|122=|36=4|123=Y',
      '35=8|34=4|43=Y|122=|11=d',
    ]);
  });

  test.each([[[[554, undefined]]], [[[34, 7]]], ['signed']])(
    'toAdmin that returns %j has failed: nothing of it leaves',
    async (added) => {
      const errors: unknown[] = [];
      const { desk } = await hooked({
        toAdmin: (_, { msgType }) => (msgType === '0' ? (added as never) : undefined),
        onError: (_, error) => void errors.push(error),
      });
      desk.sent();
      await desk.say('1', '112=T');
      expect([desk.sent(), desk.session!.state]).toEqual([[], 'ended']);
      expect(errors).toMatchObject([{ name: 'FieldError' }]);
    },
  );

  test('a send or a field that cannot be sent from within a hook changes nothing', async () => {
    const results: unknown[] = [];
    const { desk } = await hooked({
      toApp: (session, { msgType }) => {
        if (msgType === 'D') results.push(session.send('8', [[11, 'inner']]));
        return msgType === 'B' ? [[58, 'a\x01b']] : undefined;
      },
    });
    desk.sent();
    results.push(desk.session!.send('D', [[11, 'outer']]), desk.session!.send('B', [[148, 'x']]));
    desk.session!.flush();
    expect(results).toMatchObject([{ reason: 'in-hook' }, 2, { reason: 'bad-field', tag: 58 }]);
    expect(desk.sent()).toEqual(['35=D|34=2|11=outer']);
  });

  test('a hook that logs out is not followed by its message', async () => {
    const { desk } = await hooked({
      toApp: (session) => {
        session.logout('no key');
        return undefined;
      },
    });
    desk.sent();
    expect(desk.session!.send('D', [[11, 'a']])).toMatchObject({ reason: 'not-logged-on' });
    expect(desk.sent()).toEqual(['35=5|34=2|58=no key']);
  });

  test('a hook that throws ends the session, and uses no number', async () => {
    const errors: unknown[] = [];
    const { floor, desk } = await hooked({
      toApp: () => {
        throw new Error('no key');
      },
      onError: (_, error) => void errors.push(error),
    });
    desk.sent();
    expect(desk.session!.send('D', [[11, 'a']])).toMatchObject({ reason: 'not-logged-on' });
    expect([desk.sent(), desk.wire.closed, desk.session!.nextOut, floor.ends, errors.length]).toEqual([
      [],
      true,
      2,
      ['Internal error'],
      1,
    ]);
  });

  test('fromAdmin sees each valid administrative message once', async () => {
    const seen: string[] = [];
    const { desk } = await hooked({ fromAdmin: (_, message: MessageView) => void seen.push(message.toString()) });
    await desk.say('0', '112=a');
    await desk.say('0', '112=a|9999999=x');
    await desk.say('1', '108=5');
    await desk.say('D', '11=o|21=1|55=EUR/USD|54=1|60=20260114-12:00:00|40=1');
    await desk.say('2', '7=1|16=0');
    await desk.say('4', '36=9|123=Y');
    await desk.say('5', '', 9);
    expect(seen.map((text) => /35=(.)/.exec(text)![1])).toEqual(['A', '0', '0', '2', '4', '5']);
  });
});

test('SessionId of a hook is that of its session', async () => {
  const ids: SessionId[] = [];
  await hooked({
    toAdmin: ({ id }) => {
      ids.push(id);
      return undefined;
    },
  });
  expect(ids).toEqual([{ beginString: 'FIX.4.4', senderCompId: 'FXENGINE', targetCompId: 'DESK1' }]);
});
