/** Published data is followed by TestRequests, so that a peer that does not read is known before the kernel's buffers are full. */
import { publishedType, SharedBody } from 'node-quickfix-ts';
import { describe, expect, test } from 'vitest';
import { type Desk, Floor, turn } from './session-harness.js';

const KIB = 1024;
const W = publishedType('W');
const prefix = new SharedBody();
prefix.text('262=M1\x01');
const body = new SharedBody();
body.text(`58=${'p'.repeat(400)}\x01`);

/** A desk that has answered the Logon(A), and how often its session was notified that it may publish again. */
async function streaming(): Promise<{ floor: Floor; desk: Desk; drains: () => number }> {
  const floor = new Floor();
  let drains = 0;
  floor.more.onDrain = () => void drains++;
  const desk = await floor.call();
  desk.sent();
  return { floor, desk, drains: () => drains };
}

/** Publishes until the session is congested, or so many bytes; returns the bytes of the prices. */
async function publish({ session, wire }: Desk, bytes = Number.POSITIVE_INFINITY): Promise<number> {
  const before = wire.text.length;
  for (let i = 0; i < bytes / 500 && !session!.congested; i++) session!.publish(W, prefix, body);
  session!.flush();
  await turn();
  const asked = wire.text.slice(before).match(/8=FIX\.4\.4\x019=\d+\x0135=1\x01.*?\x0110=\d{3}\x01/g) ?? [];
  return wire.text.length - before - asked.join('').length;
}
const asked = (desk: Desk): string[] => desk.sent().flatMap((message) => /^35=1\|.*112=(.*)$/.exec(message)?.[1] ?? []);

describe('a TestRequest(1) follows published data', () => {
  test('a quarter of a second after the first that is unanswered, once until the answer', async () => {
    const { floor, desk } = await streaming();
    await publish(desk, 500);
    await floor.pass(0.2);
    expect(asked(desk)).toEqual([]);
    await floor.pass(0.2);
    expect(asked(desk)).toEqual(['READ-1']);
    await publish(desk, 500);
    await floor.pass(1);
    expect(asked(desk)).toEqual([]);
    await desk.say('0', '112=READ-1|');
    await floor.pass(0.4);
    expect(asked(desk)).toEqual(['READ-2']);
    await desk.say('0', '112=READ-2|');
    await floor.pass(20);
    expect(asked(desk)).toEqual([]);
  });

  test('behind each 64 KiB', async () => {
    const { desk } = await streaming();
    await publish(desk, 200 * KIB);
    expect(asked(desk)).toEqual(['READ-1', 'READ-2', 'READ-3']);
  });

  test('and again where a gap fill of either side may have replaced the TestRequest(1) or its answer', async () => {
    const { floor, desk } = await streaming();
    await publish(desk, 500);
    await floor.pass(0.4);
    expect(asked(desk)).toEqual(['READ-1']);
    await desk.say('2', '7=2|16=0|');
    await floor.pass(0.2);
    expect(asked(desk)).toEqual(['READ-2']);
    await desk.say('4', '123=Y|36=9|');
    await floor.pass(0.2);
    expect(asked(desk)).toEqual(['READ-3']);
  });
});

describe('until the Heartbeat(0)', () => {
  test('at most 256 KiB are published, and the answer makes room', async () => {
    const { desk, drains } = await streaming();
    const bytes = await publish(desk);
    expect(bytes).toBeLessThanOrEqual(256 * KIB);
    expect(bytes).toBeGreaterThan(250 * KIB);
    expect([desk.session!.congested, drains()]).toEqual([true, 0]);
    await desk.say('0', '112=TEST|');
    await desk.say('0', '112=READ-9|');
    expect([desk.session!.congested, drains()]).toEqual([true, 0]);
    await desk.say('0', '112=READ-1|');
    expect([desk.session!.congested, drains()]).toEqual([false, 1]);
    // Less than what the first answer was for.
    expect(await publish(desk)).toBeLessThanOrEqual(66 * KIB);
    await desk.say('0', '112=READ-4|');
    expect([desk.session!.congested, drains()]).toEqual([false, 2]);
  });

  test('ten seconds with prices that wait end the session with SLOW_CONSUMER', async () => {
    const { floor, desk } = await streaming();
    for (let i = 0; i < 100; i++) {
      await publish(desk, 500);
      await floor.pass(0.1);
    }
    expect(desk.session!.loggedOn).toBe(true);
    await floor.pass(0.6);
    expect(desk.sent().at(-1)).toMatch(/^35=5\|34=\d+\|58=SLOW_CONSUMER$/);
    expect([desk.wire.closed, floor.ends]).toEqual([true, ['SLOW_CONSUMER']]);
  });

  test('a session without further prices keeps the heartbeat rule', async () => {
    const { floor, desk } = await streaming();
    await publish(desk, 500);
    await floor.pass(40);
    expect(desk.session!.loggedOn).toBe(true);
    await publish(desk, 500);
    await floor.pass(5);
    await desk.say('0', '112=READ-1|');
    await floor.pass(20);
    expect(desk.session!.loggedOn).toBe(true);
  });

  test('an answer that arrived during a stall of this process is in time', async () => {
    const { floor, desk } = await streaming();
    await publish(desk, 500);
    await floor.pass(0.4);
    await publish(desk, 500);
    floor.clock.monotonicMs += 12_000;
    floor.clock.wallMs += 12_000;
    floor.wheel.advance(floor.clock.elapsed());
    expect(desk.session!.loggedOn).toBe(true);
    await desk.say('0', '112=READ-1|');
    await floor.pass(5);
    expect(desk.session!.loggedOn).toBe(true);
  });
});

test('a reset of both sequence numbers drops the unanswered TestRequest(1)', async () => {
  const { floor, desk } = await streaming();
  await publish(desk);
  expect(desk.session!.congested).toBe(true);
  await desk.say('A', '98=0|108=30|141=Y|', 1);
  expect(desk.session!.congested).toBe(false);
  await floor.pass(20);
  expect(desk.session!.loggedOn).toBe(true);
});
