/** Reads the files of the message log, also while an engine writes them, and verifies their chains. Needs no store. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { dateText, dayAt } from '../../domain/calendar/day.js';
import * as Tag from '../../domain/fix/tags.js';
import { type LogChain, logBlocks, logFiles, verifyLog } from '../../store/day-files/block-files.js';
import { knownSubKey } from '../../store/keys/master-key.js';
import { logEngines, type MessageLine, messageLines } from '../../store/sessions/message-lines.js';

export type { MessageLine } from '../../store/sessions/message-lines.js';

/** The folder of the message log in a data directory. */
export const messageLogDirectory = (dataDir: string): string => join(dataDir, 'messages');

/** Undefined: no key is given and the data directory has none. Throws StoreStartError for a malformed key. */
export const messageLogKey = (masterKey: string | undefined, dataDir: string): Buffer | undefined =>
  knownSubKey(masterKey, dataDir)?.('message-log');

export interface MessageFilter {
  /** CompID of the peer, or ours. */
  readonly compId?: string | undefined;
  /** Epoch ms; both included. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Of a block that cannot be read: its lines are passed over. `<engine>/<file>`, perhaps more than once. */
  readonly onDamaged?: (place: string) => void;
}

/** The lines of all engines, oldest first; none where there is no log. Throws the file system's error. */
export function* readMessages(directory: string, filter: MessageFilter): Generator<MessageLine> {
  if (!existsSync(directory)) return;
  const engines = logEngines(directory).map((engine) => engineLines(join(directory, engine), filter));
  const next = engines.map((lines) => lines.next());
  for (;;) {
    let first: number | undefined;
    for (const [i, { done, value }] of next.entries())
      if (!done && (first === undefined || value.time < next[first]!.value.time)) first = i;
    if (first === undefined) return;
    yield next[first]!.value;
    next[first] = engines[first]!.next();
  }
}

/** The last day whose date has four digits of a year. */
const LAST_DAY_MS = Date.UTC(9999, 11, 31);

function* engineLines(
  folder: string,
  { compId, fromMs = 0, toMs = LAST_DAY_MS, onDamaged }: MessageFilter,
): Generator<MessageLine> {
  const from = timeText(fromMs);
  const to = timeText(toMs, '999');
  const firstDay = dateText(dayAt(fromMs) - 1);
  const lastDay = dateText(Math.min(dayAt(toMs) + 1, dayAt(LAST_DAY_MS)));
  for (const { path, name, day } of logFiles(folder)) {
    // A block may begin before midnight, and the clock may be set.
    if (day < firstDay || day > lastDay) continue;
    for (const { lines } of logBlocks(path, fromMs * 1_000, toMs * 1_000 + 999)) {
      if (lines === undefined) onDamaged?.(`${basename(folder)}/${name}`);
      for (const line of messageLines(lines ?? '')) {
        const isOf = compId === undefined || line.target === compId || line.sender === compId;
        if (isOf && line.time >= from && line.time <= to) yield line;
      }
    }
  }
}

const timeText = (ms: number, micros = '000'): string =>
  `${new Date(ms).toISOString().replace('T', '-').slice(0, -1)}${micros}`.replace('-', '').replace('-', '');

/** Of requests that are refused: no message of ours has it. */
const ORIG_CL_ORD_ID = 41;
/** Tags of ids that connect messages, by what the id is of. */
const IDS: Readonly<Record<string, string>> = {
  [Tag.ClOrdID]: 'order',
  [ORIG_CL_ORD_ID]: 'order',
  [Tag.OrderID]: 'booking',
  [Tag.ExecID]: 'report',
  [Tag.ExecRefID]: 'report',
  [Tag.QuoteID]: 'quote',
  [Tag.QuoteReqID]: 'request',
};
/** In place of an id: there is none, or every one is meant. */
const NO_IDS: ReadonlySet<string> = new Set(['', 'NONE', '0', '*']);
const ROUNDS_MAX = 6;
const IDS_MAX = 1_000;

/**
 * The messages of the order with this ClOrdID(11), and of its quote, its request and its reports: those that share OrderID(37), ExecID(17),
 * QuoteID(117) or QuoteReqID(131) with them, in the same session. At most 1,000 ids.
 */
export function* messagesOfOrder(directory: string, filter: MessageFilter, clOrdId: string): Generator<MessageLine> {
  const known = new Set<string>();
  const idsOf = ({ sender, target, text }: MessageLine): string[] =>
    text.split('\x01').flatMap((field) => {
      const at = field.indexOf('=');
      const kind = IDS[field.slice(0, at)];
      const id = field.slice(at + 1);
      return kind === undefined || NO_IDS.has(id) ? [] : [`${sender} ${target} ${kind} ${id}`];
    });
  const isOrder = ({ sender, target }: MessageLine, id: string): boolean =>
    id === `${sender} ${target} order ${clOrdId}`;
  for (let round = 0, before = -1; round < ROUNDS_MAX && known.size !== before; round++) {
    before = known.size;
    for (const line of readMessages(directory, filter)) {
      const ids = idsOf(line);
      if (ids.some((id) => known.has(id) || isOrder(line, id)))
        for (const id of ids) if (known.size < IDS_MAX) known.add(id);
    }
  }
  for (const line of readMessages(directory, filter)) if (idsOf(line).some((id) => known.has(id))) yield line;
}

/**
 * The chain of each engine; empty where there is no log. `heads` are `<engine>:<number>:<HMAC>`, each of which must be in its chain. Throws the
 * file system's error.
 */
export function verifyMessages(directory: string, key: Buffer, heads: readonly string[] = []): readonly LogChain[] {
  const engines = existsSync(directory) ? logEngines(directory) : [];
  const unknown = heads.filter((head) => !engines.includes(head.split(':')[0] ?? ''));
  const broken = { why: 'there is no engine with this head' };
  return [
    ...engines.map((engine) => verifyLog(directory, engine, key, heads)),
    ...unknown.map((place) => ({
      folder: '',
      files: 0,
      firstFile: 0,
      number: 0,
      mac: '',
      beside: new Map<string, number>(),
      broken: { ...broken, place },
    })),
  ];
}
