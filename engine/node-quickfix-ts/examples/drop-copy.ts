/**
 * Prints a copy of each fill of the venue. Its numbers are in a file store: what was sent while it was away, or was lost with the
 * connection, is resent when it is back.
 *
 *     npx tsx drop-copy.ts FIX44.xml --store copies
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Dictionary, fileStoreFactory, Initiator, profile } from 'node-quickfix-ts';
import { StandardHeaderReader } from './fix44/header.js';
import { readExecutionReport } from './fix44/messages/ExecutionReport.js';
import * as MsgType from './fix44/msg-types.js';
import * as Tag from './fix44/tags.js';
import { Side } from './fix44/values.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '5200' },
    password: { type: 'string', default: 'secret-3' },
    store: { type: 'string', default: 'copies' },
  },
});
if (values.help) {
  console.log(
    'npx tsx drop-copy.ts [FIX44.xml] [--host 127.0.0.1] [--port 5200] ' + '[--password secret-3] [--store copies]',
  );
  process.exit();
}

/** A copy that is sent again has the same ExecID(17). */
const seen = new Set<string>();

const initiator = new Initiator({
  host: values.host,
  port: Number(values.port),
  beginString: 'FIX.4.4',
  senderCompId: 'DROP1',
  targetCompId: 'VENUE',
  heartBtInt: 30,
  logonFields: [[Tag.Password, values.password]],
  dictionary: Dictionary.parse(readFileSync(positionals[0] ?? 'FIX44.xml', 'utf8')),
  store: fileStoreFactory({ directory: values.store }),
  profile: profile({ supported: new Set([MsgType.ExecutionReport]) }),
  application: {
    onLogon: () => console.log('logged on'),
    onMessage(_, message) {
      const report = readExecutionReport(message);
      if (seen.has(report.ExecID)) return;
      seen.add(report.ExecID);
      const { PossDupFlag } = new StandardHeaderReader(message);
      const side = report.Side === Side.BUY ? 'buy' : 'sell';
      const again = PossDupFlag ? ' (resent)' : '';
      console.log(`${report.ExecID} ${side} ${report.LastQty} ${report.Symbol} at ${report.LastPx}${again}`);
    },
    onLogout: (_, reason) => console.log(`logged out: ${reason}`),
  },
});
initiator.start();
process.once('SIGTERM', () => void initiator.stop());
