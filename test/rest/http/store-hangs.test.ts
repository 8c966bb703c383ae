/**
 * The store hangs, or is gone, while every operation is asked for at once: 503, and then the same request gives its one answer. That an answer comes
 * in time is proven in test/service/core/perform.test.ts.
 */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { readStoreFile } from '../../../engine/store/managed-redis/store-file.js';
import { IMPATIENT } from '../../support/store.js';
import { killStore } from '../../support/store-outage.js';
import { SOON } from '../../support/until.js';
import { checkDescribed } from '../openapi/described.js';
import { OPERATIONS } from '../openapi/generated/operations.js';
import { type Answered, exchange, type Sent } from '../openapi/generated/wire.js';
import { openWorld, type Party, type World } from '../openapi/generated/world.js';

let world: World;
let acme: Party;
/** A request of every operation that was answered by 200 before, with new ids of its own. */
let requests: { readonly id: string; readonly changes: boolean; readonly sent: Sent }[];

beforeAll(async () => {
  world = await openWorld({ authentication: 1_000, reads: 100_000, writes: 100_000 }, IMPATIENT);
  acme = await world.party('acme');
  expect(await acme.haveEverything(20_261_120)).toEqual([]);
});
afterAll(() => world.stop());
beforeEach(async () => {
  await vi.waitUntil(() => world.door.opened.store.isUp(), SOON);
  requests = [];
  // One after the other: what is made for one of them is named by it alone. A revocation would end the token that all others carry.
  for (const { id } of OPERATIONS.filter((one) => one.id !== 'revokeTokens'))
    requests.push({ id, changes: acme.changing.has(id), sent: await acme.prepare(acme.worked.get(id)!) });
});

const serverPid = () => readStoreFile(world.door.opened.dataDir)!.server.pid;

/** All of them at once; rejects when one is not answered. */
const askAll = () =>
  Promise.all(
    requests.map(async ({ id, sent, changes }) => ({
      id,
      sent,
      changes,
      answer: await exchange(world.door.port, sent),
    })),
  );

const outcomeOf = ({ status, text }: Answered): string | undefined =>
  status === 503 ? JSON.parse(text).outcome : undefined;

function checkAway({ id, sent, answer }: Awaited<ReturnType<typeof askAll>>[number]): void {
  const { status, headers, text } = answer;
  expect([id, status, /"code":"(\w+)"/.exec(text)?.[1]]).toEqual([id, 503, 'STORE_UNAVAILABLE']);
  expect([id, headers['retry-after']]).toEqual([id, expect.stringMatching(/^[1-9]\d*$/)]);
  expect([id, outcomeOf(answer)]).toEqual([id, expect.stringMatching(/^(none|unknown)$/)]);
  checkDescribed(sent.method, sent.target, { status, headers, body: JSON.parse(text) });
}

/** Sent again when the store is back, each is answered: done now or before, or refused for what it asks. */
async function checkAgain(): Promise<void> {
  await vi.waitUntil(() => world.door.opened.store.isUp(), SOON);
  // All at once may be too much for a busy machine: then each 503 is sent again.
  for (const { id, sent, answer } of await askAll())
    await vi.waitFor(async () => {
      const again = answer.status === 503 ? await exchange(world.door.port, sent) : answer;
      expect([id, again.status < 500 || again.text]).toEqual([id, true]);
    }, SOON);
}

test('a store that hangs before authentication: outcome none', async () => {
  // One that the door has not read yet, and so not cached.
  const { tokens } = world.door.opened.store;
  const [{ keyId } = { keyId: '' }] = await tokens.list('acme');
  const { token } = await tokens.issue('acme', keyId, RIGHTS);
  const anew = ([name, value]: Sent['headers'][number]) =>
    [name, value.replace(/^(Bearer ).*/i, `$1${token}`)] as const;
  requests = requests.map((one) => ({ ...one, sent: { ...one.sent, headers: one.sent.headers.map(anew) } }));
  process.kill(serverPid(), 'SIGSTOP');
  try {
    for (const asked of await askAll()) {
      checkAway(asked);
      if (asked.id !== 'authenticate') expect([asked.id, outcomeOf(asked.answer)]).toEqual([asked.id, 'none']);
    }
  } finally {
    process.kill(serverPid(), 'SIGCONT');
  }
  await checkAgain();
});

test('a store that hangs after authentication: answers what needs no store, and rejects all else with STORE_UNAVAILABLE', async () => {
  for (const { sent } of requests.filter(({ changes }) => !changes)) await exchange(world.door.port, sent);
  process.kill(serverPid(), 'SIGSTOP');
  try {
    const answers = await askAll();
    for (const asked of answers) if (asked.changes || asked.answer.status !== 200) checkAway(asked);
    expect(answers.filter(({ answer }) => outcomeOf(answer) === 'unknown').length).toBeGreaterThan(0);
  } finally {
    process.kill(serverPid(), 'SIGCONT');
  }
  await checkAgain();
});

test('a store that is gone: nothing could be sent', async () => {
  for (const { sent } of requests.filter(({ changes }) => !changes)) await exchange(world.door.port, sent);
  const outage = killStore(world.door.opened.dataDir);
  await vi.waitUntil(() => !world.door.opened.store.isUp(), SOON);
  for (const asked of await askAll()) {
    if (!asked.changes && asked.answer.status === 200) continue;
    checkAway(asked);
    expect([asked.id, outcomeOf(asked.answer)]).toEqual([asked.id, 'none']);
  }
  outage.end();
  await checkAgain();
});
