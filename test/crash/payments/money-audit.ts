/** Money credited to one client: fundings, each completed or rejected once, and deposits, each once. */
import type { Redis } from 'ioredis';
import {
  FUNDING_STEPS,
  type FundingFacts,
  type FundingStatus,
  movesOfFunding,
} from '../../../engine/domain/fundings/funding.js';
import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { factsFrom } from '../../../engine/store/ledger/records.js';
import type { CrashClient } from '../clients.js';
import type { Journalled } from '../journalled.js';
import type { PaymentLog } from './payment-log.js';

interface Found {
  readonly facts: FundingFacts;
  status: FundingStatus;
}

const STATUS_OF = new Map<string, FundingStatus>(
  Object.entries(FUNDING_STEPS).map(([status, step]) => [step, status as FundingStatus]),
);

export class MoneyAudit {
  /** By request id or reference: what was credited. */
  readonly #came = new Map<string, string>();
  readonly #fundings = new Map<string, Found>();
  readonly #facts = new Map<string, FundingFacts>();
  readonly #touched = new Set<string>();

  constructor(
    readonly client: CrashClient,
    private readonly log: PaymentLog,
    private readonly wrong: (text: string) => void,
  ) {}

  get completed(): number {
    return [...this.#fundings.values()].filter(({ status }) => status === 'COMPLETED').length;
  }

  async prepare(redis: Redis, entries: readonly Journalled[]): Promise<void> {
    const keys = ledgerKeys(this.client);
    const made = entries.filter(({ step }) => step === 'fund');
    const read = async ({ id }: Journalled): Promise<void> => {
      const facts = await redis.hget(keys.funding(id), 'facts');
      if (facts) this.#facts.set(id, factsFrom<FundingFacts>(facts));
      else this.wrong(`${id} is in the journal and has no record`);
    };
    await Promise.all(made.map(read));
  }

  /** False: the entry is about something else. */
  take({ step, id, moves }: Journalled): boolean {
    if (step === 'deposit') {
      this.#comes(id, id);
      return true;
    }
    const status = STATUS_OF.get(step);
    if (status === undefined) return false;
    this.#touched.add(id);
    const facts = this.#facts.get(id);
    if (!facts) return true;
    const before = this.#fundings.get(id);
    if (status === 'PENDING') this.#comes(facts.requestId, id);
    if ((before?.status ?? '') !== (status === 'PENDING' ? '' : 'PENDING'))
      this.wrong(`${id} becomes ${status}, and is ${before?.status}`);
    const wanted = movesOfFunding(status, { ...facts, receivable: '0' });
    if (moves !== wanted) this.wrong(`${id}, ${status}, moves ${moves || 'nothing'}, not ${wanted || 'nothing'}`);
    this.#fundings.set(id, { facts, status });
    return true;
  }

  #comes(name: string, id: string): void {
    const other = this.#came.get(name);
    if (other) this.wrong(`${name} has come twice: ${other} and ${id}`);
    this.#came.set(name, id);
  }

  async compare(redis: Redis): Promise<void> {
    const keys = ledgerKeys(this.client);
    for (const id of this.#touched) {
      const status = await redis.hget(keys.funding(id), 'status');
      const wanted = this.#fundings.get(id)?.status;
      if (status !== wanted) this.wrong(`${id} is ${status}, the journal says ${wanted}`);
    }
    this.#touched.clear();
  }

  check(): void {
    for (const { client, name, kind, told, isSent, isRejected, account, currency, minor } of this.log.money.values()) {
      if (client !== this.client) continue;
      const id = this.#came.get(name);
      if (told.size > 1 || (told.size === 1 && !told.has(id ?? '')))
        this.wrong(`${name} was answered as ${[...told]}, it is ${id}`);
      if (id === undefined) continue;
      if (!isSent) this.wrong(`${name} has come as ${id}, and was never sent`);
      if (kind === 'credit') continue;
      const { facts, status } = this.#fundings.get(id)!;
      const wanted = `${account} ${currency} ${minor} ${isRejected ? 'REJECTED' : 'COMPLETED'}`;
      const is = `${facts.account} ${facts.currency} ${facts.amount} ${status}`;
      if (is !== wanted) this.wrong(`${name} is ${is}, and should be ${wanted}`);
    }
  }
}
