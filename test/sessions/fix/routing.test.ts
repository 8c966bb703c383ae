import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ClientOf, type Rig, startRig } from '../../fix/rig.js';
import type { Fields, Received, TestDesk } from '../../support/desk.js';

/** A desk behind a hub: SenderSubID, TargetSubID, OnBehalfOfCompID, DeliverToCompID, SenderLocationID. */
const SENT: Fields = [
  [50, 'TRADER7'],
  [57, 'RATES'],
  [115, 'FUND'],
  [128, 'PRICING'],
  [142, 'LDN'],
];
const REVERSED = { 50: 'RATES', 57: 'TRADER7', 115: 'PRICING', 128: 'FUND', 143: 'LDN' };

const EUR_USD: Fields = [
  [267, 1],
  [269, 0],
  [146, 1],
  [55, 'EUR/USD'],
];

let rig: Rig;
let client: ClientOf;
let desk: TestDesk;
let clients = 0;

beforeAll(async () => {
  rig = await startRig();
});
beforeEach(async () => {
  client = await rig.client(`desk${++clients}`);
  desk = rig.desk(client);
});
afterAll(() => rig.stop());

test.each<[what: string, msgType: string, fields: Fields, answer: string]>([
  ['a heartbeat', '1', [[112, 'PING']], '0'],
  ['a session reject', 'x', [[320, 'L1']], '3'],
  [
    'a business reject',
    'BE',
    [
      [923, 'U1'],
      [924, 1],
      [553, 'CK'],
    ],
    'j',
  ],
  [
    'a user response',
    'BE',
    [
      [923, 'U1'],
      [924, 4],
      [553, 'CK'],
    ],
    'BF',
  ],
  [
    'a security list',
    'x',
    [
      [320, 'L1'],
      [559, 4],
    ],
    'y',
  ],
  [
    'a market state',
    'g',
    [
      [335, 'G1'],
      [263, 0],
    ],
    'h',
  ],
  [
    'a pair state',
    'e',
    [
      [324, 'E1'],
      [55, 'EUR/USD'],
      [263, 0],
    ],
    'f',
  ],
  [
    'a refused pair state',
    'e',
    [
      [324, 'E1'],
      [55, 'USD/EUR'],
      [263, 0],
    ],
    'f',
  ],
  ['a refused stream', 'V', [[262, 'M1'], [263, 1], [264, 1], [265, 0], ...EUR_USD], 'Y'],
])('%s goes back the way its request came', async (_what, msgType, fields, answer) => {
  await desk.logon();
  desk.send(msgType, fields, { more: SENT });
  expect(routeOf(await desk.next(answer))).toEqual(REVERSED);
});

test('routes later reports on a request the same way, and unsolicited ones without routing fields', async () => {
  await desk.connect();
  const { clientKey, clientSecret } = client;
  desk.send(
    'A',
    [
      [98, 0],
      [108, 30],
      [141, 'Y'],
      [553, clientKey],
      [554, clientSecret],
    ],
    { more: SENT },
  );
  const logon = await desk.next('A');
  expect(routeOf(logon)).toEqual(REVERSED);

  desk.send('V', [[262, 'M1'], [263, 1], [264, 1], [265, 0], ...EUR_USD, [20001, logon.get(20001)!]], { more: SENT });
  // Prices are one body for many desks: MDReqID(262) says whose they are.
  expect(routeOf(await desk.next('W'))).toEqual({});
  desk.send('g', [
    [335, 'G1'],
    [263, 1],
  ]);
  expect(routeOf(await desk.next('h'))).toEqual({});

  await rig.services.store.tokens.revoke(logon.get(20001)!);
  expect(routeOf(await desk.next('BF'))).toEqual(REVERSED);
  expect(routeOf(await desk.next('Y'))).toEqual(REVERSED);
});

function routeOf({ fields }: Received): Record<number, string> {
  return Object.fromEntries(fields.filter(([tag]) => [50, 57, 115, 116, 128, 129, 142, 143, 144, 145].includes(tag)));
}
