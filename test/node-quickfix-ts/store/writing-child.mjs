/**
 * Writes a session without end, and reports on stdout what its store has confirmed: `open <out> <in>`, `reserved <bound>`, `kept <number>`,
 * `in <next>`, `reset`. It is killed meanwhile. Arguments: directory, sync.
 */
import { writeSync } from 'node:fs';
import { fileStoreFactory } from '../../../engine/node-quickfix-ts/dist/store/file-store.js';

const [, , directory = '', sync = 'never'] = process.argv;
/** The reader may be slower, and the pipe full. */
function report(line) {
  for (let left = Buffer.from(`${line}\n`); left.length > 0; ) {
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}
const id = { beginString: 'FIX.4.4', senderCompId: 'VENUE', targetCompId: 'DESK1' };
const factory = fileStoreFactory({ directory, sync, segmentBytes: 65_536 });
const store = factory(id, undefined);

const numbers = await store.open(() => {});
if (numbers === undefined) {
  report('live in another process');
  process.exit(3);
}
report(`open ${numbers.nextOut} ${numbers.nextIn}`);
let next = numbers.nextOut;
let nextIn = numbers.nextIn;
for (let turn = 1; ; turn++) {
  if (turn % 97 === 0) {
    report('resetting');
    await store.reset(Date.now());
    report('reset');
    next = 1;
    nextIn = 1;
  }
  await store.reserve(next + 100);
  report(`reserved ${next + 100}`);
  // A batch of one turn, of messages of any length.
  const numbered = Array.from({ length: 1 + (turn % 40) }, () => next++);
  const appended = numbered.map((number) =>
    store
      .append(number, Buffer.from(`${number} `.repeat(1 + ((number * 7) % 60))))
      .then(() => report(`kept ${number}`)),
  );
  nextIn++;
  store.saveNextIn(nextIn);
  report(`in ${nextIn}`);
  await Promise.all(appended);
}
