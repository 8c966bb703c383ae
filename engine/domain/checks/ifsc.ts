import { IFSC_BANKS } from './ifsc-banks.js';
import { compact } from './written.js';

/** IFSC, branch of a bank in India: four letters of a known bank, 0, six letters or digits of the branch. */
export function ifscFault(value: string): string | undefined {
  const ifsc = compact(value);
  if (!/^[A-Z]{4}0[A-Z\d]{6}$/.test(ifsc)) return 'an IFSC has four letters, 0, and six letters or digits';
  return IFSC_BANKS.has(ifsc.slice(0, 4)) ? undefined : 'no bank has an IFSC with these four letters';
}
