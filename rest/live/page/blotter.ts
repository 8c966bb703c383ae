/** Bookings and payments, newest first; a row that moves is written anew in its place. */
import { announce } from './announce.js';
import { serverNow } from './connection.js';
import { byId, chips, make } from './dom.js';
import { dayText, groupedText, timeText, wordsText } from './format.js';
import type { Row, Blotter as Rows } from './messages.js';

const ROWS_MAX = 100;

/** How a status is marked: a shape of its own, and a colour. */
const MARKS: Readonly<Record<string, readonly [mark: string, tone: string]>> = {
  SETTLED: ['✓', 'good'],
  PAID: ['✓', 'good'],
  OPEN: ['◔', 'going'],
  IN_PROCESS: ['◔', 'going'],
  COMPLIANCE_VERIFICATION: ['◔', 'going'],
  COMPLIANCE_APPROVED: ['◑', 'going'],
  PG_PROCESSING: ['◕', 'going'],
  AWAITING_FUNDS: ['◌', 'waits'],
  INFO_REQUESTED: ['?', 'waits'],
  OVERDUE: ['!', 'bad'],
  ERROR: ['!', 'bad'],
  COMPLIANCE_REJECTED: ['×', 'bad'],
  RETURNED: ['↩', 'bad'],
  CANCELLED: ['×', 'still'],
  USER_REJECTED: ['×', 'still'],
};

export class Blotter {
  readonly #body = byId<HTMLTableSectionElement>('rows-body');
  readonly #rows = new Map<string, { readonly row: Row; element: HTMLTableRowElement }>();
  #kind = 'all';
  #sees = true;
  #isFilled = false;

  constructor() {
    // What scrolls must be within reach of the keyboard, in every browser.
    byId('blotter-scroll').tabIndex = 0;
    chips(byId('blotter-kind'), (kind) => {
      this.#kind = kind;
      this.#arrange();
    });
  }

  set sees(sees: boolean) {
    this.#sees = sees;
    this.#say();
  }

  take({ rows, all }: Rows): void {
    if (all) this.#rows.clear();
    const isNews = this.#isFilled && !all;
    for (const row of rows) {
      const known = this.#rows.get(row.id);
      if (known && isSame(known.row, row)) continue;
      const element = this.#rowOf(row);
      if (isNews) element.classList.add(known ? 'moved' : 'new');
      this.#rows.set(row.id, { row, element });
    }
    if (all) this.#isFilled = true;
    this.#arrange();
    if (isNews && rows.length > 0)
      announce(rows.length === 1 ? spoken(rows[0]!) : `${rows.length} changes in the blotter`);
  }

  #arrange(): void {
    const newest = [...this.#rows.values()].sort(
      ({ row: one }, { row: other }) => other.createdAtMs - one.createdAtMs || (other.id < one.id ? -1 : 1),
    );
    for (const { row } of newest.slice(ROWS_MAX)) this.#rows.delete(row.id);
    const shown = newest.slice(0, ROWS_MAX).filter(({ row }) => this.#kind === 'all' || row.kind === this.#kind);
    const elements = shown.map(({ element }) => element);
    const same =
      elements.length === this.#body.children.length && elements.every((one, i) => this.#body.children[i] === one);
    if (!same) this.#body.replaceChildren(...elements);
    this.#say();
  }

  #say(): void {
    const empty = byId('rows-empty');
    empty.hidden = this.#body.children.length > 0;
    empty.textContent = this.#sees
      ? 'Nothing has been booked or paid yet.'
      : 'This key lacks the right to read bookings.';
    byId('rows').hidden = this.#body.children.length === 0;
    byId('blotter-sub').textContent = this.#rows.size === 0 ? '' : `the newest ${this.#rows.size}`;
  }

  #rowOf(row: Row): HTMLTableRowElement {
    const [mark, tone] = MARKS[row.status] ?? ['·', 'still'];
    const sign = make('span', 'sign', mark);
    sign.setAttribute('aria-hidden', 'true');
    const status = make('span', `status ${tone}`, sign, wordsText(row.status));
    const note = row.note === '' ? [] : [make('span', 'note', wordsText(row.note))];
    const stateCell = make('td', 'state-cell', status, ...note);
    // It may be cut off.
    stateCell.title = stateCell.textContent ?? '';
    const what = row.kind === 'fx' ? `${row.pair}` : `Payment to ${row.about}`;
    const detail = row.kind === 'fx' ? `value ${dayText(row.about)}` : row.fee && `fee ${row.fee}`;
    const about = detail === '' ? [] : [make('span', 'note', detail)];
    const time = make('time', '', timeText(row.createdAtMs, serverNow()));
    time.dateTime = new Date(row.createdAtMs).toISOString();
    const element = make(
      'tr',
      row.kind,
      make('td', 'time', time),
      make('td', 'of-operator client', row.clientId),
      make('td', 'what', what, ...about),
      stateCell,
      make('td', 'num sells', ...money(row.sell)),
      make('td', 'num buys', ...money(row.buy)),
      make('td', 'num rate', row.rate),
      make('td', 'id', row.id),
    );
    element.dataset.id = row.id;
    return element;
  }
}

/** A known row is drawn anew only when something in it is another. */
function isSame(one: Row, other: Row): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function money(text: string): (string | Node)[] {
  const [amount = '', currency = ''] = text.split(' ');
  return amount === '' ? ['–'] : [groupedText(amount), ' ', make('span', 'currency', currency)];
}

function spoken({ kind, pair, status, sell, buy, about }: Row): string {
  const state = wordsText(status).toLowerCase();
  return kind === 'fx'
    ? `Conversion ${pair}, sold ${sell}, bought ${buy}: ${state}`
    : `Payment of ${buy} to ${about}: ${state}`;
}
