/** Started by outage.test.ts, which kills it: owns the store of a data directory and appends to it endlessly. */
import { startTestStore } from '../../support/store.js';

const { store } = await startTestStore({ dataDir: process.argv[2] });
const session = store.fixSessions.store({ senderCompId: 'FXENGINE', targetCompId: 'OWNED' }, 3);
await session.open();
let next = 1;
const call = async (): Promise<void> => {
  for (;;) {
    const number = next++;
    await session.append(number, Buffer.from(`message ${number}`));
    process.stdout.write(`${number}\n`);
  }
};
await Promise.all(Array.from({ length: 16 }, call));
