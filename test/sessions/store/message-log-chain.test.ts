/** The files of the message log: its chain and its bound. */
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { describe, expect, test, vi } from 'vitest';
import { readMessages, verifyMessages } from '../../../engine/service/audit/message-log.js';
import { DESK, intact, key, linesOf, NOON_MS, type Opened, OTHER, opened, say, testFolder } from './message-logs.js';

const OF_NOON = { fromMs: NOON_MS - 3_600_000, toMs: NOON_MS + 3_600_000 };
const filesIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.gz'));

describe('the chain', () => {
  async function written(): Promise<{ directory: string; files: string[] }> {
    const directory = testFolder();
    for (let run = 1; run <= 3; run++) {
      const { log, stop } = await opened({ directory });
      say(log, DESK, '<', `35=0|34=${run}`);
      await vi.waitFor(() => expect(linesOf(directory).some((line) => line.includes(`34=${run}|`))).toBe(true), 30_000);
      say(log, DESK, '>', `35=0|34=${run}|112=second`);
      await stop();
    }
    const folder = join(directory, '1');
    return {
      directory,
      files: filesIn(folder).map((name) => join(folder, name)),
    };
  }

  test('continues over files and runs, and shows what was removed, changed, cut or written without the key', async () => {
    const { directory, files } = await written();
    const [chain] = verifyMessages(directory, key);
    expect(chain).toMatchObject({ folder: '1', files: 3, firstFile: 1, number: 6 });
    expect(verifyMessages(directory, key, [`1:6:${chain!.mac}`])[0]!.broken).toBeUndefined();
    expect(verifyMessages(directory, key, [`1:7:${chain!.mac}`])[0]!.broken?.why).toBe('this head is not in the chain');
    expect(verifyMessages(directory, key, [`9:6:${chain!.mac}`]).at(-1)!.broken?.why).toBe(
      'there is no engine with this head',
    );
    expect(verifyMessages(directory, randomBytes(32))[0]!.broken?.why).toMatch(/^the HMAC of block 1 is not/);

    const [, second = '', third = ''] = files;
    const whole = readFileSync(second);
    const brokenBy = (change: Buffer): string | undefined => {
      writeFileSync(second, change);
      return verifyMessages(directory, key)[0]!.broken?.why;
    };
    const shown = linesOf(directory, OF_NOON);
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0x20;
      const why = brokenBy(changed);
      // A bit that the last byte of packed lines does not use.
      if (why === undefined) expect(linesOf(directory, OF_NOON)).toEqual(shown);
      else expect(why).toMatch(/damaged|HMAC|next|follow|first line/);
    }
    const firstBlock = whole.readUInt32LE(16);
    expect(brokenBy(whole.subarray(firstBlock))).toMatch(/first line/);
    expect(brokenBy(whole.subarray(0, firstBlock))).toMatch(/follow/);
    expect(brokenBy(Buffer.concat([whole, whole.subarray(firstBlock)]))).toMatch(/is next/);
    writeFileSync(second, whole);
    renameSync(second, `${second}.away`);
    expect(verifyMessages(directory, key)[0]!.broken?.why).toBe('file 2 is missing');
    renameSync(`${second}.away`, second);
    const renamed = second.replace('20260115', '20260114');
    renameSync(second, renamed);
    expect(verifyMessages(directory, key)[0]!.broken?.why).toMatch(/^the HMAC of block 3 is not/);
    renameSync(renamed, second);

    // Removed from the start, as an operator does who keeps them elsewhere.
    rmSync(files[0]!);
    expect(verifyMessages(directory, key)[0]).toMatchObject({ firstFile: 2, files: 2, number: 6 });
    expect(verifyMessages(directory, key)[0]!.broken).toBeUndefined();
    truncateSync(third, statSync(third).size - 1);
    expect(verifyMessages(directory, key)[0]).toMatchObject({ number: 5 });
  });

  test('names the block whose times were changed, by which it is found', async () => {
    const { directory, files } = await written();
    const [, second = ''] = files;
    const whole = readFileSync(second);
    for (const time of [0, 1])
      for (const to of [1, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
        const changed = Buffer.from(whole);
        changed.writeDoubleLE(to, 20 + 8 * time);
        writeFileSync(second, changed);
        expect(verifyMessages(directory, key)[0]!.broken?.why).toMatch(/^the HMAC of block 3 is not/);
      }
  });

  test('continues where every file was moved away before the next run', async () => {
    const { directory, files } = await written();
    const archive = testFolder();
    mkdirSync(join(archive, '1'));
    const moveAll = (): void => {
      for (const name of filesIn(join(directory, '1')))
        renameSync(join(directory, '1', name), join(archive, '1', name));
    };
    moveAll();
    const { log, stop } = await opened({ directory });
    say(log, DESK, '<', '35=0|34=7');
    await stop();
    moveAll();
    expect(filesIn(join(archive, '1'))).toHaveLength(files.length + 1);
    expect(linesOf(archive).at(-1)).toContain('34=7');
    expect(verifyMessages(archive, key)[0]).toMatchObject({ files: 4, firstFile: 1, number: 7 });
    expect(intact(archive)).toEqual([undefined]);
  });

  test('continues in another file where the one that is written was moved to another disk', async () => {
    const { log, directory, stop } = await opened();
    const archive = testFolder();
    mkdirSync(join(archive, '1'));
    say(log, DESK, '<', '35=0|34=1');
    await vi.waitFor(() => expect(linesOf(directory)).toHaveLength(1), 30_000);
    const [name = ''] = filesIn(log.folder);
    copyFileSync(join(log.folder, name), join(archive, '1', name));
    rmSync(join(log.folder, name));
    say(log, DESK, '<', '35=0|34=2');
    await stop();
    for (const other of filesIn(log.folder)) renameSync(join(log.folder, other), join(archive, '1', other));
    expect(linesOf(archive)).toHaveLength(2);
    expect(intact(archive)).toEqual([undefined]);
  });

  test('a thread that has failed is started again, and knows whose messages it writes', async () => {
    const { log, directory, stop } = await opened();
    say(log, DESK, '<', '35=0|34=1');
    await vi.waitFor(() => expect(linesOf(directory)).toHaveLength(1), 30_000);
    await (log as unknown as { readonly thread: { readonly worker: Worker } }).thread.worker.terminate();
    say(log, DESK, '<', '35=0|34=2');
    say(log, OTHER, '<', '35=0|34=3');
    await vi.waitFor(() => expect(linesOf(directory)).toHaveLength(3), 30_000);
    expect(linesOf(directory).map((line) => line.slice(0, 5))).toEqual(['ACME1', 'ACME1', 'ACME2']);
    await stop();
    expect(intact(directory)).toEqual([undefined]);
  });

  test('a file that is moved away while the log is read is passed over', async () => {
    const { directory, files } = await written();
    const lines = readMessages(directory, {});
    expect(lines.next().value).toMatchObject({ text: expect.stringContaining('34=1') });
    rmSync(files[1]!);
    expect([...lines].map(({ text }) => /34=(\d)/.exec(text)![1])).toEqual(['1', '3', '3']);
  });

  test('a file cut at any byte is read up to its last whole block, and the next run continues the chain', async () => {
    const { directory, files } = await written();
    const last = files[2]!;
    const whole = readFileSync(last);
    const firstBlock = whole.readUInt32LE(16);
    for (let length = 0; length < whole.length; length += 5) {
      writeFileSync(last, whole.subarray(0, length));
      expect(linesOf(directory)).toHaveLength(length < firstBlock ? 4 : 5);
      const why = `it ends behind block ${length < firstBlock ? 4 : 5}, and 6 blocks were written`;
      expect(intact(directory)).toEqual([{ place: expect.stringContaining('000003'), why }]);
    }
    const { log, stop } = await opened({ directory });
    say(log, DESK, '<', '35=0|34=9');
    await stop();
    expect(linesOf(directory).at(-1)).toContain('34=9');
    expect(intact(directory)).toEqual([undefined]);
  });
});

describe('the bound', () => {
  const fill = async ({ log }: Opened, blocks: number): Promise<void> => {
    for (let block = 0; block < blocks; block++) {
      const noise = randomBytes(12_000).toString('base64');
      for (let i = 0; i < 20; i++) say(log, DESK, '>', `35=B|34=${block * 20 + i}|58=${noise}`);
      const { written, dropped } = log.stats();
      await vi.waitFor(() => {
        const now = log.stats();
        expect(now.written + now.dropped).toBeGreaterThan(written + dropped);
      }, 30_000);
    }
  };

  test('stops the log with a warning before and an error at it, and continues when there is room', async () => {
    const at = await opened({ maxBytes: 300_000 });
    await fill(at, 30);
    await vi.waitFor(() => expect(at.log.stats().isFull).toBe(true), 30_000);
    const all = async (count: number) =>
      vi.waitFor(() => expect(at.log.stats().written + at.log.stats().dropped).toBe(count), 30_000);
    await all(600);
    // A small block would still fit.
    say(at.log, DESK, '<', '35=0|34=9');
    await all(601);
    expect(at.reports).toEqual([
      'the message log is filling',
      'the message log has reached its bound and has stopped: move its oldest files away',
    ]);
    const { written, dropped, bytes } = at.log.stats();
    expect(bytes).toBeLessThanOrEqual(300_000);
    expect(dropped).toBeGreaterThan(0);
    expect(linesOf(at.directory).length).toBe(written);
    for (const name of filesIn(at.log.folder)) rmSync(join(at.log.folder, name));
    say(at.log, DESK, '<', '35=0|34=1');
    await vi.waitFor(() => expect(linesOf(at.directory).some((line) => line.includes('34=1|'))).toBe(true), 30_000);
    expect(linesOf(at.directory)[0]).toMatch(/^- \* \d+ messages before this line were not written/);
    expect(at.reports.at(-1)).toBe('the message log has room again');
    expect(intact(at.directory)).toEqual([undefined]);
  });

  test('removes the oldest files where that is wanted, each with a line in the log', async () => {
    const directory = testFolder();
    let clockMs = NOON_MS;
    const at = await opened({ directory, maxBytes: 150_000, whenFull: 'remove-oldest', now: () => clockMs });
    for (let day = 0; day < 6; day++) {
      await fill(at, 5);
      clockMs += 86_400_000;
    }
    expect(at.log.stats()).toMatchObject({ isFull: false, dropped: 0 });
    expect(at.log.stats().bytes).toBeLessThanOrEqual(150_000);
    expect(at.reports.length).toBeGreaterThan(0);
    expect(new Set(at.reports)).toEqual(
      new Set(['the message log has reached its bound: its oldest file was removed']),
    );
    await at.stop();
    expect(verifyMessages(directory, key)[0]!.firstFile).toBe(at.reports.length + 1);
    expect(intact(directory)).toEqual([undefined]);
  });

  test('loses nothing where the oldest file, which it would remove, was moved away', async () => {
    let clockMs = NOON_MS;
    const at = await opened({ maxBytes: 150_000, whenFull: 'remove-oldest', now: () => clockMs });
    for (let day = 0; day < 5; day++) {
      await fill(at, 2);
      const [oldest = ''] = filesIn(at.log.folder);
      if (day > 1) renameSync(join(at.log.folder, oldest), join(at.log.folder, 'away'));
      clockMs += 86_400_000;
    }
    await at.stop();
    expect(at.log.stats().dropped).toBe(0);
    expect(at.reports).not.toContain('the message log cannot be written');
    expect(intact(at.directory)).toEqual([undefined]);
  });

  test('a ring that is full drops and counts, and the log says so', async () => {
    const at = await opened({ ringCapacity: 4_096 });
    let said = 0;
    // The thread may read meanwhile.
    while (at.log.stats().dropped < 100) say(at.log, DESK, '<', `35=0|34=${said++}|58=${'x'.repeat(100)}`);
    const { dropped } = at.log.stats();
    await at.stop();
    const lines = linesOf(at.directory);
    const events = lines.filter((line) => line.includes('writes were dropped'));
    const count = events.reduce((sum, line) => sum + Number(/(\d+) writes/.exec(line)![1]), 0);
    expect(count).toBe(dropped);
    expect(lines.length - events.length).toBe(said - dropped);
  });
});
