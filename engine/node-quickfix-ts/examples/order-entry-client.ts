/**
 * Sends one limit order, prints what becomes of it, and logs out when it is filled.
 *
 *     npx tsx order-entry-client.ts FIX44.xml --side buy --quantity 250000 --price 1.08050
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Dictionary, formatUtcTimestamp, Initiator, memoryStoreFactory, profile, type Session } from 'node-quickfix-ts';
import { readExecutionReport } from './fix44/messages/ExecutionReport.js';
import { buildNewOrderSingle } from './fix44/messages/NewOrderSingle.js';
import * as MsgType from './fix44/msg-types.js';
import * as Tag from './fix44/tags.js';
import { OrdStatus, OrdType, Side } from './fix44/values.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '5200' },
    sender: { type: 'string', default: 'CLIENT1' },
    password: { type: 'string', default: 'secret-1' },
    symbol: { type: 'string', default: 'EUR/USD' },
    side: { type: 'string', default: 'buy' },
    quantity: { type: 'string', default: '250000' },
    price: { type: 'string', default: '1.08050' },
  },
});
if (values.help) {
  console.log(
    'npx tsx order-entry-client.ts [FIX44.xml] [--host 127.0.0.1] [--port 5200] [--sender CLIENT1] [--password secret-1] ' +
      '[--symbol EUR/USD] [--side buy|sell] [--quantity 250000] [--price 1.08050]',
  );
  process.exit();
}

const initiator = new Initiator({
  host: values.host,
  port: Number(values.port),
  beginString: 'FIX.4.4',
  senderCompId: values.sender,
  targetCompId: 'VENUE',
  heartBtInt: 30,
  resetOnLogon: true,
  logonFields: [[Tag.Password, values.password]],
  dictionary: Dictionary.parse(readFileSync(positionals[0] ?? 'FIX44.xml', 'utf8')),
  store: memoryStoreFactory(),
  profile: profile({ supported: new Set([MsgType.ExecutionReport, MsgType.BusinessMessageReject]) }),
  application: {
    onLogon: sendOrder,
    onMessage(_, message) {
      if (message.msgType !== MsgType.ExecutionReport) {
        console.log(`refused: ${message.string(Tag.Text)}`);
        process.exitCode = 1;
        void initiator.stop();
        return;
      }
      const report = readExecutionReport(message);
      console.log(`${report.ClOrdID}: status ${report.OrdStatus}, filled ${report.CumQty} at ${report.AvgPx}`);
      if (report.OrdStatus === OrdStatus.FILLED) void initiator.stop();
    },
    onLogout: (_, reason) => console.log(`logged out: ${reason}`),
  },
});
initiator.start();

function sendOrder(session: Session): void {
  const order = buildNewOrderSingle({
    // Unique among all orders of this day: a venue takes the same one again for a repetition.
    ClOrdID: `order-${Date.now()}`,
    Symbol: values.symbol,
    Side: values.side === 'buy' ? Side.BUY : Side.SELL,
    TransactTime: formatUtcTimestamp(Date.now()),
    OrderQty: values.quantity,
    OrdType: OrdType.LIMIT,
    Price: values.price,
  });
  session.send(MsgType.NewOrderSingle, order);
}
