/** Rounds of load, kill, restart, question and audit on one data directory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ledgerKeys } from '../../engine/store/ledger-keys.js';
import { random as seeded } from '../domain/random.js';
import { askByFix, everyReportCame, everythingAgain, untilSettled } from './ask-by-fix.js';
import { askByRest } from './ask-by-rest.js';
import { ClientAudit } from './audit.js';
import { type CrashClient, provision } from './clients.js';
import { Cluster, type Part } from './cluster.js';
import { anyOf, marketByRest, onHoldByFix, onHoldByRest, type Random, wholeFrom } from './commands.js';
import { tradeByFix } from './fix-load.js';
import { type Command, IntentLog } from './intents.js';
import { RestCaller } from './rest-caller.js';
import { callByRest, hold, type LoadTurn } from './rest-load.js';
import { Tally } from './tally.js';
import { Trader } from './trader.js';

/** Who is killed at the same moment; the first ones are what happens most. */
const VICTIMS: readonly (readonly Part[])[] = [
  ['server'],
  ['engine'],
  ['sidecar'],
  ['owner', 'server'],
  ['owner'],
  ['server', 'engine'],
  ['server', 'sidecar'],
  ['engine', 'sidecar'],
  ['owner', 'server', 'engine', 'sidecar'],
];
const REST_CALLERS = 4;
const ORDERS_ON_ONE_HOLD = 100;
const ORDERS_BY_EACH_DESK = 15;
const ORDERS_IN_A_BURST = 25;
/** The desk that is sent prices too. */
const STREAMING = 'RICH2';
const RATES_MS = 20_000;
const DUE_MS = 15_000;

export interface CrashOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly tell: (line: string) => void;
}

export async function crashRun({ rounds, seed, tell }: CrashOptions): Promise<Tally> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ratewire-crash-'));
  const tally = new Tally();
  let cluster: Cluster | undefined;
  try {
    cluster = await Cluster.start(dataDir);
    const run = new Run(cluster, await provision(dataDir), seed, tally);
    await run.begin();
    for (let round = 1; round <= rounds && tally.violations.length === 0; round++) {
      const beganAt = performance.now();
      const what = await run.round(round);
      tell(`round ${round}: ${what}, ${((performance.now() - beganAt) / 1_000).toFixed(1)} s`);
    }
    run.close();
    const differences = await cluster.reconcile();
    if (differences) tally.violations.push(`reconciliation: ${differences}`);
    if (tally.violations.length > 0) for (const line of [...tally.violations, cluster.words()]) tell(line);
    return tally;
  } finally {
    await cluster?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

class Run {
  readonly #random: Random;
  readonly #log: IntentLog;
  readonly #audits: readonly ClientAudit[];
  readonly #caller: RestCaller;
  readonly #traders: readonly Trader[];
  readonly #contested = new Set<string>();

  constructor(
    private readonly cluster: Cluster,
    private readonly clients: readonly CrashClient[],
    private readonly seed: number,
    private readonly tally: Tally,
  ) {
    this.#random = seeded(seed);
    this.#log = new IntentLog(`s${seed}`);
    this.#audits = clients.map((client) => new ClientAudit(client, this.#violation));
    this.#caller = new RestCaller(cluster);
    const common = { cluster, log: this.#log, violation: this.#violation };
    this.#traders = clients.flatMap((client) =>
      client.desks.map((compId) => new Trader({ ...common, client, compId, streams: compId === STREAMING })),
    );
  }

  async begin(): Promise<void> {
    for (const client of this.clients)
      if (!(await this.#caller.authenticate(client))) throw new Error(`${client.id} gets no token`);
    await this.#untilThereAreRates();
  }

  close(): void {
    for (const { desk } of this.#traders) desk.stop();
    this.#caller.close();
  }

  async round(round: number): Promise<string> {
    // Of its own, so that a round is the same whatever came of those before.
    const random = seeded(this.seed * 10_007 + round);
    const victims = anyOf(random, VICTIMS);
    const killAtMs = wholeFrom(random, 100, 900);
    // At the same moment, or one after the other: what has just come back is in the midst of making good what it missed.
    const betweenMs = random() < 0.5 ? 0 : wholeFrom(random, 50, 1_500);
    const outageMs = wholeFrom(random, 0, 300);
    const firstNumbers = this.#traders.map(({ desk }) => desk.next);
    let isOver = false;
    // Each caller has numbers of its own, so that who comes first does not change what the others do.
    const turn = (): LoadTurn => ({
      round,
      random: seeded(wholeFrom(random, 0, 2 ** 31)),
      clients: this.clients,
      log: this.#log,
      isOver: () => isOver,
    });
    const load = [
      ...Array.from({ length: REST_CALLERS }, () => callByRest(this.#caller, turn())),
      ...this.#traders.map((trader) => tradeByFix(trader, this.#caller, turn())),
      this.#contest(turn(), Math.max(0, killAtMs - wholeFrom(random, 0, 120))),
      this.#settleSoon(Math.max(0, killAtMs - wholeFrom(random, -200, 900))),
      this.#burst(turn(), Math.max(0, killAtMs - wholeFrom(random, 0, 25))),
    ];

    await pause(killAtMs);
    for (const [i, part] of victims.entries()) {
      if (i > 0) await pause(betweenMs);
      if (await this.cluster.kill(part)) this.tally.killed(part);
    }
    await pause(outageMs);
    if (random() < 0.7 && this.cluster.tearLastWrite(random())) this.tally.torn++;
    await this.cluster.restore();
    await pause(100);
    isOver = true;
    await Promise.all(load);

    await this.#untilThereAreRates();
    await untilSettled(this.#traders, this.#violation);
    await this.#untilNothingIsDue();
    await this.#ask(round);
    const storeWasAway = victims.includes('server') || victims.includes('owner');
    await everythingAgain(this.#traders, firstNumbers, storeWasAway, this.#violation);
    this.tally.rounds++;
    const then = victims.length > 1 && betweenMs > 0 ? `, then after ${betweenMs} ms ` : ' and ';
    return `killed ${victims.join(then)} at ${killAtMs} ms, ${this.#told(round)}`;
  }

  /** Many orders on one hold at once, just before the kill or in the midst of it. */
  async #contest(turn: LoadTurn, atMs: number): Promise<void> {
    const client = this.clients[0]!;
    const held = await hold(this.#caller, turn, client);
    if (!held) return;
    await pause(atMs);
    this.#contested.add(held.holdId);
    const { log, round } = turn;
    const desks = this.#traders.filter((trader) => trader.options.client === client);
    const byFix = desks.flatMap((trader) => Array.from({ length: ORDERS_BY_EACH_DESK }, () => trader));
    const byRest = Array.from({ length: ORDERS_ON_ONE_HOLD - byFix.length });
    await Promise.all([
      ...byFix.map((trader) => trader.order(log.open(client, round, () => onHoldByFix(held, trader.desk.compId)))),
      ...byRest.map(() => this.#caller.book(log.open(client, round, (id) => onHoldByRest(held, id)))),
    ]);
  }

  /** Many orders at once at the very moment: some reach the store whose answer nobody hears any more. */
  async #burst(turn: LoadTurn, atMs: number): Promise<void> {
    const { random, log, round, clients } = turn;
    await pause(atMs);
    const orders = Array.from({ length: ORDERS_IN_A_BURST }, () => {
      const client = anyOf(random, clients);
      return log.open(client, round, (id) => marketByRest(random, client, id));
    });
    await Promise.all(orders.map((order) => this.#caller.book(order)));
  }

  /** Turns the clock for the scheduled conversions: their time has come, and the engine settles them in its next second. */
  async #settleSoon(atMs: number): Promise<void> {
    await pause(atMs);
    const turned = this.cluster.look(async (redis) => {
      for (const due of this.#dueKeys()) {
        const waiting = await redis.zrange(due, '0', '-1');
        for (const entry of waiting) if (entry.startsWith('settle:')) await redis.zadd(due, 'XX', Date.now(), entry);
      }
    });
    // The store has just been killed: another round will do.
    await turned.catch(() => {});
  }

  async #untilNothingIsDue(): Promise<void> {
    const late = performance.now() + DUE_MS;
    await this.cluster.look(async (redis) => {
      for (const due of this.#dueKeys())
        while ((await redis.zcount(due, '-inf', Date.now())) > 0) {
          if (performance.now() > late) return this.#violation(`what is due in ${due} is not done`);
          await pause(50);
        }
    });
  }

  #dueKeys(): ReadonlySet<string> {
    return new Set(this.clients.map((client) => ledgerKeys(client).due));
  }

  async #ask(round: number): Promise<void> {
    const intents = this.#log.of(round);
    await this.cluster.look(async (redis) => {
      const { tally } = this;
      const asking = { caller: this.#caller, redis, random: this.#random, violation: this.#violation, tally };
      await Promise.all([
        askByRest(
          asking,
          intents.filter(({ command }) => command.door === 'rest'),
        ),
        ...this.#traders.map((trader) =>
          askByFix(
            asking,
            trader,
            intents.filter(({ command }) => deskOf(command) === trader.desk.compId),
          ),
        ),
      ]);
      for (const audit of this.#audits) {
        await audit.readOn(redis);
        audit.checkOrigins(this.#log);
        for (const intent of this.#log.intents.values()) if (intent.client === audit.client) audit.check(intent);
      }
      const desksOf = (requestId: string) => deskOf(this.#log.intents.get(requestId)?.command);
      await everyReportCame(this.#traders, this.#audits, desksOf, this.#violation);
      for (const { holdId, client } of this.#log.holds.splice(0)) {
        const status = await redis.hget(ledgerKeys(client).hold(holdId), 'status');
        if (status === null) this.#violation(`hold ${holdId} was answered and is not there`);
      }
      const bookings = this.#audits.flatMap((audit) => [...audit.bookings.values()]);
      tally.booked = bookings.length;
      tally.settledLater = this.#audits.reduce((sum, audit) => sum + audit.settledLater, 0);
      tally.contests = this.#contested.size;
      tally.contestsWon = bookings.filter(({ holdId }) => this.#contested.has(holdId)).length;
    });
  }

  /** The relay tells the sidecar, once the engine that was killed has lost its lease. */
  async #untilThereAreRates(): Promise<void> {
    const late = performance.now() + RATES_MS;
    const client = this.clients[0]!;
    for (;;) {
      const pairs = ['EUR&buy_currency=USD', 'USD&buy_currency=JPY', 'GBP&buy_currency=USD'];
      const replies = await Promise.all(
        pairs.map((pair) => this.#caller.get(client, `/api/v1/bookfx/rate?sell_currency=${pair}`)),
      );
      if (replies.every((reply) => typeof reply !== 'string' && reply.status === 200)) return;
      if (performance.now() > late) throw new Error(`no rates: ${JSON.stringify(replies)} ${this.cluster.words()}`);
      await pause(20);
    }
  }

  #told(round: number): string {
    const intents = this.#log.of(round);
    const count = (is: (intent: (typeof intents)[number]) => boolean) => intents.filter(is).length;
    return `${intents.length} commands, ${count(({ acknowledged }) => acknowledged !== undefined)} booked`;
  }

  readonly #violation = (text: string): void => {
    this.tally.violations.push(text);
  };
}

const deskOf = (command: Command | undefined): string | undefined =>
  command?.door === 'fix' ? command.desk : undefined;
