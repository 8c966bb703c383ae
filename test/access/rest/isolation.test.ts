/**
 * Two clients with records of every kind, and each id of one in each field of each operation, with the token of the
 * other: it sees and changes nothing, and gets the answer for an unknown id, so that probing reveals nothing. A sub-client, its platform without
 * `x-on-behalf-of`, another sub-client of it and another platform are such clients too.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountNumber } from '../../../engine/domain/core/ids.js';
import { isOwnChoice, kindOfField } from '../../rest/openapi/generated/known.js';
import { type Field, OPERATIONS, type Operation } from '../../rest/openapi/generated/operations.js';
import type { Ready } from '../../rest/openapi/generated/ready.js';
import type { Plan } from '../../rest/openapi/generated/requests.js';
import { type Answered, exchange } from '../../rest/openapi/generated/wire.js';
import { isForPlatforms, openWorld, type Party, type World } from '../../rest/openapi/generated/world.js';
import { type Keyspace, type KeyspaceReader, keyspaceReader } from '../../support/keyspace.js';
import { cases } from '../../support/sizes.js';

const SEED = 20_261_120;
/** Of each kind so many in the fields that are made for it; in all others one. */
const EACH = cases(3, 6);
/** Of the kinds, a field that is made for none of them takes one in so many. */
const SHARE = cases(24, 12);
const PAIRS = [
  ['acme', 'other'],
  ['acme~one', 'acme~two'],
  ['acme~one', 'acme'],
  ['acme', 'acme~one'],
  ['acme~one', 'other'],
] as const;

let world: World;
let keyspace: KeyspaceReader;
/** One world for all: what they have is made once. */
const parties = new Map<string, Party>();
let owner: Party;
let stranger: Party;
let before: Keyspace;
/** Keys that the stranger may change. */
let notOwners: RegExp;
/** Kinds of ids that the owner has. */
let kinds: readonly string[];

beforeAll(async () => {
  world = await openWorld();
  keyspace = keyspaceReader(world.door.opened.redisUrl);
  for (const id of new Set(PAIRS.flat())) parties.set(id, await world.party(id));
  for (const party of parties.values()) expect(await party.haveEverything(SEED)).toEqual([]);
});
afterAll(async () => {
  keyspace.close();
  await world.stop();
});

describe.each(PAIRS)('%s, probed by %s', (ownerId, strangerId) => {
  const pair = PAIRS.findIndex((one) => one[0] === ownerId && one[1] === strangerId);
  /** What a platform alone can do has no answer but 403 for its sub-clients. */
  const canBeAsked = (operation: Operation) => !(strangerId.includes('~') && isForPlatforms(operation));
  beforeAll(async () => {
    owner = parties.get(ownerId)!;
    stranger = parties.get(strangerId)!;
    kinds = owner.known.kinds.filter((kind) => !/^(token|client_secret|bearer.*|date)$/.test(kind));
    sentAsText.clear();
    const [shard, strangersShard] = await Promise.all([ownerId, strangerId].map(shardOf));
    notOwners =
      shard === strangersShard
        ? // The due list and the like are of both.
          new RegExp(`^(?!${shard}:client:${ownerId}:)`)
        : new RegExp(
            `^(permits:|({?client-tokens|token):|(audit|clients)$|client:${strangerId}~|(?!${shard}){)|:client:${strangerId}:`,
          );
    before = await keyspace.read(notOwners);
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
        // An event has tests of its own; a signature is a kind of key, and a payee's account is not ours.
        .filter(({ path }) => !/^(event_id|signature)$/.test(path.at(-1)!) && id !== 'verifyPayee')
        .filter((field) => !kinds.includes(kindOfField(field) ?? 'none'))
        .map(({ path }) => `${id} ${path.join('.')}`),
    );
    expect(named).toEqual([]);
  });

  test('lists and statements of the one show nothing of the other', async () => {
    for (const operation of OPERATIONS.filter((one) => one.method === 'GET' && canBeAsked(one))) {
      const answer = await asked(usual(operation));
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
      // Each field takes one kind or two, if any, with each pair others, and all fields together all of them.
      for (const [at, field] of operation.fields.entries()) {
        // Wrong secrets are counted by key: a later one is answered otherwise, for the owner of the key too. The test below compares them.
        if (/^client_(key|secret)$/.test(field.path.at(-1)!)) continue;
        for (const kind of kinds.filter(
          (kind, n) => n % SHARE === (at + pair) % SHARE && !meant(field).includes(kind),
        )) {
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
    const after = await keyspace.read(notOwners);
    const differ = Object.keys(before).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
    // What a platform counts of its sub-clients together, each of them changes.
    expect(differ.filter((key) => !/:(all-holds|group-open|group-scheduled)$/.test(key))).toEqual([]);
    const ownKeys = (all: Keyspace) => Object.keys(all).filter((key) => key.includes(`:client:${ownerId}:`));
    expect(ownKeys(after)).toEqual(ownKeys(before));
  });
});

const shardOf = async (id: string) => /\{s\d\d\}/.exec((await keyspace.redis.keys(`*:client:${id}:*`))[0]!)![0];

/** Own texts are shown to who sent them. */
const sentAsText = new Set<string>();

/** The other client's answer for an id of the owner, and for an unknown id. */
async function both(operation: Operation, field: Field, kind: string, theirs: string) {
  const unknownId = unknown(kind, theirs);
  const ready = await stranger.ready(operation);
  const foreign = await asked(withValue(operation, field, theirs), ready);
  if (foreign.status === 200) sentAsText.add(theirs);
  // A command that was executed needs another record.
  const none = await asked(withValue(operation, field, unknownId), foreign.status === 200 ? undefined : ready);
  expect([field.path, kind, seen(foreign.text, theirs)]).toEqual([field.path, kind, []]);
  return [foreign, none, unknownId] as const;
}

/** What the stranger is answered; nothing of it is learned, because it sends what is not its own. */
const asked = async (plan: Plan, ready?: Ready) => exchange(world.door.port, await stranger.prepare(plan, ready));

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
