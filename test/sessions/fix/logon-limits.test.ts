/** Two gateways on one store: what is tried at one counts at the other. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { perform } from '../../../engine/service/perform.js';
import { type ClientOf, type Rig, startRig } from '../../fix/rig.js';

let gateways: [Rig, Rig];
let acme: ClientOf;

beforeAll(async () => {
  const first = await startRig();
  gateways = [first, await startRig({ beside: first })];
  acme = await first.client('acme');
});
afterAll(async () => {
  for (const rig of [...gateways].reverse()) await rig.stop();
});

/** What a logon at the gateway is answered with: the text of Logout(5), A, or nothing. */
async function logon(rig: Rig, wrong: { clientSecret?: string; compId?: string } = {}): Promise<string | undefined> {
  const desk = rig.desk({ ...acme, ...wrong }, { port: rig.port });
  await desk.connect();
  desk.sendLogon();
  await Promise.race([desk.untilClosed(), desk.next('A').catch(() => {}), desk.next('5').catch(() => {})]);
  const [first] = desk.received;
  desk.close();
  return first?.get(35) === 'A' ? 'A' : first?.get(58);
}

test('five wrong secrets at two gateways lock the key from this address at both, and by REST alike', async () => {
  for (let i = 0; i < 5; i++) {
    expect(await logon(gateways[i % 2]!, { clientSecret: 'wrong' })).toBe('Authentication failed');
  }
  for (const rig of gateways) {
    expect(await logon(rig)).toBe('Authentication failed');
    expect(rig.log.at(-1)).toContain('KEY_LOCKED');
  }
  const { clientKey, clientSecret } = acme;
  const by = (address: string) =>
    perform(gateways[1].services, 'authenticate', undefined, { clientKey, clientSecret, address });
  expect(await by('127.0.0.1')).toMatchObject({ refusal: 'KEY_LOCKED' });
  expect(await by('192.0.2.9')).toMatchObject({ clientId: 'acme' });
});

test('of secrets that are tried at once at both, the right one does not pass behind five wrong ones', async () => {
  const { clientKey, clientSecret } = acme;
  const address = '192.0.2.77';
  const attempt = (i: number, secret: string) =>
    perform(gateways[i % 2]!.services, 'authenticate', undefined, { clientKey, clientSecret: secret, address });
  const tried = Array.from({ length: 40 }, (_, i) => attempt(i, 'wrong'));
  await Promise.all(tried.slice(0, 5));
  expect(await attempt(0, clientSecret)).toMatchObject({ refusal: 'KEY_LOCKED' });
  expect(await attempt(1, clientSecret)).toMatchObject({ refusal: 'KEY_LOCKED' });
  await Promise.all(tried);
  // The other gateway has received none of these.
  const elsewhere = { clientKey, clientSecret: 'wrong', address: '192.0.2.78' };
  const at = (rig: Rig, secret: object) =>
    Promise.all(
      Array.from({ length: 5 }, () => perform(rig.services, 'authenticate', undefined, { ...elsewhere, ...secret })),
    );
  await at(gateways[0], {});
  for (const answer of await at(gateways[1], { clientSecret })) expect(answer).toMatchObject({ refusal: 'KEY_LOCKED' });
});

test('ten failed logons at two gateways close the address at both for a minute', async () => {
  const [one, other] = gateways;
  // Seven have failed above.
  for (let i = 0; i < 3; i++) await logon(gateways[i % 2]!, { compId: 'UNKNOWN' });
  const before = other.log.length;
  for (const rig of gateways) expect(await logon(rig)).toBeUndefined();
  expect(other.log.slice(before).filter((line) => line.includes('logged on'))).toEqual([]);
  for (const rig of [one, other]) rig.skip(61_000);
  expect(await logon(other)).toBe('Authentication failed');
  for (const rig of [one, other]) rig.skip(15 * 60_000);
  expect(await logon(other)).toBe('A');
});
