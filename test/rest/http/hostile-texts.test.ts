/** Texts that cost time or show as something else, in every text field of the OpenAPI document: refused, and nothing is written. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RIGHTS } from '../../../engine/domain/core/rights.js';
import { PORTS } from '../../../engine/domain/system/port-mode.js';
import { type Client, type MoneyDoor, openMoneyDoor } from '../money-door.js';
import { formText, type Given, jsonText } from '../openapi/generated/body.js';
import { judge } from '../openapi/generated/judge.js';
import { type Field, OPERATIONS, type Operation } from '../openapi/generated/operations.js';
import { type Answered, exchange, type Sent } from '../openapi/generated/wire.js';

const HOSTILE: Readonly<Record<string, string>> = {
  'combining marks': '\u0301'.repeat(15_000) + '\u0327'.repeat(15_000),
  'combining marks in one row': `x${'\u0323'.repeat(40)}`,
  'a long word': 'x'.repeat(60_000),
  'spaces and then another': `a${' '.repeat(30_000)}b`,
  'an address that never ends': `${'a.'.repeat(20_000)}@`,
  'a line break': 'one\ntwo\u0085three',
  'an escape': 'one\u001b[31mtwo',
  'a right-to-left override': 'invoice \u202egpj.exe',
  'a private-use character': 'one \ue000',
  'a lone surrogate': 'one \\ud800',
};
const MARKER = 'hostile-text-goes-here';

let door: MoneyDoor;
let acme: Client;
let token: string;
let beneficiary: string;
beforeAll(async () => {
  door = await openMoneyDoor();
  acme = await door.client('acme');
  await acme.account('EUR', 100_000_00n);
  door.freshPrices();
  await door.opened.store.clients.change('acme', { isPlatform: true });
  await door.opened.store.ports.join({ program: 'test', modes: {}, sandboxes: PORTS, onOther: () => {} });
  const { clientKey } = (await door.opened.store.keys.issue('acme', RIGHTS))!;
  token = (await door.opened.store.tokens.issue('acme', clientKey, RIGHTS)).token;
  const { status, text } = await asked(
    sentWith(OPERATIONS.find(({ id }) => id === 'createBeneficiary')!, [], '', false),
  );
  expect(status).toBe(200);
  beneficiary = JSON.parse(text).beneficiary_id;
});
afterAll(() => door.stop());

const isText = ({ schema }: Field) => schema.type === 'string' && schema.enum === undefined;
const nameOf = ({ path }: Field) => path.join('.');
/** What is only looked up has a refusal of its own. */
const LOOKED_UP = /^(lockRateByPost|releaseHold)$/;

test('there are texts to try', () => {
  expect(OPERATIONS.flatMap(({ fields }) => fields.filter(isText)).length).toBeGreaterThan(150);
});

test.each(Object.entries(HOSTILE))('%s', async (what, text) => {
  const before = await door.kept('acme');
  const faults: string[] = [];
  for (const operation of OPERATIONS) {
    const texts = operation.fields.filter(isText);
    // What is not one of our quotes has a refusal of its own; the id of a stored beneficiary is sent instead of its fields.
    const inBody = texts.filter(
      (field) => field.place === 'body' && !/^(quote_id|beneficiary_id)$/.test(nameOf(field)),
    );
    for (const asForm of inBody.length > 0 ? [false, true] : []) {
      const answer = await asked(sentWith(operation, inBody, text, asForm));
      if (LOOKED_UP.test(operation.id) && answer.status === 400) continue;
      // An answer to compliance may have several lines.
      const refused = inBody.filter((field) => what !== 'a line break' || nameOf(field) !== 'information').map(nameOf);
      const named = new Set((JSON.parse(answer.text).errors ?? []).map(({ field }: { field: string }) => field));
      const missing = refused.filter((name) => !named.has(name));
      if (missing.length > 0)
        faults.push(`${operation.id}: ${answer.status}, which does not name ${missing.join(', ')}`);
    }
    for (const field of texts.filter(({ place }) => place === 'path' || place === 'query')) {
      const { status } = await asked(sentWith(operation, [field], text, false));
      // The beginning of a name is only searched for.
      if (operation.id === 'listBeneficiaries' && nameOf(field) === 'name' && status === 200) continue;
      if (status !== 400 && status !== 404) faults.push(`${operation.id}: ${status} with ${nameOf(field)}`);
    }
  }
  expect(faults).toEqual([]);
  expect(await door.kept('acme')).toEqual(before);
});

test('every field of a body with a value of another type is named, all at once', async () => {
  const faults: string[] = [];
  for (const operation of OPERATIONS) {
    const inBody = operation.fields.filter(({ place }) => place === 'body');
    if (inBody.length === 0) continue;
    const sent = sentWith(operation, [], '', false);
    const other = ({ type }: Field['schema']) => (type === 'string' || type === 'array' ? 7 : 'x');
    const body = jsonText(inBody.map((field) => ({ path: field.path, value: other(field.schema) })));
    const { status, text } = await asked({ ...sent, body: Buffer.from(body) });
    const named = new Set((JSON.parse(text).errors ?? []).map(({ field }: { field: string }) => field));
    // One that has two names is named by the first.
    const missing = inBody.map(nameOf).filter((name) => !named.has(name) && !/^(sell|buy)_account$/.test(name));
    if (missing.length > 0) faults.push(`${operation.id}: ${status}, which does not name ${missing.join(', ')}`);
  }
  expect(faults).toEqual([]);
});

test('one text that fills the body is refused in any field, as the others are', async () => {
  const operation = OPERATIONS.find(({ id }) => id === 'validatePayment')!;
  for (const field of operation.fields.filter(isText)) {
    const answer = await asked(sentWith(operation, [field], HOSTILE['combining marks']!, false));
    expect(JSON.parse(answer.text).errors).toContainEqual(expect.objectContaining({ field: nameOf(field) }));
  }
});

async function asked(sent: Sent): Promise<Answered> {
  const answer = await exchange(door.port, sent);
  judge(sent, answer, []);
  return answer;
}

/** A change is validated with the rest of its record, so it names one that there is. */
const exampleOf = ({ place, path: [name], example }: Field) =>
  place === 'path' && name === 'beneficiary_id' ? beneficiary : example;

/** The request of the document's example with this text in these fields. */
function sentWith(operation: Operation, fields: readonly Field[], text: string, asForm: boolean): Sent {
  const given = operation.fields
    .filter((one) => fields.includes(one) || one.example !== undefined)
    .map((one) => ({ place: one.place, path: one.path, value: fields.includes(one) ? MARKER : exampleOf(one) }));
  const at = (place: Field['place']) => given.filter((one) => one.place === place);
  // 16 KiB is what an address has room for.
  const inAddress = encodeURIComponent(text.replace('\\ud800', '').slice(0, 1_500)) || '%00';
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) =>
    String(at('path').find((one) => one.path[0] === name)?.value),
  );
  const query = new URLSearchParams(at('query').map(({ path, value }): [string, string] => [path[0]!, String(value)]));
  const target = `${path}${query.size > 0 ? `?${query}` : ''}`.replace(MARKER, inAddress);
  const body = asForm ? formText(at('body') as Given[], 'cut') : jsonText(at('body') as Given[]);
  const filled = asForm
    ? text.replace('\\ud800', '\ufdd0')
    : JSON.stringify(text).slice(1, -1).replace('\\\\ud800', '\\ud800');
  return {
    method: operation.method,
    target,
    version: 'HTTP/1.1',
    headers: [
      ['host', 'localhost'],
      ['authorization', `Bearer ${token}`],
      ...(operation.takesBody
        ? [['content-type', asForm ? 'multipart/form-data; boundary=cut' : 'application/json'] as const]
        : []),
    ],
    body: operation.takesBody
      ? Buffer.from(body.replaceAll(MARKER, () => filled.slice(0, Math.floor(28_000 / fields.length))))
      : undefined,
    framing: 'length',
  };
}
