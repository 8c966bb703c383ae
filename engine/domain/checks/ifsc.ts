import { IFSC_DIRECTORY } from './ifsc-directory.js';
import { numberRuns } from './number-runs.js';
import { compact } from './written.js';

/**
 * IFSC, branch of a bank in India: four letters of a known bank, 0, six letters or digits of a branch that the directory has. The directory
 * is of a day in the past: a branch that is newer, or missing from it, is refused until its line is added there.
 */
export function ifscFault(value: string): string | undefined {
  const ifsc = compact(value);
  if (!/^[A-Z]{4}0[A-Z\d]{6}$/.test(ifsc)) return 'an IFSC has four letters, 0, and six letters or digits';
  const branches = BANKS.get(ifsc.slice(0, 4));
  if (branches === undefined) return 'no bank has an IFSC with these four letters';
  const branch = ifsc.slice(5);
  const { digits, letters } = branches;
  const isKnown = /^\d+$/.test(branch) ? digits(Number(branch)) : letters(Number.parseInt(branch, 36));
  return isKnown ? undefined : 'the bank has no branch with this IFSC';
}

interface Branches {
  readonly digits: (branch: number) => boolean;
  readonly letters: (branch: number) => boolean;
}

const BANKS: ReadonlyMap<string, Branches> = new Map(
  IFSC_DIRECTORY.trim()
    .split('\n')
    .map((line) => {
      const [digits, letters] = line.slice(5).split('|');
      return [line.slice(0, 4), { digits: numberRuns(digits!), letters: numberRuns(letters ?? '') }];
    }),
);
