/** The file stores of QuickFIX, QuickFIX/J and quickfixgo, read into ours. The first was written by libquickfix 1.15.1 itself. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileStoreFactory, importQuickfixStore, memoryStoreFactory, type SessionStore } from 'node-quickfix-ts';
import { describe, expect, test } from 'vitest';
import { DESK, newDirectory } from './file-harness.js';

const NAME = 'FIX.4.4-VENUE-DESK1';
const CREATED_MS = Date.UTC(2026, 0, 15, 12, 30, 5);
const message = (number: number, text = 'x'): string =>
  `8=FIX.4.4\x019=50\x0135=8\x0134=${number}\x0149=VENUE\x0156=DESK1\x0158=${text}\x0110=123\x01`;

/** Messages 1 to 3, and 2 again: the later one counts. */
const MESSAGES: readonly (readonly [number, string])[] = [
  [1, message(1)],
  [2, message(2, 'replaced')],
  [3, message(3, 'Zürich')],
  [2, message(2, 'again')],
];
const KEPT = ['1 x', '2 again', '3 Zürich'];

function files(texts: Readonly<Record<string, string | Buffer>>): string {
  const prefix = join(newDirectory(), NAME);
  for (const [ending, text] of Object.entries(texts)) writeFileSync(`${prefix}.${ending}`, text);
  return prefix;
}

/** The index: number, offset, size in bytes, size in characters. */
const INDEX = MESSAGES.map(([number, text], i) => {
  const before = MESSAGES.slice(0, i).map(([, earlier]) => earlier);
  return [number, Buffer.byteLength(before.join('')), Buffer.byteLength(text), text.length] as const;
});
const BODY = Buffer.from(MESSAGES.map(([, text]) => text).join(''));

const javaText = (text: string): Buffer => Buffer.concat([Buffer.from([0, text.length]), Buffer.from(text)]);

const KINDS: Readonly<Record<string, () => Record<string, string | Buffer>>> = {
  'QuickFIX C++': () => ({
    body: BODY,
    header: INDEX.map(([number, offset, size]) => `${number},${offset},${size} `).join(''),
    seqnums: '0000000004 : 0000000042',
    session: '20260115-12:30:05\n',
  }),
  'QuickFIX/J': () => ({
    body: BODY,
    header: Buffer.concat(
      INDEX.map(([number, offset, , characters]) => {
        const entry = Buffer.alloc(16);
        entry.writeInt32BE(number, 0);
        entry.writeBigInt64BE(BigInt(offset), 4);
        entry.writeInt32BE(characters, 12);
        return entry;
      }),
    ),
    // It was longer once.
    senderseqnums: Buffer.concat([javaText('4'), Buffer.from('00')]),
    targetseqnums: javaText('42'),
    session: javaText('20260115-12:30:05.000'),
  }),
  quickfixgo: () => ({
    body: BODY,
    header: INDEX.map(([number, offset, size]) => `${number},${offset},${size}\n`).join(''),
    senderseqnums: '0000000000000000004',
    targetseqnums: '0000000000000000042',
    session: '2026-01-15T12:30:05Z',
  }),
};

async function readAll(store: SessionStore): Promise<{ numbers: unknown; texts: string[] }> {
  const numbers = await store.open(() => {});
  const found = await store.read(1, 1_000_000, 1_000_000);
  await store.close();
  return {
    numbers,
    texts: found.map(
      ({ number, message }) => `${number} ${/\x0158=(.*?)\x01/.exec(Buffer.from(message).toString())?.[1]}`,
    ),
  };
}

describe.each(Object.entries(KINDS))('the files of %s', (_, kind) => {
  test('are the same numbers and messages in our file store', async () => {
    const factory = fileStoreFactory({ directory: newDirectory(), sync: 'never' });
    const imported = await importQuickfixStore(files(kind()), DESK, factory(DESK, undefined));
    expect(imported).toEqual({ nextOut: 4, nextIn: 42, createdAtMs: CREATED_MS, messages: 4, skipped: 0 });
    expect(await readAll(factory(DESK, undefined))).toEqual({
      numbers: { nextOut: 4, nextIn: 42, createdAtMs: CREATED_MS },
      texts: KEPT,
    });
  });

  test('of a process that was killed are read up to the last whole message', async () => {
    const { body, header, ...others } = kind();
    const cutBody = files({ ...others, header: header!, body: body!.slice(0, -5) });
    const store = memoryStoreFactory();
    expect(await importQuickfixStore(cutBody, DESK, store(DESK, undefined))).toMatchObject({ messages: 3, skipped: 1 });
    const cutHeader = files({ ...others, body: body!, header: header!.slice(0, -2) });
    expect(await importQuickfixStore(cutHeader, DESK, memoryStoreFactory()(DESK, undefined))).toMatchObject({
      messages: 3,
    });
  });

  test('that are missing or no store are refused, and the store is unchanged', async () => {
    const store = memoryStoreFactory();
    const whole = kind();
    for (const ending of Object.keys(whole)) {
      const { [ending]: _left, ...others } = whole;
      await expect(importQuickfixStore(files(others), DESK, store(DESK, undefined))).rejects.toThrow('ENOENT');
      const wrong = files({ ...others, [ending]: ending === 'body' ? '' : 'no such file of a store' });
      if (ending === 'body')
        expect(await importQuickfixStore(wrong, DESK, memoryStoreFactory()(DESK, undefined))).toMatchObject({
          messages: 0,
        });
      else await expect(importQuickfixStore(wrong, DESK, store(DESK, undefined))).rejects.toThrow();
    }
    expect(await readAll(store(DESK, undefined))).toMatchObject({ numbers: { nextOut: 1, nextIn: 1 }, texts: [] });
  });
});

test.each([
  ['8=FIX.4.4 and not FIX.4.2', { beginString: 'FIX.4.2' }],
  ['49=VENUE and not OTHER', { senderCompId: 'OTHER' }],
  ['56=DESK1 and not DESK2', { targetCompId: 'DESK2' }],
])('files of another session are refused: %s', async (wrong, other) => {
  const id = { ...DESK, ...other };
  const store = memoryStoreFactory();
  const imported = importQuickfixStore(files(KINDS['QuickFIX C++']!()), id, store(id, undefined), { replace: true });
  await expect(imported).rejects.toThrow(`is of another session: ${wrong}`);
  expect(await readAll(store(id, undefined))).toMatchObject({ numbers: { nextOut: 1, nextIn: 1 }, texts: [] });
});

test('a session with numbers is replaced only when that is wanted', async () => {
  const store = memoryStoreFactory();
  const prefix = files(KINDS.quickfixgo!());
  await store(DESK, undefined).settle(9, 9);
  await expect(importQuickfixStore(prefix, DESK, store(DESK, undefined))).rejects.toThrow(
    'has numbers already: 9 and 9',
  );
  await importQuickfixStore(prefix, DESK, store(DESK, undefined), { replace: true });
  expect(await readAll(store(DESK, undefined))).toMatchObject({ numbers: { nextOut: 4, nextIn: 42 }, texts: KEPT });
});

const PROGRAM = `#include <quickfix/FileStore.h>
#include <quickfix/SessionID.h>
int main(int, char** argv) {
  FIX::FileStore store(argv[1], FIX::SessionID("FIX.4.4", "VENUE", "DESK1"));
  for (int i = 1; i <= 300; i++) {
    store.set(i, "8=FIX.4.4\\0019=50\\00135=8\\00158=" + std::to_string(i * i) + "\\00110=123\\001");
    store.incrNextSenderMsgSeqNum();
  }
  store.setNextTargetMsgSeqNum(77);
}
`;

test('files that libquickfix writes here are read whole', async ({ skip }) => {
  const directory = newDirectory();
  const source = join(directory, 'store.cpp');
  writeFileSync(source, PROGRAM);
  const program = join(directory, 'store');
  const hasHeader = ['/usr/include', '/usr/local/include'].some((dir) => existsSync(join(dir, 'quickfix/FileStore.h')));
  const args = ['-std=c++14', '-Wno-deprecated', source, '-o', program, '-lquickfix', '-lpthread'];
  if (!hasHeader || spawnSync('g++', args).status !== 0) return skip('needs g++ and libquickfix');
  const files = join(directory, 'files');
  mkdirSync(files);
  expect(spawnSync(program, [files]).status).toBe(0);
  expect(readdirSync(files).sort()).toEqual(['body', 'header', 'seqnums', 'session'].map((end) => `${NAME}.${end}`));
  const store = memoryStoreFactory();
  const imported = await importQuickfixStore(join(files, NAME), DESK, store(DESK, undefined));
  expect(imported).toMatchObject({ nextOut: 301, nextIn: 77, messages: 300, skipped: 0 });
  expect(Math.abs(imported.createdAtMs - Date.now())).toBeLessThan(3_600_000);
  const { texts } = await readAll(store(DESK, undefined));
  expect(texts).toEqual(Array.from({ length: 300 }, (_, i) => `${i + 1} ${(i + 1) ** 2}`));
  rmSync(directory, { recursive: true });
});
