/**
 * The space of the day record for each million ticks: the recorded hour of two providers, with a price of one level and with three levels of each
 * side, a message of the relay for every second tick.
 *
 *   npm run build && npx tsx benchmarks/day-record.ts
 */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Ladder } from '../engine/domain/money/ladder.js';
import { PAIRS } from '../engine/domain/money/pair.js';
import { dataFile } from '../engine/rates/feeds/port.js';
import { readTickFile } from '../engine/rates/feeds/tick-file.js';
import { threeLevels } from '../engine/rates/feeds/walk.js';
import { openRecorder } from '../engine/store/record/recorder.js';
import { onFreshDirectory } from './load/ground.js';
import { machineText, print } from './load/report.js';

const HOURS = 4;
/** Of the ring: the thread has read it meanwhile. */
const PAUSE_MS = 60;
const log = { info() {}, warn() {}, error: console.error };
const beganMs = Date.UTC(2026, 0, 15, 12);

async function bytesPerTick(hasLevels: boolean): Promise<{ ticks: number; bytes: number; dropped: number }> {
  let found = { ticks: 0, bytes: 0, dropped: 0 };
  await onFreshDirectory(async (directory) => {
    let ms = 0;
    const recorder = await openRecorder({
      ...{ directory, program: 'engine', key: Buffer.alloc(32), maxBytes: 1e10, whenFull: 'stop', log },
      ...{ now: () => beganMs + ms, elapsed: () => ms },
    });
    const ladder = new Ladder();
    let ticks = 0;
    for (let hour = 0; hour < HOURS; hour++)
      for await (const rows of readTickFile(dataFile('fx-ticks-2014-05-06T12.csv.gz'), {
        broken: 0,
        unknownPairs: 0,
      })) {
        for (const { pair, bid, offer, provider } of rows) {
          // Times as they come: no two distances are the same.
          ms += 0.9 + Math.random() * 0.2;
          const levels = hasLevels ? threeLevels(PAIRS[pair]!, bid, offer, ladder) : undefined;
          const size = hasLevels ? 1_000_000 : 0;
          const sourceUs = Math.round((beganMs + ms - 1 - Math.random() * 3) * 1_000);
          recorder.tick(ms, 0, 0, provider === 'FXCM' ? 0 : 1, pair, bid, offer, size, size, sourceUs, 0, levels);
          if (++ticks % 2 === 0) recorder.mark(ms, ticks);
        }
        await pause(PAUSE_MS);
      }
    await recorder.stop();
    const { bytes, dropped } = recorder.stats();
    found = { ticks, bytes, dropped };
    rmSync(recorder.folder, { recursive: true, force: true });
  });
  return found;
}

process.stdout.write(`${machineText()}\n`);
const rows: string[][] = [];
for (const hasLevels of [false, true]) {
  const { ticks, bytes, dropped } = await bytesPerTick(hasLevels);
  rows.push([hasLevels ? 'three levels' : 'one level', String(ticks), (bytes / ticks).toFixed(1), String(dropped)]);
}
print('Space of the day record', ['ticks with', 'ticks', 'MB a million', 'dropped'], rows);
