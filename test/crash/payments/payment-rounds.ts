/** Payments in each round: their load, the queries about them, and their final checks. */
import type { Redis } from 'ioredis';
import type { ClientAudit, Violation } from '../audit.js';
import type { CrashClient } from '../clients.js';
import { type Random, wholeFrom } from '../commands.js';
import type { RestCaller } from '../rest-caller.js';
import type { LoadTurn } from '../rest-load.js';
import type { Site } from '../site.js';
import type { Tally } from '../tally.js';
import type { Trader } from '../trader.js';
import { askPayments, giveUp, readAll } from './ask-payments.js';
import { moneyComes, type Wanted } from './money-comes.js';
import { handOutTwice, turnClocks, untilNothingIsLeft, workersOf } from './nothing-left.js';
import { burstOfPayments, payByRest } from './pay-by-rest.js';
import { PaymentLog } from './payment-log.js';
import { dollars, whoIsShort } from './really-short.js';

const PAYERS = 3;

export class PaymentRounds {
  readonly log: PaymentLog;
  /** What the payments lack that waited at the end of the last round. */
  #wanted: readonly Wanted[] = [];
  #endTurning = async (): Promise<void> => {};

  constructor(
    private readonly site: Site,
    private readonly clients: readonly CrashClient[],
    private readonly caller: RestCaller,
    private readonly tally: Tally,
    private readonly violation: Violation,
    run: string,
  ) {
    this.log = new PaymentLog(run);
  }

  load(turn: () => LoadTurn, traders: readonly Trader[], random: Random, killAtMs: number): Promise<void>[] {
    const { site, clients, caller, log } = this;
    const ofPayments = () => ({ ...turn(), payments: log, traders });
    const { isOver } = turn();
    const isDoubled = random() < 0.5;
    return [
      ...Array.from({ length: PAYERS }, () => payByRest(caller, ofPayments())),
      burstOfPayments(caller, ofPayments(), Math.max(0, killAtMs - wholeFrom(random, 0, 100))),
      moneyComes(site, caller, ofPayments(), this.#wanted),
      ...(isDoubled ? [handOutTwice(site, clients, isOver)] : []),
    ];
  }

  /** Queries everything of this round while the programs are up and continue processing. */
  async ask(redis: Redis, random: Random, round: number, audits: readonly ClientAudit[]): Promise<void> {
    const { caller, violation, tally } = this;
    const asking = { caller, redis, random, violation, tally };
    const waiting = audits.flatMap(({ payments }) => payments.line.trails.map(({ intent }) => intent));
    await Promise.all([askPayments(asking, this.log.of(round)), giveUp(asking, waiting)]);
  }

  /** Until all has been queried; the programs are up. */
  beginTurning(): void {
    const { site, clients, tally } = this;
    let isOver = false;
    const turned = site
      .look((redis) => turnClocks(redis, clients, tally.payments.left, () => isOver))
      .catch((error: unknown) => this.violation(`the clock could not be turned: ${String(error)}`));
    this.#endTurning = () => {
      isOver = true;
      return turned;
    };
  }

  async untilDone(redis: Redis): Promise<void> {
    await this.#endTurning();
    return untilNothingIsLeft(redis, this.clients, this.tally.payments.left, this.violation);
  }

  /** After the audits, which have read the new entries. */
  async check(redis: Redis, round: number, audits: readonly ClientAudit[]): Promise<void> {
    const rates = await dollars(this.caller, this.clients[0]!);
    const wanted: Wanted[] = [];
    for (const { payments, money, played } of audits) {
      const trails = [...payments.trails.values()].filter(({ intent }) => intent.round === round);
      await readAll(this.caller, trails, this.violation);
      payments.check(round);
      money.check();
      wanted.push(...(await whoIsShort(redis, payments, played, rates, this.violation)));
    }
    this.#wanted = wanted;
    const { payments: tally } = this.tally;
    const completed = audits.reduce((sum, { money }) => sum + money.completed, 0);
    tally.count(
      audits.flatMap(({ payments }) => [...payments.trails.values()]),
      completed,
    );
    for (const { told } of this.log.of(round))
      tally.duplicates += told.filter(({ kind }) => kind === 'duplicate').length;
    for (const worker of await workersOf(redis, this.clients)) tally.workers.add(worker);
  }
}
