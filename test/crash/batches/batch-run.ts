/**
 * `npm run crash -- --batches --rounds 30`: kills the store, its owner, the engine and the sidecars at random moments, while a client stores
 * beneficiaries, and fills, funds and cancels batches. Afterwards each item that was accepted is there once, none is paid twice, what a batch has
 * reserved is what its items took, what came back and what is left, and each beneficiary exists once for its request.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { asEntry } from '../../../engine/store/ledger/journal.js';
import { random as seeded } from '../../domain/random.js';
import type { CrashClient } from '../clients.js';
import { type Random, wholeFrom } from '../commands.js';
import { untilThereAreRates } from '../in-time.js';
import type { Body } from '../intents.js';
import { type Answered, isGiven, RestCaller } from '../rest-caller.js';
import { type CrashOptions, killAll, playRounds, type Rounds } from '../rounds.js';
import type { Site } from '../site.js';

export interface BatchTally {
  rounds: number;
  kills: number;
  batches: number;
  funded: number;
  cancelled: number;
  /** Items that became payments, and that were refused. */
  created: number;
  refused: number;
  /** Requests that were sent again, since their answer was lost. */
  repeats: number;
  readonly violations: string[];
}

interface Intent {
  readonly requestId: string;
  readonly items: readonly Body[];
  id?: string;
  isFunded?: boolean;
  /** Its beneficiary, before it was funded. */
  isDisabled?: boolean;
}

const CALLERS = 3;
/** Of load before anything is killed: a batch takes several requests. */
const LOADED_MS = 700;
const PATH = '/api/v1/batches';
const BENEFICIARIES = '/api/v1/beneficiaries';
/** Minor units: the fee of the client for a payment in EUR. */
const FEE = 150n;
/** The store comes back within seconds; a worker that dies leaves its entry to another after some twenty. */
const PATIENCE_MS = 90_000;

export async function batchRun(options: CrashOptions): Promise<BatchTally> {
  const tally: BatchTally = {
    ...{ rounds: 0, kills: 0, batches: 0, funded: 0, cancelled: 0, created: 0, refused: 0, repeats: 0 },
    violations: [],
  };
  await playRounds(options, tally, (site, [client]) => new Run(site, client!, options.seed, tally));
  return tally;
}

class Run implements Rounds {
  readonly #caller: RestCaller;
  readonly #intents: Intent[] = [];
  /** By request id. */
  readonly #beneficiaries = new Map<string, { readonly body: Body; readonly id: string }>();

  constructor(
    private readonly site: Site,
    private readonly client: CrashClient,
    private readonly seed: number,
    private readonly tally: BatchTally,
  ) {
    this.#caller = new RestCaller(site);
  }

  async begin(): Promise<void> {
    if (!(await this.#caller.authenticate(this.client))) throw new Error('the client gets no token');
    await untilThereAreRates(this.site, this.#caller, this.client);
  }

  close(): void {
    this.#caller.close();
  }

  async round(round: number): Promise<string> {
    const { site, tally } = this;
    const random = seeded(this.seed * 10_007 + round);
    const kill = site.anyKill(random, round);
    let isOver = false;
    const before = this.#intents.length;
    const load = Array.from({ length: CALLERS }, (_, i) =>
      this.#send(seeded(wholeFrom(random, 0, 2 ** 31)), `b${this.seed}-${round}-${i}`, () => isOver),
    );
    await pause(LOADED_MS);
    await killAll(site, kill, () => tally.kills++);
    await site.restore();
    await pause(300);
    isOver = true;
    await Promise.all(load);
    return `killed ${kill.victims.join(', ')}, ${this.#intents.length - before} batches`;
  }

  /** One batch after another, each request until it is answered. */
  async #send(random: Random, name: string, isOver: () => boolean): Promise<void> {
    for (let n = 0; !isOver(); n++) {
      const requestId = `${name}-${n}`;
      const beneficiary = await this.#beneficiary(requestId, random);
      const items = Array.from({ length: wholeFrom(random, 3, 40) }, (_, at) =>
        item(requestId, at, random, random() < 0.2 ? beneficiary : undefined),
      );
      const intent: Intent = { requestId, items };
      this.#intents.push(intent);
      const created = await this.#insist(PATH, { request_id: requestId, source_account: this.client.accounts.EUR });
      intent.id = String(created.body.batch_id);
      const path = `${PATH}/${intent.id}`;
      const half = Math.ceil(items.length / 2);
      for (const some of [items.slice(0, half), items.slice(half)])
        await this.#insist(`${path}/items`, { items: some });
      const { body } = await this.#insist(`${path}/validate`);
      if (body.valid !== true) this.#violation(`${intent.id} is not valid: ${JSON.stringify(body.faults)}`);
      await this.#insist(`${path}/close`);
      // Its items reserve nothing, and are refused when they are drawn.
      intent.isDisabled = random() < 0.2;
      if (intent.isDisabled) await this.#insist(`${BENEFICIARIES}/${beneficiary}/disable`);
      if (random() < 0.1) {
        await this.#insist(`${path}/cancel`);
        continue;
      }
      await this.#insist(`${path}/fund`);
      intent.isFunded = true;
      // Those that are not drawn yet are refused, and their part of the reserve comes back.
      if (random() < 0.3) await this.#insist(`${BENEFICIARIES}/${beneficiary}/disable`);
      if (random() < 0.15) await this.#insist(`${path}/cancel`, {}, ['WRONG_STATE']);
    }
  }

  async #beneficiary(requestId: string, random: Random): Promise<string> {
    const account = ibanOf(this.#beneficiaries.size + 1);
    const beneficiary = { name: 'Anna Schmidt', country_code: 'DE', account_number: account };
    const body = { request_id: requestId, destination_currency: 'EUR', beneficiary };
    this.#beneficiaries.set(requestId, { body, id: '' });
    const id = String((await this.#insist(BENEFICIARIES, body)).body.beneficiary_id);
    this.#beneficiaries.set(requestId, { body, id });
    if (random() < 0.5)
      await this.#caller.patch(this.client, `${BENEFICIARIES}/${id}`, { beneficiary: { city: 'Bonn' } });
    return id;
  }

  /** The same request until it is answered: nothing is done twice. */
  async #insist(path: string, body: Body = {}, refused: readonly string[] = []): Promise<Answered> {
    const late = performance.now() + PATIENCE_MS;
    for (;;) {
      const reply = await this.#caller.post(this.client, path, body);
      if (isGiven(reply)) return reply;
      if (typeof reply !== 'string' && refused.includes(String(reply.body.code))) return reply;
      const mayPass = typeof reply === 'string' || reply.status === 503;
      if (!mayPass || performance.now() > late)
        throw new Error(`${path}: ${JSON.stringify(reply)} ${this.site.words()}`);
      this.tally.repeats++;
      await pause(50);
    }
  }

  async judge(): Promise<void> {
    const { tally } = this;
    tally.batches = this.#intents.length;
    for (const intent of this.#intents) await this.#judgeBatch(intent);
    await this.#judgeStore();
    for (const { body, id } of this.#beneficiaries.values()) {
      const again = await this.#insist(BENEFICIARIES, body);
      if (again.body.beneficiary_id !== id || !again.replayed)
        this.#violation(`${body.request_id}: another beneficiary`);
    }
  }

  async #judgeBatch({ id = '', requestId, items, isFunded = false, isDisabled = false }: Intent): Promise<void> {
    const { tally } = this;
    const again = await this.#insist(PATH, { request_id: requestId, source_account: this.client.accounts.EUR });
    if (again.body.batch_id !== id || !again.replayed) this.#violation(`${requestId} is two batches`);
    const batch = await this.#ended(id);
    const results = (await this.#get(`${PATH}/${id}/results`)).results as Body[];
    const shown = results.map((one) => one.item_id).join(' ');
    if (shown !== items.map((one) => one.item_id).join(' ')) this.#violation(`${id}: items ${shown}`);
    if (!isFunded) {
      // The total of a closing stays; none of it was ever reserved.
      const moved = [batch.created_amount, batch.refused_amount, batch.reserved_amount].map(minor);
      if (batch.status !== 'CANCELLED' || moved.some((amount) => amount !== 0n))
        this.#violation(`${id}: ${JSON.stringify(batch)}`);
      return;
    }
    tally.funded++;
    if (batch.status === 'CANCELLED') tally.cancelled++;
    const needed = (one: Body) => (isDisabled && one.beneficiary_id !== undefined ? 0n : neededFor(one));
    const taken = (status: string) =>
      results.reduce((sum, one, at) => (one.status === status ? sum + needed(items[at]!) : sum), 0n);
    const sums = ['CREATED', 'REFUSED', 'CANCELLED'].map(taken);
    const [created = 0n, refused = 0n, rest = 0n] = sums;
    tally.created += results.filter(({ status }) => status === 'CREATED').length;
    tally.refused += results.filter(({ status }) => status === 'REFUSED').length;
    const amounts = [batch.total_amount, batch.created_amount, batch.refused_amount, batch.reserved_amount].map(minor);
    const expected = [created + refused + rest, created, refused, 0n];
    if (amounts.join() !== expected.join()) this.#violation(`${id}: amounts ${amounts}, items ${expected}`);
    for (const [at, one] of results.entries()) {
      if (one.status !== 'REFUSED' || items[at]!.beneficiary_id !== undefined) continue;
      this.#violation(`${id}: item ${one.item_id} is refused with ${one.code}: ${one.message}`);
    }
  }

  /** What the store has of all batches: each item was drawn or refused by one entry, and has one payment. */
  async #judgeStore(): Promise<void> {
    const keys = ledgerKeys(this.client);
    const { entries, index, payments } = await this.site.look(async (redis) => ({
      entries: (await redis.xrange(keys.journal, '-', '+')).map(asEntry),
      index: await redis.zrange(keys.index('batches'), '0', '-1'),
      payments: await redis.zrange(keys.index('payments'), '0', '-1'),
    }));
    if (index.length !== this.#intents.length)
      this.#violation(`${index.length} batches, ${this.#intents.length} requests`);
    if (payments.length !== this.tally.created)
      this.#violation(`${payments.length} payments, ${this.tally.created} items`);
    const seen = new Map<string, bigint>();
    const left = new Map<string, bigint>();
    for (const { step, id, moves, reason } of entries) {
      if (!/^(fund-batch|draw-item|refuse-item|cancel-batch)$/.test(step)) continue;
      const amount = BigInt(moves.split(' ')[3] ?? 0);
      left.set(id, (left.get(id) ?? 0n) + (step === 'fund-batch' ? amount : -amount));
      const name = step === 'draw-item' || step === 'refuse-item' ? `${id} ${reason}` : `${id} ${step}`;
      if (seen.has(name)) this.#violation(`${name} came twice: ${step}`);
      seen.set(name, amount);
    }
    for (const [id, rest] of left) if (rest !== 0n) this.#violation(`${id}: ${rest} left of its reserve`);
  }

  async #ended(id: string): Promise<Body> {
    const late = performance.now() + PATIENCE_MS;
    for (; ; await pause(100)) {
      const batch = await this.#get(`${PATH}/${id}`);
      if (batch.status === 'DONE' || batch.status === 'CANCELLED') return batch;
      if (performance.now() < late) continue;
      this.#violation(`${id} has not ended: ${JSON.stringify(batch)}`);
      return batch;
    }
  }

  async #get(path: string): Promise<Body> {
    const late = performance.now() + PATIENCE_MS;
    for (; ; await pause(100)) {
      const reply = await this.#caller.get(this.client, path);
      if (isGiven(reply)) return reply.body;
      if (performance.now() > late) throw new Error(`${path}: ${JSON.stringify(reply)}`);
    }
  }

  readonly #violation = (text: string): void => void this.tally.violations.push(text);
}

function item(requestId: string, at: number, random: Random, beneficiary: string | undefined): Body {
  const payee = { name: 'Anna Schmidt', country_code: 'DE', account_number: 'DE89370400440532013000' };
  return {
    item_id: `i-${at}`,
    transaction_number: `${requestId}-${at}`,
    destination_amount: wholeFrom(random, 100, 99_999) / 100,
    fee_payer: 'OUR',
    statement_narrative: 'crash',
    remitter: { account_type: 'Company', purpose_code: 'IR01802' },
    ...(beneficiary === undefined
      ? { destination_currency: 'EUR', beneficiary: payee }
      : { beneficiary_id: beneficiary }),
  };
}

const neededFor = ({ destination_amount }: Body): bigint => BigInt(Math.round(Number(destination_amount) * 100)) + FEE;
const minor = (amount: unknown): bigint => BigInt(String(amount).replace('.', ''));

/** An account of a German bank, with its check digits. */
function ibanOf(account: number): string {
  const bban = `37040044${String(account).padStart(10, '0')}`;
  const check = 98n - (BigInt(`${bban}131400`) % 97n);
  return `DE${String(check).padStart(2, '0')}${bban}`;
}
