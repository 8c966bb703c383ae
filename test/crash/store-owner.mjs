/** Started by one-machine.ts, which kills it: owns the store of DATA_DIR as `npm start` does, and does nothing else. */
import { openStore } from '../../dist/engine/store/store.js';
import { runProgram } from '../../dist/engine/wiring/program.js';

const log = { info() {}, warn() {}, error() {} };

runProgram('store', async (onStop) => {
  const kind = JSON.parse(process.env.STORE_KIND);
  const store = await openStore({ dataDir: process.env.DATA_DIR, own: 'must-start', log, ...kind });
  onStop(() => store.close());
  return {};
});
