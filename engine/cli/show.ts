import Table from 'cli-table3';

/** Rows as a table for people, or as JSON for programs; a secret stands in a table too, because it is shown only once. */
export function show(answer: object | readonly object[], json: boolean): string {
  const rows = (Array.isArray(answer) ? answer : [answer]).map(withOutsideNames);
  if (json) return `${JSON.stringify(Array.isArray(answer) ? rows : rows[0], undefined, 2)}\n`;
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

/** ISO 8601 with Z; empty for what is no time: what stands in the store may have been altered. */
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
  // A description is a client's own text: it must not steer an operator's terminal.
  return value === undefined || value === null ? '' : String(value).replace(/[^\P{C}\n]/gu, '?');
}
