/** The journal exported, archived and verified, a margin explained, and progress shown, as an operator has them. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { runFeed } from '../../../engine/roles/prices/feed-role.js';
import { perform } from '../../../engine/service/perform.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { CLEAN_ENV } from '../../support/clean-env.js';
import { ratewireOn } from '../../support/ratewire.js';
import { entryFields } from '../../support/stored.js';

const RATEWIRE = fileURLToPath(new URL('../../../engine/cli/ratewire.mjs', import.meta.url));
const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');
const HAS_SCRIPT = spawnSync('script', ['--version']).status === 0;

let rig: LedgerRig;
let acme: RigClient;
const directory = mkdtempSync(join(tmpdir(), 'ratewire-journal-'));
const REASON = '=HYPERLINK("x"), said the bank';
beforeAll(async () => {
  rig = await startLedgerRig(MONDAY);
  acme = await rig.client('acme', { EUR: '5000.00', USD: '100.00', JPY: '0' });
  await rig.client('beta', { EUR: '1.00' });
  for (let i = 1; i <= 5; i++) await acme.book('EUR/USD', 10 + i);
  await acme.book('EUR/JPY', 7);
  const caller = { clientId: 'acme', keyId: 'CK_X', rights: new Set(RIGHTS) };
  const accountNumber = Number(await acme.account('EUR'));
  const command = { accountNumber, amount: 25.5, depositAccount: 'DBS-1-EUR', reference: 'MANUAL' };
  const created = await perform(rig.services, 'createFunding', caller, command);
  if ('refusal' in created) throw new Error(`${created.refusal} ${JSON.stringify(created.fields)}`);
  await rig.ask('rejectFunding', { fundingId: created.funding.id, reason: REASON });
});
afterAll(async () => {
  await rig.stop();
  rmSync(directory, { recursive: true, force: true });
});

const env = () => ({ ...CLEAN_ENV, DATA_DIR: rig.opened.dataDir });

const ratewire = (...args: string[]) => ratewireOn(rig.opened.dataDir).run(...args);
const good = async (...args: string[]) => {
  const { code, out, err } = await ratewire(...args);
  expect([code, err]).toEqual([0, '']);
  return out;
};
const json = async (...args: string[]) => JSON.parse(await good(...args, '--json'));

interface Line {
  readonly client: string;
  readonly entry: string;
  readonly reason?: string;
  readonly moves: readonly { currency: string; from: string; to: string; amount: string }[];
}
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('export', () => {
  test('every entry of every client in order, amounts exact; twice the same bytes, to stdout and to a file', async () => {
    const out = await good('journal', 'export');
    const file = join(directory, 'all.jsonl');
    const told = await json('journal', 'export', '--out', file);
    expect(readFileSync(file, 'utf8')).toBe(out);
    const lines = linesOf(out);
    expect(told).toEqual({ file, entries: lines.length });
    expect(readdirSync(directory)).toEqual(['all.jsonl']);
    expect(lines.map(({ client }) => client)).toEqual([...lines.map(({ client }) => client)].sort());
    const sums: Record<string, bigint> = {};
    for (const { client, moves } of lines)
      for (const { currency, from, to, amount } of client === 'acme' ? moves : []) {
        expect(amount).toMatch(currency === 'JPY' ? /^\d+$/ : /^\d+\.\d\d$/);
        const minor = BigInt(amount.replace('.', ''));
        sums[`${currency}/${from}`] = (sums[`${currency}/${from}`] ?? 0n) - minor;
        sums[`${currency}/${to}`] = (sums[`${currency}/${to}`] ?? 0n) + minor;
      }
    const balances = await rig.redis.hgetall(acme.key('balances'));
    for (const [name, minor] of Object.entries(balances))
      expect([name, String(sums[name] ?? 0n)]).toEqual([name, minor]);
    expect(lines.find(({ reason }) => reason)?.reason).toBe(REASON);
  });

  test('CSV: a row for each move, and no text is a formula', async () => {
    const out = await good('journal', 'export', '--client', 'acme', '--format', 'csv');
    const rows = out.trimEnd().split('\r\n');
    expect(rows[0]).toBe('client,entry,at,step,id,by,reason,from_status,to_status,sub_status,currency,from,to,amount');
    const moves = linesOf(await good('journal', 'export', '--client', 'acme')).map((line) => line.moves.length || 1);
    expect(rows).toHaveLength(1 + moves.reduce((sum, count) => sum + count));
    expect(out).toContain(`,"'=HYPERLINK(""x""), said the bank",`);
  });

  test('a refusal on stderr is one line without them', async () => {
    const refused = await ratewire('journal', 'verify', join(directory, 'no\u001b[31m\u009b2J\u202e\nchange: done'));
    expect(refused.code).toBe(1);
    expect(refused.err).toMatch(/no\\u\{1b\}\[31m\\u\{9b\}2J\\u\{202e\}\\u\{a\}change: done/);
    expect(refused.err).toMatch(/^\P{C}+\n$/u);
  });

  test('a period, and what is refused', async () => {
    const [, second, third] = linesOf(await good('journal', 'export', '--client', 'acme'));
    const at = (line: Line | undefined) => new Date(Number.parseInt(line!.entry, 10)).toISOString();
    const part = await good('journal', 'export', '--client', 'acme', '--from', at(second), '--to', at(third));
    const entries = linesOf(part).map(({ entry }) => entry);
    expect(entries).toContain(second!.entry);
    expect(entries).toContain(third!.entry);
    expect(entries.length).toBeLessThan(6);
    expect(await good('journal', 'export', '--client', 'acme', '--to', '2020-01-01')).toBe('');
    const unknown = await ratewire('journal', 'export', '--client', 'unknown', '--out', join(directory, 'x'));
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringMatching(/^UNKNOWN_CLIENT: /)]);
    const nowhere = await ratewire('journal', 'export', '--out', join(directory, 'no', 'x'));
    expect([nowhere.code, nowhere.err]).toEqual([1, expect.stringMatching(/^VALIDATION_FAILED: out: .*ENOENT\n$/)]);
    writeFileSync(join(directory, 'file'), '');
    const below = await ratewire('journal', 'export', '--out', join(directory, 'file', 'x'));
    rmSync(join(directory, 'file'));
    expect([below.code, below.err]).toEqual([1, expect.stringMatching(/^VALIDATION_FAILED: out: .*ENOTDIR\n$/)]);
    for (const time of [
      'yesterday',
      '2026-02-30',
      '2026-11-31',
      '2026-11-20T24:00:00Z',
      '2026-11-20T08:00Z',
      '2026-11-20T08:00:00',
    ])
      expect((await ratewire('journal', 'export', '--from', time)).code, time).toBe(2);
    // As Python and Go write them, and with an offset; the store has nothing from then.
    for (const time of [
      '2126-01-01T10:00:00.123456Z',
      '2126-01-01T10:00:00.123456789Z',
      '2126-01-01T10:00:00.1+02:00',
    ]) {
      const { code, err } = await ratewire('journal', 'export', '--from', time, '--to', time);
      expect([code, err], time).toEqual([0, '']);
    }
    const backwards = await ratewire(
      'journal',
      'export',
      '--from',
      '2028-07-01',
      '--to',
      '2028-06-01',
      '--format',
      'csv',
    );
    expect(backwards).toEqual({ code: 1, out: '', err: 'VALIDATION_FAILED: to: not before --from\n' });
    expect(readdirSync(directory)).toEqual(['all.jsonl']);
  });
});

test('a margin explained without a feed, and with one', async () => {
  const dry = await good('margins', 'explain', 'acme', 'EUR/USD');
  expect(dry).toMatch(/│ acme +│ EUR\/USD │ PREFUNDING │ no rule +│/);
  expect(dry).toMatch(/│ \* +│ \* +│ \* +│ 0\.25 +│ for everyone: wins, the nearest that there is │/);
  expect(dry).toMatch(/^No price now: .*\(RATE_UNAVAILABLE\)\.$/m);

  const feed = await runFeed(rig.services, 'simulated');
  try {
    const more = ['--amount', '1000.00', '--sell', 'EUR', '--hold', '1_hour'];
    const told = await json('margins', 'explain', 'acme', 'EUR/USD', ...more);
    expect(told).toMatchObject({
      client: 'acme',
      type: 'PREFUNDING',
      margin_percent: '0.25',
      hold_adds_percent: '0.02',
    });
    expect(told.rules).toHaveLength(8);
    expect(told.price.bid.client).toMatch(/^\d\.\d{7}$/);
    expect(told.conversion).toMatchObject({ sell_amount: '1000.00', buy_amount: expect.stringMatching(/^\d+\.\d\d$/) });
    const text = await good('margins', 'explain', 'acme', 'EUR/USD', ...more);
    expect(text).toMatch(/^margin +0\.25 % \+ 0\.02 % for a hold of 1_hour = 0\.27 %$/m);
    expect(text).toMatch(
      /^client's bid +[\d.]+ x \(1 - 0\.27\/100\) = [\d.]+, rounded half-even to 7 decimals: [\d.]+$/m,
    );
    expect(text).toMatch(
      /^client's offer +[\d.]+ \/ \(1 - 0\.27\/100\) = [\d.]+\.\.\., rounded half-even to 7 decimals: /m,
    );
    expect(text).toMatch(/^conversion +1000\.00 EUR x [\d.]+ = [\d.]+, rounded down: \d+\.\d\d USD$/m);
  } finally {
    await feed.stop();
  }
});

describe('archive', () => {
  const archive = join(directory, 'archive');

  test('with what it says, what is left, and what the files prove', async () => {
    const before = linesOf(await good('journal', 'export'));
    const young = await ratewire('journal', 'archive', '--before', '0d', '--out', archive);
    expect([young.code, young.err]).toEqual([1, expect.stringMatching(/^VALIDATION_FAILED: before: at least 7 days/)]);
    const rows = await json('journal', 'archive', '--before', '0d', '--insist', '--out', archive);
    expect(rows.map(({ client }: { client: string }) => client)).toEqual(['acme', 'beta']);
    const entries = rows.reduce((sum: number, row: { entries: number }) => sum + row.entries, 0);
    expect(entries).toBe(before.length);
    expect(await json('journal', 'archive', '--before', '0d', '--insist', '--out', archive)).toEqual([]);

    const { out, err } = await ratewire('journal', 'export');
    expect([out, err]).toEqual(['', expect.stringMatching(/^acme: entries up to \S+ are in the archive, not here$/m)]);
    expect(await good('journal', 'acme')).toBe(`none\nEntries up to ${rows[0].archived_until} are in the archive.\n`);
    expect(await good('reconcile')).toMatch(/^All agree: 2 clients, 0 journal entries, \d+ receipts\.$/m);
    expect(await json('reconcile', '--archive', archive)).toMatchObject({ count: 0, archived_entries: entries });

    const chains = (await json('journal', 'verify', archive)).chains;
    expect(chains[0]).toEqual({
      client: 'acme',
      files: 1,
      entries: rows[0].entries,
      last_entry: rows[0].archived_until,
      last_hash: rows[0].hash,
    });
    const file = join(archive, 'acme', '000001.jsonl');
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.replace('"amount"', '"Amount"').replace(' house:fx 1100', ' house:fx 1101'));
    const broken = await ratewire('journal', 'verify', archive);
    expect([broken.code, broken.out]).toEqual([1, expect.stringMatching(/acme\/000001\.jsonl line \d+/)]);
    expect((await ratewire('reconcile', '--archive', archive)).code).toBe(1);
    writeFileSync(file, whole);
    const unread = await ratewire('reconcile', '--archive', file);
    expect([unread.code, unread.out]).toEqual([1, '']);
    expect(unread.err).toBe(`VALIDATION_FAILED: archive: ${file} cannot be read or written: ENOTDIR\n`);
    const none = await ratewire('journal', 'verify', join(directory, 'none'));
    expect([none.code, none.err]).toEqual([1, expect.stringMatching(/^VALIDATION_FAILED: dir: .*ENOENT\n$/)]);
    // One that is mistyped is no proof: what has folders alone is no archive.
    mkdirSync(join(directory, 'other', 'acme'), { recursive: true });
    const other = await ratewire('journal', 'verify', join(directory, 'other'));
    expect([other.code, other.out, other.err]).toEqual([1, '', expect.stringMatching(/^NOT_FOUND: .*other.*\n$/)]);
  });

  test('it is in the audit log', async () => {
    expect(await good('audit', '--subject', 'journal of client acme')).toContain('archiveJournal');
  });
});

if (!HAS_SCRIPT) console.log('no `script` here: the bar on a terminal is tested by its stream alone');
test.skipIf(!HAS_SCRIPT)('a terminal sees a bar, which is gone at the end', async () => {
  const number = await acme.account('USD');
  const record = (await rig.services.store.clients.get('acme'))!;
  // A bar comes only for what takes longer than half a second.
  for (let i = 0; i < 30_000; i += 500)
    await Promise.all(
      Array.from({ length: 500 }, (_, k) => rig.services.store.accounts.credit(record, `p-${i + k}`, number, 1n)),
    );
  const command = `"${process.execPath}" "${RATEWIRE}" reconcile`;
  const seen = await new Promise<string>((resolve) => {
    execFile('script', ['-qec', command, '/dev/null'], { env: env(), timeout: 300_000 }, (_error, out) => resolve(out));
  });
  expect(seen).toMatch(/\r[█░]{30} +\d+% journal of acme\x1b\[K/);
  expect(seen).toMatch(/\r\x1b\[KAll agree: /);
  const { out, err } = await ratewire('reconcile', '--json');
  expect([JSON.parse(out).count, err]).toEqual([0, '']);
});

test.skipIf(!HAS_SCRIPT)('Ctrl-C takes the bar away', { timeout: 300_000 }, async () => {
  const command = `"${process.execPath}" "${RATEWIRE}" reconcile`;
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: env() });
  let seen = '';
  child.stdout.on('data', (text) => {
    if (!seen.includes('%') && String(text).includes('%')) child.stdin.write('\x03');
    seen += text;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect([code, seen.slice(seen.lastIndexOf('\r'))]).toEqual([130, '\r\x1b[K']);
});

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s removes the incomplete file of an export', { timeout: 300_000 }, async (signal, code) => {
  const whole = join(directory, 'half.jsonl');
  const halves = () => readdirSync(directory).filter((name) => name.startsWith('half'));
  // On a busy machine an export may end before the signal reaches it: then the file is complete, and the next export gets the signal.
  for (let ended: unknown = 0; ended === 0; ) {
    rmSync(whole, { force: true });
    const child = spawn(process.execPath, [RATEWIRE, 'journal', 'export', '--out', whole], {
      env: env(),
      stdio: 'ignore',
    });
    const end = new Promise((resolve) => child.on('close', resolve));
    await vi.waitUntil(() => halves().length > 0, { timeout: 120_000, interval: 2 });
    child.kill(signal);
    ended = await end;
    expect([ended, halves()]).toEqual(ended === 0 ? [0, ['half.jsonl']] : [code, []]);
  }
});

test('characters that a terminal obeys or does not show are escaped, in every format', async () => {
  // As it may have been stored before such characters were refused. Last: reconcile finds that it was taken away.
  const reason = 'red \u001b[31malert\u009b2J \u202e \u{f0000} \u2028';
  const journal = acme.key('journal');
  const entry = (await rig.redis.xadd(journal, '*', ...entryFields({ step: 'reject-funding', id: 'FND1', reason })))!;
  try {
    const { out: csv } = await ratewire('journal', 'export', '--client', 'acme', '--format', 'csv');
    expect(csv).toContain(',red \\u{1b}[31malert\\u{9b}2J \\u{202e} \\u{f0000} \\u{2028},');
    const { out: lines } = await ratewire('journal', 'export', '--client', 'acme');
    expect(lines).toContain('red \\u001b[31malert\\u009b2J \\u202e \\udb80\\udc00 \\u2028');
    expect(linesOf(lines).find((line) => line.entry === entry)?.reason).toBe(reason);
  } finally {
    await rig.redis.xdel(journal, entry);
  }
});
