/** Started by one-machine.ts, which kills it: owns the store of DATA_DIR as `npm start` does, and does nothing else. */
import { KIND, SILENT } from '../support/store.js';

const built = (file: string) => import(new URL(`../../dist/engine/${file}`, import.meta.url).href);
const { runProgram } = (await built('wiring/program.js')) as typeof import('../../engine/wiring/program.js');
const { openStore } = (await built('store/store.js')) as typeof import('../../engine/store/store.js');

runProgram('store', async (onStop) => {
  const store = await openStore({ dataDir: process.env.DATA_DIR!, own: 'must-start', log: SILENT, ...KIND });
  onStop(() => store.close());
  return {};
});
