/** What batches refuse over REST: foreign ids, missing rights, other versions, statuses and limits. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../../rest/rest-door.js';
import { type BatchDoor, codeOf, good, item, nextNumber, openBatchDoor, BATCHES as PATH } from './batch-door.js';

let on: BatchDoor;
beforeAll(async () => {
  on = await openBatchDoor();
});
afterAll(() => on.door.stop());

describe('what is refused', () => {
  test('all faults of a creation at once, then what the account is', async () => {
    const { status, body } = await on.acme.post(PATH, { source_account: 'x', description: 'x'.repeat(141), more: 1 });
    const faults = (body.errors as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`);
    expect([status, ...faults.sort()]).toEqual([
      400,
      'description incorrect_value',
      'more unsupported_field',
      'request_id field_missing',
      'source_account incorrect_format',
    ]);
    const other = await on.door.client('other');
    const foreign = await other.account('EUR', 1n);
    const ask = (source_account: number) => on.acme.post(PATH, { request_id: `b-${nextNumber()}`, source_account });
    const [strange, unknown] = [await ask(foreign), await ask(999_999_999_999)];
    expect([codeOf(strange), strange.body.detail]).toEqual([[400, 'UNKNOWN_ACCOUNT'], unknown.body.detail]);
    const id = await on.batch();
    const { request_id } = (await on.acme.get(`${PATH}/${id}`)).body;
    expect(codeOf(await on.acme.post(PATH, { request_id, source_account: on.dollars }))).toEqual([
      409,
      'REQUEST_ID_REUSED',
    ]);
  });

  test('a foreign batch as an unknown one, on every path', async () => {
    const other = await on.door.client('stranger');
    const id = await on.batch();
    good(await on.add(id, [item('a')]));
    const asked = async (batchId: string): Promise<unknown[]> => {
      const path = `${PATH}/${batchId}`;
      const authorization = other.authorization;
      const answers = [
        ...(await Promise.all(['', '/items', '/results', '/results?format=csv'].map((more) => other.get(path + more)))),
        await other.post(`${path}/items`, { items: [item('a')] }),
        await on.door.ask('DELETE', `${path}/items/a`, { authorization }),
        ...(await Promise.all(
          ['validate', 'close', 'fund', 'cancel'].map((what) => other.post(`${path}/${what}`, {})),
        )),
      ];
      return answers.map(({ status, body }) => [status, body.code, body.detail]);
    };
    const foreign = await asked(id);
    expect(foreign).toEqual(await asked('BAT01K4M2V7Q8Z3X5YAB'));
    expect(foreign).toEqual(await asked('nothing'));
    expect(new Set(foreign.map((one) => (one as unknown[])[0]))).toEqual(new Set([404]));
    expect((await other.get(PATH)).body).toMatchObject({ data: [] });
  });

  test('a key without the right', async () => {
    const id = await on.batch();
    const { keys, tokens } = on.door.opened.store;
    const statuses = async (rights: readonly ('read' | 'manage' | 'pay')[]) => {
      const { clientKey } = (await keys.issue('acme', rights))!;
      const authorization = `Bearer ${(await tokens.issue('acme', clientKey, rights)).token}`;
      const path = `${PATH}/${id}`;
      const asked = [
        ['POST', PATH],
        ['GET', PATH],
        ['GET', path],
        ['GET', `${path}/items`],
        ['GET', `${path}/results`],
        ['POST', `${path}/items`],
        ['DELETE', `${path}/items/a`],
      ];
      const steps = ['validate', 'close', 'fund', 'cancel'].map((what) => ['POST', `${path}/${what}`]);
      const answers = await Promise.all(
        [...asked, ...steps].map(([method, to]) => on.door.ask(method!, to!, { authorization })),
      );
      return answers.map(({ status }) => (status === 403 ? 'no' : 'yes')).join(' ');
    };
    expect(await statuses(['read'])).toBe('no yes yes yes yes no no no no no no');
    expect(await statuses(['manage'])).toBe('yes no no no no yes yes yes yes no yes');
    expect(await statuses(['pay'])).toBe('no no no no no no no no no yes no');
  });

  test('a version that does not match, but not the one before the change that comes again', async () => {
    const id = await on.batch();
    const at = (version: number) => ({ 'if-match': `"${version}"` });
    const refused = async (answer: Promise<Answer>) => expect(codeOf(await answer)).toEqual([409, 'VERSION_CONFLICT']);
    await refused(on.add(id, [item('a')], '', at(7)));
    good(await on.add(id, [item('a')], '', at(1)));
    await refused(on.step(id, 'validate', at(1)));
    for (const version of [2, 2, 3])
      expect(good(await on.step(id, 'validate', at(version)))).toMatchObject({ version: 3 });
    for (const version of [1, 4]) await refused(on.step(id, 'validate', at(version)));
    for (const version of [3, 3, 4])
      expect(good(await on.step(id, 'close', at(version)))).toMatchObject({ version: 4 });
    for (const version of [2, 5]) await refused(on.step(id, 'close', at(version)));
    await refused(on.step(id, 'fund', at(3)));
    for (const version of [4, 4, 5]) expect(good(await on.step(id, 'fund', at(version)))).toMatchObject({ version: 5 });
    for (const version of [3, 6]) await refused(on.step(id, 'fund', at(version)));
    await refused(on.step(id, 'cancel', at(4)));
    for (const version of [5, 5, 6])
      expect(good(await on.step(id, 'cancel', at(version)))).toMatchObject({ version: 6 });
    for (const version of [4, 7]) await refused(on.step(id, 'cancel', at(version)));
  });

  test('a step in a status that does not allow it, with that status', async () => {
    const id = await on.batch();
    const wrong = async (what: string, status: string) => {
      const answer = await on.step(id, what);
      expect([what, ...codeOf(answer), answer.body.batch_status]).toEqual([what, 400, 'WRONG_STATE', status]);
    };
    for (const what of ['validate', 'close', 'fund']) await wrong(what, 'OPEN');
    good(await on.add(id, [item('a', { destination_amount: 10_001 })]));
    good(await on.step(id, 'validate'));
    await wrong('fund', 'VALIDATED');
    good(await on.step(id, 'close'));
    await wrong('validate', 'CLOSED');
    expect(codeOf(await on.add(id, [item('b')]))).toEqual([400, 'WRONG_STATE']);
    const short = await on.step(id, 'fund');
    expect([...codeOf(short), short.body.detail]).toEqual([
      400,
      'INSUFFICIENT_BALANCE',
      expect.stringMatching(/10001\.00/),
    ]);
    good(await on.step(id, 'cancel'));
    for (const what of ['validate', 'close', 'fund']) await wrong(what, 'CANCELLED');
  });

  test('the 101st batch that has not ended', async () => {
    const many = await on.door.client('many');
    const source_account = await many.account('EUR', 1n);
    const create = (at: number) => many.post(PATH, { request_id: `m-${at}`, source_account });
    const ids = await Promise.all(Array.from({ length: 100 }, (_, at) => create(at)));
    expect(codeOf(await create(100))).toEqual([400, 'BATCH_LIMIT']);
    expect((await many.post(`${PATH}/${ids[0]!.body.batch_id}/cancel`, {})).status).toBe(200);
    expect((await create(100)).status).toBe(200);
  });
});

test('of many faulty items the first hundred are named', async () => {
  const id = await on.batch();
  const refused = async (items: readonly object[]) => {
    const { status, body } = await on.acme.post(`${PATH}/${id}/items`, { items });
    return [status, (body.errors as readonly { field: string }[]).map(({ field }) => field)];
  };
  const named = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `items.${at + from}.item_id`);
  expect(await refused(Array(1_000).fill({}))).toEqual([400, named(100)]);
  expect(await refused(Array(1_000).fill({ item_id: 'a' }))).toEqual([400, named(100, 1)]);
  expect(await refused([{ item_id: 'a' }, ...Array(99).fill({}), { item_id: 'b' }])).toEqual([400, named(99, 1)]);
});
