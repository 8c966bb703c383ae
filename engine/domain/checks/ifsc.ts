import { compact } from './written.js';

/** IFSC, branch of a bank in India: four letters of the bank, 0, six of the branch. */
export function ifscFault(value: string): string | undefined {
  return /^[A-Z]{4}0[A-Z\d]{6}$/.test(compact(value))
    ? undefined
    : 'an IFSC has four letters, 0, and six letters or digits';
}
