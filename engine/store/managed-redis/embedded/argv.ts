/**
 * The command line that is built into valkey.wasm, replaced in memory before the server boots: as shipped it keeps nothing.
 * Another build than the one this was written for is refused, never patched.
 */
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
/** A connection that sends nothing for so long is closed, s; not one that subscribes or waits. Ours send something each second. */
const IDLE_S = 300;

/** The port's text, which the build fills in by itself when it boots. */
const PORT_SLOT = 2;
const PAGE = 65_536;

interface GrowableMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

export interface ServerArguments {
  /** Shown to nobody: the arguments stand in the server's memory, not in a process list. */
  readonly password: string;
  readonly fsync: 'always' | 'everysec';
}

/** Throws when the memory does not hold the expected table. */
export function replaceArguments(memory: GrowableMemory, { password, fsync }: ServerArguments): void {
  const wanted = [
    ...['valkey-server', '--port', '', '--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes', '--dir', '/data'],
    // No more places: two with their values in one. A file that was cut off is refused, and mended by ../aof-tail.ts.
    ...['--requirepass', password, `--appendfsync ${fsync}`, '--aof-load-truncated no'],
    ...['--auto-aof-rewrite-percentage 0', `--timeout ${IDLE_S}`],
  ];
  // A page of our own at the end, which nothing else uses, holds the new texts.
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
