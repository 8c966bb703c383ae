/** Archives a client's journal by the built engine, and kills itself at the n-th progress report: `<data dir> <client> <directory> <n>`. */

import { perform } from '../../dist/engine/service/perform.js';
import { readConfig } from '../../dist/engine/wiring/config.js';
import { createLog } from '../../dist/engine/wiring/log.js';
import { openServices } from '../../dist/engine/wiring/services.js';

const [dataDir = '', clientId = '', directory = '', dies = ''] = process.argv.slice(2);
const config = readConfig({ DATA_DIR: dataDir, REDIS_URL: process.env.REDIS_URL });
const { services, stop } = await openServices(config, createLog('test', 'silent'), {
  own: 'never',
  program: 'ratewire',
});
let reports = 0;
const progress = () => {
  if (++reports === Number(dies)) process.kill(process.pid, 'SIGKILL');
};
const input = { clientId, beforeMs: Date.now() + 1, directory, insist: true };
const answer = await perform({ ...services, progress }, 'archiveJournal', undefined, input);
process.stdout.write(`${JSON.stringify(answer)}\n`);
await stop();
