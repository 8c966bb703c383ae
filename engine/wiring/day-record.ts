/** The day record of an engine or a sidecar, as the settings have it. */
import type { Log } from '../domain/core/log.js';
import type { RateBookOptions } from '../rates/book-price.js';
import { DayRecord } from '../roles/record/day-record.js';
import { recordKey } from '../service/record/read-record.js';
import { openRecorder } from '../store/record/recorder.js';
import { type Config, SettingError } from './config.js';
import type { Metrics } from './metrics/metrics.js';

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
      directory: RECORD,
      program,
      key,
      log,
      maxBytes,
      whenFull: RECORD_WHEN_FULL,
      now,
    });
    return new DayRecord(recorder, program, options);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingError(
      `The day record cannot be written to ${RECORD} (${why}): make it writable, set RECORD to another directory, or unset it.`,
    );
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
