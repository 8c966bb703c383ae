/**
 * Appends to the file store, beside those of QuickFIX's on the same disk: CPU time and messages a second, medians of rounds in which the
 * stores take turns. Each append of QuickFIX is followed by its next number, as its session does it. Needs g++ and libquickfix; without them
 * only ours is measured. `npx tsx benchmarks/file-store.ts [messages]`
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileStoreOptions, fileStoreFactory } from 'node-quickfix-ts';

const MESSAGES = Number(process.argv[2] ?? 100_000);
const ROUNDS = 5;
/** Appends of one turn of the event loop: a session that answers a burst, and one that answers one message. */
const BATCHES = [1, 20];
const MESSAGE = Buffer.from(
  '8=FIX.4.4|9=178|35=8|34=12345|49=VENUE|52=20260115-12:00:00.000|56=DESK1|6=1.2345|11=order-12345678|14=1000000|' +
    '17=E123456789|31=1.2345|32=1000000|37=O123456789|38=1000000|39=2|54=1|55=EUR/USD|150=F|151=0|10=123|',
);
const ID = { beginString: 'FIX.4.4', senderCompId: 'VENUE', targetCompId: 'DESK1' };

interface Measured {
  readonly cpuUs: number;
  readonly perS: number;
}

async function ours(sync: NonNullable<FileStoreOptions['sync']>, messages: number, batch: number): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'file-store-'));
  try {
    const store = fileStoreFactory({ directory, sync })(ID, undefined);
    await store.open(() => {});
    const cpu = process.cpuUsage();
    const beganAt = performance.now();
    for (let n = 1; n <= messages; n += batch) {
      const turn: Promise<void>[] = [];
      for (let i = 0; i < batch; i++) turn.push(store.append(n + i, MESSAGE));
      await Promise.all(turn);
    }
    const seconds = (performance.now() - beganAt) / 1_000;
    const { user, system } = process.cpuUsage(cpu);
    await store.close();
    return { cpuUs: (user + system) / messages, perS: messages / seconds };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const PROGRAM = `#include <quickfix/FileStore.h>
#include <quickfix/SessionID.h>
#include <chrono>
#include <cstdio>
#include <ctime>
static double cpu() { timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec + t.tv_nsec / 1e9; }
int main(int, char** argv) {
  int messages = std::atoi(argv[2]);
  std::string message = argv[3];
  FIX::FileStore store(argv[1], FIX::SessionID("FIX.4.4", "VENUE", "DESK1"));
  double before = cpu();
  auto began = std::chrono::steady_clock::now();
  for (int n = 1; n <= messages; n++) { store.set(n, message); store.incrNextSenderMsgSeqNum(); }
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::printf("%f %f", (cpu() - before) / messages * 1e6, messages / seconds);
}
`;

const built = mkdtempSync(join(tmpdir(), 'file-store-cpp-'));
process.once('exit', () => rmSync(built, { recursive: true }));

function build(): string | undefined {
  const [source, program] = [join(built, 'store.cpp'), join(built, 'store')];
  writeFileSync(source, PROGRAM);
  const args = ['-O2', '-std=c++14', '-Wno-deprecated', source, '-o', program, '-lquickfix', '-lpthread'];
  return spawnSync('g++', args).status === 0 ? program : undefined;
}

function theirs(program: string): Measured {
  const directory = mkdtempSync(join(tmpdir(), 'file-store-'));
  try {
    const { stdout } = spawnSync(program, [directory, String(MESSAGES), MESSAGE.toString()], { encoding: 'utf8' });
    const [cpuUs = 0, perS = 0] = stdout.split(' ').map(Number);
    return { cpuUs, perS };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const program = build();
const rows = new Map<string, Measured[]>();
const add = (name: string, measured: Measured): void => void rows.set(name, [...(rows.get(name) ?? []), measured]);
for (let round = 0; round < ROUNDS; round++) {
  if (program !== undefined) add('QuickFIX C++, never syncs', theirs(program));
  for (const batch of BATCHES) {
    add(`ours, sync never, ${batch} a turn`, await ours('never', batch === 1 ? MESSAGES / 5 : MESSAGES, batch));
    add(`ours, sync always, ${batch} a turn`, await ours('always', MESSAGES / 50, batch));
  }
}
console.log(`node ${process.version}, ${MESSAGE.length} bytes, ${ROUNDS} rounds`);
if (program === undefined) console.log('QuickFIX not measured: g++ or libquickfix is missing');
console.log('                                 CPU us each   appends/s');
for (const [name, measured] of rows) {
  const median = (of: keyof Measured): number => measured.map((one) => one[of]).sort((a, b) => a - b)[ROUNDS >> 1]!;
  console.log(
    `${name.padEnd(32)} ${median('cpuUs').toFixed(2).padStart(11)} ${median('perS').toFixed(0).padStart(11)}`,
  );
}
