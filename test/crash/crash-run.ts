/** Rounds of load, kill, restart, queries and audit on one data directory. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Hold } from '../../engine/domain/conversions/booking.js';
import { ledgerKeys } from '../../engine/store/keys/redis-keys.js';
import { factsFrom } from '../../engine/store/ledger/records.js';
import { random as seeded } from '../domain/random.js';
import { askByFix, everyReportCame, everythingAgain, untilSettled } from './ask-by-fix.js';
import { askByRest } from './ask-by-rest.js';
import { ClientAudit } from './audit.js';
import { askChanges } from './changes/ask-changes.js';
import { changeByRest } from './changes/change-load.js';
import type { CrashClient } from './clients.js';
import { type Random, wholeFrom } from './commands.js';
import { tradeByFix } from './fix-load.js';
import { fallDue, untilThereAreRates } from './in-time.js';
import { type Command, IntentLog } from './intents.js';
import { PaymentRounds } from './payments/payment-rounds.js';
import { RestCaller } from './rest-caller.js';
import { callByRest, type LoadTurn } from './rest-load.js';
import { type CrashOptions, killAll, playRounds, type Rounds } from './rounds.js';
import type { Site } from './site.js';
import { watchStore } from './store-watch.js';
import { burst, contest } from './surges.js';
import { Tally } from './tally.js';
import { Trader } from './trader.js';

const REST_CALLERS = 4;
/** They change what they have booked. */
const CHANGERS = 2;
/** The desk that also streams prices. */
const STREAMING = 'RICH2';

/** On one machine, unless the programs of several are given; they are stopped at the end. */
export async function crashRun(options: CrashOptions, site?: Site): Promise<Tally> {
  const tally = new Tally();
  await playRounds(options, tally, (on, clients) => new Run(on, clients, options.seed, tally), site);
  return tally;
}

class Run implements Rounds {
  readonly #random: Random;
  readonly #log: IntentLog;
  readonly #changes: IntentLog;
  readonly #audits: readonly ClientAudit[];
  readonly #caller: RestCaller;
  readonly #traders: readonly Trader[];
  readonly #payments: PaymentRounds;
  readonly #contested = new Set<string>();

  constructor(
    private readonly site: Site,
    private readonly clients: readonly CrashClient[],
    private readonly seed: number,
    private readonly tally: Tally,
  ) {
    this.#random = seeded(seed);
    this.#log = new IntentLog(`s${seed}`);
    this.#changes = new IntentLog(`c${seed}`);
    this.#caller = new RestCaller(site);
    this.#payments = new PaymentRounds(site, clients, this.#caller, tally, this.#violation, this.#log.run);
    this.#audits = clients.map((client) => new ClientAudit(client, this.#payments.log, this.#changes, this.#violation));
    const common = { site, log: this.#log, violation: this.#violation };
    this.#traders = clients.flatMap((client) =>
      client.desks.map((compId) => new Trader({ ...common, client, compId, streams: compId === STREAMING })),
    );
  }

  async begin(): Promise<void> {
    for (const client of this.clients)
      if (!(await this.#caller.authenticate(client))) throw new Error(`${client.id} gets no token`);
    await untilThereAreRates(this.site, this.#caller, this.clients[0]!);
  }

  close(): void {
    for (const { desk } of this.#traders) desk.stop();
    this.#caller.close();
  }

  round(round: number): Promise<string> {
    const storeWasAway = watchStore(this.site);
    return this.#play(round, storeWasAway).finally(storeWasAway);
  }

  async #play(round: number, storeWasAway: () => Promise<boolean>): Promise<string> {
    const { site, clients } = this;
    const [caller, traders] = [this.#caller, this.#traders];
    // A generator of its own, so that a round does not depend on earlier ones.
    const random = seeded(this.seed * 10_007 + round);
    const kill = site.anyKill(random, round);
    const { victims, killAtMs, betweenMs } = kill;
    const firstNumbers = traders.map(({ desk }) => desk.next);
    let isOver = false;
    // Each caller has its own numbers, so that the order of callers does not change their commands.
    const turn = (): LoadTurn => ({
      round,
      random: seeded(wholeFrom(random, 0, 2 ** 31)),
      clients,
      log: this.#log,
      isOver: () => isOver,
    });
    const load = [
      contest(caller, traders, turn(), Math.max(0, killAtMs - wholeFrom(random, 0, 120))),
      ...Array.from({ length: REST_CALLERS }, () => callByRest(caller, turn())),
      ...traders.map((trader) => tradeByFix(trader, caller, turn())),
      fallDue(site, clients, Math.max(0, killAtMs - wholeFrom(random, -200, 900))),
      burst(caller, turn(), Math.max(0, killAtMs - wholeFrom(random, 0, 25))),
      ...Array.from({ length: CHANGERS }, () => changeByRest(caller, turn(), this.#changes)),
      ...this.#payments.load(turn, traders, random, killAtMs),
    ];

    await killAll(site, kill, (part) => this.tally.killed(part));
    if (random() < 0.7 && site.tearLastWrite(random())) this.tally.torn++;
    await site.restore();
    this.#payments.beginTurning();
    await pause(100);
    isOver = true;
    const [contested] = await Promise.all(load);
    if (contested) this.#contested.add(contested);

    await untilThereAreRates(site, caller, clients[0]!);
    await untilSettled(traders, this.#violation);
    await this.#ask(round);
    await everythingAgain(traders, firstNumbers, await storeWasAway(), this.#violation);
    const then = victims.length > 1 && betweenMs > 0 ? `, then after ${betweenMs} ms ` : ' and ';
    return `killed ${victims.join(then)} at ${killAtMs} ms, ${this.#told(round)}`;
  }

  async #ask(round: number): Promise<void> {
    const intents = this.#log.of(round);
    const { site, tally } = this;
    await site.look(async (redis) => {
      const asking = { caller: this.#caller, redis, random: this.#random, violation: this.#violation, tally };
      const moved = await askChanges(asking, this.#changes.of(round));
      await Promise.all([
        askByRest(
          asking,
          moved,
          intents.filter(({ command }) => command.door === 'rest'),
        ),
        ...this.#traders.map((trader) =>
          askByFix(
            asking,
            trader,
            intents.filter(({ command }) => deskOf(command) === trader.desk.compId),
          ),
        ),
        this.#payments.ask(redis, this.#random, round, this.#audits),
      ]);
      await this.#payments.untilDone(redis);
      for (const audit of this.#audits) {
        await audit.readOn(redis);
        audit.checkOrigins(this.#log);
        for (const intent of this.#log.intents.values()) if (intent.client === audit.client) audit.check(intent);
      }
      await this.#payments.check(redis, round, this.#audits);
      const desksOf = (requestId: string) => deskOf(this.#log.intents.get(requestId)?.command);
      await everyReportCame(this.#traders, this.#audits, desksOf, this.#violation);
      for (const { holdId, client, askedAtMs } of this.#log.holds.splice(0)) {
        const facts = await redis.hget(ledgerKeys(client).hold(holdId), 'facts');
        if (facts === null) {
          this.#violation(`hold ${holdId} was answered and is not there`);
          continue;
        }
        const held = factsFrom<Hold>(facts);
        site.judgeHold?.(held, askedAtMs ?? held.createdAtMs);
      }
      const bookings = this.#audits.flatMap((audit) => [...audit.bookings.values()]);
      site.judge?.(bookings);
      tally.booked = bookings.length;
      tally.settledLater = this.#audits.reduce((sum, audit) => sum + audit.settledLater, 0);
      tally.contests = this.#contested.size;
      tally.contestsWon = bookings.filter(({ holdId }) => this.#contested.has(holdId)).length;
    });
  }

  #told(round: number): string {
    const intents = this.#log.of(round);
    const count = (is: (intent: (typeof intents)[number]) => boolean) => intents.filter(is).length;
    const booked = count(({ acknowledged }) => acknowledged !== undefined);
    const payments = this.#payments.log.of(round);
    const made = payments.filter(({ created }) => created !== undefined).length;
    return `${intents.length} commands, ${booked} booked, ${payments.length} payments, ${made} made`;
  }

  readonly #violation = (text: string): void => {
    this.tally.violations.push(text);
  };
}

const deskOf = (command: Command | undefined): string | undefined =>
  command?.door === 'fix' ? command.desk : undefined;
