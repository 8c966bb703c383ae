import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ClientOf, type Rig, startRig } from '../../fix/rig.js';

let rig: Rig;
let acme: ClientOf;
beforeAll(async () => {
  rig = await startRig();
  acme = await rig.client('acme');
  rig.tick('EUR/USD', '1.08158', '1.08164');
  // So that no desk is sent a price of the pair any more.
  await new Promise((resolve) => setTimeout(resolve, 400));
});
afterAll(() => rig.stop());

test('refusals are sent again, prices are passed over, and every stream gets a fresh one', async () => {
  const desk = rig.desk(acme);
  const token = (await desk.logon()).get(20001)!;
  desk.stream('M1', ['EUR/USD'], token); // W is 2
  await desk.next('W');
  desk.stream('M2', ['EUR/QQQ'], token); // Y is 3
  const refused = await desk.next('Y');
  desk.sendUntaken(); // j is 4
  await desk.next('j');
  rig.tick('EUR/USD', '1.08159', '1.08165'); // W is 5
  await desk.next('W');

  desk.send('2', [
    [7, 1],
    [16, 0],
  ]);
  const again = await desk.next('Y');
  expect([again.get(34), again.get(43), again.get(262)]).toEqual(['3', 'Y', 'M2']);
  expect(again.get(122)).toBe(refused.get(52));
  expect((await desk.next('j')).get(43)).toBe('Y');
  const gaps = desk.received.filter((message) => message.get(35) === '4');
  expect(gaps.map((gap) => [gap.get(34), gap.get(36), gap.get(123)])).toEqual([
    ['1', '3', 'Y'],
    ['5', '6', 'Y'],
  ]);
  const fresh = await desk.next('W');
  expect([fresh.get(34), fresh.get(43), fresh.get(262)]).toEqual(['6', undefined, 'M1']);
});

test('what was asked in an earlier session and comes again over a gap is passed over', async () => {
  const desk = rig.desk(await rig.client('crashed'));
  const token = (await desk.logon()).get(20001)!;
  const again = (sentMs: number) => ({ more: [[43, 'Y'] as const, [122, utc(sentMs)] as const] });
  const request = [
    [262, 'M1'],
    [263, 1],
    [264, 1],
    [265, 0],
    [267, 1],
    [269, 0],
    [146, 1],
    [55, 'EUR/USD'],
    [20001, token],
  ] as const;
  // Requests are answered in order: behind this answer there is none to an earlier one.
  const answered = async () => {
    desk.send('g', [
      [335, 'G1'],
      [263, 0],
    ]);
    await desk.next('h');
  };
  const before = Date.now() - 60_000;
  desk.send('V', request, again(before));
  desk.send(
    'V',
    [
      [262, 'M0'],
      [263, 2],
    ],
    again(before),
  );
  desk.send(
    'BE',
    [
      [923, 'U1'],
      [924, 2],
      [553, 'CK'],
    ],
    again(before),
  );
  desk.send(
    'x',
    [
      [320, 'L1'],
      [559, 4],
    ],
    again(before),
  );
  await answered();
  expect(desk.received.map((message) => message.get(35))).toEqual(['A', 'h']);

  // Of this session: taken once.
  desk.send('V', request, again(Date.now()));
  await desk.next('W');
  desk.send('V', request, again(Date.now()));
  await answered();
  expect(desk.count('Y')).toBe(0);
});

test('continues the numbers of a desk that logs on again; its streams have ended with the session', async () => {
  const client = await rig.client('back');
  const first = rig.desk(client);
  const token = (await first.logon()).get(20001)!;
  first.stream('M1', ['EUR/USD'], token);
  await first.next('W');
  first.stream('M2', ['EUR/QQQ'], token);
  const refused = await first.next('Y');
  first.send('5', []);
  await first.untilClosed();

  const second = rig.desk(client);
  second.nextOut = first.nextOut;
  await second.connect();
  second.send('A', [
    [98, 0],
    [108, 30],
    [553, client.clientKey],
    [554, client.clientSecret],
  ]);
  const logon = await second.next('A');
  expect(Number(logon.get(34))).toBe(Number(refused.get(34)) + 2);
  second.send('2', [
    [7, refused.get(34)!],
    [16, refused.get(34)!],
  ]);
  expect((await second.next('Y')).get(43)).toBe('Y');
  rig.tick('EUR/USD', '1.08160', '1.08166');
  await second.settle();
  expect(second.count('W')).toBe(0);
});

function utc(ms: number): string {
  return new Date(ms).toISOString().replaceAll('-', '').replace('T', '-').slice(0, 21);
}
