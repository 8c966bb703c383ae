import { compact, isOneCharacter, WRONG_CHECK_DIGIT } from './written.js';

/**
 * CNPJ, tax number of a company in Brazil: twelve digits (since July 2026 letters too, each worth its ASCII code less 48) and two check
 * digits of mod 11, not all equal. Takes the written form (spaces, dots, slash, dashes).
 */
export function cnpjFault(value: string): string | undefined {
  const cnpj = compact(value, './');
  if (!/^[A-Z\d]{12}\d{2}$/.test(cnpj)) return 'a CNPJ has 12 digits or letters and 2 check digits';
  if (isOneCharacter(cnpj)) return 'all digits are equal';
  const base = cnpj.slice(0, 12);
  const first = checkDigit(base);
  return cnpj.endsWith(first + checkDigit(base + first)) ? undefined : WRONG_CHECK_DIGIT;
}

/** Weights 2 to 9 from the right, and again. */
function checkDigit(text: string): string {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum += (text.charCodeAt(at) - 48) * (((text.length - 1 - at) % 8) + 2);
  const remainder = sum % 11;
  return String(remainder < 2 ? 0 : 11 - remainder);
}
