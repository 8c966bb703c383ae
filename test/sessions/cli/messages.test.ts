/** `ratewire messages`: what a desk and the engine have said to each other, for support. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { withoutAccounts } from '../../../engine/cli/sessions/message-text.js';
import { messageLogDirectory, messageLogKey } from '../../../engine/service/audit/message-log.js';
import { type MessageLog, openMessageLog } from '../../../engine/store/sessions/message-log.js';
import { readConfig, SettingError } from '../../../engine/wiring/config.js';
import { startMessageLog } from '../../../engine/wiring/message-log.js';
import { type Rig, startRig } from '../../fix/rig.js';
import { startTrader, type Trader } from '../../fix/trader.js';
import { ratewireOn } from '../../support/ratewire.js';
import { SILENT } from '../../support/store.js';

const dataDir = mkdtempSync(join(tmpdir(), 'ratewire-messages-'));
const directory = messageLogDirectory(dataDir);
const ratewire = ratewireOn(dataDir);
let messageLog: MessageLog;
let rig: Rig;
let acme: Trader;
let compId = '';

const good = async (...args: string[]): Promise<string[]> => {
  const { code, out, err } = await ratewire.run('messages', '--from', '2d', ...args);
  expect([code, err]).toEqual([0, '']);
  return out.trimEnd().split('\n');
};

/** An order at the market by one desk, and a price; another desk is logged on. The engine runs until the end of the tests. */
beforeAll(async () => {
  writeFileSync(join(dataDir, 'master.key'), `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 });
  const key = messageLogKey(undefined, dataDir)!;
  messageLog = await openMessageLog({ directory, key, prices: false, maxBytes: 1e9, whenFull: 'stop', log: SILENT });
  rig = await startRig({ settings: { messageLog } });
  rig.tick('EUR/USD', '1.08158', '1.08164');
  acme = await startTrader(rig, 'acme');
  await startTrader(rig, 'other');
  acme.order({ 11: 'ORD-1', 58: 'Invoice 8841' });
  await acme.report('ORD-1');
  acme.order({ 11: 'ORD-2', 1: '110000000012', 20007: '110000000023' });
  await acme.report('ORD-2');
  acme.status('ORD-1');
  await acme.report('ORD-1');
  await vi.waitFor(async () => {
    const { out } = await ratewire.run('messages', '--from', '2d', '--clordid', 'ORD-1');
    expect(out).toContain('|150=I|');
  }, 60_000);
  const [order = ''] = await good('--clordid', 'ORD-1');
  compId = order.split(' ')[1]!;
});
afterAll(async () => {
  await rig.stop();
  await messageLog.stop();
  rmSync(dataDir, { recursive: true });
});

test('prints the messages of a session while the engine writes them, without a secret', async () => {
  const lines = await good('--session', compId);
  for (const line of lines) expect(line).toMatch(new RegExp(`^\\d{8}-\\d\\d:\\d\\d:\\d\\d\\.\\d{6} ${compId} [<>*] `));
  const types = lines.flatMap((line) => /[<>] 8=.*?\|35=(.)/.exec(line)?.[1] ?? []);
  expect(types.slice(0, 2)).toEqual(['A', 'A']);
  expect(types.filter((type) => type === 'D')).toHaveLength(2);
  expect(types).not.toContain('W');
  expect(lines[0]).toMatch(/\|553=\*+\|554=\*+\|/);
  const all = (await good()).join('\n');
  expect(all.split('\n').length).toBeGreaterThan(lines.length);
  expect(all).not.toContain(acme.clientKey);
  expect(all.match(/\|20001=\*+\|/g)!.length).toBeGreaterThan(2);
  const { code, out, err } = await ratewire.run('messages', '--session', 'NONE', '--from', '2d');
  expect([code, out, err]).toEqual([0, '', `none in ${directory}\n`]);
});

test('finds an order with its reports, and decodes them', async () => {
  const lines = await good('--session', compId, '--clordid', 'ORD-1', '--decode');
  // A slow engine reports the order as pending first.
  const names = lines.map((line) => /[<>] (\w+) MsgType\(35\)/.exec(line)?.[1]);
  const [, ...reports] = names.slice(0, names.indexOf('OrderStatusRequest'));
  expect(names[0]).toBe('NewOrderSingle');
  expect(new Set(reports)).toEqual(new Set(['ExecutionReport']));
  expect(names.slice(-2)).toEqual(['OrderStatusRequest', 'ExecutionReport']);
  expect(lines[0]).toContain('ClOrdID(11)=ORD-1');
  expect(lines[0]).toMatch(/Side\(54\)=\d:(BUY|SELL)/);
  expect(lines[0]).toContain('Text(58)=Invoice 8841');
  expect(lines[0]).toMatch(/AuthToken\(20001\)=\*+/);
});

test('shows accounts inside the firm, and masks them for what leaves it', async () => {
  const shown = (await good('--clordid', 'ORD-2')).join('\n');
  expect(shown).toMatch(/\|1=110000000012\|.*20007=110000000023\|/);
  const shared = (await good('--clordid', 'ORD-2', '--share')).join('\n');
  expect(shared).toMatch(/\|1=\*{8}0012\|.*20007=\*{8}0023\|/);
  expect(shared).not.toContain('110000000012');
  expect((await good('--clordid', 'ORD-2', '--share', '--decode')).join('\n')).toMatch(/Account\(1\)=\*{8}0012/);
});

test.each([
  ['a message', '35=D|1=110000000012|20008=110000000023|10=000|', '35=D|1=********0012|20008=********0023|10=000|'],
  ['a tag with a zero in front', '35=D|01=110000000012|10=000|', '35=D|01=********0012|10=000|'],
  ['an account of four characters', '1=1234|11=X|', '1=****|11=X|'],
  ['input with another separator', '35=D\\x021=110000000012\\x02', '35=D\\x021=*********012\\x02'],
  ['other fields', '11=110000000012|201=110000000012|', '11=110000000012|201=110000000012|'],
])('masks accounts in %s, with either separator', (_, text, shared) => {
  const of = (one: string, sign: '<' | '!'): string =>
    withoutAccounts({ time: '', sender: 'FXENGINE', target: 'ACME1', sign, text: one }).text;
  const soh = (one: string): string => one.replaceAll('|', '\x01');
  expect(of(soh(text), '<')).toBe(soh(shared));
  expect(of(text, '!')).toBe(shared);
});

test('prints an object a line for programs', async () => {
  const lines = await good('--clordid', 'ORD-1', '--json');
  expect(JSON.parse(lines[0]!)).toMatchObject({ sender: 'FXENGINE', target: compId, direction: 'in' });
  const [decoded] = await good('--clordid', 'ORD-1', '--json', '--decode');
  expect(JSON.parse(decoded!).decoded).toContain('NewOrderSingle');
});

test('takes times, and refuses what is none', async () => {
  const until = await ratewire.run('messages', '--from', '2d', '--to', '1d');
  expect([until.code, until.out]).toEqual([0, '']);
  const turned = await ratewire.run('messages', '--from', '1d', '--to', '2d');
  expect([turned.code, turned.err]).toEqual([1, expect.stringContaining('not before --from')]);
  expect(await good('--from', '1h')).not.toEqual([]);
  const before = await ratewire.run('messages', '--to', '48h', '--from', '9999d');
  expect([before.code, before.out]).toEqual([0, '']);
  for (const none of ['yesterday', '1.5h', '-1h', '2w', '2026-11-31'])
    expect((await ratewire.run('messages', '--from', none)).code).toBe(2);
});

describe('verify', () => {
  test('accepts what the engine wrote, also with a head, and prints the next head', async () => {
    const [row] = await ratewire.json<{ head: string; broken_at: string }[]>('messages', 'verify');
    expect(row).toMatchObject({ engine: '1', files: 1, first_file: 1, broken_at: '' });
    expect(row!.head).toMatch(/^1:\d+:[0-9a-f]{64}$/);
    expect((await ratewire.run('messages', 'verify', '--head', row!.head)).code).toBe(0);
    const wrong = await ratewire.run('messages', 'verify', '--head', row!.head.replace(/.$/, 'x'));
    expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('this head is not in the chain')]);
  });

  test('names a block that was changed', async () => {
    const folder = join(directory, '1');
    const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.gz'));
    const whole = readFileSync(join(folder, name));
    const changed = Buffer.from(whole);
    changed[60]! ^= 1;
    writeFileSync(join(folder, name), changed);
    const { code, out } = await ratewire.run('messages', 'verify');
    expect([code, out]).toEqual([1, expect.stringContaining(`1/${name}`)]);
    for (const more of [[], ['--clordid', 'ORD-1']]) {
      const shown = await ratewire.run('messages', '--from', '2d', ...more);
      expect(shown.err).toContain(`1/${name} has a block that cannot be read: ratewire messages verify\n`);
    }
    writeFileSync(join(folder, name), whole);
  });

  test('asks for the master key where there is none', async () => {
    const empty = ratewireOn(mkdtempSync(join(tmpdir(), 'ratewire-messages-')));
    expect(await empty.run('messages', 'verify')).toMatchObject({
      code: 1,
      err: expect.stringContaining('MASTER_KEY'),
    });
  });
});

describe('the settings of the log', () => {
  const start = (env: NodeJS.ProcessEnv) => startMessageLog(readConfig({ DATA_DIR: dataDir, ...env }), SILENT);

  test('it is on by default, and off where that is set', async () => {
    expect(await start({ MESSAGE_LOG: 'off' })).toBeUndefined();
    const log = await start({});
    expect(log?.folder).toBe(join(directory, '2'));
    expect(log?.stats()).toMatchObject({ maxBytes: 10_240 * 1024 * 1024 });
    await log?.stop();
  });

  test('an engine that cannot write it does not start, and says what to set', async () => {
    const bad = mkdtempSync(join(tmpdir(), 'ratewire-messages-'));
    writeFileSync(join(bad, 'messages'), '');
    writeFileSync(join(bad, 'master.key'), readFileSync(join(dataDir, 'master.key')), { mode: 0o600 });
    await expect(start({ DATA_DIR: bad })).rejects.toThrow(SettingError);
    await expect(start({ DATA_DIR: bad })).rejects.toThrow(/make it writable, .* or set MESSAGE_LOG=off\.$/);
    rmSync(bad, { recursive: true });
  });
});
