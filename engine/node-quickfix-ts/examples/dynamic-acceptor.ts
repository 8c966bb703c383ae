/**
 * A venue without a list of sessions: each CompID that knows the password of the venue gets a session, with a profile of its own. It
 * acknowledges orders.
 *
 *     npx tsx dynamic-acceptor.ts FIX44.xml --port 5200 --store sessions
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Acceptor, Dictionary, fileStoreFactory, profile } from 'node-quickfix-ts';
import { buildExecutionReport } from './fix44/messages/ExecutionReport.js';
import { readNewOrderSingle } from './fix44/messages/NewOrderSingle.js';
import * as MsgType from './fix44/msg-types.js';
import * as Tag from './fix44/tags.js';
import { ExecType, OrdStatus } from './fix44/values.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    port: { type: 'string', default: '5200' },
    store: { type: 'string', default: 'sessions' },
    password: { type: 'string', default: 'secret-1' },
  },
});
if (values.help) {
  console.log('npx tsx dynamic-acceptor.ts [FIX44.xml] [--port 5200] [--store sessions] [--password secret-1]');
  process.exit();
}

/** What `authenticate` gives a session as its context. */
class Client {
  orders = 0;
  constructor(readonly name: string) {}
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const acceptor = new Acceptor({
  port: Number(values.port),
  dictionary: Dictionary.parse(readFileSync(positionals[0] ?? 'FIX44.xml', 'utf8')),
  // The folder of a session is made when it logs on for the first time: after `authenticate`, so that a stranger makes none.
  store: fileStoreFactory({ directory: values.store }),
  application: {
    authenticate({ id, logon }) {
      const isRight = timingSafeEqual(digest(logon.string(Tag.Password) ?? ''), digest(values.password));
      if (!isRight) return { accept: false, text: 'wrong password', closeAfterMs: 1_000 };
      const heartBtIntMax = id.targetCompId.startsWith('SLOW') ? 300 : 60;
      const takes = { supported: new Set([MsgType.NewOrderSingle]), stored: new Set([MsgType.ExecutionReport]) };
      return {
        accept: true,
        profile: profile({ ...takes, heartBtIntMax }),
        reply: [],
        context: new Client(id.targetCompId),
      };
    },
    onLogon: ({ context }) => console.log(`${(context as Client).name} logged on`),
    onMessage(session, message) {
      const client = session.context as Client;
      const order = readNewOrderSingle(message);
      client.orders += 1;
      const report = buildExecutionReport({
        OrderID: `${client.name}-${client.orders}`,
        ClOrdID: order.ClOrdID,
        ExecID: `${client.name}-${client.orders}`,
        ExecType: ExecType.NEW,
        OrdStatus: OrdStatus.NEW,
        Symbol: order.Symbol,
        Side: order.Side,
        LeavesQty: order.OrderQty ?? '0',
        CumQty: '0',
        AvgPx: '0',
      });
      session.send(MsgType.ExecutionReport, report);
    },
    onLogout: ({ context }, reason) => console.log(`${(context as Client).name} logged out: ${reason}`),
  },
});
const { port } = await acceptor.listen();
console.log(`any CompID may log on at port ${port}`);
process.once('SIGTERM', () => void acceptor.stop().then(() => process.exit()));
