import Table from 'cli-table3';
import { shownJson, shownText } from './unshown.js';

/** The output for a program and for a person, each made only when it is printed; and an exit code. */
export class Shown {
  constructor(
    readonly json: object,
    readonly text: () => string,
    readonly exitCode: number = 0,
  ) {}
}

/** To a program all of each, to a person what fits side by side. */
export function shownList<One>(all: readonly One[], row: (one: One) => object, wholeRow: (one: One) => object): Shown {
  return new Shown(all.map(wholeRow), () => showRows(all.map(row)));
}

/** To a person one field below the other. */
export const shownOne = (row: object): Shown => new Shown(row, () => showFields(row));

export function showJson(answer: object | readonly object[]): string {
  const outside = Array.isArray(answer) ? answer.map(withOutsideNames) : withOutsideNames(answer);
  return `${shownJson(JSON.stringify(outside, undefined, 2))}\n`;
}

/** A table; it contains a secret too, because that is shown only once. */
export function showRows(answers: readonly object[]): string {
  const rows = answers.map(withOutsideNames);
  if (rows.length === 0) return 'none\n';
  const head = Object.keys(rows[0]!);
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const row of rows) table.push(head.map((name) => cell((row as Record<string, unknown>)[name])));
  return `${table.toString()}\n`;
}

/** One record with many fields, one below the other. */
export function showFields(record: object): string {
  const table = new Table({ style: { head: [], border: [] } });
  for (const [name, value] of Object.entries(record)) table.push([name, cell(value)]);
  return `${table.toString()}\n`;
}

/** ISO 8601 with Z; empty for what is no time: the value in the store may have been altered. */
export function isoTime(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : '';
}

/** As the REST interface has it: `clientId` is `client`, `tokensEnded` is `tokens_ended`. */
export const outsideName = (name: string): string =>
  name === 'clientId' ? 'client' : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A field is there in each row, whether it has a value or not. */
function withOutsideNames(row: object): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [outsideName(name), value ?? null]));
}

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.map(cell).join(' ');
  return value === undefined || value === null ? '' : shownText(String(value));
}
