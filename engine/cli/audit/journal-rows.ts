/** Journal entries as rows for people, as JSON, and as CSV. */
import { formatMinor, isAccountCurrency } from '../../domain/money/money.js';
import type { OutputOf } from '../../service/operations.js';
import { isoTime } from '../show.js';
import { shownText } from '../unshown.js';

type JournalEntry = OutputOf<'pageJournal'>['entries'][number];

export function entryRow({ entry, atMs, step, id }: JournalEntry): object {
  return { entry, at: isoTime(atMs), step, id };
}

/** Empty where the step says it all. */
export const whoAndWhy = ({ actor, reason }: JournalEntry): object => ({ by: actor, reason });

/** Statuses are empty where it is no step of a payment. */
export function entryJson(entry: JournalEntry): object {
  const { from, to, sub, reference } = entry;
  return { ...entryRow(entry), ...whoAndWhy(entry), reference, from, to, sub_status: sub, moves: movesJson(entry) };
}

export function movesText({ moves }: JournalEntry): string {
  if (typeof moves === 'string') return moves;
  return moves.map((move) => `${move.from} -> ${move.to} ${decimals(move)} ${move.currency}`).join('\n');
}

export function movesJson({ moves }: JournalEntry): unknown {
  return typeof moves === 'string' ? moves : moves.map((move) => ({ ...move, amount: decimals(move) }));
}

const COLUMNS = ['client', 'entry', 'at', 'step', 'id', 'by', 'reason', 'from_status', 'to_status', 'sub_status'];
const MOVE_COLUMNS = ['currency', 'from', 'to', 'amount'];

export const CSV_HEAD = `${[...COLUMNS, ...MOVE_COLUMNS].join(',')}\r\n`;

/** A row for each move, RFC 4180. Moves that cannot be read are under `from`. */
export function csvRows(
  client: string,
  { entry, atMs, step, id, actor, reason, from, to, sub, moves }: JournalEntry,
): string {
  const own = [client, entry, isoTime(atMs), step, id, actor, reason, from, to, sub];
  const none = ['', typeof moves === 'string' ? moves : '', '', ''];
  const perMove =
    typeof moves === 'string' ? [] : moves.map((move) => [move.currency, move.from, move.to, decimals(move)]);
  const rows = perMove.length === 0 ? [none] : perMove;
  return rows.map((row) => `${[...own, ...row].map(csvText).join(',')}\r\n`).join('');
}

/** A reason is an operator's free text: no spreadsheet must take it for a formula, and no terminal must obey it. */
function csvText(unescaped: string): string {
  const text = shownText(unescaped);
  const plain = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function decimals({ amount, currency }: { readonly amount: bigint; readonly currency: string }): string {
  return isAccountCurrency(currency) ? formatMinor(amount, currency) : `${amount} minor units`;
}
