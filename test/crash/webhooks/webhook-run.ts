/**
 * `npm run crash -- --webhooks --rounds 30`: kills the store, its owner, the engine and the sidecars at random moments, while a client deals and
 * its endpoints fail, hang, answer 410, 429 and 503. Afterwards each event came to each endpoint, of one resource in order; what came twice has the
 * same id and the same bytes; no record is without its event, and no event without its record.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { eventId } from '../../../engine/service/core/ids.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { random as seeded } from '../../domain/random.js';
import { type Got, type Hook, type Reply, startHook, verify } from '../../support/hook.js';
import type { CrashClient } from '../clients.js';
import { marketByRest, type Random, wholeFrom } from '../commands.js';
import { untilThereAreRates } from '../in-time.js';
import { isGiven, RestCaller } from '../rest-caller.js';
import { type CrashOptions, killAll, playRounds, type Rounds } from '../rounds.js';
import type { Site } from '../site.js';

export interface WebhookTally {
  rounds: number;
  events: number;
  /** Requests that came more than once to one endpoint, and those that were not accepted. */
  duplicates: number;
  rejected: number;
  kills: number;
  readonly violations: string[];
}

type Name = 'steady' | 'mixed' | 'leaving' | 'dead';
interface Receiver {
  readonly name: Name;
  readonly hook: Hook;
  readonly secret: string;
}

const CALLERS = 3;
/** Of load before anything is killed, and after everything runs again. */
const LOADED_MS = 500;
const GAP_MS = 60;
/** A hanging attempt takes 20 s, and its endpoint has one at a time: one in so many rounds, early in the first of them. */
const HANGS_EACH = 5;
const HANG_AT = 5;
const DELIVERED_MS = 120_000;
/** So often endpoints that are disabled are activated, also while programs are killed. */
const ACTIVATE_MS = 200;
const PATH = '/api/v1/webhooks';

/** The answer to the first request of an event; the next one is accepted. */
function firstReply(name: Name, random: Random): Reply {
  if (name === 'steady') return 200;
  if (name === 'dead') return 500;
  const kind = random();
  if (name === 'leaving') return kind < 0.02 ? 410 : 200;
  if (kind < 0.08) return 500;
  if (kind < 0.12) return [429, { 'retry-after': '1' }];
  if (kind < 0.15) return [503, { 'retry-after': new Date(Date.now() + 2_000).toUTCString() }];
  return kind < 0.16 ? [302, { location: 'http://127.0.0.1:1/' }] : 200;
}

export async function webhookRun(options: CrashOptions): Promise<WebhookTally> {
  const tally: WebhookTally = { rounds: 0, events: 0, duplicates: 0, rejected: 0, kills: 0, violations: [] };
  await playRounds(options, tally, (site, [client]) => new Run(site, client!, options, tally));
  return tally;
}

class Run implements Rounds {
  readonly #caller: RestCaller;
  readonly #receivers: Receiver[] = [];
  /** Events before the first endpoint: it gets what comes after its creation. */
  #behind = 0;
  #isOver = false;
  #activating: Promise<void> | undefined;

  constructor(
    private readonly site: Site,
    private readonly client: CrashClient,
    private readonly options: CrashOptions,
    private readonly tally: WebhookTally,
  ) {
    this.#caller = new RestCaller(site);
  }

  async begin(): Promise<void> {
    const { site, client, options } = this;
    if (!(await this.#caller.authenticate(client))) throw new Error('the client gets no token');
    await untilThereAreRates(site, this.#caller, client);
    const random = seeded(options.seed);
    this.#behind = (await eventsOf(site, client)).length;
    for (const name of ['steady', 'mixed', 'leaving', 'dead'] as const) {
      const own = seeded(wholeFrom(random, 0, 2 ** 31));
      this.#receivers.push(await receiver(name, own, options.rounds, this.#caller, client));
    }
    this.#activating = activateAll(this.#caller, client, () => this.#isOver);
  }

  async round(round: number): Promise<string> {
    const { site, client, tally } = this;
    const { seed } = this.options;
    const random = seeded(seed * 10_007 + round);
    const kill = site.anyKill(random, round);
    let isOver = false;
    const load = Array.from({ length: CALLERS }, (_, i) =>
      deal(this.#caller, client, seeded(wholeFrom(random, 0, 2 ** 31)), `w${seed}-${round}-${i}`, () => isOver),
    );
    await pause(LOADED_MS);
    await killAll(site, kill, () => tally.kills++);
    await site.restore();
    await pause(LOADED_MS);
    isOver = true;
    const asked = (await Promise.all(load)).reduce((sum, count) => sum + count, 0);
    await untilThereAreRates(site, this.#caller, client);
    return `killed ${kill.victims.join(', ')}, ${asked} commands`;
  }

  async judge(): Promise<void> {
    await everythingCame(this.site, this.client, this.#receivers, this.#behind, this.tally);
    await recordsHaveEvents(this.site, this.client, this.tally);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#activating;
    this.#caller.close();
    for (const { hook } of this.#receivers) await hook.stop();
  }
}

async function receiver(
  name: Name,
  random: Random,
  rounds: number,
  caller: RestCaller,
  client: CrashClient,
): Promise<Receiver> {
  const hook = await startHook();
  const seen = new Set<string>();
  let hangs = Math.ceil(rounds / HANGS_EACH);
  hook.reply = ({ id }: Got) => {
    if (name !== 'dead' && seen.has(id)) return 200;
    seen.add(id);
    if (name !== 'mixed' || seen.size < HANG_AT || hangs === 0) return firstReply(name, random);
    hangs--;
    return 'hang';
  };
  const made = await caller.post(client, PATH, { name, url: hook.url, types: ['*'] });
  if (!isGiven(made)) throw new Error(`no endpoint ${name}: ${JSON.stringify(made)}`);
  return { name, hook, secret: String(made.body.secret) };
}

/** As a step has written it. */
interface StoredEvent {
  readonly sequence: number;
  readonly type: string;
  readonly resource: string;
}

/** Conversions, holds that are booked, and fundings, which complete a second later. */
async function deal(caller: RestCaller, client: CrashClient, random: Random, name: string, isOver: () => boolean) {
  let asked = 0;
  for (; !isOver(); asked++) {
    const id = `${name}-${asked}`;
    if (random() < 0.4) {
      await caller.post(client, '/api/v1/fund/create', {
        account_number: client.accounts.EUR,
        amount: wholeFrom(random, 1, 100),
        instarem_deposit_account: 'Bank-0012345678-EUR',
        payment_reference: 'crash',
        request_id: id,
      });
    } else {
      const command = marketByRest(random, client, id);
      if (command.door === 'rest') await caller.post(client, command.path, command.body);
    }
    await pause(wholeFrom(random, 0, GAP_MS));
  }
  return asked;
}

const eventsOf = (site: Site, client: CrashClient): Promise<StoredEvent[]> =>
  site.look(async (redis) => {
    const found = await redis.xrange(ledgerKeys(client).events, '-', '+');
    return found.map(([id, [, text = '']]) => {
      const [type = '', resource = ''] = text.split('|');
      return { sequence: Number(id.split('-')[1]), type, resource };
    });
  });

/** Waits for what is still to be delivered, and compares it with the events of the store. */
async function everythingCame(
  site: Site,
  client: CrashClient,
  receivers: readonly Receiver[],
  behind: number,
  tally: WebhookTally,
): Promise<void> {
  const late = Date.now() + DELIVERED_MS;
  const living = receivers.filter(({ name }) => name !== 'dead');
  const eventsSince = async () => (await eventsOf(site, client)).filter(({ sequence }) => sequence > behind);
  let events = await eventsSince();
  const missing = ({ hook }: Receiver): StoredEvent[] => {
    const accepted = new Set(hook.accepted());
    return events.filter(({ sequence }) => !accepted.has(sequence));
  };
  while (Date.now() < late) {
    // Endpoints that are disabled make events themselves.
    events = await eventsSince();
    if (living.every((one) => missing(one).filter(isForAll).length === 0)) break;
    await pause(100);
  }
  tally.events = events.length;
  events.forEach(({ sequence }, at) => {
    if (sequence !== behind + at + 1) tally.violations.push(`event ${behind + at + 1} has the sequence ${sequence}`);
  });
  for (const one of living) {
    for (const { sequence, type } of missing(one).filter(isForAll))
      tally.violations.push(`${one.name} has not got event ${sequence}, ${type}`);
  }
  // What a sandbox still completes makes events, which may come before they are read.
  const came = receivers.map((one) => ({ ...one, got: [...one.hook.got] }));
  events = await eventsSince();
  for (const one of came) checkWhatCame(one, client, events, tally);
}

/** A test is for one endpoint alone, and a creation for those that were there before it. */
const isForAll = ({ type }: StoredEvent): boolean => type !== 'test' && type !== 'webhook.created';

async function activateAll(caller: RestCaller, client: CrashClient, isOver: () => boolean): Promise<void> {
  for (; !isOver(); await pause(ACTIVATE_MS)) {
    const all = await caller.get(client, PATH);
    if (!isGiven(all)) continue;
    for (const { webhook_id, active } of all.body.data as { webhook_id: string; active: boolean }[])
      if (!active) await caller.patch(client, `${PATH}/${webhook_id}`, { active: true });
  }
}

function checkWhatCame(
  { name, got: all, secret }: Receiver & { readonly got: readonly Got[] },
  client: CrashClient,
  events: readonly StoredEvent[],
  tally: WebhookTally,
) {
  const violation = (text: string): void => void tally.violations.push(`${name}: ${text}`);
  const known = new Map(events.map((event) => [eventId(client.id, event.sequence), event]));
  const before = new Map(earlierOf(events));
  const texts = new Map<string, string>();
  const accepted = new Set<number>();
  for (const got of all) {
    const event = known.get(got.id);
    if (event === undefined || event.sequence !== got.body.sequence || event.type !== got.body.type) {
      violation(`${got.id} is no event of the store: ${got.text}`);
      continue;
    }
    try {
      verifyAt(secret, got);
    } catch (error) {
      violation(`the signature of event ${event.sequence} is wrong: ${error}`);
    }
    const earlier = texts.get(got.id);
    if (earlier !== undefined) tally.duplicates++;
    if (earlier !== undefined && earlier !== got.text) violation(`event ${event.sequence} came with two bodies`);
    texts.set(got.id, got.text);
    const waitsFor = before.get(event.sequence);
    if (waitsFor !== undefined && !accepted.has(waitsFor))
      violation(`event ${event.sequence} of ${event.resource} came before event ${waitsFor} was accepted`);
    if (got.status >= 200 && got.status < 300) accepted.add(event.sequence);
    else tally.rejected++;
  }
}

/** The library rejects what is older than five minutes: it is verified as of when it came. */
function verifyAt(secret: string, got: Got): void {
  const now = Date.now;
  Date.now = () => got.atMs;
  try {
    verify(secret, got);
  } finally {
    Date.now = now;
  }
}

/** Of each event the one before of the same resource. */
function* earlierOf(events: readonly StoredEvent[]): Generator<readonly [number, number]> {
  const last = new Map<string, number>();
  for (const { sequence, resource } of events.filter(isForAll)) {
    const earlier = last.get(resource);
    if (earlier !== undefined) yield [sequence, earlier];
    last.set(resource, sequence);
  }
}

/** Of records that were created since the client has events. */
async function recordsHaveEvents(site: Site, client: CrashClient, { violations }: WebhookTally): Promise<void> {
  const keys = ledgerKeys(client);
  const stored = await site.look(async (redis) => ({
    'conversion.booked': (await redis.zrange(keys.bookings, '0', '-1')).map((member) => member.split('|')[0]!),
    'funding.created': (await redis.zrange(keys.index('fundings'), '0', '-1')).map((member) => member.split('|')[1]!),
  }));
  const events = await eventsOf(site, client);
  for (const [type, records] of Object.entries(stored)) {
    const named = events.filter((event) => event.type === type).map(({ resource }) => resource);
    for (const id of records) if (!named.includes(id)) violations.push(`${id} has no event ${type}`);
    for (const id of named) if (!records.includes(id)) violations.push(`${type} of ${id}, which is not there`);
    if (new Set(named).size !== named.length) violations.push(`two events ${type} of one record`);
    if (named.length === 0) violations.push(`no event ${type}: the run proves nothing`);
  }
}
