/** Verification of a payee: whether an account is in the name of whom the client wants to pay, as its bank answers by a scheme. */
import type { PayeeDetails } from '../payments/payment-details.js';

export const PAYEE_ANSWERS = ['MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'NOT_POSSIBLE'] as const;
export type PayeeAnswer = (typeof PAYEE_ANSWERS)[number];

/** Verification of Payee of SEPA, Confirmation of Payee of the United Kingdom. */
export const PAYEE_SCHEMES = ['SEPA_VOP', 'UK_COP'] as const;
export type PayeeScheme = (typeof PAYEE_SCHEMES)[number];

/** The codes of each scheme. In the United Kingdom a match has none; BANM and PANM are the right name and the other kind of account. */
const CODES: Readonly<Record<PayeeScheme, Readonly<Record<string, PayeeAnswer>>>> = {
  SEPA_VOP: { MTCH: 'MATCH', CMTC: 'CLOSE_MATCH', NMTC: 'NO_MATCH', NOAP: 'NOT_POSSIBLE' },
  UK_COP: {
    '': 'MATCH',
    MBAM: 'CLOSE_MATCH',
    BAMM: 'CLOSE_MATCH',
    PAMM: 'CLOSE_MATCH',
    BANM: 'CLOSE_MATCH',
    PANM: 'CLOSE_MATCH',
    ANNM: 'NO_MATCH',
    AC01: 'NOT_POSSIBLE',
    ACNS: 'NOT_POSSIBLE',
    OPTO: 'NOT_POSSIBLE',
    SCNS: 'NOT_POSSIBLE',
    IVCR: 'NOT_POSSIBLE',
    CASS: 'NOT_POSSIBLE',
  },
};

/** A code that the scheme does not have says nothing. */
export const answerOf = (scheme: PayeeScheme, code: string): PayeeAnswer =>
  Object.hasOwn(CODES[scheme], code) ? CODES[scheme][code]! : 'NOT_POSSIBLE';

/** As a payment keeps it. */
export interface PayeeVerification {
  readonly answer: PayeeAnswer;
  /** The scheme's own; '' where it has none. */
  readonly code: string;
  readonly verifiedAtMs: number;
}

/** Which answers are enough for a client's payments; with any other they wait for the operator. Absent: none is needed. */
export interface PayeePolicy {
  readonly accepted: readonly PayeeAnswer[];
  /** A payment that a scheme covers is refused without a verification, and does not wait. */
  readonly required: boolean;
}

/** Where no scheme covers the account, no verification is as good as NOT_POSSIBLE. */
export function judgePayee(
  { accepted, required }: PayeePolicy,
  verification: PayeeVerification | undefined,
  scheme: PayeeScheme | undefined,
): 'accepted' | 'waits' | 'missing' {
  const answer = verification?.answer ?? (scheme === undefined ? 'NOT_POSSIBLE' : undefined);
  if (answer === undefined) return required ? 'missing' : 'waits';
  return accepted.includes(answer) ? 'accepted' : 'waits';
}

export interface PayeeQuestion {
  readonly scheme: PayeeScheme;
  readonly country: string;
  readonly currency: string;
  /** Name, account and routing codes, as a payment has them. */
  readonly details: PayeeDetails;
}

export interface PayeeReply {
  /** The scheme's own. */
  readonly code: string;
  /** In which name the account is, where the bank says so. */
  readonly name?: string | undefined;
}

/** The connection to the schemes. */
export interface PayeePort {
  verify(question: PayeeQuestion): Promise<PayeeReply>;
}
