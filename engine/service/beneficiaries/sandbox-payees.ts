/** The sandbox of payee verification: its answers follow words in the name, which docs/beneficiaries.md lists for integrators. */
import type { PayeePort, PayeeReply } from '../../domain/beneficiaries/payee-verification.js';

export const SANDBOX_PAYEES: PayeePort = {
  verify({ scheme, details: { beneficiary } }) {
    const name = beneficiary.name ?? '';
    const upper = ` ${name.toUpperCase().replace(/[\s_-]+/g, ' ')} `;
    const word = WORDS.find((one) => upper.includes(` ${one} `));
    if (word === 'NO ANSWER') return new Promise(() => {});
    const isCompany = beneficiary.accountType === 'Company';
    return Promise.resolve(scheme === 'UK_COP' ? inBritain(word, name, isCompany) : inSepa(word, name));
  },
};

const WORDS = ['CLOSE MATCH', 'NO MATCH', 'NOT POSSIBLE', 'OTHER KIND', 'SWITCHED', 'NO ANSWER'] as const;
type Word = (typeof WORDS)[number];

function inSepa(word: Word | undefined, name: string): PayeeReply {
  if (word === 'CLOSE MATCH') return { code: 'CMTC', name: without(word, name) };
  if (word === 'NO MATCH') return { code: 'NMTC' };
  return word === 'NOT POSSIBLE' ? { code: 'NOAP' } : { code: 'MTCH', name };
}

function inBritain(word: Word | undefined, name: string, isCompany: boolean): PayeeReply {
  if (word === 'CLOSE MATCH') return { code: 'MBAM', name: without(word, name) };
  if (word === 'NO MATCH') return { code: 'ANNM' };
  if (word === 'NOT POSSIBLE') return { code: 'ACNS' };
  if (word === 'SWITCHED') return { code: 'CASS' };
  if (word === 'OTHER KIND') return { code: isCompany ? 'PANM' : 'BANM', name };
  return { code: '', name };
}

const without = (word: Word, name: string): string => {
  const rest = name.replace(new RegExp(word.replace(' ', '[\\s_-]+'), 'i'), ' ');
  return rest.replace(/\s+/g, ' ').trim() || 'Sandbox Payee';
};
