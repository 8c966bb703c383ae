import { IFSC_DIRECTORY } from './ifsc-directory.js';
import { numberRuns } from './number-runs.js';
import { compact } from './written.js';

/** IFSC, branch of a bank in India: four letters of a known bank, 0, six letters or digits. */
export function ifscFault(value: string): string | undefined {
  const ifsc = compact(value);
  if (!/^[A-Z]{4}0[A-Z\d]{6}$/.test(ifsc)) return 'an IFSC has four letters, 0, and six letters or digits';
  return BANKS.has(ifsc.slice(0, 4)) ? undefined : 'no bank has an IFSC with these four letters';
}

/** Whether the directory has a well-formed IFSC. It is of a day in the past and branches open every week: a warning, not a refusal. */
export function ifscDirectoryFault(value: string): string | undefined {
  const ifsc = compact(value);
  const branches = BANKS.get(ifsc.slice(0, 4));
  const branch = ifsc.slice(5);
  const isKnown = /^\d+$/.test(branch)
    ? branches?.digits(Number(branch))
    : branches?.letters(Number.parseInt(branch, 36));
  return isKnown ? undefined : 'not in the IFSC directory';
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
