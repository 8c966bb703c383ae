/** A funding: money that a client announces, and whose arrival an operator or the sandbox confirms or denies. */
export const FUNDING_STATUSES = ['PENDING', 'COMPLETED', 'REJECTED', 'CANCELLED', 'REVERSED'] as const;
export type FundingStatus = (typeof FUNDING_STATUSES)[number];

/** What it was announced to be, which never changes. */
export interface FundingFacts {
  /** Ledger reference. */
  readonly id: string;
  readonly account: string;
  readonly currency: string;
  /** Minor units, as text. */
  readonly amount: string;
  /** As it was sent: BankName-AccountNumber-Currency. */
  readonly depositAccount: string;
  /** The client's own words. */
  readonly reference: string;
  /** '' without one. */
  readonly requestId: string;
  readonly createdAtMs: number;
}

export interface Funding extends FundingFacts {
  readonly status: FundingStatus;
  /** Who took the last step, and why; '' where no reason was given. */
  readonly actor: string;
  readonly reason: string;
  /** Minor units that a reversal took from the receivable account, because the account did not have them; '0' without. */
  readonly receivable: string;
  readonly updatedAtMs: number;
}

/** From where a status can be reached. Only COMPLETED and REVERSED move money. */
export const FUNDING_FROM: Readonly<Record<Exclude<FundingStatus, 'PENDING'>, FundingStatus>> = {
  COMPLETED: 'PENDING',
  REJECTED: 'PENDING',
  CANCELLED: 'PENDING',
  REVERSED: 'COMPLETED',
};

export type FundingStep = 'fund' | 'complete-funding' | 'reject-funding' | 'cancel-funding' | 'reverse-funding';

/** As the journal names the step to a status. */
export const FUNDING_STEPS: Readonly<Record<FundingStatus, FundingStep>> = {
  PENDING: 'fund',
  COMPLETED: 'complete-funding',
  REJECTED: 'reject-funding',
  CANCELLED: 'cancel-funding',
  REVERSED: 'reverse-funding',
};

/** The move that the step to a status makes, as its journal entry has it; '' for none. */
export function movesOfFunding(
  status: FundingStatus,
  { account, currency, amount, receivable }: FundingFacts & Pick<Funding, 'receivable'>,
): string {
  if (status === 'COMPLETED') return `${currency} nostro ${account} ${amount}`;
  if (status !== 'REVERSED') return '';
  // The stored record may have been altered.
  const owed = /^[1-9]\d{0,14}$/.test(receivable) && /^\d{1,15}$/.test(amount) ? BigInt(receivable) : 0n;
  if (owed === 0n) return `${currency} ${account} nostro ${amount}`;
  return `${currency} ${account} nostro ${BigInt(amount) - owed};${currency} receivable nostro ${owed}`;
}

/** Bank name, account number, currency; the bank's name may have spaces and dashes of its own. */
const DEPOSIT_ACCOUNT = /^(?! )[^\p{Cc}\p{Cs}]{0,99}[^\p{Cc}\p{Cs} ]-[A-Za-z0-9]{1,34}-([A-Z]{3})$/u;

/** The currency in which a deposit account `BankName-AccountNumber-Currency` takes money; undefined: it does not read so. */
export function depositCurrency(depositAccount: string): string | undefined {
  return DEPOSIT_ACCOUNT.exec(depositAccount)?.[1];
}
