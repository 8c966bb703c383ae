/** Stored beneficiaries of a client, with their versions, and the index of their accounts. */

import {
  BENEFICIARIES_MAX,
  BENEFICIARY_CHANGES_MAX,
  type Beneficiary,
  type BeneficiaryFacts,
  type BeneficiaryStatus,
} from '../../domain/beneficiaries/beneficiary.js';
import {
  PAYEE_ANSWERS,
  PAYEE_SCHEMES,
  type PayeeAnswer,
  type PayeeScheme,
} from '../../domain/beneficiaries/payee-verification.js';
import { BENEFICIARY_ID } from '../../domain/core/ids.js';
import type { Connection } from '../connection/connection.js';
import { factsHash } from '../connection/fields.js';
import { step } from '../connection/scripts.js';
import { KEPT_MS } from '../conversions/bookings.js';
import { ledgerKeys, type MoneyOf } from '../keys/redis-keys.js';

interface NewVersion {
  readonly facts: BeneficiaryFacts;
  /** HMAC of its account. */
  readonly account: string;
  /** '' without. */
  readonly sealedCards: string;
}

interface NewBeneficiary extends NewVersion {
  readonly id: string;
  readonly requestId: string;
  readonly fingerprint: string;
  readonly createdAtMs: number;
}

type CreatedBeneficiary =
  | { readonly kind: 'created'; readonly beneficiary: Beneficiary }
  /** The first answer to the same request. */
  | { readonly kind: 'replayed'; readonly beneficiary: Beneficiary }
  /** Another beneficiary has the account. */
  | { readonly kind: 'duplicate'; readonly id: string }
  | { readonly kind: 'reused' | 'limit' };

type ChangedBeneficiary =
  | { readonly kind: 'changed'; readonly beneficiary: Beneficiary }
  | { readonly kind: 'same' | 'missing' | 'version' | 'limit' }
  | { readonly kind: 'duplicate'; readonly id: string };

/** As stored: what reconciliation compares. */
export interface StoredBeneficiary {
  readonly beneficiary: Beneficiary;
  readonly account: string;
  /** The beneficiary that the index names for this account; undefined: none. */
  readonly indexed: string | undefined;
}

export interface Beneficiaries {
  /** Verifications of payees that this process answered, by `<scheme> <answer>`; the scheme `none` covers no account. */
  readonly verifications: ReadonlyMap<string, number>;
  create(of: MoneyOf, created: NewBeneficiary): Promise<CreatedBeneficiary>;
  /** Whether a request of the client had this id: `create` answers then, and writes nothing. */
  isKnown(of: MoneyOf, requestId: string): Promise<boolean>;
  /** `expected` is the version that it must have; undefined: any. Without `changed` the fields stay. */
  change(
    of: MoneyOf,
    current: Beneficiary,
    change: {
      readonly expected?: number | undefined;
      readonly changed?: NewVersion | undefined;
      readonly status?: BeneficiaryStatus | undefined;
    },
  ): Promise<ChangedBeneficiary>;
  read(of: MoneyOf, id: string): Promise<Beneficiary | undefined>;
  /** With the version in which its fields were made: a later one has changed the status alone. */
  readToPay(
    of: MoneyOf,
    id: string,
  ): Promise<{ readonly stored: Beneficiary; readonly fieldsVersion: number } | undefined>;
  /** As it was in that version, without card numbers; undefined: there was none. */
  readVersion(of: MoneyOf, id: string, version: number): Promise<Beneficiary | undefined>;
  /** Throws TypeError for a record that was altered. */
  stored(of: MoneyOf, id: string): Promise<StoredBeneficiary | undefined>;
  /** For the client's events, as they show it: a verification is stored nowhere else. */
  noteVerification(
    of: MoneyOf,
    shown: {
      readonly verification_id: string;
      readonly answer: PayeeAnswer;
      readonly scheme: PayeeScheme | '';
      readonly code: string;
    },
  ): Promise<void>;
  /** How many accounts the index has. */
  accounts(of: MoneyOf): Promise<number>;
}

export const CREATE_BENEFICIARY = step(import.meta.url, 'create-beneficiary', {
  keys: ['receipt', 'beneficiary', 'index', 'payees'],
  args: ['beneficiaryId', 'createdAtMs', 'account', 'fingerprint', 'keptMs', 'most', 'facts', 'cards?'],
});
export const CHANGE_BENEFICIARY = step(import.meta.url, 'change-beneficiary', {
  keys: ['beneficiary', 'payees'],
  args: ['beneficiaryId', 'most', 'expected?', 'status?', 'account?', 'facts?', 'cards?'],
});

export const COMPLETE_VERIFICATION = step(import.meta.url, 'complete-verification', {
  keys: ['payees'],
  args: ['verificationId', 'what'],
});

export function beneficiaries(connection: Connection): Beneficiaries {
  const verifications = new Map<string, number>([['none NOT_POSSIBLE', 0]]);
  for (const scheme of PAYEE_SCHEMES) for (const answer of PAYEE_ANSWERS) verifications.set(`${scheme} ${answer}`, 0);
  const fields = async (of: MoneyOf, id: string, ...names: readonly string[]) =>
    connection.read((redis) => redis.hmget(ledgerKeys(of).beneficiary(id), ...names));
  const readToPay: Beneficiaries['readToPay'] = async (of, id) => {
    if (!BENEFICIARY_ID.test(id)) return undefined;
    const [text, facts, cards] = await fields(of, id, 's', 'f', 'c');
    if (!text || !facts) return undefined;
    const state = stateOf(text);
    return { stored: asBeneficiary(id, state, facts, cards ?? ''), fieldsVersion: state.versions.at(-1)! };
  };
  const readVersion: Beneficiaries['readVersion'] = async (of, id, version) => {
    if (!BENEFICIARY_ID.test(id)) return undefined;
    const [text] = await fields(of, id, 's');
    const state = text ? stateOf(text) : undefined;
    if (state === undefined || version < 1 || version > state.version) return undefined;
    const made = state.versions.findLast((one) => one <= version)!;
    const [facts] = await fields(of, id, made === state.versions.at(-1) ? 'f' : `f${made}`);
    return facts ? asBeneficiary(id, { ...state, version }, facts, '') : undefined;
  };
  return {
    verifications,
    read: async (of, id) => (await readToPay(of, id))?.stored,
    readToPay,
    readVersion,
    isKnown: async (of, requestId) =>
      (await connection.read((redis) => redis.exists(ledgerKeys(of).receipt(requestId)))) === 1,
    async create(of, { id, facts, account, sealedCards, requestId, fingerprint, createdAtMs }) {
      const keys = ledgerKeys(of);
      const [kind, first = '', other = ''] = (await connection.step(
        CREATE_BENEFICIARY,
        {
          receipt: keys.receipt(requestId),
          beneficiary: keys.beneficiary(id),
          index: keys.index('beneficiaries'),
          payees: keys.payees,
        },
        {
          beneficiaryId: id,
          createdAtMs,
          account,
          fingerprint,
          keptMs: KEPT_MS,
          most: BENEFICIARIES_MAX,
          facts: factsText(facts),
          cards: sealedCards,
        },
      )) as string[];
      const asCreated = { id, version: 1, status: 'ACTIVE', createdAtMs, updatedAtMs: createdAtMs } as const;
      if (kind === 'created') return { kind, beneficiary: { ...facts, ...asCreated, sealedCards } };
      if (kind === 'replayed') {
        const beneficiary = await readVersion(of, first, 1);
        if (beneficiary === undefined) throw new TypeError('a receipt leads to no beneficiary: run ratewire reconcile');
        return { kind, beneficiary: { ...beneficiary, status: 'ACTIVE', updatedAtMs: beneficiary.createdAtMs } };
      }
      if (first === 'DUPLICATE_BENEFICIARY') return { kind: 'duplicate', id: other };
      return { kind: first === 'BENEFICIARY_LIMIT' ? 'limit' : 'reused' };
    },
    async change(of, current, { expected, changed, status }) {
      const { beneficiary, payees } = ledgerKeys(of);
      const [kind, first = '', at = '', facts = '', cards = ''] = (await connection.step(
        CHANGE_BENEFICIARY,
        { beneficiary: beneficiary(current.id), payees },
        {
          beneficiaryId: current.id,
          most: BENEFICIARY_CHANGES_MAX,
          expected,
          status,
          account: changed?.account,
          facts: changed && factsText(changed.facts),
          cards: changed?.sealedCards,
        },
      )) as string[];
      if (kind === 'duplicate') return { kind, id: first };
      if (kind !== 'changed') return { kind: kind as 'same' | 'missing' | 'version' | 'limit' };
      const { id, createdAtMs } = current;
      const state = { version: Number(first), status: status ?? current.status, updatedAtMs: Number(at), createdAtMs };
      // Without new fields those that the step has found: they may have changed since `current` was read.
      if (changed === undefined) return { kind, beneficiary: asBeneficiary(id, state, facts, cards) };
      return { kind, beneficiary: { ...changed.facts, ...state, id, sealedCards: changed.sealedCards } };
    },
    async stored(of, id) {
      const [state, facts, cards] = await fields(of, id, 's', 'f', 'c');
      if (!state || !facts) return undefined;
      const { account, ...rest } = stateOf(state);
      if (facts.slice(0, HASH_LENGTH) !== factsHash(facts.slice(HASH_LENGTH + 1)))
        throw new TypeError('the fields of a beneficiary were altered');
      const indexed = (await connection.read((redis) => redis.hget(ledgerKeys(of).payees, account))) ?? undefined;
      return { beneficiary: asBeneficiary(id, rest, facts, cards ?? ''), account, indexed };
    },
    async noteVerification(of, shown) {
      const counted = `${shown.scheme || 'none'} ${shown.answer}`;
      verifications.set(counted, (verifications.get(counted) ?? 0) + 1);
      const { payees } = ledgerKeys(of);
      const args = { verificationId: shown.verification_id, what: JSON.stringify(shown) };
      await connection.step(COMPLETE_VERIFICATION, { payees }, args);
    },
    accounts: (of) => connection.read((redis) => redis.hlen(ledgerKeys(of).payees)),
  };
}

const HASH_LENGTH = 16;

/** The hash comes first: reconciliation finds what was altered. */
function factsText(facts: BeneficiaryFacts): string {
  const json = JSON.stringify(facts);
  return `${factsHash(json)}|${json}`;
}

interface State extends Pick<Beneficiary, 'version' | 'status' | 'updatedAtMs' | 'createdAtMs'> {}

function stateOf(text: string): State & { readonly account: string; readonly versions: readonly number[] } {
  const [version, status, updatedAt, createdAt, account = '', versions = ''] = text.split('|');
  return {
    version: Number(version),
    status: status as BeneficiaryStatus,
    updatedAtMs: Number(updatedAt),
    createdAtMs: Number(createdAt),
    account,
    versions: versions.split(' ').map(Number),
  };
}

function asBeneficiary(
  id: string,
  { version, status, createdAtMs, updatedAtMs }: State,
  text: string,
  sealedCards: string,
): Beneficiary {
  const facts = JSON.parse(text.slice(HASH_LENGTH + 1)) as BeneficiaryFacts;
  return { ...facts, id, version, status, createdAtMs, updatedAtMs, sealedCards };
}
