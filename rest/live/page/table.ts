/** A table that is sorted by its headings and keeps its rows: only what is another text is written. */
import { make, Text } from './dom.js';

export interface Column<Row> {
  readonly name: string;
  readonly isNumber?: boolean;
  text(row: Row): string;
  /** What it is sorted by. */
  value(row: Row): string | number;
  /** Needs attention, and why in a word. */
  alert?(row: Row): string;
}

/** More would not be read. */
const ROWS_MAX = 200;

export class Table<Row> {
  readonly #body = make('tbody');
  readonly #heads: HTMLTableCellElement[] = [];
  readonly #drawn = new Map<string, DrawnRow<Row>>();
  #rows: readonly Row[] = [];
  #by: number;
  #isDown: boolean;

  constructor(
    table: HTMLTableElement,
    private readonly columns: readonly Column<Row>[],
    private readonly keyOf: (row: Row) => string,
    /** Sorted by this column at first: its number, and whether the largest comes first. */
    [by, isDown]: readonly [by: number, isDown: boolean],
  ) {
    this.#by = by;
    this.#isDown = isDown;
    const head = make('tr');
    columns.forEach((column, i) => {
      const button = make('button', '', column.name);
      button.type = 'button';
      button.addEventListener('click', () => this.#sortBy(i));
      const cell = make('th', column.isNumber ? 'num' : '', button);
      cell.scope = 'col';
      this.#heads.push(cell);
      head.append(cell);
    });
    table.replaceChildren(make('thead', '', head), this.#body);
    this.#mark();
  }

  draw(rows: readonly Row[]): void {
    this.#rows = rows;
    const { value } = this.columns[this.#by]!;
    const sorted = [...rows].sort((one, other) => {
      const [a, b] = [value(one), value(other)];
      const order = a < b ? -1 : a > b ? 1 : this.keyOf(one) < this.keyOf(other) ? -1 : 1;
      return this.#isDown && a !== b ? -order : order;
    });
    const elements = sorted.slice(0, ROWS_MAX).map((row) => {
      const key = this.keyOf(row);
      const drawn = this.#drawn.get(key) ?? new DrawnRow(this.columns);
      this.#drawn.set(key, drawn);
      drawn.draw(row);
      return drawn.element;
    });
    const isSame =
      elements.length === this.#body.children.length &&
      elements.every((element, i) => this.#body.children[i] === element);
    if (!isSame) this.#body.replaceChildren(...elements);
    const keys = new Set(rows.map(this.keyOf));
    for (const key of this.#drawn.keys()) if (!keys.has(key)) this.#drawn.delete(key);
  }

  #sortBy(column: number): void {
    this.#isDown = column === this.#by ? !this.#isDown : this.columns[column]!.isNumber === true;
    this.#by = column;
    this.#mark();
    this.draw(this.#rows);
  }

  #mark(): void {
    this.#heads.forEach((head, i) => {
      if (i === this.#by) head.setAttribute('aria-sort', this.#isDown ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
  }
}

class DrawnRow<Row> {
  readonly element = make('tr');
  readonly #cells: { readonly cell: HTMLTableCellElement; readonly text: Text; readonly why: Text }[] = [];

  constructor(private readonly columns: readonly Column<Row>[]) {
    for (const { isNumber } of columns) {
      const text = new Text();
      const why = new Text();
      const cell = make('td', isNumber ? 'num' : '', text.node, make('span', 'why', why.node));
      this.#cells.push({ cell, text, why });
      this.element.append(cell);
    }
  }

  draw(row: Row): void {
    this.columns.forEach((column, i) => {
      const { cell, text, why } = this.#cells[i]!;
      text.set(column.text(row));
      const alert = column.alert?.(row) ?? '';
      why.set(alert);
      cell.toggleAttribute('data-alert', alert !== '');
    });
  }
}
