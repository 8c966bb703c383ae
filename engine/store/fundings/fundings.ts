/** Fundings: created, moved from status to status by one atomic step each, and read. */

import { FUNDING_ID } from '../../domain/core/ids.js';
import type { RefusalCode } from '../../domain/core/refusal.js';
import {
  FUNDING_FROM,
  FUNDING_STATUSES,
  FUNDING_STEPS,
  type Funding,
  type FundingFacts,
  type FundingStatus,
} from '../../domain/fundings/funding.js';
import type { Connection } from '../connection/connection.js';
import { wroteNothing } from '../connection/errors.js';
import { type CallOf, step } from '../connection/scripts.js';
import { KEPT_MS } from '../conversions/bookings.js';
import { ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';
import { factsFrom, factsText } from '../ledger/records.js';

/** A funding to be created. */
export interface CreateFundingStep {
  readonly id: string;
  readonly account: string;
  /** The same for the same command; required with a request id. */
  readonly fingerprint: string;
  readonly requestId: string | undefined;
  readonly actor: string;
  /** The first refusal determined without the store; the step returns it after its own earlier checks. */
  readonly refusal?: { readonly code: RefusalCode; readonly text: string } | undefined;
  /** Absent with a refusal. */
  readonly facts?: FundingFacts | undefined;
  /** When the sandbox completes it; absent: it waits for an operator. */
  readonly completesAtMs?: number | undefined;
}

export type CreateFundingOutcome =
  | { readonly kind: 'created' | 'replayed'; readonly funding: Funding }
  /** `text` is '' where the code's standard text applies. */
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly text: string };

export interface FundingMove {
  readonly to: Exclude<FundingStatus, 'PENDING'>;
  readonly actor: string;
  readonly reason: string;
  /** A reversal may debit the receivable account for what the account lacks. */
  readonly allowReceivable?: boolean | undefined;
}

export type FundingMoveOutcome =
  /** `again`: it had the status before, and nothing has changed. */
  | { readonly kind: 'moved' | 'again'; readonly funding: Funding }
  /** `more` is the status of WRONG_STATE; of INSUFFICIENT_BALANCE '<balance> <needed> <currency>' in minor units. */
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly more: string };

export interface Fundings {
  /** How often this process has moved a funding to each status. */
  readonly steps: ReadonlyMap<FundingStatus, number>;
  create(of: MoneyOf, step: CreateFundingStep): Promise<CreateFundingOutcome>;
  move(of: MoneyOf, funding: Funding, move: FundingMove): Promise<FundingMoveOutcome>;
  read(of: MoneyOf, id: string): Promise<Funding | undefined>;
  /** The client that owns the funding; undefined: unknown funding. */
  holderOf(id: string): Promise<string | undefined>;
}

const CREATE_FUNDING = step(import.meta.url, 'create-funding', {
  keys: ['accounts', 'receipt?', 'funding', 'journal', 'index', 'due'],
  args: [
    // Of the facts; absent with a refusal.
    'createdAtMs?',
    // Absent without a request id.
    'fingerprint?',
    'fundingId',
    'client',
    'account',
    // A refusal determined before the step.
    'refusalCode?',
    'refusalText?',
    'facts?',
    // Prefix of the keys of the client's fundings.
    'fundings',
    // How long receipts are kept.
    'keptMs',
    // When the sandbox completes it; absent: it waits for an operator.
    'completesAtMs?',
    'actor',
  ],
});
const MOVE_FUNDING = step(import.meta.url, 'move-funding', {
  keys: ['funding', 'accounts', 'balances', 'journal', 'due', 'overdue'],
  // Statuses; the journal's name of the step; whether a reversal may debit the receivable account for what the account lacks.
  args: ['client', 'fundingId', 'from', 'to', 'step', 'account', 'amount', 'actor', 'reason', 'allowReceivable'],
  uses: ['groups', 'receivables', 'platforms'],
});
export const FUNDING_FIELDS = ['facts', 'status', 'updatedAt', 'actor', 'reason', 'receivable'] as const;

export function fundings(connection: Connection): Fundings {
  const steps = new Map<FundingStatus, number>(FUNDING_STATUSES.map((status) => [status, 0]));
  const count = (status: FundingStatus): void => void steps.set(status, steps.get(status)! + 1);
  const read = async (of: MoneyOf, id: string): Promise<Funding | undefined> => {
    if (!FUNDING_ID.test(id)) return undefined;
    return asFunding(await connection.read((redis) => redis.hmget(ledgerKeys(of).funding(id), ...FUNDING_FIELDS)));
  };

  return {
    steps,
    async create(of, step) {
      const { id, facts } = step;
      // Before the step, in another slot: every returned reference leads to its client, even after a crash.
      await connection.write((redis) => redis.set(holderKey(id), of.id));
      // A key that stays leads to no record, which does no harm: a known answer is not lost for it.
      const remove = () => connection.write((redis) => redis.del(holderKey(id))).catch(() => {});
      const creating = connection.step(CREATE_FUNDING, ...createCall(of, step)) as Promise<string[]>;
      const [kind, ...rest] = await creating.catch(async (error: unknown) => {
        if (wroteNothing(error)) await remove();
        throw error;
      });
      if (kind === 'created' && facts) {
        count('PENDING');
        return { kind, funding: asCreated(facts, step.actor) };
      }
      await remove();
      const [first = '', more = ''] = rest;
      if (kind === 'replayed') return { kind, funding: asCreated(factsFrom<FundingFacts>(first), more) };
      return { kind: 'refused', code: first as RefusalCode, text: more };
    },
    async move(of, funding, { to, actor, reason, allowReceivable }) {
      const { accounts, balances, journal, due, overdue, funding: keyOf } = ledgerKeys(of);
      const { id, account, amount } = funding;
      const [kind, ...rest] = (await connection.step(
        MOVE_FUNDING,
        { funding: keyOf(id), accounts, balances, journal, due, overdue },
        {
          client: of.id,
          fundingId: id,
          from: FUNDING_FROM[to],
          to,
          step: FUNDING_STEPS[to],
          account,
          amount,
          actor,
          reason,
          allowReceivable: allowReceivable === true,
        },
      )) as string[];
      const [first = '', by = '', why = ''] = rest;
      if (kind === 'moved') {
        count(to);
        const receivable = by || '0';
        return { kind, funding: { ...funding, status: to, actor, reason, receivable, updatedAtMs: Number(first) } };
      }
      if (kind === 'again')
        return { kind, funding: { ...funding, status: to, actor: by, reason: why, updatedAtMs: Number(first) } };
      return { kind: 'refused', code: first as RefusalCode, more: by };
    },
    read,
    async holderOf(id) {
      if (!FUNDING_ID.test(id)) return undefined;
      return (await connection.read((redis) => redis.get(holderKey(id)))) ?? undefined;
    },
  };
}

function createCall(of: MoneyOf, step: CreateFundingStep): CallOf<typeof CREATE_FUNDING> {
  const keys = ledgerKeys(of);
  const { accounts, journal, due, fundings } = keys;
  const { id, account, actor, requestId, refusal, facts, completesAtMs } = step;
  if (facts === undefined && refusal === undefined) throw new TypeError('a funding without an amount is no funding');
  return [
    {
      accounts,
      receipt: requestId === undefined ? undefined : keys.receipt(requestId),
      funding: keys.funding(id),
      journal,
      index: keys.index('fundings'),
      due,
    },
    {
      createdAtMs: facts?.createdAtMs,
      fingerprint: requestId === undefined ? undefined : step.fingerprint,
      fundingId: id,
      client: of.id,
      account,
      refusalCode: refusal?.code,
      refusalText: refusal?.text,
      facts: facts && factsText(facts),
      fundings,
      keptMs: KEPT_MS,
      completesAtMs,
      actor,
    },
  ];
}

export const holderKey = (id: string): string => `funding:${id}`;

/** The funding as it was created. */
function asCreated(facts: FundingFacts, actor: string): Funding {
  return { ...facts, status: 'PENDING', actor, reason: '', receivable: '0', updatedAtMs: facts.createdAtMs };
}

/** From the values of FUNDING_FIELDS. */
export function asFunding(fields: readonly (string | null)[]): Funding | undefined {
  const [facts, status, updatedAt, actor, reason, receivable] = fields;
  if (!facts) return undefined;
  return {
    ...factsFrom<FundingFacts>(facts),
    status: status as FundingStatus,
    actor: actor ?? '',
    reason: reason ?? '',
    receivable: receivable ?? '0',
    updatedAtMs: Number(updatedAt),
  };
}
