/** Tick-to-wire over the last minutes: how long a provider's tick takes to the last desk. */
import { Chart } from './chart.js';
import { serverNow } from './connection.js';
import { byId, make, Text } from './dom.js';
import { microsText } from './format.js';
import type { WirePoint } from './messages.js';
import { timeline } from './scale.js';
import { onTheme } from './theme.js';

const STEP_MS = 1_000;
/** Five minutes. */
const POINTS_MAX = 300;
const NAMES = ['p50', 'p90', 'p99', 'max'] as const;
const COLOURS = ['series-1', 'series-2', 'series-3', 'series-4'] as const;

export class Latency {
  readonly #chart = new Chart(byId('latency-chart'));
  readonly #now = NAMES.map(() => new Text('–'));
  #points: WirePoint[] = [];

  constructor() {
    byId('latency-now').replaceChildren(
      ...NAMES.map((name, i) => {
        const swatch = make('span', `swatch ${COLOURS[i]}`);
        return make('div', '', make('dt', '', swatch, name), make('dd', '', this.#now[i]!.node));
      }),
    );
    onTheme(() => this.#chart.redraw());
    this.#draw([]);
  }

  take(points: readonly WirePoint[]): void {
    this.#points = [...(points.length === 1 ? this.#points : []), ...points].slice(-POINTS_MAX);
  }

  /** Once a second: each point is drawn at its time, also when no new one arrives. */
  tick(): void {
    this.#draw(timeline(this.#points, serverNow(), STEP_MS, POINTS_MAX));
  }

  #draw(points: readonly (WirePoint | null)[]): void {
    const last = points.at(-1);
    for (const [i, text] of this.#now.entries()) text.set(last ? microsText(last[i + 1]!) : '–');
    const lines = NAMES.map((name, i) => ({
      name,
      colour: COLOURS[i]!,
      values: points.map((point) => point && point[i + 1]!),
    }));
    const words = () =>
      last
        ? `Tick to wire now: ${NAMES.map((name, i) => `${name} ${microsText(last[i + 1]!)}`).join(', ')}; of ${last[5]} ticks in ten seconds.`
        : 'No tick reaches a desk now.';
    this.#chart.draw(lines, { logarithmic: true, text: microsText, stepMs: STEP_MS, height: 148, words });
  }
}
