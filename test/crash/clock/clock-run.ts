/**
 * `npm run crash -- --clock --rounds 10`: kills the store, its owner, the engine and the sidecars at random moments, while a client books
 * conversions and holds, and advances its own clock past their ends. Afterwards the clock is where the last request put it, all that was due
 * by then has happened, and another client's clock and conversion are as they were.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { random as seeded } from '../../domain/random.js';
import type { CrashClient } from '../clients.js';
import { untilThereAreRates } from '../in-time.js';
import type { Body } from '../intents.js';
import { isGiven, type Reply, RestCaller } from '../rest-caller.js';
import { type CrashOptions, killAll, playRounds, type Rounds } from '../rounds.js';
import type { Site } from '../site.js';

interface ClockTally {
  rounds: number;
  kills: number;
  conversions: number;
  holds: number;
  advances: number;
  readonly violations: string[];
}

const CLOCK = '/api/v1/sandbox/clock';
const DAY_MS = 86_400_000;
/** More than T+2, with a weekend and holidays; a clock is advanced by a year in all. */
const STEP_MS = 7 * DAY_MS;
const ADVANCES_MAX = 50;
const PATIENCE_MS = 90_000;

export async function clockRun(options: CrashOptions): Promise<ClockTally> {
  const tally: ClockTally = { rounds: 0, kills: 0, conversions: 0, holds: 0, advances: 0, violations: [] };
  await playRounds(options, tally, (site, [mover, other]) => new Run(site, mover!, other!, options.seed, tally));
  return tally;
}

class Run implements Rounds {
  readonly #caller: RestCaller;
  /** Paths of records, with the status that they have once the clock has passed their ends. */
  readonly #due: (readonly [path: string, status: string])[] = [];
  #others: Body | undefined;
  #until = 0;

  constructor(
    private readonly site: Site,
    private readonly mover: CrashClient,
    private readonly other: CrashClient,
    private readonly seed: number,
    private readonly tally: ClockTally,
  ) {
    this.#caller = new RestCaller(site);
  }

  async begin(): Promise<void> {
    for (const client of [this.mover, this.other])
      if (!(await this.#caller.authenticate(client))) throw new Error('the client gets no token');
    await untilThereAreRates(this.site, this.#caller, this.mover);
    this.#others = await this.#book(this.other, 'other');
  }

  close(): void {
    this.#caller.close();
  }

  async round(round: number): Promise<string> {
    const kill = this.site.anyKill(seeded(this.seed * 10_007 + round), round);
    let isOver = false;
    const load = this.#send(`c${this.seed}-${round}`, () => isOver);
    await killAll(this.site, kill, () => this.tally.kills++);
    await this.site.restore();
    isOver = true;
    await load;
    return `killed ${kill.victims.join(', ')}`;
  }

  /** Something that is due later, and then the clock beyond it, until the round is over. */
  async #send(name: string, isOver: () => boolean): Promise<void> {
    const { mover, tally } = this;
    for (let n = 0; n === 0 || !isOver(); n++) {
      const booked = await this.#book(mover, `${name}-${n}`);
      this.#due.push([`/api/v1/bookfx/${booked.confirmation_id}`, 'SETTLED']);
      tally.conversions++;
      const signed = await this.#insist(() =>
        this.#caller.get(mover, '/api/v1/lockFx/getFxRate?source_currency=USD&destination_currency=EUR'),
      );
      const held = await this.#caller.post(mover, '/api/v1/lockFx/lockFxRate', {
        rate_signature: signed.rate_signature,
      });
      if (isGiven(held)) {
        this.#due.push([`/api/v1/lockFx/hold/${held.body.fx_hold_id}`, 'EXPIRED']);
        tally.holds++;
      }
      if (n % 8 === 0 && tally.advances < ADVANCES_MAX) await this.#advance();
    }
  }

  /** Until a time, so that the request may be repeated. */
  async #advance(): Promise<void> {
    const before = await this.#clock(this.mover);
    this.#until = before.now + STEP_MS;
    const until = new Date(this.#until).toISOString();
    await this.#insist(() => this.#caller.post(this.mover, CLOCK, { until }));
    this.tally.advances++;
  }

  async judge(): Promise<void> {
    await this.#advance();
    const { now } = await this.#clock(this.mover);
    if (now < this.#until || now > this.#until + PATIENCE_MS)
      this.#violation(`the clock is ${now - this.#until} ms from where it was put`);
    for (const [path, status] of this.#due) await this.#becomes(path, status);
    const { ahead } = await this.#clock(this.other);
    if (ahead !== 0) this.#violation(`the clock of another client is ${ahead} s ahead`);
    const path = `/api/v1/bookfx/${this.#others?.confirmation_id}`;
    const others = await this.#insist(() => this.#caller.get(this.other, path));
    if (others.status !== 'OPEN') this.#violation(`a conversion of another client is ${others.status}`);
  }

  async #becomes(path: string, status: string): Promise<void> {
    const late = performance.now() + PATIENCE_MS;
    for (; ; await pause(100)) {
      const found = await this.#insist(() => this.#caller.get(this.mover, path));
      if (found.status === status) return;
      if (performance.now() < late) continue;
      this.#violation(`${path} is ${found.status}, not ${status}`);
      return;
    }
  }

  async #clock(client: CrashClient): Promise<{ readonly now: number; readonly ahead: number }> {
    const { now, ahead_seconds } = await this.#insist(() => this.#caller.get(client, CLOCK));
    return { now: Date.parse(String(now)), ahead: Number(ahead_seconds) };
  }

  #book(client: CrashClient, requestId: string): Promise<Body> {
    const amounts = { sell_currency: 'EUR', buy_currency: 'USD', sell_amount: 10 };
    const body = { request_id: requestId, description: 'crash', book_fx_type: 'SCHEDULED2', ...amounts };
    return this.#insist(() => this.#caller.post(client, '/api/v1/bookfx/currency/create', body));
  }

  /** The same request until it is answered. */
  async #insist(ask: () => Promise<Reply>): Promise<Body> {
    const late = performance.now() + PATIENCE_MS;
    for (; ; await pause(50)) {
      const reply = await ask();
      if (isGiven(reply)) return reply.body;
      const mayPass = typeof reply === 'string' || reply.status === 503;
      if (!mayPass || performance.now() > late) throw new Error(`${JSON.stringify(reply)} ${this.site.words()}`);
    }
  }

  readonly #violation = (text: string): void => void this.tally.violations.push(text);
}
