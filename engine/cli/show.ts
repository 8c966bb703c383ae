import Table from 'cli-table3';

/** Rows as a table for people, or as JSON for programs; a secret stands in a table too, because it is shown only once. */
export function show(answer: object | readonly object[], json: boolean): string {
  if (json) return `${JSON.stringify(answer, undefined, 2)}\n`;
  const rows: readonly object[] = Array.isArray(answer) ? answer : [answer];
  if (rows.length === 0) return 'none\n';
  const head = Object.keys(rows[0]!);
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const row of rows) table.push(head.map((name) => cell((row as Record<string, unknown>)[name])));
  return `${table.toString()}\n`;
}

function cell(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ');
  return value === undefined ? '' : String(value);
}
