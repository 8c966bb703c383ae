import { compact } from './written.js';

/** Sort code, branch of a bank in the United Kingdom: six digits. Takes the written form (20-00-00). */
export function sortCodeFault(value: string): string | undefined {
  return /^\d{6}$/.test(compact(value)) ? undefined : 'a sort code has 6 digits';
}
