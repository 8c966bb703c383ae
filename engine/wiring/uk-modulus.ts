import { readFileSync } from 'node:fs';
import { parseUkModulusTable, type UkModulusTable } from '../domain/beneficiaries/identifiers/uk-modulus.js';
import { SettingError, shown } from './config.js';

/** The table that UK_MODULUS_TABLE names. Throws SettingError, one line, for a file that cannot be read or is no such table. */
export function readUkModulusTable(path: string): UkModulusTable {
  try {
    return parseUkModulusTable(readFileSync(path, 'latin1'));
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : 'it cannot be read';
    throw new SettingError(
      `UK_MODULUS_TABLE ${shown(path)} is not accepted: ${reason}; set the path of the table of modulus weights, or unset it.`,
    );
  }
}
