/** The day record of an engine or a sidecar, as the settings have it: what of the process a replay needs besides its ticks and decisions. */
import { randomInt } from 'node:crypto';
import type { Log } from '../domain/core/log.js';
import type { RateBookOptions } from '../rates/book-price.js';
import type { MarginRule } from '../rates/pricing.js';
import { RecordedBook } from '../rates/recorded-book.js';
import type { RelayPublisher } from '../rates/relay-publisher.js';
import { recordKey } from '../service/record/read-record.js';
import { type DayRecorder, openRecorder } from '../store/record/recorder.js';
import type { Store } from '../store/store.js';
import { type Config, SettingError } from './config.js';
import type { Metrics } from './metrics/metrics.js';

export interface DayRecord {
  readonly recorder: DayRecorder;
  readonly book: RecordedBook;
  /** Records the margins, and each change of them; once, before the first decision. */
  begin(store: Pick<Store, 'margins'>, rules: readonly MarginRule[]): void;
  /** This process runs the feed from now on: its ticks are recorded, and which of them each message of its relay has. */
  feedBegins(publisher: RelayPublisher): void;
  feedEnds(): void;
}

/** Undefined: RECORD is not set. `now` is the clock of the record, and of its days. Throws SettingError when it cannot be written. */
export async function openDayRecord(
  config: Pick<Config, 'RECORD' | 'RECORD_MAX_MB' | 'RECORD_WHEN_FULL' | 'MASTER_KEY' | 'DATA_DIR'>,
  log: Log,
  program: 'engine' | 'sidecar',
  options: RateBookOptions,
  now: () => number = Date.now,
): Promise<DayRecord | undefined> {
  const { RECORD, RECORD_MAX_MB, RECORD_WHEN_FULL, MASTER_KEY, DATA_DIR } = config;
  if (RECORD === undefined) return undefined;
  const key = recordKey(MASTER_KEY, DATA_DIR);
  if (key === undefined) throw new SettingError(`RECORD: there is no master key in ${DATA_DIR}`);
  const maxBytes = RECORD_MAX_MB * 1024 * 1024;
  try {
    const recorder = await openRecorder({
      ...{ directory: RECORD, program, key, log, maxBytes, whenFull: RECORD_WHEN_FULL, now },
    });
    return new ProcessRecord(recorder, program, options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingError(
      `The day record cannot be written to ${RECORD} (${why}): make it writable, set RECORD to another directory, or unset it.`,
    );
  }
}

class ProcessRecord implements DayRecord {
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

  begin({ margins }: Pick<Store, 'margins'>, rules: readonly MarginRule[]): void {
    this.#rules = rules;
    margins.onChange((changed) => {
      this.#rules = changed;
      this.recorder.json(this.#margins());
    });
    this.recorder.snapshots(() => this.#parts());
  }

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

export function dayRecordMetrics(metrics: Metrics, record: DayRecord | undefined): void {
  if (record === undefined) return;
  const { recorder } = record;
  metrics.counter('ratewire_record_written_total', 'Lines written to the day record', () => recorder.stats().written);
  metrics.counter(
    'ratewire_record_dropped_total',
    'Ticks, decisions and other lines that are not in the day record: it was too slow or full, or its disk failed',
    () => recorder.stats().dropped,
  );
  metrics.gauge('ratewire_record_bytes', 'Bytes of this process in the day record', () => recorder.stats().bytes);
  metrics.gauge('ratewire_record_max_bytes', 'RECORD_MAX_MB in bytes', () => recorder.stats().maxBytes);
}
