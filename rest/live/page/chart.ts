/** Lines over time by uPlot, and what they show in a sentence for a screen reader. */

import uPlot from '/live/uplot.js';
import { make } from './dom.js';
import { scaleOf, spanText } from './scale.js';

export interface Line {
  readonly name: string;
  /** Name of the colour in the style sheet. */
  readonly colour: string;
  /** Null: a gap. */
  readonly values: readonly (number | null)[];
  /** The area below it is tinted. */
  readonly filled?: boolean;
}

export interface ChartOptions {
  /** Equal distances for equal ratios. */
  readonly logarithmic?: boolean;
  /** A value as the axis and the reading show it. */
  text(value: number): string;
  /** Between two points, ms. */
  readonly stepMs: number;
  readonly height: number;
  /** What the chart shows, in a sentence. */
  words(): string;
}

export class Chart {
  readonly #drawing = make('div');
  readonly #caption = make('figcaption', 'hidden');
  readonly #reading = make('div', 'reading');
  #plot: uPlot | undefined;
  #lines: readonly Line[] = [];
  #options: ChartOptions | undefined;

  constructor(private readonly figure: HTMLElement) {
    this.#drawing.setAttribute('aria-hidden', 'true');
    figure.replaceChildren(this.#drawing, this.#reading, this.#caption);
    new ResizeObserver(() => this.#paint()).observe(figure);
  }

  draw(lines: readonly Line[], options: ChartOptions): void {
    this.#lines = lines;
    this.#options = options;
    this.#paint();
  }

  /** The colours have changed. */
  redraw(): void {
    this.#plot?.destroy();
    this.#plot = undefined;
    this.#paint();
  }

  #paint(): void {
    const width = this.figure.clientWidth;
    const options = this.#options;
    if (options === undefined || width === 0) return;
    this.figure.style.minHeight = `${options.height}px`;
    const words = options.words();
    if (this.#caption.textContent !== words) this.#caption.textContent = words;
    const lines = this.#lines.filter(({ values }) => values.some((value) => value !== null));
    if (lines.length === 0) {
      this.#plot?.destroy();
      this.#plot = undefined;
      this.#say('Nothing measured yet');
      return;
    }
    const count = Math.max(...this.#lines.map(({ values }) => values.length));
    const agesMs = Array.from({ length: count }, (_, i) => (i + 1 - count) * options.stepMs);
    const data: uPlot.AlignedData = [agesMs, ...this.#lines.map(({ values }) => [...values])];
    if (this.#plot?.series.length !== data.length) {
      this.#plot?.destroy();
      this.#plot = new uPlot(this.#settings(width, options), data, this.#drawing);
      this.#say('');
      return;
    }
    if (this.#plot.width !== width) this.#plot.setSize({ width, height: options.height });
    this.#plot.setData(data);
    this.#read(this.#plot);
  }

  #settings(width: number, { height, logarithmic = false }: ChartOptions): uPlot.Options {
    const style = getComputedStyle(this.figure);
    const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
    const font = `11px ${style.fontFamily}`;
    const scale = () => {
      const all = this.#lines.flatMap(({ values }) => values).filter((value) => value !== null);
      return scaleOf(all, logarithmic);
    };
    const text = (value: number) => this.#options?.text(value) ?? '';
    return {
      width,
      height,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false, setScale: false } },
      padding: [8, 0, 0, 4],
      scales: {
        x: { time: false },
        y: {
          distr: logarithmic ? 3 : 1,
          range: () => {
            const { bottom, top } = scale();
            return [bottom, top];
          },
        },
      },
      axes: [
        {
          splits: (plot) => [plot.data[0][0]!, 0],
          values: (_, splits) => splits.map(timeText),
          align: 1,
          font,
          size: 18,
          stroke: colour('dim'),
          grid: { show: false },
          ticks: { show: false },
        },
        {
          side: 1,
          splits: () => [...scale().marks],
          filter: (_, splits) => splits,
          values: (_, splits) => splits.map(text),
          font,
          gap: 8,
          size: (_, texts) => 14 + 7 * Math.max(0, ...(texts ?? []).map(({ length }) => length)),
          stroke: colour('dim'),
          grid: { stroke: colour('line'), width: 1 },
          ticks: { show: false },
        },
      ],
      series: [
        {},
        ...this.#lines.map(({ name, colour: of, filled }) => ({
          label: name,
          stroke: colour(of),
          width: 1.6,
          points: { show: false },
          ...(filled && { fill: `color-mix(in srgb, ${colour(of)} 12%, transparent)` }),
        })),
      ],
      hooks: { setCursor: [(plot) => this.#read(plot)] },
    };
  }

  /** The values under the pointer. */
  #read(plot: uPlot): void {
    const at = plot.cursor.idx;
    const options = this.#options;
    if (at === null || at === undefined || options === undefined || (plot.cursor.left ?? -1) < 0) {
      this.#say('');
      return;
    }
    const values = this.#lines.map(({ name, values: of }) => {
      const value = of[at];
      return `${name} ${value === null || value === undefined ? '–' : options.text(value)}`;
    });
    this.#say(`${timeText(plot.data[0][at]!)}: ${values.join(', ')}`);
  }

  #say(text: string): void {
    this.#reading.hidden = text === '';
    this.#reading.textContent = text;
  }
}

const timeText = (ageMs: number): string => (ageMs === 0 ? 'now' : `${spanText(-ageMs)} ago`);
