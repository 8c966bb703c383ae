import { afterEach, describe, expect, test } from 'vitest';
import { createFeed } from '../../../engine/rates/feed.js';
import { RateBook } from '../../../engine/rates/rate-book.js';
import { COMMANDS, Faults, runCommand } from '../../../engine/tools/lp-simulator/faults.js';
import { readOptions } from '../../../engine/tools/lp-simulator/options.js';
import { type LpSimulator, startLpSimulator } from '../../../engine/tools/lp-simulator/simulator.js';
import { indexOf } from '../../rates/clock.js';
import { until } from '../../support/until.js';

const log = { info() {}, warn() {} };
let lp: LpSimulator | undefined;
afterEach(() => lp?.close());

describe('arguments', () => {
  test('parses all of them', () => {
    const line =
      '--ws 9881 --fix 9882 --file t.csv --provider A --at 2014-05-06T12:15:00Z --speed 10 --stall-after 5 --jump-after 7 --jump-percent 3';
    const { options, timed } = readOptions(line.split(' '));
    expect(options).toMatchObject({ ws: 9881, fix: 9882, file: 't.csv', provider: 'A', speed: 10 });
    expect(options.atMs).toBe(Date.UTC(2014, 4, 6, 12, 15));
    const walked = readOptions('--ws 0 --seed 3 --pairs EURUSD,USD/JPY --key k --secret s'.split(' ')).options;
    expect(walked).toMatchObject({ ws: 0, seed: 3, key: 'k', secret: 's' });
    expect(walked.pairs?.map((pair) => pair.symbol)).toEqual(['EUR/USD', 'USD/JPY']);
    expect(timed).toEqual([
      { afterS: 5, line: 'stall' },
      { afterS: 7, line: 'jump 3' },
    ]);
  });

  test.each([
    ['', /--ws/],
    ['--ws 99999', /--ws must be/],
    ['--ws 1 --speed 0', /--speed/],
    ['--ws 1 --at noon', /--at/],
    ['--ws 1 --pairs XAUUSD', /XAUUSD/],
    ['--wss 1', /--wss/],
    ['--ws 1 --provider A', /--file/],
    ['--ws 1 --at 2014-05-06T12:15:00Z', /--file/],
    ['--ws 1 --file t.csv --pairs EURUSD', /--pairs/],
    ['--ws 1 --key k', /--secret/],
  ])("'%s' is refused", (line, text) => {
    expect(() => readOptions(line.split(' ').filter(Boolean))).toThrow(text);
  });
});

test('rejects a provider that the file lacks, and lists those it has', async () => {
  const file = 'engine/rates/data/fx-ticks-2014-05-06T12.csv.gz';
  await expect(startLpSimulator({ ws: 0, file, provider: 'EBS' })).rejects.toThrow(/no provider EBS; .*OANDA/);
});

test('closes the other server when a port is taken', async () => {
  lp = await startLpSimulator({ ws: 0 });
  const listening = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  const before = listening();
  await expect(startLpSimulator({ ws: 0, fix: lp.wsPort })).rejects.toThrow(/EADDRINUSE/);
  await until(() => listening() === before);
});

test('answers an unknown command with the list of commands', async () => {
  lp = await startLpSimulator({});
  for (const line of ['', 'help', 'cross x', 'STALL']) expect(runCommand(lp, line)).toContain(COMMANDS);
  expect(runCommand(lp, 'jump')).toContain('percent');
  expect(runCommand(lp, 'jump -100')).toContain('percent');
  expect(lp.faults).toEqual(new Faults());
});

test('faults', () => {
  const faults = new Faults();
  faults.spikePercent = 10;
  expect(faults.apply(1000, 1010)).toEqual({ bid: 1100, offer: 1111 });
  faults.crossedTicks = 1;
  expect(faults.apply(1000, 1010)).toEqual({ bid: 1011, offer: 1000 });
  faults.offPercent = -10;
  expect(faults.apply(1000, 1010)).toEqual({ bid: 900, offer: 909 });
  faults.isStalled = true;
  expect(faults.apply(1000, 1010)).toBeUndefined();
});

test('one provider of a recorded file, faster than it was, to several clients', async () => {
  lp = await startLpSimulator({
    ws: 0,
    file: 'engine/rates/data/fx-ticks-2014-05-06T12.csv.gz',
    provider: 'OANDA',
    atMs: Date.UTC(2014, 4, 6, 12, 15),
    speed: 100,
  });
  const spec = `ws://127.0.0.1:${lp.wsPort}/#symbols=EURUSD+NZDUSD&provider=LP`;
  const books = [new RateBook(), new RateBook()];
  const feeds = books.map((book) => createFeed(spec, { book, log }));
  for (const feed of feeds) await feed.start();
  for (const book of books) await until(() => book.providers()[0].ticks > 300);
  for (const feed of feeds) await feed.stop();
  for (const book of books) {
    // OANDA's ticks have no faults, and at this speed none is out of order.
    expect(Object.values(book.refused).reduce((all, count) => all + count, 0)).toBe(0);
    expect(book.isDirect(indexOf('EUR/USD'))).toBe(false);
  }
});
