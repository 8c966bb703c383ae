/** Accounts of a client and their balances. */

import { randomBytes } from 'node:crypto';
import { ACCOUNT_NUMBER, accountNumber } from '../../domain/core/ids.js';
import type { RefusalCode } from '../../domain/core/refusal.js';
import type { Connection } from '../connection/connection.js';
import { step } from '../connection/scripts.js';
import { ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';

export interface Account {
  /** 12 digits. */
  readonly number: string;
  readonly currency: string;
  readonly active: boolean;
  /** The account used for its currency when none is named. */
  readonly isDefault: boolean;
  /** Position in the order in which Auto Book FX sells; 0: never. */
  readonly autoBookFxSequence: number;
  readonly label: string;
}

export interface Balance extends Account {
  /** Minor units. */
  readonly balance: bigint;
}

interface NewAccount {
  readonly currency: string;
  readonly label: string;
  readonly autoBookFxSequence: number;
  readonly makeDefault: boolean;
}

interface AccountChange {
  readonly active?: boolean | undefined;
  readonly label?: string | undefined;
  readonly autoBookFxSequence?: number | undefined;
  readonly makeDefault?: boolean | undefined;
}

export type Credited = { readonly balance: bigint; readonly replayed: boolean };

/** `credit` nostro -> account, `debit` account -> nostro, `repay` account -> receivable. */
export type AdjustmentKind = 'credit' | 'debit' | 'repay';

export interface Adjustment {
  readonly id: string;
  readonly kind: AdjustmentKind;
  readonly account: string;
  /** Minor units, above 0. */
  readonly amount: bigint;
  /** The reference of what is corrected: a deposit, a funding, a payment or a conversion. */
  readonly reference: string;
  readonly actor: string;
  readonly reason: string;
}

export type Adjusted =
  /** `owed` is the client's receivable in the currency afterwards, minor units. */
  | { readonly kind: 'adjusted' | 'replayed'; readonly balance: bigint; readonly owed: bigint }
  /** `more` of INSUFFICIENT_BALANCE is '<balance> <needed> <currency>', of BAD_AMOUNT the amount owed, in minor units. */
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly more: string };

/** A receivable: what a client owes in a currency beyond its balances. */
export interface Receivable {
  readonly currency: string;
  /** Minor units, above 0. */
  readonly owed: bigint;
}

export interface Accounts {
  /** Undefined when the client has its maximum of accounts. The number is unique across all clients. */
  open(of: MoneyOf, account: NewAccount): Promise<Account | undefined>;
  /** Claims an unused number for this client: a step may open an account with it. */
  claimNumber(clientId: string): Promise<string>;
  /** Releases a claimed number that became no account. */
  releaseNumber(number: string): Promise<void>;
  /** False when the client has no such account. */
  change(of: MoneyOf, number: string, change: AccountChange): Promise<boolean>;
  /** In order of currency, then number. */
  list(of: MoneyOf): Promise<readonly Account[]>;
  balances(of: MoneyOf): Promise<readonly Balance[]>;
  /** The same, each without what the client owes in its currency: what may leave. */
  spendable(of: MoneyOf): Promise<readonly Balance[]>;
  /** The account's currency, which never changes; undefined: not an account of this client. */
  currencyOf(of: MoneyOf, number: string): Promise<string | undefined>;
  /** The client that owns the account; undefined: unknown account. */
  holderOf(number: string): Promise<string | undefined>;
  /** Credits money from outside, once for each reference. `amount` is minor units, above 0. */
  credit(of: MoneyOf, reference: string, number: string, amount: bigint): Promise<Credited | RefusalCode>;
  /** A correction by an operator, once for each id. */
  adjust(of: MoneyOf, adjustment: Adjustment): Promise<Adjusted>;
  /** The client's receivables by currency; empty where it owes nothing. */
  receivables(of: MoneyOf): Promise<readonly Receivable[]>;
}

const ACCOUNTS_MAX = 10_000;
const NUMBERS_TRIED = 20;
const CURRENCIES_KEPT = 100_000;

const OPEN_ACCOUNT = step(import.meta.url, 'open-account', {
  keys: ['accounts', 'balances'],
  args: ['number', 'currency', 'sequence', 'label', 'makeDefault', 'accountsMax'],
});
const CHANGE_ACCOUNT = step(import.meta.url, 'change-account', {
  keys: ['accounts', 'overdue', 'due', 'overdueInto'],
  // `active` is 0 or 1; a label begins with `=`, because it may be empty.
  args: ['number', 'active?', 'sequence?', 'label?', 'makeDefault', 'client'],
});
const CREDIT_ACCOUNT = step(import.meta.url, 'credit-account', {
  keys: ['deposit', 'accounts', 'balances', 'journal', 'due', 'overdue'],
  args: ['client', 'reference', 'account', 'amount'],
  uses: ['groups', 'receivables', 'platforms'],
});
const ADJUST_ACCOUNT = step(import.meta.url, 'adjust-account', {
  keys: ['adjustment', 'accounts', 'balances', 'journal', 'due', 'overdue'],
  // `reference` is that of what is corrected.
  args: ['client', 'id', 'kind', 'account', 'amount', 'reference', 'actor', 'reason'],
  uses: ['groups', 'receivables', 'platforms'],
});

export function accounts(connection: Connection): Accounts {
  const currencies = new Map<string, string>();

  const claimNumber = async (clientId: string): Promise<string> => {
    for (let tried = 0; tried < NUMBERS_TRIED; tried++) {
      const number = accountNumber(randomDigits());
      const claimed = await connection.write((redis) => redis.set(holderKey(number), clientId, 'NX'));
      if (claimed === 'OK') return number;
    }
    throw new Error(`no free account number found in ${NUMBERS_TRIED} attempts`);
  };

  // A number that leads to no account does no harm: a known answer is not lost for it.
  const releaseNumber = async (number: string): Promise<void> => {
    await connection.write((redis) => redis.del(holderKey(number))).catch(() => {});
  };

  const moneyOf = (of: MoneyOf) => {
    const keys = ledgerKeys(of);
    return Promise.all([
      connection.read((redis) => redis.hgetall(keys.accounts)).then(accountsOf),
      connection.read((redis) => redis.hgetall(keys.balances)),
    ]);
  };

  const list = async (of: MoneyOf): Promise<readonly Account[]> =>
    accountsOf(await connection.read((redis) => redis.hgetall(ledgerKeys(of).accounts)));

  return {
    claimNumber,
    releaseNumber,
    async open(of, { currency, label, autoBookFxSequence, makeDefault }) {
      const { accounts, balances } = ledgerKeys(of);
      const number = await claimNumber(of.id);
      const opened = await connection.step(
        OPEN_ACCOUNT,
        { accounts, balances },
        { number, currency, sequence: autoBookFxSequence, label, makeDefault, accountsMax: ACCOUNTS_MAX },
      );
      if (opened === 'limit') {
        await releaseNumber(number);
        return undefined;
      }
      return (await list(of)).find((account) => account.number === number);
    },
    async change(of, number, { active, label, autoBookFxSequence, makeDefault }) {
      if (!ACCOUNT_NUMBER.test(number)) return false;
      const { accounts, overdue, due, overdueInto } = ledgerKeys(of);
      const changed = await connection.step(
        CHANGE_ACCOUNT,
        { accounts, overdue, due, overdueInto },
        {
          number,
          active: active === undefined ? undefined : Number(active),
          sequence: autoBookFxSequence,
          label: label === undefined ? undefined : `=${label}`,
          makeDefault: makeDefault === true,
          client: of.id,
        },
      );
      return changed === 1;
    },
    list,
    async balances(of) {
      const [accounts, amounts] = await moneyOf(of);
      return accounts.map((account) => ({ ...account, balance: balanceIn(amounts, account) }));
    },
    async spendable(of) {
      const [accounts, amounts] = await moneyOf(of);
      const owed = new Map(receivablesOf(amounts).map(({ currency, owed }) => [currency, owed]));
      return accounts.map((account) => {
        const free = balanceIn(amounts, account) - (owed.get(account.currency) ?? 0n);
        return { ...account, balance: free < 0n ? 0n : free };
      });
    },
    async currencyOf(of, number) {
      if (!ACCOUNT_NUMBER.test(number)) return undefined;
      const name = `${of.id} ${number}`;
      const known = currencies.get(name);
      if (known !== undefined) return known;
      const record = await connection.read((redis) => redis.hget(ledgerKeys(of).accounts, number));
      if (record === null) return undefined;
      if (currencies.size >= CURRENCIES_KEPT) currencies.clear();
      currencies.set(name, record.slice(0, 3));
      return record.slice(0, 3);
    },
    async holderOf(number) {
      if (!ACCOUNT_NUMBER.test(number)) return undefined;
      return (await connection.read((redis) => redis.get(holderKey(number)))) ?? undefined;
    },
    async credit(of, reference, number, amount) {
      const { deposit, accounts, balances, journal, due, overdue } = ledgerKeys(of);
      const [outcome, answer] = (await connection.step(
        CREDIT_ACCOUNT,
        { deposit: deposit(reference), accounts, balances, journal, due, overdue },
        { client: of.id, reference, account: number, amount },
      )) as [string, string];
      if (outcome === 'refused') return answer as RefusalCode;
      return { balance: BigInt(answer), replayed: outcome === 'replayed' };
    },
    async adjust(of, { id, kind, account, amount, reference, actor, reason }) {
      const { adjustment, accounts, balances, journal, due, overdue } = ledgerKeys(of);
      const [outcome, first = '', more = ''] = (await connection.step(
        ADJUST_ACCOUNT,
        { adjustment: adjustment(id), accounts, balances, journal, due, overdue },
        { client: of.id, id, kind, account, amount, reference, actor, reason },
      )) as string[];
      if (outcome === 'refused') return { kind: outcome, code: first as RefusalCode, more };
      return { kind: outcome as 'adjusted' | 'replayed', balance: BigInt(first), owed: BigInt(more) };
    },
    async receivables(of) {
      return receivablesOf(await connection.read((redis) => redis.hgetall(ledgerKeys(of).balances)));
    },
  };
}

const balanceIn = (amounts: Readonly<Record<string, string>>, { currency, number }: Account): bigint =>
  BigInt(amounts[`${currency}/${number}`] ?? '0');

/** From balances by `CUR/account`: the receivable sub-account is below 0 by the amount owed. */
export function receivablesOf(balances: Readonly<Record<string, string>>): Receivable[] {
  const found: Receivable[] = [];
  for (const [name, balance] of Object.entries(balances)) {
    const [currency = '', holder] = name.split('/');
    if (holder === RECEIVABLE && /^-\d{1,19}$/.test(balance)) found.push({ currency, owed: -BigInt(balance) });
  }
  return found.sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

/** The sub-account of the receivable: 0, or below 0 by the amount owed. */
export const RECEIVABLE = 'receivable';
/** Of a sub-client, and of its platform the contra account of all of them, with what it has earned: platforms.lua. */
export const PLATFORM_MARGIN = 'platform:margin';
export const SUB_CLIENTS_MARGIN = 'sub-clients:margin';
export const EARNINGS = 'earnings';

export const holderKey = (number: string): string => `account:${number}`;

function accountsOf(records: Record<string, string>): Account[] {
  const found: Account[] = [];
  for (const [number, record] of Object.entries(records)) {
    const parts = /^([A-Z]{3}) ([01]) (\d+) (.*)$/s.exec(record);
    if (!parts || !ACCOUNT_NUMBER.test(number)) continue;
    const [, currency = '', active, place, label = ''] = parts;
    const isDefault = records[`default:${currency}`] === number;
    found.push({ number, currency, active: active === '1', isDefault, autoBookFxSequence: Number(place), label });
  }
  return found.sort((a, b) => (a.currency + a.number < b.currency + b.number ? -1 : 1));
}

/** Ten digits, uniformly distributed. */
function randomDigits(): string {
  let digits = '';
  while (digits.length < 10) for (const byte of randomBytes(16)) if (byte < 250) digits += String(byte % 10);
  return digits.slice(0, 10);
}
