/** The REST door with clients who have everything that there is to have, and an eye on every key that is written. */
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { platformOf } from '../../../../engine/domain/core/ids.js';
import { RIGHTS, type Right } from '../../../../engine/domain/core/rights.js';
import { PAIRS } from '../../../../engine/domain/money/pair.js';
import { PORTS } from '../../../../engine/domain/system/port-mode.js';
import { startWebhookDelivery } from '../../../../engine/roles/webhooks/webhook-delivery.js';
import { renderEvent } from '../../../../rest/features/events/events.js';
import { ON_BEHALF_OF } from '../../../../rest/features/shapes.js';
import { type MoneyDoor, openMoneyDoor } from '../../money-door.js';
import { Kept, Known } from './known.js';
import { OTHER_TOKENS } from './oddities.js';
import { type Field, OPERATIONS, type Operation } from './operations.js';
import { type Maker, READY, type Ready } from './ready.js';
import { asDescribed, namesIn, type Plan, sentOf } from './requests.js';
import { FRESH } from './values.js';
import { watch } from './watch.js';
import { type Answered, exchange, type Sent } from './wire.js';

export interface Party {
  readonly id: string;
  readonly known: Known;
  /** Of each operation, by its id, a plan that was answered by 200. */
  readonly worked: ReadonlyMap<string, Plan>;
  /** Operations, by their ids, that have written something. */
  readonly changing: ReadonlySet<string>;
  /** Makes what the operation needs. */
  ready(operation: Operation): Promise<Ready>;
  /** As this client would send it now. */
  prepare(plan: Plan, ready?: Ready): Promise<Sent>;
  /** What this client asks, answered; ids in answers are learned. */
  ask(plan: Plan, ready?: Ready): Promise<Asked>;
  /** Every operation once with 200, as far as it can be had; tells those that could not. */
  haveEverything(seed: number): Promise<readonly string[]>;
}

export interface Asked {
  readonly sent: Sent;
  readonly answer: Answered;
  /** Keys that were written between the two. */
  readonly written: readonly string[];
}

export interface World {
  readonly door: MoneyDoor;
  readonly redis: Redis;
  /** A platform, or a sub-client that its platform acts for: `acme~one`. */
  party(id: string): Promise<Party>;
  send(sent: Sent): Promise<Asked>;
  /** Prices of this moment, which is another one where a test has moved the clock. */
  quote(): void;
  stop(): Promise<void>;
}

/** The holidays of every currency are known for the months to come. */
const FRIDAY = Date.parse('2026-11-20T08:01:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1_000;
/** A price lasts five seconds. */
const PRICES_MS = 1_000;
/** What counts requests and programs, and nothing else, may be written by one that is refused or reads. */
export const COUNTERS = /^(permits|failed-attempts):|^\{ports\}:programs$|^\{s\d\d\}:clock$/;
/** A change that is refused is recorded too, with its code. */
export const AUDIT = /^audit$|^\{audit\}:head$/;
const MONEY = 900_000_000_000_00n;
const TRIES = 100;
const ROUNDS = 3;

export async function openWorld(...options: Parameters<typeof openMoneyDoor>): Promise<World> {
  const door = await openMoneyDoor(...options);
  door.services.nowMs = FRIDAY;
  await door.opened.store.ports.join({ program: 'test', modes: {}, sandboxes: PORTS, onOther: () => {} });
  const quote = () => {
    // Of other pairs there is a price through the dollar; of the rupiah there is none.
    for (const { symbol } of PAIRS)
      if (symbol.includes('USD') && symbol !== 'USD/IDR') door.price(symbol, '1.5', '1.5002');
  };
  quote();
  const quoting = setInterval(quote, PRICES_MS);
  const { redis, written, stop } = await watch(door.opened.redisUrl);
  const world: World = {
    door,
    redis,
    quote,
    async send(sent) {
      await written();
      const answer = await exchange(door.port, sent);
      return { sent, answer, written: await written() };
    },
    party: (id) => partyOf(world, id),
    async stop() {
      clearInterval(quoting);
      await stop();
      await door.stop();
    },
  };
  return world;
}

/** What a sub-client can never do. */
export const isForPlatforms = ({ path }: Operation): boolean => path.startsWith('/api/v1/sub-clients');

async function partyOf(world: World, id: string): Promise<Party> {
  const { door } = world;
  const platform = platformOf(id);
  const holder = platform ?? id;
  const { keys, tokens, clients } = door.opened.store;
  if ((await clients.get(holder)) === undefined) await door.client(holder);
  await clients.change(holder, { isPlatform: true });
  const client = await door.client(id);
  const known = new Known();
  for (const one of [holder, id]) await clients.setScheduledLimit(one, '1000000000');
  await door.opened.store.events.enable((await clients.get(id))!);
  for (const [currency, sequence] of [
    ['EUR', 1],
    ['USD', 0],
    ['SGD', 2],
  ] as const)
    known.add('account', String(await client.account(currency, MONEY, { sequence })));
  const [euros] = known.all('account').map(Number);
  const { clientKey, clientSecret } = (await keys.issue(holder, RIGHTS))!;
  known.add('client_key', clientKey);
  known.add('client_secret', clientSecret);

  const issued = async (rights: readonly Right[]) => (await tokens.issue(holder, clientKey, rights)).token;
  const revoked = await issued(RIGHTS);
  await tokens.revoke(revoked);
  known.add(OTHER_TOKENS.revoked, `Bearer ${revoked}`);
  door.services.nowMs -= DAY_MS;
  known.add(OTHER_TOKENS.over, `Bearer ${await issued(RIGHTS)}`);
  door.services.nowMs += DAY_MS;
  let token = { token: '', expiresAtMs: 0 };
  let isRevoked = false;
  const worked = new Map<string, Plan>();
  const changing = new Set<string>();
  let made = 0;
  const fresh = () => `${id.replace('~', '.')}-${++made}`;
  const maker: Maker = {
    fresh,
    euros: euros!,
    batches: [],
    async ask(name, given = {}) {
      const operation = OPERATIONS.find((one) => one.id === name)!;
      const value = ({ path: [name = ''], example }: Field): unknown => (name in given ? given[name] : example);
      const values = operation.fields
        .map((field) => ({ field, value: value(field) }))
        .filter((one) => one.value !== undefined);
      const { answer } = await party.ask({ operation, values, asForm: false, edits: [], faults: [] }, {});
      return JSON.parse(answer.text);
    },
  };
  const party: Party = {
    id,
    known,
    worked,
    changing,
    async ready({ id: name }) {
      const make = READY[name];
      if (make === undefined) return {};
      world.quote();
      return make(maker);
    },
    async prepare(plan, ready) {
      const own = ready ?? (await party.ready(plan.operation));
      // The thousandth token of a key ends the first.
      if (isRevoked || token.expiresAtMs < door.services.nowMs + 3_600_000 || made % 500 === 0) {
        isRevoked = false;
        token = await tokens.issue(holder, clientKey, RIGHTS);
        known.add('token', token.token);
        known.add(OTHER_TOKENS.lesser, `Bearer ${await issued(['read'])}`);
      }
      // A client that has halted itself would be refused all that follows.
      if (door.services.states.isHalted(id))
        await door.services.store.tradingStates.resume({ scope: 'client', name: id });
      made++;
      const sent = sentOf(plan, known, own, fresh, token.token);
      return platform === undefined ? sent : { ...sent, headers: [...sent.headers, [ON_BEHALF_OF, id]] };
    },
    async ask(plan, ready) {
      const sent = await party.prepare(plan, ready);
      const asked = await world.send(sent);
      if (asked.answer.status === 200) {
        // Deliveries of webhooks write at the same time as what reads or only computes.
        const isRead = plan.operation.limit === 'reads' || /^validatePay/.test(plan.operation.id);
        if (!isRead && asked.written.some((key) => !COUNTERS.test(key))) changing.add(plan.operation.id);
        if (plan.operation.id === 'revokeTokens') isRevoked = true;
        if (sent.method !== 'HEAD') known.learn(JSON.parse(asked.answer.text));
        for (const [kind, name] of namesIn(plan, sent)) known.add(kind, name);
      }
      return asked;
    },
    async haveEverything(seed) {
      // What one operation answers another needs: so all are tried again, behind the others.
      // No address is found, so that nothing is sent: the attempts fail.
      const unresolved = { ...door.services, resolve: async () => [] };
      const delivery = startWebhookDelivery(unresolved, { render: renderEvent });
      const possible = OPERATIONS.filter((operation) => platform === undefined || !isForPlatforms(operation));
      for (let round = 0; round < ROUNDS; round++)
        for (const operation of possible)
          for (const plan of fc.sample(asDescribed(operation), { seed: seed + round, numRuns: TRIES })) {
            const { answer } = await party.ask(plan);
            if (answer.status !== 200 || answer.text.includes('"data":[]')) continue;
            worked.set(operation.id, READY[operation.id] ? namingReady(plan) : plan);
            break;
          }
      await delivery.stop();
      // A page of one has another behind it.
      for (const plan of [...worked.values()])
        for (const field of plan.operation.fields.filter(({ path }) => path[0] === 'limit'))
          await party.ask({
            ...plan,
            values: [...plan.values.filter((own) => own.field !== field), { field, value: 1 }],
          });
      return possible.map((operation) => operation.id).filter((name) => !worked.has(name));
    },
  };
  return party;
}

/** What is made for the operation, and no other record that happened to be in its state. */
function namingReady({ values, ...plan }: Plan): Plan {
  const steady = (value: unknown) => (value instanceof Kept && value.kind !== FRESH ? new Kept(value.kind, 0) : value);
  return { ...plan, values: values.map(({ field, value }) => ({ field, value: steady(value) })) };
}
