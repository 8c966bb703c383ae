/** The outbox of a FIX session: an entry stays until its message is stored, whatever crashes when, and is sent under one number. */
import type { Redis } from 'ioredis';
import type { SessionStore } from 'node-quickfix-ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SessionTakenOver } from '../../../engine/store/connection/errors.js';
import { type Desk, Floor } from '../../node-quickfix-ts/session/session-harness.js';
import { message } from '../../node-quickfix-ts/session/session-peer.js';
import { redisAt } from '../../support/redis-client.js';
import { startTestStore, type TestStore } from '../../support/store.js';

let running: TestStore;
let redis: Redis;
beforeAll(async () => {
  running = await startTestStore();
  redis = redisAt(running.redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await running.stop();
});

const SHARD = 7;
const keyOf = (desk: string) => `{s07}:fix:FXENGINE:${desk}:outbox`;
const session = (desk: string) =>
  running.store.fixSessions.store({ senderCompId: 'FXENGINE', targetCompId: desk }, SHARD);
const outbox = (desk: string, afterId?: string, limit = 100) =>
  running.store.fixSessions.readOutbox('FXENGINE', desk, SHARD, afterId, limit);
const bytes = (text: string) => new TextEncoder().encode(text);

/** Writes as the step that books a conversion does. */
async function written(desk: string, data: string, id = '*'): Promise<string> {
  return (await redis.xadd(keyOf(desk), id, 'kind', 'report', 'data', data))!;
}

describe('the outbox of a session', () => {
  test('is read oldest first, from the beginning or after an entry, with a limit', async () => {
    const [a, b, c] = [await written('READ', 'a'), await written('READ', 'b'), await written('READ', 'c')];
    expect(await outbox('READ')).toEqual([
      { id: a, kind: 'report', data: 'a' },
      { id: b, kind: 'report', data: 'b' },
      { id: c, kind: 'report', data: 'c' },
    ]);
    expect((await outbox('READ', a)).map(({ id }) => id)).toEqual([b, c]);
    expect((await outbox('READ', undefined, 2)).map(({ id }) => id)).toEqual([a, b]);
    expect(await outbox('READ', undefined, 0)).toEqual([]);
    expect(await outbox('UNKNOWN')).toEqual([]);
  });

  test('is read by the names of its fields', async () => {
    await redis.xadd(keyOf('FIELDS'), '1-1', 'data', 'kind', 'kind', 'data');
    await redis.xadd(keyOf('FIELDS'), '1-2', 'other', 'x');
    expect(await outbox('FIELDS')).toEqual([
      { id: '1-1', kind: 'data', data: 'kind' },
      { id: '1-2', kind: '', data: '' },
    ]);
  });

  test('rejects a name that could be another key, and an invalid id', async () => {
    await expect(outbox('A:B')).rejects.toThrow(TypeError);
    await expect(outbox('READ', '-')).rejects.toThrow(TypeError);
    const store = session('IDS');
    await store.open();
    await expect(store.append(1, bytes('one'), '*')).rejects.toThrow(TypeError);
    expect(await store.read(1, 10, 10)).toEqual([]);
  });

  test('loses an entry in the step that stores its message, and no other', async () => {
    const [a, b] = [await written('APPEND', 'a'), await written('APPEND', 'b')];
    const store = session('APPEND');
    await store.open();
    await store.append(1, bytes('notifies of nothing'));
    await store.append(2, bytes('notifies of a'), a);
    await store.append(2, bytes('notifies of a'), a);
    expect((await outbox('APPEND')).map(({ id }) => id)).toEqual([b]);
    expect(await store.read(1, 10, 10)).toHaveLength(2);
  });

  test('outlives a claim and a reset', async () => {
    const entry = await written('RESET', 'a');
    const store = session('RESET');
    await store.open();
    await store.append(1, bytes('gone'));
    await store.reset(1);
    await session('RESET').open();
    expect((await outbox('RESET')).map(({ id }) => id)).toEqual([entry]);
  });

  test('loses nothing to an engine whose session another has claimed', async () => {
    const entry = await written('FENCED', 'a');
    const old = session('FENCED');
    await old.open();
    const young = session('FENCED');
    await young.open();
    await expect(old.append(1, bytes('late'), entry)).rejects.toThrow(SessionTakenOver);
    expect((await outbox('FENCED')).map(({ id }) => id)).toEqual([entry]);
    expect(await young.read(1, 10, 10)).toEqual([]);
  });

  test('continues ids after it became empty, so that a reader misses no entry', async () => {
    const ahead = await written('EMPTIED', 'a', '9999999999999-0');
    const store = session('EMPTIED');
    await store.open();
    await store.append(1, bytes('notifies of a'), ahead);
    const next = await written('EMPTIED', 'b');
    expect((await outbox('EMPTIED', ahead)).map(({ id }) => id)).toEqual([next]);
  });
});

describe('a desk', () => {
  /** A process of its own, on the one real store. */
  function floorOf(compId: string, changed: (store: SessionStore) => SessionStore = (store) => store): Floor {
    const floor = new Floor();
    floor.store = changed(session(compId)) as never;
    return floor;
  }
  const call = (floor: Floor, number = 1, more = '') => floor.call(more, `34=${number}|49=DESK1|56=FXENGINE`);
  const report = (id: string) => [[37, id]] as const;

  /** Messages to the desk up to the one that `contains` matches, without times. */
  async function received(desk: Desk, contains: string): Promise<string[]> {
    const all: string[] = [];
    await expect.poll(() => all.push(...desk.sent()) && all.some((message) => message.includes(contains))).toBe(true);
    return all.map((message) => message.replace(/\|122=[^|]*/, ''));
  }
  /** The engine is gone right after its write, made each second, of the position it had read to. */
  const killed = ({ session }: Desk) => session!.store.close();
  const unsent = async (compId: string) => (await outbox(compId)).map(({ data }) => data);

  test('gets the message of an entry, which is then removed', async () => {
    const entry = await written('UP', 'C1');
    const desk = await call(floorOf('UP'));
    desk.session!.send('8', report('C1'), entry);
    expect(await received(desk, '37=C1')).toEqual(['35=A|34=1|98=0|108=30', '35=8|34=2|37=C1']);
    expect(await unsent('UP')).toEqual([]);
  });

  test('whose session is over gets no message, and the entry stays', async () => {
    const entry = await written('OVER', 'C1');
    const desk = await call(floorOf('OVER'));
    desk.session!.end('disconnected');
    desk.session!.send('8', report('C1'), entry);
    await desk.session!.settled;
    expect(await unsent('OVER')).toEqual(['C1']);
  });

  test('keeps an entry whose message type is not stored', async () => {
    const entry = await written('UNSTORED', 'C1');
    const desk = await call(floorOf('UNSTORED'));
    desk.session!.send('h', report('C1'), entry);
    await received(desk, '37=C1');
    desk.session!.end('disconnected');
    await desk.session!.settled;
    expect(await unsent('UNSTORED')).toEqual(['C1']);
  });

  test('that resets to 1 gets its messages afterwards', async () => {
    const entry = await written('AGAIN', 'C1');
    const floor = floorOf('AGAIN');
    const desk = await call(floor);
    desk.sayRaw(logonWithReset(floor));
    desk.session!.send('8', report('C1'), entry);
    expect((await received(desk, '37=C1')).slice(1)).toEqual(['35=A|34=1|98=0|108=30|141=Y', '35=8|34=2|37=C1']);
    expect(await unsent('AGAIN')).toEqual([]);
  });

  test('that disconnects during a reset gets its messages after the next logon', async () => {
    const entry = await written('AGAIN2', 'C1');
    const floor = floorOf('AGAIN2');
    const desk = await call(floor);
    desk.sayRaw(logonWithReset(floor));
    desk.session!.send('8', report('C1'), entry);
    desk.session!.end('disconnected');
    await desk.session!.settled;
    expect(await unsent('AGAIN2')).toEqual(['C1']);
  });

  test('whose store is late gets the message unstored, and again at the next logon as a possible resend', async () => {
    const entry = await written('LATE', 'C1');
    const late = floorOf('LATE', (store) => ({ ...store, append: () => new Promise(() => undefined) }));
    const before = await call(late);
    before.session!.send('8', report('C1'), entry);
    await late.pass(0.4);
    expect(await received(before, '37=C1')).toContain('35=8|34=2|37=C1');
    expect(await unsent('LATE')).toEqual(['C1']);
    await killed(before);

    const desk = await call(floorOf('LATE'), 2);
    desk.session!.send('8', [...report('C1'), [97, 'Y']], entry);
    expect((await received(desk, '37=C1')).at(-1)).toBe('35=8|34=10002|97=Y|37=C1');
    await desk.say('2', '7=2|16=0', 3);
    expect(await received(desk, '37=C1')).toEqual(['35=4|34=2|43=Y|36=10002|123=Y', '35=8|34=10002|43=Y|97=Y|37=C1']);
    expect(await unsent('LATE')).toEqual([]);
  });

  test('whose engine dies before it assigned a number gets the message from the next engine', async () => {
    await written('DIED', 'C1');
    await killed(await call(floorOf('DIED')));

    const desk = await call(floorOf('DIED'), 2);
    const [{ id, data }] = await outbox('DIED');
    desk.session!.send('8', report(data), id);
    expect((await received(desk, '37=C1')).at(-1)).toBe('35=8|34=10002|37=C1');
    expect(await unsent('DIED')).toEqual([]);
  });

  test('whose engine dies before the bytes were sent requests them, and gets them once', async () => {
    const entry = await written('UNSENT', 'C1');
    const dying = await call(floorOf('UNSENT'));
    dying.sent();
    dying.wire.closed = true;
    dying.session!.send('8', report('C1'), entry);
    await expect.poll(() => unsent('UNSENT')).toEqual([]);
    expect(dying.sent()).toEqual([]);
    await killed(dying);

    const desk = await call(floorOf('UNSENT'), 2);
    await desk.say('2', '7=2|16=0', 3);
    expect((await received(desk, '36=')).slice(1)).toEqual(['35=8|34=2|43=Y|37=C1', '35=4|34=3|43=Y|36=10002|123=Y']);
    expect(await unsent('UNSENT')).toEqual([]);
  });
});

function logonWithReset(floor: Floor): string {
  return message(`35=A|34=1|49=DESK1|56=FXENGINE|52=${floor.time()}|98=0|108=30|141=Y`);
}
