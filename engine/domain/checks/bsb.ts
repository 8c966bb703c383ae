import { compact } from './written.js';

/** BSB, branch of a bank in Australia: six digits. Takes the written form (062-000). */
export function bsbFault(value: string): string | undefined {
  return /^\d{6}$/.test(compact(value)) ? undefined : 'a BSB has 6 digits';
}
