/** The message log of an engine, as the settings have it. */
import type { Log } from '../domain/core/log.js';
import { messageLogDirectory, messageLogKey } from '../service/audit/message-log.js';
import { type MessageLog, openMessageLog } from '../store/sessions/message-log.js';
import { type Config, SettingError } from './config.js';
import type { Metrics } from './metrics/metrics.js';

/** Undefined: MESSAGE_LOG=off. Throws SettingError when it cannot be written. */
export async function startMessageLog(config: Config, log: Log): Promise<MessageLog | undefined> {
  const { MESSAGE_LOG, MESSAGE_LOG_MAX_MB, MESSAGE_LOG_WHEN_FULL, MASTER_KEY, DATA_DIR } = config;
  if (MESSAGE_LOG === 'off') return undefined;
  const directory = messageLogDirectory(DATA_DIR);
  const key = messageLogKey(MASTER_KEY, DATA_DIR);
  if (key === undefined) throw new SettingError(`MESSAGE_LOG: there is no master key in ${DATA_DIR}`);
  try {
    return await openMessageLog({
      directory,
      key,
      log,
      prices: MESSAGE_LOG === 'prices',
      maxBytes: MESSAGE_LOG_MAX_MB * 1024 * 1024,
      whenFull: MESSAGE_LOG_WHEN_FULL,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SettingError(
      `The message log cannot be written to ${directory} (${why}): make it writable, set DATA_DIR to another directory, or set MESSAGE_LOG=off.`,
    );
  }
}

export function messageLogMetrics(metrics: Metrics, log: MessageLog | undefined): void {
  if (log === undefined) return;
  metrics.counter(
    'ratewire_message_log_written_total',
    'FIX messages written to the message log',
    () => log.stats().written,
  );
  metrics.counter(
    'ratewire_message_log_dropped_total',
    'Writes of one or more FIX messages that are not in the message log: it was too slow or full, or its disk failed',
    () => log.stats().dropped,
  );
  metrics.gauge('ratewire_message_log_bytes', 'Bytes of this engine in its message log', () => log.stats().bytes);
  metrics.gauge('ratewire_message_log_max_bytes', 'MESSAGE_LOG_MAX_MB in bytes', () => log.stats().maxBytes);
}
