import { cnpjFault, cpfFault } from '../identifiers/tax-ids-americas.js';

const RANDOM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PHONE = /^\+55\d{10,11}$/;
const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]+$/;

/** PIX key: a tax number, a telephone number, an email address, or a key that the central bank drew. */
export function pixKeyFault(key: string): string | undefined {
  if (RANDOM.test(key) || PHONE.test(key) || EMAIL.test(key)) return undefined;
  if (/^\d{11}$/.test(key)) return cpfFault(key);
  if (/^[0-9A-Z]{12}\d{2}$/.test(key)) return cnpjFault(key);
  return 'not a PIX key: CPF, CNPJ, telephone number (+55...), email address or random key';
}
