import { z } from 'zod';
import type { Payee } from '../../domain/beneficiaries/payee-account.js';
import { schemeOf } from '../../domain/beneficiaries/payee-scheme.js';
import {
  answerOf,
  type PayeeAnswer,
  type PayeePort,
  type PayeeQuestion,
  type PayeeReply,
  type PayeeScheme,
  type PayeeVerification,
} from '../../domain/beneficiaries/payee-verification.js';
import { isRefusal, type Refusal } from '../../domain/core/refusal.js';
import { withTimeout } from '../../domain/core/with-timeout.js';
import { type Caller, clientOf } from '../core/caller.js';
import { newId } from '../core/ids.js';
import { defineOperation, type InputFaults } from '../core/operation.js';
import { AN_OBJECT, BENEFICIARY, COMMON, DESTINATION, part, type ResolvedBeneficiary } from '../core/payment-parts.js';
import type { Services } from '../core/services.js';
import { beneficiaryFaults, placeOf } from './beneficiary-version.js';
import { conflictFaults, resolveBeneficiary } from './resolve-beneficiary.js';
import { VERIFICATION_MS, verificationToken } from './verification-token.js';

/** What is asked of a bank, of all that a beneficiary has. */
export const VERIFIED_FIELDS = ['name', 'countryCode', 'accountType', 'accountNumber'] as const;
const IS_VERIFIED: ReadonlySet<string> = new Set([
  ...VERIFIED_FIELDS.map((name) => `beneficiary.${name}`),
  ...Object.keys(DESTINATION).filter((name) => name !== 'payoutMethod'),
]);

export interface Verified extends PayeeVerification {
  readonly id: string;
  /** '' where no scheme covers the account. */
  readonly scheme: PayeeScheme | '';
  /** With MATCH and CLOSE_MATCH alone; '' where the bank names none. */
  readonly name: string;
  readonly token: string;
  readonly expiresAtMs: number;
}

/**
 * Asks the bank of an account whether it is in this name. The answer is in a token for a payment, and nowhere else. Refuses with
 * UNKNOWN_BENEFICIARY, BENEFICIARY_DISABLED.
 */
export const verifyPayee = defineOperation({
  input: z.strictObject({
    ...DESTINATION,
    beneficiaryId: COMMON.beneficiaryId,
    resolved: COMMON.resolved,
    beneficiary: part(z.strictObject(BENEFICIARY, AN_OBJECT), 'Whose account it is'),
  }),
  right: 'pay',
  grows: true,
  resolve: resolveBeneficiary,
  faults,
  async execute(services, caller, input): Promise<Verified | Refusal> {
    const client = await clientOf(services, caller);
    if (isRefusal(client)) return client;
    if (input.resolved?.refusal) return input.resolved.refusal;
    const { store } = services;
    const { beneficiaryId: _, resolved: __, ...details } = input;
    const payee: Payee = { ...placeOf(input), details };
    const scheme = schemeOf(payee.country, payee.currency, payee.method);
    const { code, answer, name } = scheme ? await answered(services, { scheme, ...payee }) : NOT_COVERED;
    const verifiedAtMs = services.now();
    const verification = { answer, code, verifiedAtMs };
    const id = newId('VRF', verifiedAtMs);
    await store.beneficiaries.noteVerification(client, { verification_id: id, answer, scheme: scheme ?? '', code });
    const token = verificationToken(store.subKey, client.id, payee, verification);
    return { ...verification, id, scheme: scheme ?? '', name, token, expiresAtMs: verifiedAtMs + VERIFICATION_MS };
  },
});

async function faults(services: Services, caller: Caller, input: unknown): Promise<InputFaults | Refusal> {
  const { resolved } = (input ?? {}) as { readonly resolved?: ResolvedBeneficiary };
  // A stored one was checked when it was stored.
  if (resolved) return { faults: conflictFaults(resolved) };
  const found = await beneficiaryFaults(services, caller, input);
  if (isRefusal(found)) return found;
  return { faults: found.faults.filter(({ field }) => IS_VERIFIED.has(field)) };
}

const NOT_COVERED = { code: '', answer: 'NOT_POSSIBLE', name: '' } as const;
/** A bank has so long; the answer to the client has a limit of its own. */
const ANSWER_MS = 1_500;
const NAME_MAX = 140;

/** A scheme that does not answer in time, fails, or is not connected: NOT_POSSIBLE, without a code. */
async function answered(
  { payees, log }: Services,
  question: PayeeQuestion,
): Promise<{ readonly code: string; readonly answer: PayeeAnswer; readonly name: string }> {
  if (payees === undefined) return NOT_COVERED;
  const reply = await withTimeout(asked(payees, question), ANSWER_MS, () => undefined).catch((error: unknown) => {
    // Its message may have the name or the account.
    log.warn({ scheme: question.scheme, kind: (error as Error)?.name }, 'a scheme of payee verification has failed');
    return undefined;
  });
  if (reply === undefined) return NOT_COVERED;
  const answer = answerOf(question.scheme, reply.code);
  const isNamed = answer === 'MATCH' || answer === 'CLOSE_MATCH';
  const name = isNamed ? (reply.name ?? '').replace(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, NAME_MAX) : '';
  return { code: reply.code.replace(/[^A-Z0-9]/g, '').slice(0, 8), answer, name };
}

const asked = async (port: PayeePort, question: PayeeQuestion): Promise<PayeeReply | undefined> =>
  port.verify(question);
