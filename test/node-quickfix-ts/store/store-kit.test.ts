/** The contract of a store: what this package ships keeps it, and every case finds a store that does not. */
import { MemoryStore, memoryStoreFactory, type SessionId, type SessionStore } from 'node-quickfix-ts';
import { type Capability, type StoreHarness, storeCases } from 'node-quickfix-ts/store-kit';
import { describe, expect, test } from 'vitest';
import { fileHarness } from './file-harness.js';

describe('the store in memory', () => {
  const store = memoryStoreFactory();
  const harness: StoreHarness = { capabilities: [], start: async () => ({ store, stop: async () => {} }) };
  for (const { name, run } of storeCases(harness)) test(name, run);
});

describe.each(['always', 'interval', 'never'] as const)('the file store, sync %s', (sync) => {
  for (const { name, run } of storeCases(fileHarness({ sync }))) test(name, run);
});

describe('the file store with few open files and small files', () => {
  const harness = fileHarness({ sync: 'never', maxOpenFiles: 4, segmentBytes: 4_096 });
  for (const { name, run } of storeCases(harness)) test(name, run);
});

const ALL: readonly Capability[] = ['restart', 'crash', 'exclusive', 'takeOver', 'wholeId'];

/** What a store does wrong, and what each process of it does. */
interface Fault {
  /** Wraps the store of one session. */
  readonly store?: (store: Model, id: SessionId) => Partial<SessionStore>;
  readonly key?: (id: SessionId) => string;
  readonly forgetsOnStop?: boolean;
  readonly forgetsOnKill?: (store: Model) => void;
  readonly letsOthersIn?: boolean;
  readonly isFenceless?: boolean;
  readonly isSilentTakeOver?: boolean;
}

/** A store with every capability, in memory that outlives its processes: the same rules as a database, one data set for all of them. */
class Model extends MemoryStore {
  owner: object | undefined;
  onTakenOver: () => void = () => {};
}

/** Keeps the contract, but for its fault. */
function modelHarness(fault: Fault = {}): StoreHarness {
  const sessions = new Map<string, Model>();
  const keyOf = fault.key ?? ((id: SessionId) => JSON.stringify([id.beginString, id.senderCompId, id.targetCompId]));
  return {
    capabilities: ALL,
    boundMs: 300,
    async start() {
      const self = { lapsed: false };
      const all = (): Model[] => [...sessions.values()];
      return {
        store(id) {
          const key = keyOf(id);
          const model = sessions.get(key) ?? new Model();
          sessions.set(key, model);
          const claim = { of: self };
          const owned = <T>(work: () => Promise<T>): Promise<T> => {
            if (model.owner === claim || fault.isFenceless) return work();
            return Promise.reject(new Error('another process has the session'));
          };
          const right: SessionStore = {
            open(onTakenOver) {
              const holder = model.owner as typeof claim | undefined;
              if (holder !== undefined && holder.of !== self && !holder.of.lapsed && !fault.letsOthersIn)
                return Promise.resolve(undefined);
              if (holder?.of.lapsed && !fault.isSilentTakeOver) model.onTakenOver();
              Object.assign(model, { owner: claim, onTakenOver });
              return model.open();
            },
            reset: (nowMs) => owned(() => model.reset(nowMs)),
            reserve: (bound) => owned(() => model.reserve(bound)),
            settle: (nextOut, nextIn) => owned(() => model.settle(nextOut, nextIn)),
            saveNextIn: (nextIn) => model.saveNextIn(nextIn),
            append: (number, message) => owned(() => model.append(number, message)),
            read: (from, to, limit) => model.read(from, to, limit),
            async close() {
              if (model.owner === claim) model.owner = undefined;
            },
          };
          return { ...right, ...fault.store?.(model, id) };
        },
        async stop() {
          if (fault.forgetsOnStop) sessions.clear();
        },
        async kill() {
          for (const model of all()) {
            model.owner = undefined;
            fault.forgetsOnKill?.(model);
          }
        },
        async lapse() {
          self.lapsed = true;
        },
      };
    },
  };
}

test('a store with every capability passes every case', async () => {
  const cases = storeCases(modelHarness());
  expect(cases).toHaveLength(24);
  for (const { run } of cases) await run();
  const capabilities = new Set(cases.map(({ needs }) => needs));
  expect([...capabilities].filter(Boolean).sort()).toEqual([...ALL].sort());
  expect(storeCases({ ...modelHarness(), capabilities: [] }).filter(({ needs }) => needs !== undefined)).toEqual([]);
});

const found = (store: Model, ...range: Parameters<Model['read']>) => store.read(...range);
const never = new Promise<never>(() => {});

/** Each does one thing wrong; behind it the beginnings of the cases that must find it. */
const BROKEN: readonly (readonly [what: string, fault: Fault, foundBy: readonly string[]])[] = [
  [
    'begins at 0',
    { store: () => ({ open: async () => ({ nextOut: 0, nextIn: 0, createdAtMs: 0 }) }) },
    ['a new session'],
  ],
  [
    'does not keep settled numbers',
    { store: () => ({ settle: async () => {} }) },
    ['settled numbers', 'numbers up to'],
  ],
  [
    'settles the reserved bound instead of the exact number',
    { store: (store) => ({ settle: (out, incoming) => store.settle(Math.max(out, 10_001), incoming) }) },
    ['settled numbers'],
  ],
  ['does not reserve', { store: () => ({ reserve: async () => {} }) }, ['a reserved bound', 'after a crash every']],
  [
    'lowers the bound',
    { store: (store) => ({ reserve: async (bound) => store.settle(bound, (await store.open()).nextIn) }) },
    ['a reservation never'],
  ],
  ['does not save the inbound number', { store: () => ({ saveNextIn: () => {} }) }, ['the newest inbound']],
  [
    'saves the first inbound number of many',
    { store: (store) => ({ saveNextIn: (n) => void (n === 2 && store.saveNextIn(n)) }) },
    ['the newest inbound'],
  ],
  [
    'raises the outbound number with the inbound one',
    { store: (store) => ({ saveNextIn: (n) => void store.settle(n, n) }) },
    ['the newest inbound'],
  ],
  [
    'writes a saved number over a settled one',
    { store: lateSaver },
    ['an inbound number that was saved', 'a reset begins'],
  ],
  [
    'keeps numbers of 32 bits',
    { store: (store) => ({ settle: (out, incoming) => store.settle(out >>> 0, incoming >>> 0) }) },
    ['numbers up to'],
  ],
  [
    'rounds numbers to 14 digits',
    { store: (store) => ({ settle: (out, n) => store.settle(Number(out.toPrecision(14)), n) }) },
    ['numbers up to'],
  ],
  ['does not reset the numbers', { store: (store) => ({ reset: withoutNumbers(store) }) }, ['a reset begins']],
  ['does not delete at a reset', { store: (store) => ({ reset: withoutMessages(store) }) }, ['a reset begins']],
  ['does not keep the time of a reset', { store: (store) => ({ reset: () => store.reset(0) }) }, ['a reset begins']],
  [
    'stores text as UTF-8',
    { store: (store) => ({ append: (n, m) => store.append(n, Buffer.from(Buffer.from(m).toString('utf8'))) }) },
    ['a message is read with'],
  ],
  [
    'ends a message at a separator',
    { store: (store) => ({ append: (n, m) => store.append(n, m.subarray(0, Math.max(1, m.indexOf(1)))) }) },
    ['a message is read with', 'a message of one mebibyte'],
  ],
  [
    'cuts a message at 64 KiB',
    { store: (store) => ({ append: (n, m) => store.append(n, m.subarray(0, 65_536)) }) },
    ['a message of one mebibyte'],
  ],
  [
    'reads without the last',
    { store: (store) => ({ read: (from, to, limit) => found(store, from, to - 1, limit) }) },
    ['messages are read ascending'],
  ],
  [
    'reads from behind the first',
    { store: (store) => ({ read: (from, to, limit) => found(store, from + 1, to, limit) }) },
    ['messages are read ascending'],
  ],
  [
    'ignores the limit',
    { store: (store) => ({ read: (from, to) => found(store, from, to, 10_000) }) },
    ['messages are read ascending'],
  ],
  [
    'takes a limit of 0 for none',
    { store: (store) => ({ read: (from, to, limit) => found(store, from, to, limit || 10_000) }) },
    ['messages are read ascending'],
  ],
  [
    'reads descending',
    { store: (store) => ({ read: async (...range) => [...(await found(store, ...range))].reverse() }) },
    ['messages are read ascending', 'messages that were appended out of order', 'a thousand'],
  ],
  ['reads in the order of appends', { store: inOrderOfAppends }, ['messages that were appended out of order']],
  ['keeps the first of two messages', { store: keepsFirst }, ['of two messages']],
  ['keeps the buffer of the caller', { store: keepsBuffer }, ['a stored message does not change']],
  ['reads into one buffer', { store: readsIntoOne }, ['a stored message does not change']],
  ['loses an append while another is in progress', { store: losesAtOnce }, ['a thousand']],
  [
    'rejects the reference of a message',
    { store: (store) => ({ append: (n, m, entry) => (entry ? Promise.reject(new Error('no')) : store.append(n, m)) }) },
    ['a message with a reference'],
  ],
  ['knows the target alone', { key: (id) => id.targetCompId }, ['a session is distinguished by either']],
  ['knows the sender alone', { key: (id) => id.senderCompId }, ['a session is distinguished by either']],
  [
    'joins the CompIDs by a character that they may contain',
    { key: (id) => `${id.beginString}-${id.senderCompId}-${id.targetCompId}` },
    ['a session is distinguished by either'],
  ],
  [
    'takes no notice of case',
    { key: (id) => JSON.stringify([id.beginString, id.senderCompId, id.targetCompId]).toLowerCase() },
    ['a session is distinguished by either'],
  ],
  [
    'knows no BeginString',
    { key: (id) => JSON.stringify([id.senderCompId, id.targetCompId]) },
    ['a session is distinguished by every part'],
  ],
  [
    'cuts long CompIDs',
    { key: (id) => JSON.stringify([id.beginString, id.senderCompId, id.targetCompId.slice(0, 255)]) },
    ['a session is distinguished by every part'],
  ],
  [
    'rejects the close of what was not opened',
    { store: (store) => ({ close: async () => void (store.owner || (await Promise.reject(new Error('not open')))) }) },
    ['close releases'],
  ],
  ['never settles an append', { store: () => ({ append: () => never }) }, ['a message is read with']],
  ['never settles a read', { store: () => ({ read: () => never }) }, ['a new session']],
  ['forgets with its process', { forgetsOnStop: true }, ['another process finds']],
  [
    'loses messages in a crash',
    { forgetsOnKill: (store) => void store.append(24, new Uint8Array()) },
    ['after a crash every'],
  ],
  [
    'gives reserved numbers out again after a crash',
    { forgetsOnKill: (store) => void store.settle(5, 6) },
    ['after a crash every', 'after a crash a reset'],
  ],
  [
    'is ahead of what was executed after a crash',
    { forgetsOnKill: (store) => store.saveNextIn(9) },
    ['after a crash every', 'after a crash a reset'],
  ],
  ['opens in two processes', { letsOthersIn: true }, ['a session that is open']],
  ['lets a process that has lost a session write', { isFenceless: true }, ['a process that has lost']],
  ['does not notify of a take-over', { isSilentTakeOver: true }, ['a process that has lost']],
];

describe('a store that', () => {
  const foundBy = new Set<string>();

  test.each(BROKEN)('%s is found', async (_, fault, wanted) => {
    const failing: string[] = [];
    for (const { name, run } of storeCases(modelHarness(fault))) {
      await run().catch(() => failing.push(name));
    }
    for (const name of failing) foundBy.add(name);
    expect(wanted.filter((start) => !failing.some((name) => name.startsWith(start)))).toEqual([]);
  });

  test('fails each case is among them', () => {
    const names = storeCases(modelHarness()).map(({ name }) => name);
    expect(names.filter((name) => !foundBy.has(name))).toEqual([]);
  });
});

function lateSaver(store: Model): Partial<SessionStore> {
  let saved: number | undefined;
  return {
    saveNextIn(nextIn) {
      saved = nextIn;
    },
    async close() {
      if (saved !== undefined) store.saveNextIn(saved);
      store.owner = undefined;
    },
  };
}

function withoutNumbers(store: Model): SessionStore['reset'] {
  return async (nowMs) => {
    const { nextOut, nextIn } = await store.open();
    await store.reset(nowMs);
    await store.settle(nextOut, nextIn);
  };
}

function withoutMessages(store: Model): SessionStore['reset'] {
  return async (nowMs) => {
    const kept = await store.read(1, Number.MAX_SAFE_INTEGER, 10_000);
    await store.reset(nowMs);
    for (const { number, message } of kept) await store.append(number + 1_000, message);
  };
}

function inOrderOfAppends(store: Model): Partial<SessionStore> {
  const order: number[] = [];
  return {
    append(number, message) {
      order.push(number);
      return store.append(number, message);
    },
    async read(...range) {
      const all = await store.read(...range);
      return [...all].sort((a, b) => order.indexOf(a.number) - order.indexOf(b.number));
    },
  };
}

function keepsFirst(store: Model): Partial<SessionStore> {
  return {
    async append(number, message) {
      if ((await store.read(number, number, 1)).length === 0) await store.append(number, message);
    },
  };
}

function keepsBuffer(store: Model): Partial<SessionStore> {
  const buffers = new Map<number, Uint8Array>();
  return {
    append(number, message) {
      buffers.set(number, message);
      return store.append(number, message);
    },
    async read(...range) {
      const all = await store.read(...range);
      return all.map(({ number }) => ({ number, message: buffers.get(number)! }));
    },
  };
}

function readsIntoOne(store: Model): Partial<SessionStore> {
  const buffer = new Uint8Array(2 * 1024 * 1024);
  return {
    async read(...range) {
      let at = 0;
      return (await store.read(...range)).map(({ number, message }) => {
        buffer.set(message, at);
        at += message.length;
        return { number, message: buffer.subarray(at - message.length, at) };
      });
    },
  };
}

function losesAtOnce(store: Model): Partial<SessionStore> {
  let isWriting = false;
  return {
    async append(number, message) {
      if (isWriting) return;
      isWriting = true;
      await Promise.resolve();
      await store.append(number, message);
      isWriting = false;
    },
  };
}
