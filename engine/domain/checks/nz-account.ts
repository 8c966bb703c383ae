import { compact } from './written.js';

/** Account in New Zealand: bank (2), branch (4), account (7 or 8), suffix (2 to 4). Takes the written form. */
export function nzAccountFault(value: string): string | undefined {
  return /^\d{14,18}$/.test(compact(value)) ? undefined : 'an account has bank, branch, account and suffix';
}
