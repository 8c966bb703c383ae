import { compact } from './written.js';

/** Cédula de ciudadanía, Colombia: 6 to 10 digits, no check digit. Takes the written form (spaces, dots, dashes). */
export function ccFault(value: string): string | undefined {
  return isSixToTenDigits(value) ? undefined : 'a CC has 6 to 10 digits';
}

/** Cédula de extranjería, Colombia: 6 to 10 digits, no check digit. Takes the written form (spaces, dots, dashes). */
export function ceFault(value: string): string | undefined {
  return isSixToTenDigits(value) ? undefined : 'a CE has 6 to 10 digits';
}

function isSixToTenDigits(value: string): boolean {
  return /^\d{6,10}$/.test(compact(value, '.,'));
}
