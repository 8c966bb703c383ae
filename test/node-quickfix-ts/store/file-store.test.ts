/** The file store: what a cut, a damage, another process and a full disk leave of it, and its bounds. */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type FileStoreOptions, fileStoreFactory, type SessionId, type SessionStore } from 'node-quickfix-ts';
import { describe, expect, test, vi } from 'vitest';
import { crc32, tableCrc32 } from '../../../engine/node-quickfix-ts/src/store/crc32.js';
import { DirectoryLock } from '../../../engine/node-quickfix-ts/src/store/directory-lock.js';
import { FilePool } from '../../../engine/node-quickfix-ts/src/store/file-pool.js';
import { folderName } from '../../../engine/node-quickfix-ts/src/store/file-store.js';
import { SOON } from '../../support/until.js';
import { bytes, DESK, newDirectory, remove, sessionFolder } from './file-harness.js';

const nothing = (): void => {};
const storeIn = (directory: string, options: Partial<FileStoreOptions> = {}, id: SessionId = DESK): SessionStore =>
  fileStoreFactory({ sync: 'never', ...options, directory })(id, undefined);

async function opened(directory: string, options?: Partial<FileStoreOptions>, id?: SessionId) {
  const store = storeIn(directory, options, id);
  const numbers = await store.open(nothing);
  if (numbers === undefined) throw new Error('the directory is in use');
  return { store, numbers };
}

const texts = async (store: SessionStore, from = 1, to = 1e9) =>
  (await store.read(from, to, 100_000)).map(
    ({ number, message }) => `${number} ${Buffer.from(message).toString('latin1')}`,
  );

/** A directory with a closed session of messages 1 to `count`, numbers 7 and 9. */
async function written(count: number, options?: Partial<FileStoreOptions>): Promise<string> {
  const directory = newDirectory();
  const { store } = await opened(directory, options);
  for (let n = 1; n <= count; n++) await store.append(n, bytes(`message ${n}`));
  await store.settle(7, 9);
  await store.close();
  return directory;
}

const messageFile = (directory: string): string => join(sessionFolder(directory), 'messages.1.1');

test('both checksums are that of IEEE 802.3', () => {
  expect([crc32(bytes('123456789')), tableCrc32(bytes('123456789'), 0)]).toEqual([0xcbf43926, 0xcbf43926]);
  const all = Uint8Array.from({ length: 1_000 }, (_, i) => (i * 7) % 256);
  expect(tableCrc32(all, 4)).toBe(crc32(all, 4));
});

describe('a message file cut at any byte of its last records', () => {
  test('keeps every record before the cut, and takes the next', async () => {
    const directory = await written(3);
    const whole = readFileSync(messageFile(directory));
    const record = 16 + 'message 1'.length;
    expect(whole.length).toBe(8 + 3 * record);
    for (let length = 0; length <= whole.length; length++) {
      writeFileSync(messageFile(directory), whole.subarray(0, length));
      const { store, numbers } = await opened(directory);
      const kept = Math.max(0, Math.floor((length - 8) / record));
      expect(await texts(store)).toEqual(Array.from({ length: kept }, (_, i) => `${i + 1} message ${i + 1}`));
      expect(numbers).toMatchObject({ nextOut: 7, nextIn: 9 });
      await store.append(kept + 1, bytes('next'));
      await store.close();
      const again = await opened(directory);
      expect(await texts(again.store, kept + 1)).toEqual([`${kept + 1} next`]);
      await again.store.close();
    }
  });

  test('or with bytes that never reached the disk, keeps what is whole', async () => {
    const directory = await written(3);
    const whole = readFileSync(messageFile(directory));
    for (let from = 8; from <= whole.length; from++) {
      const torn = Buffer.from(whole);
      torn.fill(0, from);
      writeFileSync(messageFile(directory), Buffer.concat([torn, Buffer.alloc(64)]));
      const { store } = await opened(directory);
      const kept = Math.floor((from - 8) / 25);
      expect(await texts(store)).toEqual(Array.from({ length: kept }, (_, i) => `${i + 1} message ${i + 1}`));
      await store.close();
      expect(statSync(messageFile(directory)).size).toBe(8 + 25 * kept);
    }
  });
});

test('a lock whose name another process removes as left over is not taken', async () => {
  const directory = newDirectory();
  const acquiring = DirectoryLock.acquire(directory);
  let names: string[] = [];
  // In a folder with a long path it opens the folder first.
  for (; names.length === 0; await nextTurn())
    names = readdirSync(directory).filter((name) => name.startsWith('lock.tmp-'));
  for (const name of names) remove(join(directory, name));
  expect([names.length, await acquiring]).toEqual([1, undefined]);
  const lock = await DirectoryLock.acquire(directory);
  await lock!.release();
});

test('close while it is being opened leaves the session free', async () => {
  const factory = fileStoreFactory({ directory: newDirectory(), sync: 'never' });
  const first = factory(DESK, undefined);
  const opening = first.open(nothing);
  await first.close();
  expect(await opening).toMatchObject({ nextOut: 1 });
  const second = factory(DESK, undefined);
  expect(await second.open(nothing)).toMatchObject({ nextOut: 1 });
  await second.close();
});

test('a disk that does not answer: the session is not opened, and is free when it answers again', async () => {
  const directory = newDirectory();
  const factory = fileStoreFactory({ directory, sync: 'never', waitMs: 100 });
  const fifo = join(newDirectory(), 'fifo');
  expect(spawnSync('mkfifo', [fifo]).status).toBe(0);
  // Each waits for a writer, and every operation on a file behind them.
  const threads = Array.from({ length: Number(process.env.UV_THREADPOOL_SIZE ?? 4) }, () => open(fifo, 'r'));
  try {
    await expect(factory(DESK, undefined).open(nothing)).rejects.toThrow('did not answer in time');
  } finally {
    closeSync(openSync(fifo, 'w'));
    for (const thread of threads) await (await thread).close();
  }
  await vi.waitFor(async () => {
    const store = factory(DESK, undefined);
    expect(await store.open(nothing)).toMatchObject({ nextOut: 1 });
    await store.close();
  }, SOON);
});

test('a damaged record with a whole one behind it is passed over, and the others are kept', async () => {
  const directory = await written(3);
  const file = messageFile(directory);
  const damaged = readFileSync(file);
  damaged[8 + 25 + 20] ^= 1;
  writeFileSync(file, damaged);
  const { store } = await opened(directory);
  expect(await texts(store)).toEqual(['1 message 1', '3 message 3']);
  await store.close();
  expect(statSync(file).size).toBe(damaged.length);
});

test('a damaged length leaves every record behind it, at any of its bits, and beside other damage', async () => {
  const directory = await written(10);
  const file = messageFile(directory);
  const whole = readFileSync(file);
  const third = 8 + 2 * 25;
  const others = [1, 2, 4, 5, 6, 7, 8, 9, 10].map((n) => `${n} message ${n}`);
  for (let bit = 0; bit < 32; bit++) {
    const damaged = Buffer.from(whole);
    damaged[third + 4 + (bit >> 3)] ^= 1 << (bit & 7);
    writeFileSync(file, damaged);
    const { store } = await opened(directory);
    expect(await texts(store)).toEqual(others);
    await store.close();
    expect(statSync(file).size).toBe(whole.length);
  }
  // Two records side by side, and the last one: that is removed.
  const damaged = Buffer.from(whole).fill(0xff, third, third + 40);
  damaged[damaged.length - 1] ^= 1;
  writeFileSync(file, damaged);
  const { store } = await opened(directory);
  expect(await texts(store)).toEqual(others.filter((text) => !/^(4|10) /.test(text)));
  await store.append(11, bytes('message 11'));
  expect(await texts(store, 9)).toEqual(['9 message 9', '11 message 11']);
  await store.close();
});

test('the search behind damage ends, whatever the bytes there are', async () => {
  const directory = await written(1);
  const file = messageFile(directory);
  // Each offset looks like the head of a long record.
  writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.alloc(3 * 1024 * 1024, '\x01\x00\x10\x00')]));
  const { store } = await opened(directory);
  expect(await texts(store)).toEqual(['1 message 1']);
  await store.close();
});

test('a record that changes under an open session is not read', async () => {
  const directory = newDirectory();
  const { store } = await opened(directory);
  await store.append(1, bytes('message 1'));
  const changed = readFileSync(messageFile(directory));
  changed[30] ^= 1;
  writeFileSync(messageFile(directory), changed);
  await expect(store.read(1, 1, 1)).rejects.toThrow('has changed since message 1 was written');
  await store.close();
});

describe('the numbers', () => {
  const numbersFile = (directory: string): string => join(sessionFolder(directory), 'numbers');

  test('cut or changed at any byte are those of the other slot, or the session does not open', async () => {
    const directory = newDirectory();
    const { store } = await opened(directory, { sync: 'always' });
    await store.settle(7, 9);
    await store.settle(8, 10);
    await store.close();
    const whole = readFileSync(numbersFile(directory));
    const outcomes = new Set<string>();
    for (let at = 0; at < 1_024; at++) {
      const changed = Buffer.from(whole);
      changed[at] ^= 0x15;
      writeFileSync(numbersFile(directory), changed);
      const { store: again, numbers } = await opened(directory);
      outcomes.add(`${numbers.nextOut} ${numbers.nextIn}`);
      await again.close();
    }
    expect([...outcomes].sort()).toEqual(['7 9', '8 10']);
    for (const length of [0, 100, 127]) {
      writeFileSync(numbersFile(directory), whole.subarray(0, length));
      await expect(storeIn(directory).open(nothing)).rejects.toThrow(/is of another session|is damaged/);
    }
    const both = Buffer.from(whole).fill('x', 0, 10).fill('x', 512, 522);
    writeFileSync(numbersFile(directory), both);
    await expect(storeIn(directory).open(nothing)).rejects.toThrow('neither of its two slots has a valid checksum');
    writeFileSync(numbersFile(directory), whole);
    const last = await opened(directory);
    expect(last.numbers).toMatchObject({ nextOut: 8, nextIn: 10 });
    await last.store.close();
  });

  test('can be read without this package', async () => {
    const directory = await written(1);
    const [slot = ''] = readFileSync(numbersFile(directory), 'latin1').match(/^[0-9a-f]{8} .* 7 9 *$/m) ?? [];
    expect(slot).not.toBe('');
    const identity = readFileSync(numbersFile(directory), 'utf8').slice(1_024);
    expect(JSON.parse(identity)).toEqual(DESK);
  });

  test('of another session are not taken for its own', async () => {
    const directory = await written(1);
    const other = { ...DESK, targetCompId: 'DESK2' };
    cpSync(sessionFolder(directory), join(directory, folderName(other)), { recursive: true });
    await expect(storeIn(directory, {}, other).open(nothing)).rejects.toThrow('is of another session');
  });
});

test('a reset removes the files of the period before, and what a crash in it leaves is removed at the next open', async () => {
  const directory = await written(3);
  const old = readFileSync(messageFile(directory));
  const { store } = await opened(directory);
  await store.reset(5);
  await store.append(1, bytes('new'));
  await store.close();
  expect(readdirSync(sessionFolder(directory)).sort()).toEqual(['messages.2.1', 'numbers']);
  writeFileSync(messageFile(directory), old);
  const again = await opened(directory);
  expect(await texts(again.store)).toEqual(['1 new']);
  expect(existsSync(messageFile(directory))).toBe(false);
  await again.store.close();
});

test('full files are kept up to the bound, the oldest is removed', async () => {
  const directory = newDirectory();
  const options = { segmentBytes: 4_096, keepBytes: 12_288 };
  const { store } = await opened(directory, options);
  const text = 'x'.repeat(484);
  for (let n = 1; n <= 100; n++) await store.append(n, bytes(text));
  const kept = (await store.read(1, 1_000, 1_000)).map(({ number }) => number);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => 101 - kept.length + i));
  expect(kept.length).toBeGreaterThan(15);
  expect(kept.length).toBeLessThanOrEqual(36);
  await store.close();
  const again = await opened(directory, options);
  expect((await again.store.read(1, 1_000, 1_000)).map(({ number }) => number)).toEqual(kept);
  await again.store.close();
});

test('a thousand sessions write with the given number of open files', async () => {
  const directory = newDirectory();
  const factory = fileStoreFactory({ directory, sync: 'never', maxOpenFiles: 16 });
  const stores = Array.from({ length: 1_000 }, (_, i) => factory({ ...DESK, targetCompId: `DESK${i}` }, undefined));
  for (const store of stores) expect(await store.open(nothing)).toMatchObject({ nextOut: 1 });
  const files = (): number =>
    readdirSync('/proc/self/fd').filter((fd) => {
      const target = join('/proc/self/fd', fd);
      return existsSync(target) && linkOf(target).startsWith(`${directory}/`);
    }).length;
  let most = 0;
  await Promise.all(
    stores.map(async (store, i) => {
      await store.append(1, bytes(`of ${i}`));
      if (process.platform === 'linux' && i % 50 === 0) most = Math.max(most, files());
    }),
  );
  if (process.platform === 'linux') expect(most).toBeLessThanOrEqual(16);
  for (const [i, store] of stores.entries()) expect(await texts(store)).toEqual([`1 of ${i}`]);
  await Promise.all(stores.map((store) => store.close()));
});

test('a file that cannot be opened is not kept by the pool', async () => {
  const pool = new FilePool(1, true);
  const directory = newDirectory();
  await expect(pool.use(join(directory, 'no', 'file'), async () => {})).rejects.toThrow('ENOENT');
  expect(await pool.use(join(directory, 'file'), async (file) => (await file.stat()).size)).toBe(0);
  await pool.close(join(directory, 'file'));
});

describe('the lock of a directory', () => {
  test('is one of many that are wanted at once, and free when it is released', async () => {
    const directory = newDirectory();
    for (let round = 0; round < 10; round++) {
      const locks = await Promise.all(Array.from({ length: 8 }, () => DirectoryLock.acquire(directory)));
      const held = locks.filter((lock) => lock !== undefined);
      expect(held.length).toBe(1);
      await held[0]!.release();
    }
    expect(readdirSync(directory)).toEqual([]);
  });

  test('is not taken by a process that counts on from a dead holder while one with a lower number lives', async () => {
    const directory = newDirectory();
    const held = await DirectoryLock.acquire(directory);
    // As a process saw it before the holder took the directory.
    writeFileSync(join(directory, 'lock.5'), '');
    expect(await DirectoryLock.acquire(directory)).toBeUndefined();
    expect(readdirSync(directory).sort()).toEqual(['lock.1', 'lock.5']);
    await held!.release();
    const next = await DirectoryLock.acquire(directory);
    expect(readdirSync(directory)).toEqual(['lock.6']);
    await next!.release();
  });

  test('is taken in a directory with a path longer than a socket may have', async () => {
    const directory = join(newDirectory(), 'x'.repeat(120));
    const { store } = await opened(directory);
    expect(await storeIn(directory).open(nothing)).toBeUndefined();
    await store.close();
    const again = await opened(directory);
    await again.store.close();
  });

  test('does not let a second session of the same id in, also by the same factory', async () => {
    const directory = newDirectory();
    const factory = fileStoreFactory({ directory, sync: 'never' });
    const [first, second] = [factory(DESK, undefined), factory(DESK, undefined)];
    expect(await first.open(nothing)).toBeDefined();
    expect(await second.open(nothing)).toBeUndefined();
    await second.close();
    await first.close();
    expect(await second.open(nothing)).toBeDefined();
    await second.close();
  });
});

test('what cannot be written is rejected, and the session continues when it can be', async () => {
  const directory = newDirectory();
  const { store } = await opened(directory);
  await store.append(1, bytes('one'));
  const folder = sessionFolder(directory);
  await store.close();
  // The folder is a file now: nothing below it can be opened.
  const aside = newDirectory();
  cpSync(folder, aside, { recursive: true });
  remove(folder);
  writeFileSync(folder, '');
  await expect(storeIn(directory).open(nothing)).rejects.toThrow(/EEXIST|ENOTDIR/);
  remove(folder);
  cpSync(aside, folder, { recursive: true });
  const again = await opened(directory);
  expect(await texts(again.store)).toEqual(['1 one']);
  await again.store.close();
});

test('refuses a message file of another version', async () => {
  const directory = await written(1);
  const file = readFileSync(messageFile(directory));
  file.write('NQFMSG9', 'latin1');
  writeFileSync(messageFile(directory), file);
  await expect(storeIn(directory).open(nothing)).rejects.toThrow('is no message file of this version');
  truncateSync(messageFile(directory), 3);
  const { store } = await opened(directory);
  expect(await texts(store)).toEqual([]);
  await store.close();
});

test('calls on a session that is not open are rejected, and so is what is no number', async () => {
  const store = storeIn(newDirectory());
  for (const call of [
    store.append(1, bytes('x')),
    store.reserve(5),
    store.reset(1),
    store.settle(1, 1),
    store.read(1, 1, 1),
  ])
    await expect(call).rejects.toThrow('not open');
  store.saveNextIn(5);
  await store.close();
  const { store: open } = await opened(newDirectory());
  for (const number of [0, -1, 1.5, Number.NaN, 2 ** 53])
    await expect(open.append(number, bytes('x'))).rejects.toThrow(RangeError);
  await expect(open.settle(1.5, 1)).rejects.toThrow(RangeError);
  await expect(open.append(1, new Uint8Array(17 * 1024 * 1024))).rejects.toThrow(RangeError);
  await open.close();
});

test.each([
  ['sync', { sync: 'sometimes' }],
  ['syncEveryMs', { syncEveryMs: 1 }],
  ['maxOpenFiles', { maxOpenFiles: 3 }],
  ['segmentBytes', { segmentBytes: 1.5 }],
  ['keepBytes', { keepBytes: 4_096 }],
  ['waitMs', { waitMs: Number.NaN }],
])('refuses an option out of range: %s', (name, options) => {
  expect(() => fileStoreFactory({ directory: 'x', ...options } as FileStoreOptions)).toThrow(name);
});

test.each([
  ['../../etc', 'FIX.4.4-VENUE-.._.._etc-'],
  ['..', 'FIX.4.4-VENUE-..-'],
  ['CON', 'FIX.4.4-VENUE-CON-'],
  ['a/b\\c:d*e\0f', 'FIX.4.4-VENUE-a_b_c_d_e_f-'],
  ['Ü'.repeat(5_000), `FIX.4.4-VENUE-${'_'.repeat(32)}-`],
])('a CompID of any characters is a safe folder name: %#', (targetCompId, readable) => {
  const name = folderName({ ...DESK, targetCompId });
  expect(name.slice(0, -24)).toBe(readable);
  expect(name).toMatch(/^[A-Za-z0-9._-]{30,140}$/);
});

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
