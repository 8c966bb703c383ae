/** Items of a batch as CSV, and their results. */

import { BATCH_ITEMS_MAX } from '../../../engine/domain/batches/batch.js';
import { type Refusal, refuse, refuseField } from '../../../engine/domain/core/refusal.js';
import type { ItemResult } from '../../../engine/service/batches/index.js';
import { type Body, decimalOf, type FormTypes } from '../../http/body.js';
import { csvLine, readCsv } from '../../http/csv.js';

const COLUMNS_MAX = 200;

/**
 * The same fields as in JSON: the first record has their names, nested ones as `beneficiary.name`; an empty field counts as absent. Refuses
 * with VALIDATION_FAILED, naming the line.
 */
export function itemsOfCsv(text: string, types: FormTypes): { readonly fields: Body } | Refusal {
  const rows = readCsv(text, { rows: BATCH_ITEMS_MAX + 1, columns: COLUMNS_MAX });
  if ('message' in rows) return faulty(rows.line, rows.message);
  const [names, ...records] = rows;
  if (names === undefined) return refuse('VALIDATION_FAILED', 'The CSV has no record with the names of the fields');
  const other = separatorIn(text, names);
  if (other !== undefined) return faulty(1, `${other}: separate the fields by commas`);
  // Columns without name and value are left out.
  const twice = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
  if (twice !== undefined) return refuseField(twice.slice(0, 128), 'two columns have this name', 'invalid_combination');
  const different = records.findIndex((record) => record.length !== names.length);
  if (different >= 0) {
    const count = records[different]!.length;
    return faulty(undefined, `record ${different + 1} has ${count} fields, and there are ${names.length} names`);
  }
  return { fields: { items: records.map((record) => itemOf(names, record, types)) } };
}

/** What a spreadsheet of another language writes instead of a comma, or above the names. */
function separatorIn(text: string, names: readonly string[]): string | undefined {
  if (/^\uFEFF?"?sep=/i.test(text)) return 'it begins with a line sep=, which is to be removed';
  const [only = '', ...others] = names;
  const found = others.length > 0 ? undefined : [';', '\t', '|'].find((separator) => only.includes(separator));
  return found && `its names have ${found === '\t' ? 'tabs' : found} between them`;
}

const faulty = (line: number | undefined, message: string): Refusal =>
  refuse('VALIDATION_FAILED', `The CSV cannot be read${line === undefined ? '' : `, line ${line}`}: ${message}`);

/** Without a prototype, so that no name of a column means anything to JavaScript. */
const noFields = (): Record<string, unknown> => Object.create(null);

function itemOf(names: readonly string[], record: readonly string[], { numbers, booleans }: FormTypes): object {
  const item = noFields();
  for (const [at, name] of names.entries()) {
    const text = record[at]!;
    if (text === '') continue;
    const isFlag = booleans?.includes(name) && /^(true|false)$/.test(text);
    const value = numbers?.includes(name) ? decimalOf(text) : isFlag ? text === 'true' : text;
    const [outer = '', inner, ...deeper] = name.split('.');
    if (inner === undefined || deeper.length > 0) {
      item[name] = value;
      continue;
    }
    const within = item[outer];
    if (typeof within === 'object') (within as Record<string, unknown>)[inner] = value;
    else item[outer] = Object.assign(noFields(), { [inner]: value });
  }
  return item;
}

const RESULT_COLUMNS = [
  ...['item_id', 'status', 'transaction_number', 'payment_id', 'payment_status', 'payment_sub_status'],
  ...['amount', 'currency', 'payee', 'account_ending', 'code', 'message'],
] as const;

/** A record for each item, below one with the names. */
export function resultsCsv(results: readonly ItemResult[]): string {
  const lines = results.map(({ itemId, status, transactionNumber, payment, refusal, contents }) =>
    csvLine([
      ...[itemId, status, transactionNumber, payment?.id ?? '', payment?.status ?? '', payment?.subStatus ?? ''],
      ...[contents.amount, contents.currency, contents.payee, contents.accountEnding],
      ...[refusal?.code ?? '', refusal?.text ?? ''],
    ]),
  );
  return [csvLine(RESULT_COLUMNS), ...lines].join('');
}
