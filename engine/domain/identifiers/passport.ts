import { compact } from './written.js';

/** Passport number: 6 to 12 letters and digits, no check digit outside the machine-readable zone. */
export function passportFault(value: string): string | undefined {
  return /^[A-Z\d]{6,12}$/.test(compact(value)) ? undefined : 'a passport number has 6 to 12 letters and digits';
}
