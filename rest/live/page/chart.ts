/** Lines over time on a canvas, with an axis to read them by, and in words for those who do not see them. */
import { make } from './dom.js';

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
  /** As the axis and the reading show a value. */
  text(value: number): string;
  /** From the first point to the last, ms. */
  readonly stepMs: number;
  readonly height: number;
  /** What the chart says, in a sentence. */
  words(): string;
}

const LEFT = 4;
const TOP = 8;
const BOTTOM = 18;
const MIN_SPAN = 1e-9;

export class Chart {
  readonly #canvas = make('canvas');
  readonly #caption = make('figcaption', 'hidden');
  readonly #reading = make('div', 'reading');
  #lines: readonly Line[] = [];
  #options: ChartOptions | undefined;
  #frame = 0;
  #pointerX = -1;

  constructor(private readonly figure: HTMLElement) {
    this.#canvas.setAttribute('aria-hidden', 'true');
    figure.replaceChildren(this.#canvas, this.#reading, this.#caption);
    this.#reading.hidden = true;
    new ResizeObserver(() => this.#plan()).observe(figure);
    figure.addEventListener('pointermove', (event) => this.#point(event.offsetX));
    figure.addEventListener('pointerleave', () => this.#point(-1));
  }

  draw(lines: readonly Line[], options: ChartOptions): void {
    this.#lines = lines;
    this.#options = options;
    this.#plan();
  }

  redraw(): void {
    if (this.#options) this.#plan();
  }

  #point(x: number): void {
    this.#pointerX = x;
    this.#plan();
  }

  #plan(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#paint());
  }

  #paint(): void {
    this.#frame = 0;
    const options = this.#options;
    const width = this.figure.clientWidth;
    if (options === undefined || width === 0) return;
    const { height } = options;
    const ratio = Math.min(devicePixelRatio || 1, 3);
    const isOther =
      this.#canvas.width !== Math.round(width * ratio) || this.#canvas.height !== Math.round(height * ratio);
    if (isOther) {
      this.#canvas.width = Math.round(width * ratio);
      this.#canvas.height = Math.round(height * ratio);
      this.#canvas.style.height = `${height}px`;
    }
    const pen = this.#canvas.getContext('2d');
    if (pen === null) return;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const style = getComputedStyle(this.figure);
    const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
    const words = options.words();
    if (this.#caption.textContent !== words) this.#caption.textContent = words;

    const all = this.#lines.flatMap(({ values }) => values).filter((value) => value !== null);
    const count = Math.max(0, ...this.#lines.map(({ values }) => values.length));
    pen.font = `11px ${style.fontFamily}`;
    pen.textBaseline = 'middle';
    if (all.length === 0) {
      pen.fillStyle = colour('dim');
      pen.fillText('Nothing measured yet', LEFT, height / 2);
      return;
    }
    const scale = scaleOf(all, options.logarithmic === true);
    const right = Math.ceil(Math.max(...scale.marks.map((mark) => pen.measureText(options.text(mark)).width))) + 10;
    const plot = { left: LEFT, right: width - right, top: TOP, bottom: height - BOTTOM };
    const y = (value: number) => plot.bottom - scale.at(value) * (plot.bottom - plot.top);
    const x = (i: number) => (count < 2 ? plot.right : plot.left + (i / (count - 1)) * (plot.right - plot.left));

    pen.lineWidth = 1;
    for (const mark of scale.marks) {
      const at = Math.round(y(mark)) + 0.5;
      pen.strokeStyle = colour('line');
      pen.beginPath();
      pen.moveTo(plot.left, at);
      pen.lineTo(plot.right, at);
      pen.stroke();
      pen.fillStyle = colour('dim');
      pen.fillText(options.text(mark), plot.right + 8, at);
    }
    pen.fillStyle = colour('dim');
    pen.textBaseline = 'alphabetic';
    pen.fillText(`${spanText((count - 1) * options.stepMs)} ago`, plot.left, height - 3);
    pen.textAlign = 'right';
    pen.fillText('now', plot.right, height - 3);
    pen.textAlign = 'left';

    for (const line of this.#lines) trace(pen, line, colour(line.colour), x, y, plot.bottom);
    this.#read(options, x, count, plot, pen, colour('dim'));
  }

  #read(
    options: ChartOptions,
    x: (i: number) => number,
    count: number,
    plot: { left: number; right: number; top: number; bottom: number },
    pen: CanvasRenderingContext2D,
    colour: string,
  ): void {
    const i = Math.round(((this.#pointerX - plot.left) / (plot.right - plot.left)) * (count - 1));
    this.#reading.hidden = this.#pointerX < 0 || count < 2 || i < 0 || i >= count;
    if (this.#reading.hidden) return;
    pen.strokeStyle = colour;
    pen.beginPath();
    pen.moveTo(Math.round(x(i)) + 0.5, plot.top);
    pen.lineTo(Math.round(x(i)) + 0.5, plot.bottom);
    pen.stroke();
    const values = this.#lines.map(({ name, values: of }) => {
      const value = of[i];
      return `${name} ${value === null || value === undefined ? '–' : options.text(value)}`;
    });
    const agoMs = (count - 1 - i) * options.stepMs;
    this.#reading.textContent = `${agoMs === 0 ? 'now' : `${spanText(agoMs)} ago`}: ${values.join(', ')}`;
  }
}

function trace(
  pen: CanvasRenderingContext2D,
  { values, filled }: Line,
  colour: string,
  x: (i: number) => number,
  y: (value: number) => number,
  bottom: number,
): void {
  pen.strokeStyle = colour;
  pen.fillStyle = colour;
  pen.lineWidth = 1.6;
  pen.lineJoin = 'round';
  let from = -1;
  const end = (until: number) => {
    if (from < 0) return;
    pen.stroke();
    if (filled) {
      pen.lineTo(x(until), bottom);
      pen.lineTo(x(from), bottom);
      pen.globalAlpha = 0.12;
      pen.fill();
      pen.globalAlpha = 1;
    }
    from = -1;
  };
  for (const [i, value] of values.entries()) {
    if (value === null) end(i - 1);
    else if (from >= 0) pen.lineTo(x(i), y(value));
    else {
      from = i;
      pen.beginPath();
      pen.moveTo(x(i), y(value));
    }
  }
  end(values.length - 1);
  const last = values.at(-1);
  if (last === null || last === undefined) return;
  pen.beginPath();
  pen.arc(x(values.length - 1), y(last), 2.6, 0, 2 * Math.PI);
  pen.fill();
}

interface Scale {
  /** 0 at the bottom, 1 at the top. */
  at(value: number): number;
  readonly marks: readonly number[];
}

/** The values with a little room, and two to four marks to read them by. */
export function scaleOf(values: readonly number[], logarithmic: boolean): Scale {
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (logarithmic) {
    const bottom = Math.floor(Math.log10(Math.max(low, 1)));
    const top = Math.max(Math.ceil(Math.log10(Math.max(high, 1))), bottom + 1);
    const marks = Array.from({ length: top - bottom + 1 }, (_, i) => 10 ** (bottom + i));
    return { at: (value) => (Math.log10(Math.max(value, 1)) - bottom) / (top - bottom), marks };
  }
  const span = Math.max(high - low, Math.abs(high) * 1e-5, MIN_SPAN);
  const bottom = low - span * 0.08;
  const top = high + span * 0.08;
  return {
    at: (value) => (value - bottom) / (top - bottom),
    marks: high === low ? [high] : [low, (low + high) / 2, high],
  };
}

/** So long a point stands for what comes after it, ms: points come a little early or late. */
const STANDS_MS = 1_900;

/**
 * One point for each step up to `nowMs`, at most `stepsMax`, beginning with the first that is not older than that: the newest one then, or
 * null where none had come for a while.
 */
export function timeline<Point extends readonly [atMs: number, ...unknown[]]>(
  points: readonly Point[],
  nowMs: number,
  stepMs: number,
  stepsMax: number,
): (Point | null)[] {
  const steps: (Point | null)[] = [];
  let next = 0;
  for (let step = stepsMax - 1; step >= 0; step--) {
    const atMs = nowMs - step * stepMs;
    while (next < points.length && points[next]![0] <= atMs) next++;
    const point = points[next - 1];
    const isKnown = point !== undefined && atMs - point[0] < STANDS_MS;
    if (isKnown || steps.length > 0) steps.push(isKnown ? point : null);
  }
  return steps;
}

function spanText(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1_000));
  return s < 120 ? `${s} s` : `${Math.round(s / 60)} min`;
}
