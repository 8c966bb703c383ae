/**
 * Two clients with records of every kind, and each id of one in each field of each operation, with the token of the
 * other: it sees and changes nothing, and gets the answer for an unknown id, so that probing reveals nothing. A sub-client, its platform without
 * `x-on-behalf-of`, another sub-client of it and another platform are such clients too.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountNumber } from '../../../../engine/domain/ids.js';
import { type Keyspace, type KeyspaceReader, keyspaceReader } from '../../../support/keyspace.js';
import { isOwnChoice, kindOfField } from '../../openapi/generated/known.js';
import { type Field, OPERATIONS, type Operation } from '../../openapi/generated/operations.js';
import type { Plan } from '../../openapi/generated/requests.js';
import type { Answered } from '../../openapi/generated/wire.js';
import { isForPlatforms, NEEDS_STATE, openWorld, type Party, type World } from '../../openapi/generated/world.js';

const SEED = 20_261_120;
/** Of each kind so many in the fields that are made for it; in all others one. */
const EACH = 6;

let world: World;
let owner: Party;
let stranger: Party;
let keyspace: KeyspaceReader;
let before: Keyspace;
/** Kinds of ids that the owner has. */
let kinds: readonly string[];

describe.each([
  ['acme', 'other'],
  ['acme~one', 'acme~two'],
  ['acme~one', 'acme'],
  ['acme', 'acme~one'],
  ['acme~one', 'other'],
] as const)('%s, probed by %s', (ownerId, strangerId) => {
  /** What a platform alone can do has no answer but 403 for its sub-clients. */
  const canBeAsked = (operation: Operation) =>
    !(strangerId.includes('~') && isForPlatforms(operation)) && !NEEDS_STATE.test(operation.id);
  beforeAll(async () => {
    world = await openWorld();
    keyspace = keyspaceReader(world.door.opened.redisUrl);
    owner = await world.party(ownerId);
    stranger = await world.party(strangerId);
    for (const party of [owner, stranger])
      expect((await party.haveEverything(SEED)).filter((name) => !NEEDS_STATE.test(name))).toEqual([]);
    kinds = owner.known.kinds.filter((kind) => !/^(token|client_secret|bearer.*)$/.test(kind));
    before = await keyspace.read();
  });
  afterAll(async () => {
    keyspace.close();
    await world.stop();
  });

  test('they have ids of every kind', () => {
    expect([...kinds].sort()).toEqual(
      expect.arrayContaining([
        'account',
        'cursor',
        'id BFX',
        'id GLR',
        'id HLD',
        'id PAY',
        'rate_signature',
        'transaction',
      ]),
    );
    for (const kind of kinds)
      if (!isOwnChoice(kind))
        for (const value of owner.known.all(kind)) expect(stranger.known.all(kind)).not.toContain(value);
  });

  test('a field that names something is known to', () => {
    const possible = OPERATIONS.filter((one) => !(ownerId.includes('~') && isForPlatforms(one)));
    const named = possible.flatMap(({ id, fields }) =>
      fields
        .filter(({ path }) => /(_id|_number|_account|_key|cursor|signature)$/.test(path.at(-1)!))
        .filter(({ path }) => !/^(beneficiary|remitter|additional_info|instarem)/.test(path.join('_')))
        // A quote and an event have tests of their own; a signature is a kind of key, and a payee's account is not ours.
        .filter(({ path }) => !/^(quote_id|event_id|signature)$/.test(path.at(-1)!) && id !== 'verifyPayee')
        .filter((field) => !kinds.includes(kindOfField(field) ?? 'none'))
        .map(({ path }) => `${id} ${path.join('.')}`),
    );
    expect(named).toEqual([]);
  });

  test('lists and statements of the one show nothing of the other', async () => {
    for (const operation of OPERATIONS.filter((one) => one.method === 'GET' && canBeAsked(one))) {
      const { answer } = await stranger.ask(usual(operation));
      expect([operation.id, seen(answer.text, '')]).toEqual([operation.id, []]);
    }
  });

  /** It names no record, and a client that has stopped its own trading could try nothing further. */
  const STOPS_ITSELF = 'haltTrading';
  describe.each(
    OPERATIONS.filter((one) => !one.isOpen && one.id !== STOPS_ITSELF && canBeAsked(one)).map(
      (operation) => [operation.id, operation] as const,
    ),
  )('%s', (_id, operation) => {
    const meant = (field: Field) => kinds.filter((kind) => kindOfField(field) === kind);
    test('answers for the id of another as for an unknown id', async () => {
      for (const field of operation.fields)
        for (const kind of meant(field))
          for (const theirs of owner.known.all(kind).slice(-EACH)) {
            const [foreign, none, unknownId] = await both(operation, field, kind, theirs);
            const answers = isOwnChoice(kind) ? inShort : inFull;
            expect([field.path, ...answers(foreign, theirs)]).toEqual([field.path, ...answers(none, unknownId)]);
          }
    });

    test('accepts it as plain text in a field of another meaning', async () => {
      // Each field takes two kinds, and all fields together all of them.
      for (const [at, field] of operation.fields.entries()) {
        // Wrong secrets are counted by key: a later one is answered otherwise, for the owner of the key too. The test below compares them.
        if (/^client_(key|secret)$/.test(field.path.at(-1)!)) continue;
        for (const kind of kinds.filter((kind, n) => n % 4 === at % 4 && !meant(field).includes(kind))) {
          const [foreign, none] = await both(operation, field, kind, owner.known.pick(kind, 0)!);
          if (foreign.status !== 200)
            expect([field.path, kind, ...inShort(foreign)]).toEqual([field.path, kind, ...inShort(none)]);
        }
      }
    });
  });

  test('wrong secrets for the key of another are answered as for an unknown key', async () => {
    const codes = async (key: string) => {
      const found: unknown[] = [];
      for (let tries = 0; tries < 8; tries++) {
        const headers = { client_key: key, client_secret: `${stranger.known.pick('client_secret', 0)}` };
        const { status, body } = await world.door.ask('POST', '/api/v1/authentication', headers);
        found.push([status, body.code]);
      }
      return found;
    };
    const key = owner.known.pick('client_key', 0)!;
    expect(await codes(key)).toEqual(await codes(unknown('client_key', key)));
  });

  test('leaves every record of the owner unchanged', async () => {
    const shardOf = (id: string) =>
      /\{s\d\d\}/.exec(Object.keys(before).find((key) => key.includes(`:client:${id}:`))!)![0];
    const shard = shardOf(ownerId);
    const own = `${shard}:client:${ownerId}:`;
    const isOthers = (key: string) =>
      /^permits:|^({?client-tokens|token):|^(audit|clients)$/.test(key) ||
      key.startsWith(`client:${strangerId}~`) ||
      key.includes(`:client:${strangerId}:`) ||
      (key.startsWith('{') && !key.startsWith(shard));
    // Of one shard the due list and the like are of both.
    const isOwners = (key: string) => (shard === shardOf(strangerId) ? key.startsWith(own) : !isOthers(key));
    const after = await keyspace.read();
    const differ = Object.keys(before).filter(
      (key) => isOwners(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
    );
    expect(differ).toEqual([]);
    const ownKeys = (all: Keyspace) => Object.keys(all).filter((key) => key.startsWith(own));
    expect(ownKeys(after)).toEqual(ownKeys(before));
  });
});

/** Own texts are shown to who sent them. */
const sentAsText = new Set<string>();

/** The other client's answer for an id of the owner, and for an unknown id. */
async function both(operation: Operation, field: Field, kind: string, theirs: string) {
  const unknownId = unknown(kind, theirs);
  const foreign = (await stranger.ask(withValue(operation, field, theirs))).answer;
  if (foreign.status === 200) sentAsText.add(theirs);
  const none = (await stranger.ask(withValue(operation, field, unknownId))).answer;
  expect([field.path, kind, seen(foreign.text, theirs)]).toEqual([field.path, kind, []]);
  return [foreign, none, unknownId] as const;
}

/** What worked, without what is rarely sent. */
function usual(operation: Operation): Plan {
  const plan = stranger.worked.get(operation.id)!;
  return { ...plan, values: plan.values.filter(({ field }) => field.required || field.example !== undefined) };
}

function withValue(operation: Operation, field: Field, id: string): Plan {
  const plan = usual(operation);
  const isNumber = field.schema.type !== 'string' && /^\d+$/.test(id);
  return {
    ...plan,
    values: [...plan.values.filter((given) => given.field !== field), { field, value: isNumber ? Number(id) : id }],
  };
}

/** What the owner alone may see, but for what was sent. */
function seen(text: string, sent: string): readonly string[] {
  const all = kinds.filter((kind) => !isOwnChoice(kind)).flatMap((kind) => owner.known.all(kind));
  return all.filter((value) => value !== sent && !sentAsText.has(value) && text.includes(value));
}

/** Whole, where it is a refusal; the ids of what was made are others each time. */
function inFull({ status, headers, text }: Answered, id: string): readonly unknown[] {
  const same = [status, headers['idempotent-replayed']];
  if (status === 200) return [...same, Object.keys(JSON.parse(text)).sort()];
  const { request_id: _, ...problem } = JSON.parse(text);
  return [...same, JSON.stringify(problem).replaceAll(id, '<id>').replaceAll(encodeURIComponent(id), '<id>')];
}

/** A client that names its own record is answered with it. */
const inShort = ({ status, headers, text }: Answered) => [
  status,
  headers['idempotent-replayed'],
  /"code":"([A-Z_]+)"/.exec(text)?.[1],
];

/** An unknown id of the same form. */
function unknown(kind: string, theirs: string): string {
  if (kind === 'account') return accountNumber(String(9_000_000_000 + (Number(theirs) % 1_000_000)));
  if (isOwnChoice(kind)) return `${theirs}x`;
  const at = theirs.length - 4;
  return `${theirs.slice(0, at)}${theirs[at] === '7' ? '8' : '7'}${theirs.slice(at + 1)}`;
}
