/** Compares journal entries with the records of deposits, and of an operator's adjustments and repayments. */

import { RECEIVABLE } from '../../store/accounts/accounts.js';
import type { Evidence } from '../../store/audit/ledger-audit.js';
import { type Differing, difference, NONE } from './recompute.js';

/** Undefined: the entry, of this name, is of another step. */
export function creditDiffers(evidence: Evidence, name: string): Differing[] | undefined {
  const { step } = evidence.entry;
  if (step === 'deposit') return depositDiffers(evidence, name);
  // What a credit repays by itself: ReceivableReplay compares it.
  if (step === 'repay' && evidence.entry.actor === 'service') return [];
  return step === 'adjust' || step === 'repay' ? adjustmentDiffers(evidence, name) : undefined;
}

function depositDiffers({ entry, deposit }: Evidence, name: string): Differing[] {
  const [account, amount] = deposit?.split(' ') ?? [];
  const currency = entry.moves.slice(0, 3);
  if (deposit === undefined) return [[`deposit ${entry.id}`, entry.moves, NONE]];
  return difference(`${name}: moves`, `${currency} nostro ${account} ${amount}`, entry.moves);
}

function adjustmentDiffers({ entry, adjustment }: Evidence, name: string): Differing[] {
  const [kind = '', account = '', amount, reference = ''] = adjustment?.split(' ') ?? [];
  const currency = entry.moves.slice(0, 3);
  if (adjustment === undefined) return [[`adjustment ${entry.id}`, entry.moves, NONE]];
  const to = kind === 'debit' ? 'nostro' : RECEIVABLE;
  const legs = kind === 'credit' ? `nostro ${account}` : `${account} ${to}`;
  // What a repayment frees is behind its own move: ReceivableReplay compares it.
  const own = kind === 'repay' ? entry.moves.split(';')[0] : entry.moves;
  return [
    ...difference(`${name}: step`, kind === 'repay' ? 'repay' : 'adjust', entry.step),
    ...difference(`${name}: moves`, `${currency} ${legs} ${amount}`, own),
    ...difference(`${name}: reference`, reference, entry.reference),
  ];
}
