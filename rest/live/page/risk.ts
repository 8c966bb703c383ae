/** What the house holds, allows and covers: for an operator alone. */
import { announce } from './announce.js';
import { serverNow } from './connection.js';
import { byId, make } from './dom.js';
import { ageText, dayText, groupedText, timeText, wordsText } from './format.js';
import type { Risk, RiskCover, RiskCurrency, RiskLimit, RiskPair, RiskState } from './messages.js';
import { type Column, Table } from './table.js';

/** An older rate is no price any more: the position keeps its last valuation. */
const OLD_RATE_MS = 10_000;

const amountOf = (text: string): number => Number(text.split(' ', 1)[0]);
const shown = (text: string): string => (text === '' ? '–' : groupedText(text));
const age = <Row extends { readonly rateAgeMs: number }>(): Column<Row> => ({
  name: 'Rate age',
  isNumber: true,
  text: (row) => (row.rateAgeMs < 0 ? 'none' : ageText(row.rateAgeMs)),
  value: (row) => row.rateAgeMs,
  alert: (row) => (row.rateAgeMs < 0 || row.rateAgeMs > OLD_RATE_MS ? '!' : ''),
});
const amount = <Row>(name: string, of: (row: Row) => string): Column<Row> => ({
  name,
  isNumber: true,
  text: (row) => shown(of(row)),
  value: (row) => amountOf(of(row)),
});

const PAIRS: readonly Column<RiskPair>[] = [
  { name: 'Pair', text: (row) => row.pair, value: (row) => row.pair },
  amount('Net', (row) => row.netBase),
  amount('Value', (row) => row.value),
  amount('Profit', (row) => row.profit),
  amount('Today', (row) => row.dayProfit),
  { name: 'Bought at', isNumber: true, text: (row) => row.bought || '–', value: (row) => Number(row.bought) },
  { name: 'Sold at', isNumber: true, text: (row) => row.sold || '–', value: (row) => Number(row.sold) },
  { name: 'Mid', isNumber: true, text: (row) => row.mid || '–', value: (row) => Number(row.mid) },
  age(),
];

const CURRENCIES: readonly Column<RiskCurrency>[] = [
  { name: 'Currency', text: (row) => row.currency, value: (row) => row.currency },
  amount('Net open', (row) => row.net),
  amount('Value', (row) => row.value),
  age(),
];

const MARKS: Readonly<Record<RiskLimit['mark'], string>> = { within: '', warned: '▲', reached: '!', over: '!' };
const LIMITS: readonly Column<RiskLimit>[] = [
  { name: 'Of', text: (row) => row.subject, value: (row) => row.subject },
  { name: 'Limit', text: (row) => row.limit, value: (row) => row.limit },
  amount('Used', (row) => row.used),
  amount('Most', (row) => row.most),
  {
    name: 'Part',
    isNumber: true,
    text: (row) => `${row.percent} %`,
    value: (row) => row.percent,
    alert: (row) => MARKS[row.mark],
  },
];

const STATES: readonly Column<RiskState>[] = [
  { name: 'Of', text: (row) => row.subject, value: (row) => row.subject },
  { name: 'State', text: (row) => wordsText(row.state), value: (row) => row.state, alert: () => '!' },
  { name: 'By', text: (row) => row.by, value: (row) => row.by },
  { name: 'Since', text: (row) => timeText(row.sinceMs, serverNow()), value: (row) => row.sinceMs },
  { name: 'Reason', text: (row) => row.reason, value: (row) => row.reason },
];

const UNSURE: ReadonlySet<string> = new Set(['rejected', 'unknown', 'disputed', 'blocked']);
const COVERS: readonly Column<RiskCover>[] = [
  { name: 'Time', text: (row) => timeText(row.atMs, serverNow()), value: (row) => row.atMs },
  { name: 'Pair', text: (row) => row.pair, value: (row) => row.pair },
  { name: 'Side', text: (row) => row.side, value: (row) => row.side },
  amount('Amount', (row) => row.amount),
  amount('Filled', (row) => row.filled),
  { name: 'Provider', text: (row) => row.provider, value: (row) => row.provider },
  {
    name: 'Status',
    text: (row) => wordsText(row.status.replaceAll('-', '_')),
    value: (row) => row.status,
    alert: (row) => (UNSURE.has(row.status) ? '!' : ''),
  },
  { name: 'Reason', text: (row) => row.reason, value: (row) => row.reason },
];

export class RiskPanels {
  readonly #pairs = new Table(table('risk-pairs'), PAIRS, ({ pair }) => pair, [0, false]);
  readonly #currencies = new Table(table('risk-currencies'), CURRENCIES, ({ currency }) => currency, [0, false]);
  readonly #limits = new Table(table('risk-limits'), LIMITS, ({ subject, limit }) => `${subject} ${limit}`, [4, true]);
  readonly #states = new Table(table('risk-states'), STATES, ({ subject }) => subject, [0, false]);
  readonly #covers = new Table(table('risk-covers'), COVERS, ({ id, pair }) => `${id} ${pair}`, [0, true]);
  #wasStale = false;

  take(figures: Risk): void {
    const { isStale, pairs, currencies, limits, states, covers } = figures;
    byId('risk-sub').textContent = subOf(figures);
    byId('risk-panel').toggleAttribute('data-stale', isStale);
    if (isStale !== this.#wasStale) announce(isStale ? 'The risk figures are stale' : 'The risk figures are current');
    this.#wasStale = isStale;
    this.#drawTotal(figures);
    this.#pairs.draw(pairs);
    this.#currencies.draw(currencies);
    this.#limits.draw(limits);
    this.#states.draw(states);
    this.#covers.draw(covers);
    const pressing = limits.filter(({ mark }) => mark !== 'within').length;
    const notes = {
      limits: [
        limits.length,
        pressing === 0 ? `${limits.length} within` : `${pressing} of ${limits.length} near or over`,
      ],
      states: [states.length, `${states.length} not active`],
      covers: [covers.length, `${covers.length}`],
    } as const;
    for (const [name, [count, text]] of Object.entries(notes)) {
      byId(`risk-${name}-panel`).hidden = count === 0;
      byId(`risk-${name}-sub`).textContent = text;
    }
  }

  #drawTotal({ total, atMs }: Risk): void {
    const parts =
      atMs === 0
        ? []
        : [
            ['net open position', total.total],
            ['profit today', total.dayProfit],
            ['long', total.long],
            ['short', total.short],
            ['profit', total.profit],
          ];
    const drawn = parts.map(([name = '', value = '']) =>
      make('div', '', make('dt', '', name), make('dd', '', shown(value))),
    );
    byId('risk-total').replaceChildren(...drawn);
  }
}

function subOf({ atMs, ageMs, isStale, currency, day }: Risk): string {
  if (atMs === 0) return 'no figures: no engine has the risk role';
  const text = `${ageText(ageMs)} old, in ${currency}, day of ${dayText(day)}`;
  return isStale ? `stale: ${text}` : text;
}

const table = (id: string): HTMLTableElement => byId<HTMLTableElement>(id);
