/** Rounds of load, kill, restart, question and audit on one data directory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ledgerKeys } from '../../engine/store/ledger-keys.js';
import { random as seeded } from '../domain/random.js';
import { askByRest } from './ask-again.js';
import { ClientAudit } from './audit.js';
import { type CrashClient, provision } from './clients.js';
import { Cluster, type Part } from './cluster.js';
import { anyOf, onHoldByRest, type Random, wholeFrom } from './commands.js';
import { IntentLog } from './intents.js';
import { RestCaller } from './rest-caller.js';
import { callByRest, hold, type LoadTurn } from './rest-load.js';
import { Tally } from './tally.js';

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
const RATES_MS = 20_000;

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
  readonly #contested = new Set<string>();

  constructor(
    private readonly cluster: Cluster,
    private readonly clients: readonly CrashClient[],
    seed: number,
    private readonly tally: Tally,
  ) {
    this.#random = seeded(seed);
    this.#log = new IntentLog(`s${seed}`);
    this.#audits = clients.map((client) => new ClientAudit(client, this.#violation));
    this.#caller = new RestCaller(cluster);
  }

  async begin(): Promise<void> {
    for (const client of this.clients)
      if (!(await this.#caller.authenticate(client))) throw new Error(`${client.id} gets no token`);
    await this.#untilThereAreRates();
  }

  close(): void {
    this.#caller.close();
  }

  async round(round: number): Promise<string> {
    const random = this.#random;
    const victims = anyOf(random, VICTIMS);
    const killAtMs = wholeFrom(random, 100, 900);
    const outageMs = wholeFrom(random, 0, 300);
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
      this.#contest(turn(), Math.max(0, killAtMs - wholeFrom(random, 0, 120))),
    ];

    await pause(killAtMs);
    for (const part of victims) if (await this.cluster.kill(part)) this.tally.killed(part);
    await pause(outageMs);
    await this.cluster.restore();
    await pause(100);
    isOver = true;
    await Promise.all(load);

    await this.#untilThereAreRates();
    await this.#ask(round);
    this.tally.rounds++;
    return `killed ${victims.join(' and ')} at ${killAtMs} ms, ${this.#told(round)}`;
  }

  /** Many orders on one hold at once, just before the kill or in the midst of it. */
  async #contest(turn: LoadTurn, atMs: number): Promise<void> {
    const client = this.clients[0]!;
    const held = await hold(this.#caller, turn, client);
    if (!held) return;
    await pause(atMs);
    this.#contested.add(held.holdId);
    const orders = Array.from({ length: ORDERS_ON_ONE_HOLD }, () =>
      turn.log.open(client, turn.round, (id) => onHoldByRest(held, id)),
    );
    await Promise.all(orders.map((order) => this.#caller.book(order)));
  }

  async #ask(round: number): Promise<void> {
    const intents = this.#log.of(round);
    await this.cluster.look(async (redis) => {
      const { tally } = this;
      await askByRest(
        { caller: this.#caller, redis, random: this.#random, violation: this.#violation, tally },
        intents,
      );
      for (const audit of this.#audits) {
        await audit.readOn(redis);
        audit.checkOrigins(this.#log);
        for (const intent of this.#log.intents.values()) if (intent.client === audit.client) audit.check(intent);
      }
      for (const { holdId, client } of this.#log.holds.splice(0)) {
        const status = await redis.hget(ledgerKeys(client).hold(holdId), 'status');
        if (status === null) this.#violation(`hold ${holdId} was answered and is not there`);
      }
      const bookings = this.#audits.flatMap((audit) => [...audit.bookings.values()]);
      tally.booked = bookings.length;
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
