/** Started by outage.test.ts, which kills it: owns the store of a data directory and appends to it endlessly. Arguments: directory, store. */
import { openStore } from '../../../dist/engine/store/store.js';

const [, , dataDir, options] = process.argv;
const log = { info() {}, warn() {}, error() {} };
const store = await openStore({ dataDir, own: 'must-start', log, ...JSON.parse(options) });
const session = store.fixSessions.store({ senderCompId: 'FXENGINE', targetCompId: 'OWNED' }, 3);
await session.open();
let next = 1;
const call = async () => {
  for (;;) {
    const number = next++;
    await session.append(number, Buffer.from(`message ${number}`));
    process.stdout.write(`${number}\n`);
  }
};
await Promise.all(Array.from({ length: 16 }, call));
