/** What every session store must do, one rule a case. */
import { deepStrictEqual, ok, rejects } from 'node:assert/strict';
import type { SessionId } from '../types.js';
import {
  type Bench,
  bytes,
  type Capability,
  numbersAre,
  type Opened,
  type StoreProcess,
  unexpected,
} from './store-bench.js';

type Run = (bench: Bench) => Promise<void>;

const CREATED_MS = 1_767_225_600_000;

export const CASES: readonly (readonly [name: string, needs: Capability | undefined, run: Run])[] = [
  [
    'a new session begins with both numbers at 1 and no message',
    undefined,
    async (bench) => {
      const { store, numbers } = await bench.opened(await bench.start());
      numbersAre(numbers, 1, 1, 'the numbers of a new session');
      ok(Number.isFinite(numbers.createdAtMs), 'createdAtMs is a time');
      deepStrictEqual(await bench.texts(store), [], 'the messages of a new session');
    },
  ],
  [
    'settled numbers are the exact ones at the next open',
    undefined,
    async (bench) => {
      const process = await bench.start();
      const { store } = await bench.opened(process);
      await bench.within(store.reserve(10_001), 'reserve');
      await bench.within(store.settle(17, 42), 'settle');
      const again = await bench.reopened(process, store);
      numbersAre(again.numbers, 17, 42, 'settle(17, 42) after reserve(10001)');
    },
  ],
  [
    'a reserved bound is what a session that was not settled continues with',
    undefined,
    async (bench) => {
      const process = await bench.start();
      const { store } = await bench.opened(process);
      await bench.within(store.reserve(10_001), 'reserve');
      const again = await bench.reopened(process, store);
      deepStrictEqual(again.numbers.nextOut, 10_001, 'nextOut after reserve(10001) and no settle');
    },
  ],
  [
    'a reservation never lowers the bound',
    undefined,
    async (bench) => {
      const process = await bench.start();
      const { store } = await bench.opened(process);
      await bench.within(store.reserve(20_001), 'reserve');
      await bench.within(store.reserve(15_000), 'reserve');
      const again = await bench.reopened(process, store);
      deepStrictEqual(again.numbers.nextOut, 20_001, 'nextOut after two reservations, the higher first');
    },
  ],
  [
    'the newest inbound number is kept at close, and the outbound number is not touched by it',
    undefined,
    async (bench) => {
      const process = await bench.start();
      const { store } = await bench.opened(process);
      await bench.within(store.settle(7, 1), 'settle');
      for (let next = 2; next <= 300; next++) store.saveNextIn(next);
      const again = await bench.reopened(process, store);
      numbersAre(again.numbers, 7, 300, 'settle(7, 1), then saveNextIn up to 300');
    },
  ],
  [
    'an inbound number that was saved before a settlement does not replace the settled one',
    undefined,
    async (bench) => {
      const process = await bench.start();
      const { store } = await bench.opened(process);
      store.saveNextIn(9);
      await bench.within(store.settle(3, 5), 'settle');
      const again = await bench.reopened(process, store);
      numbersAre(again.numbers, 3, 5, 'saveNextIn(9), then settle(3, 5)');
    },
  ],
  [
    'numbers up to 2^53-1 are kept exactly',
    undefined,
    async (bench) => {
      const process = await bench.start();
      const { store } = await bench.opened(process);
      const most = Number.MAX_SAFE_INTEGER;
      await bench.append(store, most, 'last');
      await bench.append(store, 2 ** 32 + 1, 'beyond 32 bits');
      await bench.within(store.settle(most, most - 1), 'settle');
      const again = await bench.reopened(process, store);
      numbersAre(again.numbers, most, most - 1, 'numbers of 53 bits');
      deepStrictEqual(
        await bench.texts(again.store),
        [`${2 ** 32 + 1} beyond 32 bits`, `${most} last`],
        'their messages',
      );
    },
  ],
  [
    'a reset begins at 1 without any message, at the time given',
    undefined,
    async (bench) => {
      const process = await bench.start();
      const { store } = await bench.opened(process);
      await bench.append(store, 1, 'old');
      await bench.within(store.settle(500, 600), 'settle');
      store.saveNextIn(700);
      await bench.within(store.reset(CREATED_MS), 'reset');
      deepStrictEqual(await bench.texts(store), [], 'the messages after a reset');
      await bench.append(store, 1, 'new');
      const again = await bench.reopened(process, store);
      numbersAre(again.numbers, 1, 1, 'the numbers after a reset');
      deepStrictEqual(again.numbers.createdAtMs, CREATED_MS, 'createdAtMs after a reset');
      deepStrictEqual(await bench.texts(again.store), ['1 new'], 'the messages after a reset and one append');
    },
  ],
  [
    'a message is read with the bytes that were appended',
    undefined,
    async (bench) => {
      const { store } = await bench.opened(await bench.start());
      const every = Uint8Array.from({ length: 512 }, (_, i) => i % 256);
      const fix = '8=FIX.4.4\x019=5\x0134=3:1.2:\x0110=000\x01';
      await bench.append(store, 2, every);
      await bench.append(store, 3, fix);
      const found = await bench.within(store.read(2, 3, 10), 'read');
      deepStrictEqual([...(found[0]?.message ?? [])], [...every], 'a message of every byte');
      deepStrictEqual(Buffer.from(found[1]?.message ?? []).toString('latin1'), fix, 'a message with separators');
    },
  ],
  [
    'a message of one mebibyte is kept whole',
    undefined,
    async (bench) => {
      const process = await bench.start();
      const { store } = await bench.opened(process);
      const long = Uint8Array.from({ length: 1024 * 1024 }, (_, i) => (i * 31) % 251);
      await bench.append(store, 1, long);
      await bench.append(store, 2, 'next');
      const again = await bench.reopened(process, store);
      const [first, second] = await bench.within(again.store.read(1, 2, 2), 'read');
      ok(first !== undefined && Buffer.compare(first.message, long) === 0, 'the long message has the same bytes');
      deepStrictEqual(second?.number, 2, 'the message behind it');
    },
  ],
  [
    'messages are read ascending, from..to inclusive, at most the limit',
    undefined,
    async (bench) => {
      const { store } = await bench.opened(await bench.start());
      for (const number of [2, 3, 9, 10, 11]) await bench.append(store, number, `m${number}`);
      deepStrictEqual(await bench.texts(store, 3, 10), ['3 m3', '9 m9', '10 m10'], 'read(3, 10)');
      deepStrictEqual(await bench.texts(store, 4, 8), [], 'read(4, 8), where there are none');
      deepStrictEqual(await bench.texts(store, 1, 100, 2), ['2 m2', '3 m3'], 'read(1, 100, limit 2)');
      deepStrictEqual(await bench.texts(store, 1, 100, 0), [], 'read(1, 100, limit 0)');
      deepStrictEqual(await bench.texts(store, 9, 9), ['9 m9'], 'read(9, 9)');
      deepStrictEqual(await bench.texts(store, 10, 9), [], 'read(10, 9)');
      deepStrictEqual(await bench.texts(store, 12, 100), [], 'read behind the last');
    },
  ],
  [
    'messages that were appended out of order are read in order',
    undefined,
    async (bench) => {
      const { store } = await bench.opened(await bench.start());
      for (const number of [100, 20, 3, 50, 4]) await bench.append(store, number, `m${number}`);
      deepStrictEqual(await bench.texts(store), ['3 m3', '4 m4', '20 m20', '50 m50', '100 m100'], 'read(1, all)');
    },
  ],
  [
    'of two messages under one number the later one counts',
    undefined,
    async (bench) => {
      const process = await bench.start();
      const { store } = await bench.opened(process);
      await bench.append(store, 5, 'first');
      await bench.append(store, 6, 'six');
      await bench.append(store, 5, 'again');
      deepStrictEqual(await bench.texts(store), ['5 again', '6 six'], 'read(1, all)');
      const again = await bench.reopened(process, store);
      deepStrictEqual(await bench.texts(again.store), ['5 again', '6 six'], 'read(1, all) at the next open');
    },
  ],
  [
    'a stored message does not change with the buffer that it was appended from, nor with the one that was read',
    undefined,
    async (bench) => {
      const { store } = await bench.opened(await bench.start());
      const buffer = bytes('before');
      await bench.append(store, 1, buffer);
      buffer.set(bytes('behind'));
      const [first] = await bench.within(store.read(1, 1, 1), 'read');
      deepStrictEqual(Buffer.from(first?.message ?? []).toString('latin1'), 'before', 'the message that was appended');
      await bench.append(store, 2, 'another');
      await bench.texts(store, 2, 2);
      deepStrictEqual(
        Buffer.from(first?.message ?? []).toString('latin1'),
        'before',
        'a message that was read earlier',
      );
    },
  ],
  [
    'a thousand messages appended at once are all there, each under its number',
    undefined,
    async (bench) => {
      const process = await bench.start();
      const { store } = await bench.opened(process);
      const wanted = Array.from({ length: 1_000 }, (_, i) => `${i + 1} message ${i + 1}`);
      const appends = wanted.map((text, i) => store.append(i + 1, bytes(text.slice(text.indexOf(' ') + 1))));
      await bench.within(Promise.all(appends), 'a thousand appends');
      deepStrictEqual(await bench.texts(store), wanted, 'read(1, all)');
      const again = await bench.reopened(process, store);
      deepStrictEqual(await bench.texts(again.store), wanted, 'read(1, all) at the next open');
    },
  ],
  [
    'a message with a reference is stored like one without',
    undefined,
    async (bench) => {
      const { store } = await bench.opened(await bench.start());
      await bench.within(store.append(1, bytes('report'), '1-1'), 'append');
      deepStrictEqual(await bench.texts(store), ['1 report'], 'read(1, all)');
    },
  ],
  [
    'a session is distinguished by either of its CompIDs',
    undefined,
    async (bench) => {
      const process = await bench.start();
      const [one] = [bench.id('A-B')];
      const ids: SessionId[] = [
        one,
        { ...one, targetCompId: 'A' },
        { ...one, senderCompId: `${one.senderCompId}-2` },
        { ...one, targetCompId: 'a-b' },
        { ...one, senderCompId: `${one.senderCompId}-A`, targetCompId: 'B' },
        { ...one, senderCompId: one.targetCompId, targetCompId: one.senderCompId },
      ];
      await allDistinct(bench, process, ids);
    },
  ],
  [
    'a session is distinguished by every part of its id, of any characters',
    'wholeId',
    async (bench) => {
      const process = await bench.start();
      const one = bench.id('../A');
      const targets = ['..', '/etc/A', 'A|B', 'A\x00B', 'É', `${'x'.repeat(300)}1`, `${'x'.repeat(300)}2`];
      await allDistinct(bench, process, [
        one,
        { ...one, beginString: 'FIX.4.2' },
        ...targets.map((targetCompId) => ({ ...one, targetCompId })),
      ]);
    },
  ],
  [
    'close releases a session that was never opened, and one that was',
    undefined,
    async (bench) => {
      const process = await bench.start();
      await bench.close(bench.store(process));
      const { store } = await bench.opened(process);
      await bench.append(store, 1, 'kept');
      const again = await bench.reopened(process, store);
      deepStrictEqual(await bench.texts(again.store), ['1 kept'], 'read(1, all)');
    },
  ],
  [
    'another process finds the numbers and messages of one that has stopped',
    'restart',
    async (bench) => {
      const first = await bench.start();
      const { store } = await bench.opened(first);
      await bench.append(store, 1, 'one');
      await bench.append(store, 2, 'two');
      await bench.within(store.settle(3, 4), 'settle');
      await bench.stop(first);
      const again = await bench.opened(await bench.start());
      numbersAre(again.numbers, 3, 4, 'settle(3, 4)');
      deepStrictEqual(await bench.texts(again.store), ['1 one', '2 two'], 'read(1, all)');
    },
  ],
  [
    'after a crash every appended message is there, and no reserved number is given out again',
    'crash',
    async (bench) => {
      const first = await bench.start();
      const { store: before } = await bench.opened(first);
      await bench.within(before.settle(5, 6), 'settle');
      const { store } = await bench.reopened(first, before);
      await bench.within(store.reserve(10_005), 'reserve');
      for (let number = 5; number < 25; number++) await bench.append(store, number, `m${number}`);
      store.saveNextIn(8);
      await bench.kill(first);
      const again = await bench.opened(await bench.start());
      deepStrictEqual(again.numbers.nextOut, 10_005, 'nextOut after reserve(10005) and a crash');
      ok(again.numbers.nextIn >= 6 && again.numbers.nextIn <= 8, 'nextIn is what was saved, or less, and never ahead');
      const wanted = Array.from({ length: 20 }, (_, i) => `${i + 5} m${i + 5}`);
      deepStrictEqual(await bench.texts(again.store), wanted, 'read(1, all) after a crash');
    },
  ],
  [
    'after a crash a reset is whole',
    'crash',
    async (bench) => {
      const first = await bench.start();
      const { store } = await bench.opened(first);
      await bench.append(store, 1, 'old');
      await bench.within(store.reserve(10_001), 'reserve');
      await bench.within(store.reset(CREATED_MS), 'reset');
      await bench.kill(first);
      const again = await bench.opened(await bench.start());
      numbersAre(again.numbers, 1, 1, 'the numbers after a reset and a crash');
      deepStrictEqual(await bench.texts(again.store), [], 'the messages after a reset and a crash');
    },
  ],
  [
    'a session that is open in one process does not open in another, until it is closed',
    'exclusive',
    async (bench) => {
      const [first, second] = [await bench.start(), await bench.start()];
      const { store } = await bench.opened(first);
      await bench.append(store, 1, 'one');
      const numbers = await bench.within(bench.store(second).open(unexpected), 'open');
      deepStrictEqual(numbers, undefined, 'open of a session that is live in another process');
      await bench.append(store, 2, 'two');
      await bench.within(store.settle(3, 1), 'settle');
      await bench.stop(first);
      const again = await bench.opened(second);
      numbersAre(again.numbers, 3, 1, 'settle(3, 1) in the other process');
      deepStrictEqual(await bench.texts(again.store), ['1 one', '2 two'], 'read(1, all)');
    },
  ],
  [
    'a process that has lost a session is notified, and can no longer write it',
    'takeOver',
    async (bench) => {
      const [first, second] = [await bench.start(), await bench.start()];
      let notified = 0;
      const { store } = await bench.opened(first, bench.id(), () => {
        notified++;
      });
      await bench.append(store, 1, 'one');
      ok(first.lapse, 'a harness with the capability takeOver can let the claims of a process lapse');
      await first.lapse();
      const young = await bench.opened(second);
      await rejects(() => bench.append(store, 2, 'late'), Error, 'append of a process that has lost the session');
      await rejects(() => bench.within(store.reserve(20_000), 'reserve'), Error, 'its reserve');
      await rejects(() => bench.within(store.reset(CREATED_MS), 'reset'), Error, 'its reset');
      await rejects(() => bench.within(store.settle(90, 90), 'settle'), Error, 'its settle');
      deepStrictEqual(notified, 1, 'calls of onTakenOver');
      await bench.append(young.store, 2, 'two');
      deepStrictEqual(await bench.texts(young.store), ['1 one', '2 two'], 'read(1, all) by the new holder');
      const after = await bench.reopened(second, young.store);
      numbersAre(after.numbers, 1, 1, 'the numbers, which only the new holder may write');
    },
  ],
];

async function allDistinct(bench: Bench, process: StoreProcess, ids: readonly SessionId[]): Promise<void> {
  const opened: Opened[] = [];
  for (const id of ids) opened.push(await bench.opened(process, id));
  for (const [i, { store }] of opened.entries()) {
    await bench.append(store, 1, `of ${i}`);
    await bench.within(store.settle(i + 2, i + 3), 'settle');
  }
  for (const [i, { store }] of opened.entries()) {
    const why = `session ${i} of ${ids.length}: ${JSON.stringify(ids[i])}`;
    deepStrictEqual(await bench.texts(store), [`1 of ${i}`], why);
    const again = await bench.reopened(process, store, ids[i]);
    numbersAre(again.numbers, i + 2, i + 3, why);
  }
}
