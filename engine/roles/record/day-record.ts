/** The day record of an engine or a sidecar: what of the process a replay needs besides its ticks and decisions. */
import { randomInt } from 'node:crypto';
import type { RateBookOptions } from '../../rates/book-price.js';
import type { MarginRule } from '../../rates/pricing.js';
import { RecordedBook } from '../../rates/recorded-book.js';
import type { RelayPublisher } from '../../rates/relay-publisher.js';
import type { DayRecorder } from '../../store/record/recorder.js';
import type { Store } from '../../store/store.js';

export class DayRecord {
  readonly book: RecordedBook;
  /** Of this process: numbers of inputs are its own. */
  private readonly run = randomInt(2 ** 48 - 1);
  #publisher: RelayPublisher | undefined;
  #rules: readonly MarginRule[] = [];

  constructor(
    readonly recorder: DayRecorder,
    private readonly program: 'engine' | 'sidecar',
    options: RateBookOptions,
  ) {
    this.book = new RecordedBook(options, recorder);
  }

  /** Records the margins, and each change of them; once, before the first decision. */
  begin({ margins }: Pick<Store, 'margins'>, rules: readonly MarginRule[]): void {
    this.#rules = rules;
    margins.onChange((changed) => {
      this.#rules = changed;
      this.recorder.json(this.#margins());
    });
    this.recorder.snapshots(() => this.#parts());
  }

  /** This process runs the feed from now on: its ticks are recorded, and which of them each message of its relay has. */
  feedBegins(publisher: RelayPublisher): void {
    this.#publisher = publisher;
    publisher.onMessage = (number) => this.book.markPublished(number);
    this.book.recordOn(this.recorder);
    this.recorder.snapshots(() => this.#parts());
  }

  feedEnds(): void {
    this.book.recordOn(undefined);
    if (this.#publisher) this.#publisher.onMessage = undefined;
    this.#publisher = undefined;
    this.recorder.snapshots(() => this.#parts());
  }

  *#parts(): Generator<object> {
    const { program, book, run } = this;
    yield { type: 'process', run, program, role: this.#publisher === undefined ? 'follows' : 'runs' };
    yield this.#margins();
    yield { ...book.snapshot(), ...(this.#publisher && { publisher: this.#publisher.id }) };
  }

  #margins(): object {
    return { type: 'margins', rules: this.#rules };
  }
}
