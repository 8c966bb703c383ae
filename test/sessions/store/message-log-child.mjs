/** An engine's message log without the engine: logs a message each millisecond and prints how many, until it is killed. Arguments: directory, key. */
import { openMessageLog } from '../../../dist/engine/store/sessions/message-log.js';

const [, , directory = '', key = ''] = process.argv;
const quiet = { info() {}, warn() {}, error() {} };
const log = await openMessageLog({
  ...{ directory, key: Buffer.from(key, 'hex'), prices: false, maxBytes: 1e9, whenFull: 'stop', log: quiet },
});
const session = log.session({ beginString: 'FIX.4.4', senderCompId: 'FXENGINE', targetCompId: 'ACME1' });
let sent = 0;
setInterval(() => {
  sent++;
  const message = Buffer.from(
    `8=FIX.4.4\x019=${12 + String(sent).length}\x0135=0\x0134=${sent}\x0152=now\x0110=000\x01`,
  );
  session.incoming(message, 0, message.length);
  process.stdout.write(`${sent}\n`);
}, 1);
