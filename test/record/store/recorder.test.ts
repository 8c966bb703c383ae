/** The day record: what the thread writes, what a reader finds, and what is marked as missing. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { Ladder } from '../../../engine/domain/money/ladder.js';
import { readRecord, recordFiles, recordFolders, verifyRecord } from '../../../engine/service/record/read-record.js';
import { logFiles } from '../../../engine/store/day-files/block-files.js';
import { TICK_VERDICTS } from '../../../engine/store/record/record-lines.js';
import { type DayRecorder, openRecorder, type RecorderOptions } from '../../../engine/store/record/recorder.js';
import { SOON } from '../../support/until.js';

const root = mkdtempSync(join(tmpdir(), 'ratewire-record-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const open = new Set<DayRecorder>();
afterEach(async () => {
  for (const one of open) await one.stop();
  open.clear();
});

const key = randomBytes(32);
const NOON_MS = Date.UTC(2026, 0, 15, 12);
const DAY_MS = 86_400_000;

async function recording(options: Partial<RecorderOptions> = {}) {
  const directory = options.directory ?? mkdtempSync(join(root, 'd-'));
  const reports: string[] = [];
  const report = (_: object, text: string): void => void reports.push(text);
  const clock = { now: NOON_MS, elapsed: 1_000 };
  const recorder = await openRecorder({
    ...{ program: 'engine' as const, key, maxBytes: 1e9, whenFull: 'stop' as const },
    ...{ log: { info: report, warn: report, error: report }, now: () => clock.now, elapsed: () => clock.elapsed },
    ...options,
    directory,
  });
  open.add(recorder);
  const stop = async (): Promise<void> => {
    open.delete(recorder);
    await recorder.stop();
  };
  const lines = (day = '20260115') =>
    recordFolders(directory).flatMap((folder) => [...readRecord(recordFiles(directory, folder, day))]);
  return { recorder, directory, reports, clock, stop, lines };
}

const verdict = (word: (typeof TICK_VERDICTS)[number]): number => TICK_VERDICTS.indexOf(word);
const SOURCE_US = NOON_MS * 1_000 - 2_500;
const tick = (recorder: DayRecorder, ms: number, bid = 11_000_000, of = 0, ladder?: Ladder): void =>
  recorder.tick(ms, 0, of, 0, 3, bid, bid + 400, 1_000_000, 2_000_000, SOURCE_US, 0, ladder);

describe('what is written', () => {
  test('is read again as it was: ticks with levels, refused ones with the reason, events, marks, decisions', async () => {
    const { recorder, stop, lines, directory } = await recording();
    const ladder = new Ladder();
    ladder.bid.add(11_000_000, 1_000_000, 0);
    ladder.bid.add(10_999_500, 5_000_000, 12.5);
    ladder.offer.add(11_000_400, 2_000_000, 0);
    tick(recorder, 1_000.0004, 11_000_000, 0, ladder);
    recorder.tick(1_002.5, 41.25, verdict('crossed'), 1, 4, 7, 5, 0, 0, 0, 99, undefined);
    recorder.tick(1_002.5, 0, verdict('negative'), 1, 4, Number.NaN, -5, 0, 0, 0, 0, undefined);
    recorder.withdraw(1_003, 0, 3);
    recorder.up(1_003, 1);
    recorder.down(1_004, 1);
    recorder.bad(1_004, 1, verdict('unknown-pair'));
    recorder.mark(1_005, 77);
    recorder.json({ type: 'decision', client: 'acmé', note: 'a\nb' });
    await stop();
    const us = (ms: number) => ({ us: ms * 1_000, epochUs: NOON_MS * 1_000 + (ms - 1_000) * 1_000 });
    expect(lines()).toEqual([
      {
        ...{ ...us(1_000), kind: 'tick', verdict: '', provider: 0, pair: 3, bid: 11_000_000, offer: 11_000_400 },
        ...{ bidSize: 1_000_000, offerSize: 2_000_000, sourceTimeUs: SOURCE_US, sequence: 0, ageMs: 0 },
        levels: {
          bid: [
            { price: 11_000_000, size: 1_000_000, ageMs: 0 },
            { price: 10_999_500, size: 5_000_000, ageMs: 12.5 },
          ],
          offer: [{ price: 11_000_400, size: 2_000_000, ageMs: 0 }],
        },
      },
      {
        ...{ ...us(1_002.5), kind: 'tick', verdict: 'crossed', provider: 1, pair: 4, bid: 7, offer: 5, bidSize: 0 },
        ...{ offerSize: 0, sourceTimeUs: 0, sequence: 99, ageMs: 41.25, levels: undefined },
      },
      expect.objectContaining({ verdict: 'negative', bid: Number.NaN }),
      { ...us(1_003), kind: 'withdraw', provider: 0, pair: 3 },
      { ...us(1_003), kind: 'up', provider: 1 },
      { ...us(1_004), kind: 'down', provider: 1 },
      { ...us(1_004), kind: 'bad', verdict: 'unknown-pair', provider: 1 },
      { ...us(1_005), kind: 'mark', number: 77 },
      { ...us(1_000), kind: 'json', value: { type: 'decision', client: 'acmé', note: 'a\nb' } },
    ]);
    expect(verifyRecord(directory, key).map(({ broken }) => broken)).toEqual([undefined]);
  });

  test('is in a folder for each process, by host and program', async () => {
    const first = await recording();
    await recording({ directory: first.directory });
    await recording({ directory: first.directory, program: 'sidecar' });
    const names = recordFolders(first.directory).map((name) => name.slice(name.indexOf('.')));
    expect(names).toEqual(['.engine.1', '.engine.2', '.sidecar.1']);
  });

  test('is all that a folder has once the process has ended', async () => {
    const { recorder, directory, stop } = await recording();
    tick(recorder, 1_000);
    await stop();
    const [folder = ''] = recordFolders(directory);
    expect(readdirSync(join(directory, folder)).sort()).toEqual(['.head', '20260115-000001.log.gz']);
  });

  test('begins each UTC day in a file of its own, with a snapshot', async () => {
    const { recorder, clock, stop, lines } = await recording();
    let snapshots = 0;
    recorder.snapshots(() => [{ type: 'book', number: ++snapshots }]);
    tick(recorder, 1_000);
    clock.now += DAY_MS;
    clock.elapsed += DAY_MS;
    recorder.look();
    tick(recorder, clock.elapsed);
    await stop();
    const kinds = (day: string) => lines(day).map((line) => (line.kind === 'json' ? line.value.number : line.kind));
    expect([kinds('20260115'), kinds('20260116')]).toEqual([
      [1, 'tick'],
      [2, 'tick'],
    ]);
  });

  test('says when the clock of the machine was set', async () => {
    const { recorder, clock, stop, lines } = await recording();
    tick(recorder, 1_000);
    clock.now += 60_000;
    recorder.look();
    tick(recorder, 1_001);
    await stop();
    const [one, other] = lines();
    expect(other!.epochUs - one!.epochUs).toBe(60_001_000);
  });
});

describe('what is missing', () => {
  test('is counted, marked where it was, and followed by a snapshot', async () => {
    const { recorder, stop, lines } = await recording({ ringCapacity: 4_096 });
    recorder.snapshots(() => [{ type: 'book' }]);
    let ticks = 0;
    // The thread may read meanwhile.
    while (recorder.stats().dropped < 100) tick(recorder, 1_000 + ticks++);
    const { dropped } = recorder.stats();
    // The thread has read what there was.
    await vi.waitFor(() => {
      recorder.look();
      expect(recorder.json({ type: 'after' })).toBe(true);
    }, SOON);
    await stop();
    const after = lines().map((line) => (line.kind === 'json' ? line.value.type : line.kind));
    const gap = after.indexOf('gap');
    expect(after.slice(gap, gap + 2)).toEqual(['gap', 'book']);
    const missing = lines().reduce((sum, line) => sum + (line.kind === 'gap' ? line.count : 0), 0);
    expect(missing).toBe(recorder.stats().dropped);
    expect(lines().filter(({ kind }) => kind === 'tick')).toHaveLength(ticks - dropped);
  });

  test('is counted at the bound, and the next block says how many lines', async () => {
    const { recorder, reports, stop } = await recording({ maxBytes: 1_000 });
    for (let i = 0; i < 5_000; i++) recorder.json({ type: 'x', text: randomBytes(40).toString('hex') });
    await vi.waitFor(() => expect(recorder.stats().isFull).toBe(true), SOON);
    const text = 'the day record has reached its bound and has stopped: move its oldest files away';
    await vi.waitFor(() => expect(reports).toContain(text), SOON);
    await stop();
    expect(recorder.stats().dropped).toBeGreaterThan(4_000);
  });
});

describe('what was taken away is named', () => {
  const whyOf = (directory: string) =>
    Object.fromEntries(
      verifyRecord(directory, key).map(({ folder, broken }) => [folder.replace(/^[^.]*\./, ''), broken?.why]),
    );

  /** Three runs of an engine, a file each, and a sidecar between the second and the third. */
  async function twoFolders() {
    const first = await recording();
    const { directory } = first;
    tick(first.recorder, 1_000);
    await first.stop();
    const run = async (program: 'engine' | 'sidecar') => {
      const { recorder, stop } = await recording({ directory, program });
      tick(recorder, 2_000);
      await stop();
    };
    await run('engine');
    await run('sidecar');
    await run('engine');
    const [engine = '', sidecar = ''] = recordFolders(directory).map((folder) => join(directory, folder));
    expect(whyOf(directory)).toEqual({ 'engine.1': undefined, 'sidecar.1': undefined });
    return { directory, engine, sidecar };
  }

  test('the newest file, by the head of its folder', async () => {
    const { directory, engine } = await twoFolders();
    rmSync(logFiles(engine)[2]!.path);
    expect(whyOf(directory)['engine.1']).toBe('file 3 is missing: it ends behind block 2, and 3 blocks were written');
  });

  test('all files of a folder', async () => {
    const { directory, sidecar } = await twoFolders();
    rmSync(logFiles(sidecar)[0]!.path);
    expect(whyOf(directory)['sidecar.1']).toBe('file 1 is missing: it ends behind block 0, and 1 blocks were written');
  });

  test('files and the head that counts them, by the other folder', async () => {
    const { directory, engine } = await twoFolders();
    for (const { path } of logFiles(engine).slice(1)) rmSync(path);
    rmSync(join(engine, '.head'));
    expect(whyOf(directory)['engine.1']).toMatch(/^it ends behind block 1, and .*\.sidecar\.1 names its block 2$/);
  });

  test.each(['engine', 'sidecar'] as const)('the folder of the %s, by the other one', async (program) => {
    const { directory, ...folders } = await twoFolders();
    rmSync(folders[program], { recursive: true });
    expect(whyOf(directory)[`${program}.1`]).toMatch(/^the folder is missing: .* names it, with block [12]$/);
  });
});

test('a changed, a removed and a foreign block are named', async () => {
  const { recorder, directory, stop } = await recording();
  for (let i = 0; i < 10; i++) tick(recorder, 1_000 + i);
  await stop();
  const again = await recording({ directory });
  tick(again.recorder, 2_000);
  await again.stop();
  const [folder = ''] = recordFolders(directory);
  const [first, second] = logFiles(join(directory, folder));
  const why = () => verifyRecord(directory, key)[0]!.broken?.why;
  expect(why()).toBeUndefined();
  expect(verifyRecord(directory, randomBytes(32))[0]!.broken?.why).toMatch(/^the HMAC of block 1 is not that/);
  const whole = readFileSync(first!.path);
  const changed = Buffer.from(whole);
  changed[changed.length - 20]! ^= 1;
  writeFileSync(first!.path, changed);
  expect(why()).toBe('the block behind the start is damaged');
  // The length of a block, by which a reader finds the next: a larger one ends behind the file, as one that is being written does.
  for (const place of [16, 17, 18, 19]) {
    for (const bits of [1, 0x40, 0xff]) {
      const longer = Buffer.from(whole);
      longer[place]! ^= bits;
      writeFileSync(first!.path, longer);
      expect([place, bits, why()]).toEqual([place, bits, expect.any(String)]);
    }
  }
  writeFileSync(first!.path, whole);
  const last = readFileSync(second!.path);
  for (const place of [17, 18, 19]) {
    const longer = Buffer.from(last);
    longer[place]! ^= 0x41;
    writeFileSync(second!.path, longer);
    expect([place, why()]).toEqual([place, 'the block behind 1 is damaged']);
  }
  writeFileSync(second!.path, last.subarray(0, -1));
  expect(why()).toBe('it ends behind block 1, and 2 blocks were written');
  writeFileSync(second!.path, last);
  const head = `${folder}:2:${'0'.repeat(64)}`;
  expect(verifyRecord(directory, key, [head])[0]!.broken?.why).toBe('this head is not in the chain');
});
