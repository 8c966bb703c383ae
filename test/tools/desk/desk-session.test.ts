/** The desk's session against an acceptor that issues short-lived tokens: what it asks for, and when it gives up. */
import { readFileSync } from 'node:fs';
import {
  Acceptor,
  Dictionary,
  type Field,
  formatUtcTimestamp,
  memoryStoreFactory,
  profile,
  type Session,
} from 'node-quickfix-ts';
import { afterEach, expect, test } from 'vitest';
import { DeskSession } from '../../../engine/tools/desk/desk-session.js';
import type { PriceUpdate } from '../../../engine/tools/desk/quotes.js';
import { until } from '../../support/until.js';

const dictionary = Dictionary.parse(
  readFileSync(new URL('../../../fix-config/FIX44-ratewire.xml', import.meta.url), 'utf8'),
);

const open: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.stop();
});

/** A desk on an engine of the test's: `engine` answers each message; tokens T1, T2 ... live `tokenLifeMs`; the first Logons(A) have no answer. */
async function desk(
  tokenLifeMs: number,
  engine: (session: Session, msgType: string, token: string) => void,
  unanswered = 0,
) {
  let attempts = 0;
  let ups = 0;
  let issued = 0;
  const token = (): Field[] => [
    [20001, `T${++issued}`],
    [20002, formatUtcTimestamp(Date.now() + tokenLifeMs)],
  ];
  const asked: string[] = [];
  const prices: PriceUpdate[] = [];
  const notices: string[] = [];
  let end: (line: string) => void = () => {};
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  const acceptor = new Acceptor({
    host: '127.0.0.1',
    port: 0,
    dictionary,
    store: memoryStoreFactory(),
    application: {
      authenticate: () =>
        ++attempts <= unanswered
          ? { accept: false, silent: true }
          : {
              accept: true,
              profile: profile({ supported: new Set(['V', 'BE']) }),
              reply: token(),
              context: undefined,
            },
      onLogon: () => {},
      onLogout: () => {},
      onMessage(session, message) {
        asked.push(`${message.msgType} ${message.string(20001) ?? ''}`.trim());
        if (message.msgType === 'BE')
          session.send('BF', [[923, message.string(923)!], [553, 'CK_1'], [926, 1], ...token()]);
        engine(session, message.msgType, message.string(20001) ?? '');
      },
    },
  });
  const { port } = await acceptor.listen();
  open.push(acceptor);
  const session = new DeskSession(
    {
      credentials: {
        clientKey: 'CK_1',
        clientSecret: 's',
        senderCompId: 'DESK1',
        targetCompId: 'FXENGINE',
        host: '',
        port: 0,
        rest: '',
      },
      host: '127.0.0.1',
      port,
      pairs: ['EUR/USD'],
      dictionary,
      sourceTime: false,
    },
    {
      onUp: () => ups++,
      onPrice: (update) => prices.push(update),
      onNotice: (line) => notices.push(line),
      onEnd: (line) => end(line),
    },
  );
  session.start();
  open.push(session);
  return { acceptor, asked, prices, notices, ended, ups: () => ups };
}

const side = (type: number, price: string, condition: string): Field[] => [
  [269, type],
  [270, price],
  [15, 'EUR'],
  [271, condition === 'A' ? 1000000 : 0],
  [276, condition],
];
const snapshot = (bid: string, offer: string, condition = 'A'): Field[] => [
  [262, 'DESK1'],
  [55, 'EUR/USD'],
  [460, 4],
  [268, 2],
  ...side(0, bid, condition),
  ...side(1, offer, condition),
];

test('shows a price and its withdrawal, with the delay of the message', async () => {
  const { prices } = await desk(86_400_000, (session, msgType) => {
    if (msgType !== 'V') return;
    session.send('W', snapshot('1.0788760', '1.0843509'));
    session.send('W', snapshot('0', '0', 'B'));
  });
  await until(() => prices.length === 2);
  expect(prices[0]).toMatchObject({
    symbol: 'EUR/USD',
    bid: '1.0788760',
    offer: '1.0843509',
    latencyMs: expect.any(Number),
  });
  expect(prices[1]).toMatchObject({ symbol: 'EUR/USD', bid: '', offer: '' });
  expect(prices[1]).not.toHaveProperty('latencyMs');
});

test('the token is renewed before its end, and the stream is not asked for again', async () => {
  const { asked, notices } = await desk(1_200, () => {});
  await until(() => asked.length === 3);
  expect(asked).toEqual(['V T1', 'BE', 'BE']);
  await until(() => notices.length === 2);
});

test('a warning renews it too', async () => {
  const { asked } = await desk(86_400_000, (session, msgType) => {
    if (msgType === 'V')
      session.send('BF', [
        [923, 'LOGON'],
        [553, 'CK_1'],
        [926, 1],
        [20011, 'TOKEN_EXPIRING'],
      ]);
  });
  await until(() => asked.length === 2);
  expect(asked).toEqual(['V T1', 'BE']);
});

test('a stream that ended with its token is asked for again on a new one', async () => {
  const { asked } = await desk(86_400_000, (session, msgType, token) => {
    if (token === 'T1')
      session.send('Y', [
        [262, 'DESK1'],
        [281, 3],
        [58, 'Token expired'],
        [20011, 'TOKEN_EXPIRED'],
      ]);
    if (msgType === 'V' && token === 'T2') session.send('W', snapshot('1.07', '1.08'));
  });
  await until(() => asked.length === 3);
  expect(asked).toEqual(['V T1', 'BE', 'V T2']);
});

test.each([
  [
    'a revoked token',
    'BF',
    [
      [923, 'LOGON'],
      [553, 'CK_1'],
      [926, 2],
      [927, 'Token revoked'],
      [20011, 'TOKEN_REVOKED'],
    ],
    'Token revoked (TOKEN_REVOKED)',
  ],
  [
    'a pair taken away',
    'Y',
    [
      [262, 'DESK1'],
      [281, 3],
      [58, 'Not entitled'],
      [20011, 'NOT_ENTITLED'],
    ],
    'Not entitled (NOT_ENTITLED)',
  ],
  [
    'a message refused',
    'j',
    [
      [372, 'V'],
      [380, 0],
      [58, 'Too many requests'],
    ],
    'The engine refused a message: Too many requests',
  ],
] as const)('%s is the end, in the words of the engine', async (_, msgType, fields, line) => {
  const { ended } = await desk(86_400_000, (session) => session.send(msgType, fields));
  expect(await ended).toBe(line);
});

test('a Logon that the engine does not answer is tried again, twice', async () => {
  const { asked, notices, ups } = await desk(86_400_000, () => {}, 2);
  await until(() => asked.length > 0);
  expect([asked, ups()]).toEqual([['V T1'], 1]);
  expect(notices).toEqual(Array(2).fill('Logon not answered: trying again'));
});

test('a third one is the end', async () => {
  const { ended, ups } = await desk(86_400_000, () => {}, 3);
  expect(await ended).toMatch(/^Logon not answered: check/);
  expect(ups()).toBe(0);
});

test('so is an engine that has gone meanwhile', async () => {
  const { acceptor, notices, ended } = await desk(86_400_000, () => {}, 3);
  await until(() => notices.length > 0);
  await acceptor.stop();
  expect(await ended).toMatch(/^No connection to 127\.0\.0\.1:\d+: check that the engine runs$/);
});
