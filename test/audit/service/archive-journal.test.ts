/**
 * Archiving the journal into files: no entry is lost or archived twice, and every reader of the journal stays correct.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settleDue } from '../../../engine/roles/conversions/settle-due.js';
import { LedgerWatch } from '../../../engine/service/audit/ledger-watch.js';
import { reconcileClient } from '../../../engine/service/audit/reconcile-client.js';
import { verifyArchive } from '../../../engine/service/audit/verify-archive.js';
import { perform } from '../../../engine/service/perform.js';
import { archiveText } from '../../../engine/store/audit/archive-files.js';
import type { RawEntry } from '../../../engine/store/ledger/journal.js';
import { type PaymentRig, startPayments } from '../../payments/service/payment-rig.js';
import { type LedgerRig, type RigClient, startLedgerRig } from '../../service/ledger-rig.js';
import { CLEAN_ENV } from '../../support/clean-env.js';
import { cases } from '../../support/sizes.js';
import { ON_CLUSTER, type TestStore } from '../../support/store.js';

const MONDAY = Date.parse('2028-06-26T10:00:00.000Z');
const DAY_MS = 24 * 3_600_000;
const ENTRIES = cases(3_000, 20_000);
const AT_ONCE = { page: 7, pause: async () => {} };

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ratewire-archive-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** The store's clock, which assigns entry ids, is the real one; the services' clock runs years ahead. */
const now = () => Date.now() + 1;

const filesOf = (client: string) =>
  (existsSync(join(directory, client)) ? readdirSync(join(directory, client)) : [])
    .filter((name) => name.endsWith('.jsonl'))
    .sort();

type Line = { entry?: string; fields?: string[]; count?: number; balances?: Record<string, string>; before: string };
const linesOf = (client: string, file: string): Line[] =>
  readFileSync(join(directory, client, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** Entries of all files, in order. */
const archivedEntries = (client: string, files = filesOf(client)): string[] =>
  files.flatMap((file) => linesOf(client, file).flatMap(({ entry }) => entry ?? []));

describe('conversions and deposits', () => {
  let rig: LedgerRig;
  let acme: RigClient;
  beforeEach(async () => {
    rig = await startLedgerRig(MONDAY);
    acme = await rig.client('acme', { EUR: '5000.00', USD: '900.00', JPY: '0' }, '100000');
  });
  afterEach(() => rig.stop());

  const archiveKey = () => rig.services.store.subKey('archive');
  const archive = (more: object = {}) =>
    rig.ask('archiveJournal', { clientId: 'acme', beforeMs: now(), directory, ...more });
  const refused = (more: object) =>
    perform(rig.services, 'archiveJournal', undefined, { clientId: 'acme', beforeMs: now(), directory, ...more });
  const differences = async (more: object = {}) => (await rig.ask('reconcile', more)).differences;
  const stream = async () => (await rig.redis.xrange(acme.key('journal'), '-', '+')).map(([entry]) => entry);
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  /** Conversions that settle at once and later, one overdue, one cancelled, two busted, and one corrected, whose id it returns. */
  async function trade(): Promise<string> {
    for (let i = 0; i < 8; i++) {
      await acme.book('EUR/USD', 10 + i);
      await acme.book('USD/EUR', 7, { type: i % 2 ? 'SCHEDULED1' : 'PREFUNDING' });
    }
    await acme.tryToBook('JPY/EUR', 5_000, { type: 'SCHEDULED1' });
    const { id } = await acme.book('EUR/USD', 3, { type: 'SCHEDULED2' });
    await rig.ask('cancelBooking', { clientId: 'acme', confirmationId: id });
    const booked = [await acme.book('EUR/USD', 4, { type: 'SCHEDULED1' }), await acme.book('EUR/USD', 4)];
    const corrected = await acme.book('EUR/USD', 4);
    await rig.ask('correctBooking', { clientId: 'acme', confirmationId: corrected.id, amount: '5', reason: 'x' });
    for (const { id } of booked) await bust(id);
    await acme.credit('EUR', '12.34');
    return corrected.id;
  }
  const bust = (confirmationId: string) => rig.ask('bustBooking', { clientId: 'acme', confirmationId, reason: 'x' });
  const settle = async () => {
    rig.now += 3 * DAY_MS;
    await settleDue(rig.services, 100);
  };

  test('archives older entries, and reconciliation agrees before, during and after open work', async () => {
    const watch = new LedgerWatch(rig.services);
    const corrected = await trade();
    await watch.round(AT_ONCE);
    const all = await stream();
    // Booked before the archive and settled after it, one of them overdue.
    const archived = await archive();
    expect(archived).toMatchObject({ clientId: 'acme', entries: all.length, files: 1, archivedUntil: all.at(-1) });
    expect(archivedEntries('acme')).toEqual(all);
    expect(await stream()).toEqual([]);
    expect(await differences()).toEqual([]);
    expect(await differences({ directory })).toEqual([]);

    await bust(corrected);
    expect(await differences({ directory })).toEqual([]);
    await settle();
    await trade();
    const rest = await stream();
    expect(await differences()).toEqual([]);
    await watch.round(AT_ONCE);
    expect(watch.seen?.differences).toBe(0);

    expect(await archive()).toMatchObject({ entries: rest.length, files: 1 });
    expect(archivedEntries('acme')).toEqual([...all, ...rest]);
    await settle();
    await watch.round(AT_ONCE);
    expect(watch.seen?.differences).toBe(0);
    const fresh = new LedgerWatch(rig.services);
    await fresh.round(AT_ONCE);
    expect(fresh.seen?.differences).toBe(0);
    const whole = await rig.ask('reconcile', { directory });
    expect(whole).toMatchObject({ count: 0, archivedEntries: all.length + rest.length });
    expect((await verifyArchive(directory, archiveKey())).broken).toEqual([]);
  });

  test('positions of the archived part are those of its state', async () => {
    const corrected = await trade();
    await archive();
    const kept = (await rig.redis.hget(acme.key('archived'), 'state'))!;
    const { positions, ...others } = JSON.parse(kept);
    expect(positions.lines).toMatchObject({ 'EUR/USD|20280628|Bq': expect.stringMatching(/^\d+ \d+ \d+$/) });
    expect(await differences()).toEqual([]);
    await rig.redis.hset(acme.key('archived'), 'state', JSON.stringify(others));
    expect((await differences()).length).toBeGreaterThan(0);
    await rig.redis.hset(acme.key('archived'), 'state', kept);
    // After the archive: another amendment of an archived conversion, and new ones.
    await bust(corrected);
    await settle();
    await trade();
    expect(await differences()).toEqual([]);
    await archive();
    expect(await differences()).toEqual([]);
  });

  test('closing balances are those of the cut-off, and no later entry is archived', async () => {
    await trade();
    const all = await stream();
    const balances = await rig.redis.hgetall(acme.key('balances'));
    await pause(5);
    const beforeMs = now();
    await pause(5);
    await acme.book('EUR/USD', 1);
    expect(await archive({ beforeMs })).toMatchObject({ entries: all.length });
    const end = linesOf('acme', '000001.jsonl').at(-1)!;
    expect(end).toMatchObject({ client: 'acme', file: 1, first: all[0], last: all.at(-1), count: all.length });
    const moved = Object.entries(balances).filter(([name]) => name in end.balances!);
    expect(Object.fromEntries(moved)).toEqual(end.balances);
    expect(moved.length).toBeGreaterThan(4);
    expect(await stream()).toHaveLength(1);
    expect(await archive({ beforeMs })).toMatchObject({ entries: 0, files: 0 });
  });

  test('reconciliation names what is altered after the archive', async () => {
    await trade();
    await archive();
    await rig.redis.hincrby(acme.key('balances'), 'EUR/house:fx', 1);
    expect((await differences()).map(({ what }) => what)).toContain('balance EUR/house:fx');
    await rig.redis.hincrby(acme.key('balances'), 'EUR/house:fx', -1);

    // Both the archive record and the balances are altered: the files prove the difference.
    const state = JSON.parse((await rig.redis.hget(acme.key('archived'), 'state'))!);
    state.balances['EUR/nostro'] = String(Number(state.balances['EUR/nostro']) - 500);
    state.balances['EUR/house:fx'] = String(Number(state.balances['EUR/house:fx']) + 500);
    await rig.redis.hset(acme.key('archived'), 'state', JSON.stringify(state));
    await rig.redis.hincrby(acme.key('balances'), 'EUR/nostro', -500);
    await rig.redis.hincrby(acme.key('balances'), 'EUR/house:fx', 500);
    expect(await differences()).toEqual([]);
    expect((await differences({ directory })).map(({ what }) => what)).toContain('balance EUR/nostro');

    await rig.redis.hset(acme.key('archived'), 'state', 'no JSON');
    expect((await differences()).length).toBeGreaterThan(3);
  });

  test('statements are exact back to the archive and end there', async () => {
    await trade();
    const caller = { clientId: 'acme', keyId: 'CK_X', rights: new Set(['read'] as const) };
    const statement = async (cursor = '', limit = 200) => {
      const accountNumber = await acme.account('EUR');
      const page = await perform(rig.services, 'listAccountEntries', caller, { accountNumber, cursor, limit });
      if ('refusal' in page) throw new Error(page.text);
      return page;
    };
    const before = await statement();
    const cut = before.items[5]!;
    const { nextCursor } = await statement('', 8);
    await archive({ beforeMs: Number.parseInt(cut.id, 10) });
    const after = await statement();
    expect(after.items.length).toBeGreaterThan(3);
    expect(after.items).toEqual(before.items.slice(0, after.items.length));
    expect(after.nextCursor).toBe('');
    expect(await statement(nextCursor)).toEqual({ currency: 'EUR', items: [], nextCursor: '' });
    expect(await rig.ask('readJournal', { clientId: 'acme', limit: 1_000 })).toMatchObject({
      archivedUntil: archivedEntries('acme').at(-1),
    });
  });

  test('rejects an unknown client, a cut-off too recent, another directory, an existing file, a journal with differences', async () => {
    expect(await refused({ clientId: 'unknown' })).toMatchObject({ refusal: 'UNKNOWN_CLIENT' });
    const young = { beforeMs: rig.now - 7 * DAY_MS + 1 };
    expect(await refused(young)).toMatchObject({ refusal: 'VALIDATION_FAILED', fields: [{ field: 'before' }] });
    await trade();
    const all = await stream();
    expect(await refused({ directory: join(directory, 'x\0') })).toMatchObject({ refusal: 'VALIDATION_FAILED' });
    writeFileSync(join(directory, 'file'), '');
    expect(await refused({ directory: join(directory, 'file') })).toMatchObject({ fields: [{ field: 'out' }] });
    expect(await stream()).toEqual(all);

    await archive();
    await trade();
    const rest = await stream();
    const other = { directory: join(directory, 'elsewhere') };
    expect(await refused(other)).toMatchObject({ fields: [{ message: expect.stringContaining('000001.jsonl') }] });
    writeFileSync(join(directory, 'acme', '000002.jsonl'), 'not ours\n');
    expect(await refused({})).toMatchObject({ fields: [{ message: expect.stringContaining('move it away') }] });
    rmSync(join(directory, 'acme', '000002.jsonl'));

    await acme.book('EUR/USD', 1);
    const records = acme.key('bookings');
    await rig.redis.rename(records, `${records}:away`);
    expect(await refused({})).toMatchObject({ refusal: 'WRONG_STATE', text: expect.stringContaining('reconcile') });
    expect((await stream()).slice(0, -1)).toEqual(rest);
    await rig.redis.rename(`${records}:away`, records);
    expect(await archive()).toMatchObject({ entries: rest.length + 1 });
  });

  test('writes an audit entry', async () => {
    await trade();
    const { archivedUntil } = await archive();
    const records = JSON.stringify(await rig.ask('readAudit', {}));
    expect(records).toContain('archiveJournal');
    expect(records).toContain('journal of client acme');
    expect(records).toContain(archivedUntil);
  });

  test('a kill at any point loses nothing and archives nothing twice', async () => {
    const number = await acme.account('USD');
    const record = (await rig.services.store.clients.get('acme'))!;
    for (let i = 0; i < 2_300; i += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, k) => rig.services.store.accounts.credit(record, `d-${i + k}`, number, 1n)),
      );
    const all = await stream();
    // Killed after a file is: 1 begun, 2 written, 3 verified, 4 removed from the journal. 0: not killed.
    for (const dies of [1, 2, 3, 4, 1, 2, 3, 4, 0]) {
      const { code, signal, out } = await run(rig.opened, 'acme', directory, dies);
      expect([dies, code, signal, out]).toEqual(
        dies ? [dies, null, 'SIGKILL', ''] : [0, 0, null, expect.stringMatching(/"entries":0/)],
      );
      const { file, entry } = await rig.services.store.journalArchive.read(record);
      const kept = archivedEntries('acme', filesOf('acme').slice(0, file));
      expect([...kept, ...(await stream())]).toEqual(all);
      expect(kept.at(-1) ?? '0-0').toBe(entry);
      expect(await differences({ directory })).toEqual([]);
    }
    expect(await stream()).toEqual([]);
    expect(filesOf('acme')).toEqual(['000001.jsonl', '000002.jsonl']);
    const [chain] = (await verifyArchive(directory, archiveKey())).chains;
    expect(chain).toMatchObject({ clientId: 'acme', files: 2, entries: all.length, lastEntry: all.at(-1) });
  });

  test(`${ENTRIES} entries with concurrent bookings: reconcile agrees before, during and after`, async () => {
    const number = await acme.account('USD');
    const record = (await rig.services.store.clients.get('acme'))!;
    for (let i = 0; i < ENTRIES; i += 500)
      await Promise.all(
        Array.from({ length: 500 }, (_, k) => rig.services.store.accounts.credit(record, `d-${i + k}`, number, 1n)),
      );
    expect(await differences()).toEqual([]);
    const watch = new LedgerWatch(rig.services);
    await watch.round({ ...AT_ONCE, page: 500 });
    const all = await stream();
    let archiving = true;
    const archived = archive({ beforeMs: now() }).finally(() => {
      archiving = false;
    });
    const booked = (async () => {
      while (archiving) await acme.tryToBook('EUR/USD', 1);
    })();
    let looks = 0;
    while (archiving) {
      expect(await differences()).toEqual([]);
      await watch.round({ page: 200, pause: () => pause(0) });
      expect(watch.seen?.differences).toBe(0);
      looks++;
    }
    await Promise.all([archived, booked]);
    expect(looks).toBeGreaterThan(0);
    expect((await archived).entries).toBeGreaterThanOrEqual(ENTRIES);
    const rest = await stream();
    expect(rest.length).toBeGreaterThan(0);
    expect([...archivedEntries('acme'), ...rest].slice(0, all.length)).toEqual(all);
    expect(await differences()).toEqual([]);
    expect(await rig.ask('reconcile', { directory })).toMatchObject({ count: 0 });
    expect((await verifyArchive(directory, archiveKey())).broken).toEqual([]);
  });

  test.each([
    ['entries already read', 3, 15, false],
    ['entries not yet read', 1, 18, false],
    ['new entries', 1, 0, true],
  ])('a reconciliation overtaken by an archive: %s', async (_name, pause, cut, isLate) => {
    await trade();
    const [at] = (await stream()).slice(cut);
    const record = (await rig.services.store.clients.get('acme'))!;
    let pauses = 0;
    const pace = {
      page: 5,
      async pause() {
        if (++pauses !== pause) return;
        if (isLate) await settle();
        await archive(isLate ? {} : { beforeMs: Number.parseInt(at!, 10) });
      },
    };
    const { differences: found } = await reconcileClient(rig.services, record, undefined, pace);
    expect(pauses).toBeGreaterThan(1);
    expect(found.shown).toEqual([]);
  });

  test('the trim step changes nothing when the journal does not begin like the file', async () => {
    await trade();
    const record = (await rig.services.store.clients.get('acme'))!;
    const { journal, journalArchive } = rig.services.store;
    const all = await journal.rawPage(record, '0-0', '+', 1_000);
    const none = await journalArchive.read(record);
    const trim = (before: typeof none, entries: typeof all) => {
      const next = { entry: entries.at(-1)![0], hash: 'h', file: 1, count: entries.length, state: '{}' };
      return journalArchive.trim(record, before, entries, next);
    };
    expect(await trim(none, all.slice(1, 4))).toBe(false);
    expect(await trim(none, [...all.slice(0, 2), all[3]!])).toBe(false);
    expect(await trim({ ...none, entry: all[0]![0] }, all.slice(0, 4))).toBe(false);
    expect([await stream(), await journalArchive.read(record)]).toEqual([all.map(([entry]) => entry), none]);
    expect(await trim(none, all.slice(0, 4))).toBe(true);
    expect(await trim(none, all.slice(0, 4))).toBe(false);
    expect(await stream()).toEqual(all.slice(4).map(([entry]) => entry));
    expect(await journalArchive.read(record)).toMatchObject({ entry: all[3]![0], file: 1, count: 4 });
  });

  test('trims a store that has reached its memory limit', async () => {
    await trade();
    const record = (await rig.services.store.clients.get('acme'))!;
    const { journal, journalArchive } = rig.services.store;
    const all = await journal.rawPage(record, '0-0', '+', 1_000);
    const next = { entry: all.at(-1)![0], hash: 'h', file: 1, count: all.length, state: '{}' };
    await rig.redis.config('SET', 'maxmemory', '1');
    try {
      await expect(rig.redis.set('x', '1')).rejects.toThrow('OOM');
      expect(await journalArchive.trim(record, await journalArchive.read(record), all, next)).toBe(true);
    } finally {
      await rig.redis.config('SET', 'maxmemory', '0');
    }
    expect([await stream(), await journalArchive.until(record)]).toEqual([[], next.entry]);
  });

  test('two concurrent archives write each entry once', async () => {
    await trade();
    const all = await stream();
    const other = await rig.another();
    const input = { clientId: 'acme', beforeMs: now(), directory };
    const answers = await Promise.all([
      perform(rig.services, 'archiveJournal', undefined, input),
      perform(other, 'archiveJournal', undefined, input),
    ]);
    for (const answer of answers) expect(answer).toMatchObject({ archivedUntil: all.at(-1) });
    expect(archivedEntries('acme')).toEqual(all);
    expect(readdirSync(join(directory, 'acme')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(await differences({ directory })).toEqual([]);
  });

  describe('verification names what was changed in the files', () => {
    const path = (file: number) => join(directory, 'acme', `00000${file}.jsonl`);
    const edit = (file: number, change: (lines: string[]) => string[]) =>
      writeFileSync(path(file), `${change(readFileSync(path(file), 'utf8').trimEnd().split('\n')).join('\n')}\n`);
    const broken = async () => {
      const { broken: found } = await verifyArchive(directory, archiveKey());
      const named = (await differences({ directory })).map(({ what }) => what);
      if (found[0]) expect(named).toContain(`archive ${found[0].place}`);
      return found.map(({ place, why }) => `${place}: ${why}`);
    };
    beforeEach(async () => {
      for (let i = 0; i < 3; i++) {
        await trade();
        await archive();
      }
      expect(await broken()).toEqual([]);
    });

    test('a changed byte of an entry', async () => {
      edit(2, (lines) => lines.with(4, lines[4]!.replace(/"1","[a-z]/, '"2","x')));
      expect(await broken()).toEqual([
        expect.stringMatching(/^acme\/000002\.jsonl line 5: its HMAC is not that of the line/),
      ]);
    });
    test('a changed byte of the very last line, and of the first', async () => {
      edit(3, (lines) => [...lines.slice(0, -1), lines.at(-1)!.replace(/"count":\d/, '"count":9')]);
      expect(await broken()).toEqual([expect.stringMatching(/^acme\/000003\.jsonl line \d+: its HMAC/)]);
      edit(1, (lines) => lines.with(0, lines[0]!.replace('acme', 'acmf')));
      expect(await broken()).toEqual([expect.stringMatching(/^acme\/000001\.jsonl line 1: /)]);
    });
    test('a removed line', async () => {
      edit(1, (lines) => lines.toSpliced(6, 1));
      expect(await broken()).toEqual([expect.stringMatching(/^acme\/000001\.jsonl line 7: .* line 6: .* is gone$/)]);
    });
    test('reordered lines', async () => {
      edit(1, (lines) => lines.with(3, lines[4]!).with(4, lines[3]!));
      expect(await broken()).toEqual([expect.stringMatching(/^acme\/000001\.jsonl line 4: /)]);
    });
    test('a missing file, in the middle or at the beginning', async () => {
      renameSync(path(2), join(directory, 'away'));
      expect(await broken()).toEqual(['acme/000002.jsonl: the file is missing']);
      renameSync(path(1), path(2));
      expect(await broken()).toEqual(['acme/000001.jsonl: the file is missing']);
    });
    test("the last file is missing: the store's record names it", async () => {
      rmSync(path(3));
      expect((await verifyArchive(directory, archiveKey())).broken).toEqual([]);
      expect((await differences({ directory })).map(({ what }) => what)).toEqual(['archive acme/000003.jsonl']);
      const { heads } = await rig.ask('listArchiveHeads', {});
      expect((await verifyArchive(directory, archiveKey(), { heads })).broken).toEqual([
        { place: 'acme/000003.jsonl', why: expect.stringContaining('missing') },
      ]);
      rmSync(join(directory, 'acme'), { recursive: true });
      expect((await verifyArchive(directory, archiveKey(), { heads })).broken).toEqual([
        { place: 'acme/000001.jsonl', why: expect.stringContaining('missing') },
      ]);
    });
    test('files chained anew without the key', async () => {
      let [follows, count] = ['0'.repeat(64), 0];
      for (const file of [1, 2, 3]) {
        const lines = linesOf('acme', `00000${file}.jsonl`);
        const entries = lines.flatMap(({ entry, fields }): RawEntry[] => (entry && fields ? [[entry, fields]] : []));
        const balances = lines.at(-1)!.balances!;
        const made = archiveText({ client: 'acme', file, follows, entries, balances, key: Buffer.alloc(32), count });
        writeFileSync(path(file), made.text);
        follows = made.hash;
        count += entries.length;
      }
      expect(await broken()).toEqual([expect.stringMatching(/^acme\/000001\.jsonl line 1: its HMAC/)]);
      expect((await differences({ directory })).length).toBeGreaterThan(0);
    });
    test('a line without an HMAC', async () => {
      edit(1, (lines) => lines.with(0, lines[0]!.replace(/,"mac":"[0-9a-f]{64}"/, '')));
      expect(await broken()).toEqual([expect.stringMatching(/^acme\/000001\.jsonl line 1: it has no HMAC/)]);
    });
    test('without the master key, HMAC files prove nothing', async () => {
      const [first] = (await verifyArchive(directory, undefined)).broken;
      expect(first).toMatchObject({
        place: 'acme/000001.jsonl',
        why: expect.stringContaining('set MASTER_KEY'),
      });
    });
    test('a truncated file, and a foreign file', async () => {
      writeFileSync(path(3), readFileSync(path(3), 'utf8').slice(0, -5));
      expect(await broken()).toEqual([expect.stringMatching(/^acme\/000003\.jsonl line \d+: .* ends within/)]);
      renameSync(path(1), path(3));
      expect(await broken()).toEqual(['acme/000001.jsonl: the file is missing']);
    });
  });
});

describe('payments', () => {
  let on: PaymentRig;
  beforeEach(async () => {
    on = await startPayments();
  });
  afterEach(() => on.stop());

  test('archives payments under way, waiting and returned late', async () => {
    const acme = await on.client('acme', { EUR: '300.00' });
    const asked = await on.pay(acme, 'INFO REQUESTED');
    const paid = await on.pay(acme, 'Erika');
    const waits = await on.pay(acme, 'Erika', { amount: { kind: 'destination', minor: 90_000n } });
    await on.work();
    await on.later(3_000);
    const before = await on.ask('showPayment', { paymentId: paid.id });
    const input = { clientId: 'acme', beforeMs: now(), directory, insist: true };
    expect(await on.ask('archiveJournal', input)).toMatchObject({ files: 1 });
    expect(await on.differences()).toEqual([]);
    expect(before).toMatchObject({ archivedSteps: 0, history: [{}, {}, {}, {}] });
    expect(await on.ask('showPayment', { paymentId: paid.id })).toMatchObject({ archivedSteps: 4, history: [] });

    await on.ask('returnPayment', { paymentId: paid.id, text: 'recalled' });
    await on.as(acme, 'answerInformation', { paymentId: asked.id, information: 'x' });
    await on.as(acme, 'cancelPayment', { paymentId: waits.id });
    await on.work();
    await on.later(3_000);
    expect(await on.differences()).toEqual([]);
    expect(await on.ask('showPayment', { paymentId: paid.id })).toMatchObject({
      archivedSteps: 4,
      history: { length: 1 },
    });
    expect(await on.ask('archiveJournal', input)).toMatchObject({ files: 0 });
    expect(await on.ask('archiveJournal', { ...input, beforeMs: now() })).toMatchObject({ files: 1 });
    expect(await on.ask('reconcile', { directory })).toMatchObject({ count: 0, differences: [] });
  });
});

function run(
  { dataDir, redisUrl }: TestStore,
  ...args: (string | number)[]
): Promise<{ code: number | null; signal: string | null; out: string }> {
  const script = new URL('../../support/archive-process.mjs', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, dataDir, ...args.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...CLEAN_ENV, ...(ON_CLUSTER && { REDIS_URL: redisUrl }) },
  });
  let out = '';
  child.stdout.on('data', (part) => {
    out += part;
  });
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, out })));
}
