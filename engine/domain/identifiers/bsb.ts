import { BSB_RUNS } from './bsb-directory.js';
import { numberRuns } from './number-runs.js';
import { compact } from './written.js';

/** BSB, branch of a bank in Australia: six digits. Takes the written form (062-000). */
export function bsbFault(value: string): string | undefined {
  return /^\d{6}$/.test(compact(value)) ? undefined : 'a BSB has 6 digits';
}

/** Whether the directory has a right BSB. It is of a day in the past and branches open and close: a warning, not a refusal. */
export function bsbDirectoryFault(value: string): string | undefined {
  return isInDirectory(Number(compact(value))) ? undefined : 'not in the BSB directory';
}

const isInDirectory = numberRuns(BSB_RUNS);
