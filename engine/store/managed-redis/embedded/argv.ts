/**
 * Replaces the command line built into valkey.wasm, in memory before the server boots: the shipped one persists nothing. Any other build
 * than the one this was written for is rejected, never patched.
 */
import { COMPACT_VALUE_BYTES, IDLE_S } from '../managed-server.js';

const BUILT_IN = [
  ...[
    'valkey-server',
    '--port',
    '',
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--protected-mode',
    'no',
  ],
  ...['--daemonize', 'no', '--io-threads', '1', '--logfile', ''],
];

/** The port's text, which the build fills in by itself when it boots. */
const PORT_SLOT = 2;
const PAGE = 65_536;

interface GrowableMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

export interface ServerArguments {
  /** Not visible in a process list: the arguments are in the server's memory. */
  readonly password: string;
  readonly fsync: 'always' | 'everysec';
}

/** Throws when the memory does not contain the expected table. */
export function replaceArguments(memory: GrowableMemory, { password, fsync }: ServerArguments): void {
  const wanted = [
    ...['valkey-server', '--port', '', '--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes', '--dir /data'],
    // The table is full: the other entries have their value in the same text. A truncated file is rejected, and repaired by ../aof-tail.ts.
    ...['--requirepass', password, `--appendfsync ${fsync}`, '--aof-load-truncated no'],
    ...['--auto-aof-rewrite-percentage 0', `--timeout ${IDLE_S}`, `--hash-max-listpack-value ${COMPACT_VALUE_BYTES}`],
  ];
  // A new page at the end, which nothing else uses, holds the new texts.
  let free = memory.grow(1) * PAGE;
  const bytes = Buffer.from(memory.buffer);
  const table = findTable(bytes);
  BUILT_IN.forEach((text, i) => {
    const found = textAt(bytes, bytes.readUInt32LE(table + 4 * i));
    if (found !== text) throw new Error(`unexpected build of valkey.wasm: argument ${i} is not '${text}'`);
  });
  wanted.forEach((text, i) => {
    if (i === PORT_SLOT || text === BUILT_IN[i]) return;
    bytes.writeUInt32LE(free, table + 4 * i);
    free += bytes.write(`${text}\0`, free, 'latin1');
  });
}

/** Finds the table by its entry for `--appendonly`: the only pointer to that text. */
function findTable(bytes: Buffer): number {
  const text = bytes.indexOf('\0--appendonly\0', 0, 'latin1');
  const pointer = Buffer.alloc(4);
  pointer.writeUInt32LE(text + 1);
  const table = bytes.indexOf(pointer) - 4 * BUILT_IN.indexOf('--appendonly');
  if (text < 0 || table < 0) throw new Error('unexpected build of valkey.wasm: its arguments were not found');
  return table;
}

function textAt(bytes: Buffer, at: number): string {
  const end = bytes.indexOf(0, at);
  return end < 0 || at === 0 ? '' : bytes.toString('latin1', at, end);
}
