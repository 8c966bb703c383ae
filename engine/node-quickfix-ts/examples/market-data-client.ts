/**
 * Subscribes to a symbol, prints the prices, unsubscribes after so many and logs out.
 *
 *     npx tsx market-data-client.ts FIX44.xml --symbol EUR/USD --count 10
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Dictionary, Initiator, memoryStoreFactory, profile, type Session } from 'node-quickfix-ts';
import { buildMarketDataRequest } from './fix44/messages/MarketDataRequest.js';
import { readMarketDataSnapshotFullRefresh } from './fix44/messages/MarketDataSnapshotFullRefresh.js';
import * as MsgType from './fix44/msg-types.js';
import * as Tag from './fix44/tags.js';
import { MDEntryType, SubscriptionRequestType } from './fix44/values.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '5200' },
    sender: { type: 'string', default: 'CLIENT2' },
    password: { type: 'string', default: 'secret-2' },
    symbol: { type: 'string', default: 'EUR/USD' },
    count: { type: 'string', default: '10' },
  },
});
if (values.help) {
  console.log(
    'npx tsx market-data-client.ts [FIX44.xml] [--host 127.0.0.1] [--port 5200] ' +
      '[--sender CLIENT2] [--password secret-2] [--symbol EUR/USD] [--count 10]',
  );
  process.exit();
}
let left = Number(values.count);

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
  profile: profile({ supported: new Set([MsgType.MarketDataSnapshotFullRefresh]) }),
  application: {
    // After each logon: a venue forgets subscriptions when a session ends.
    onLogon: (session) => request(session, SubscriptionRequestType.SNAPSHOT_AND_UPDATES),
    onMessage(session, message) {
      const snapshot = readMarketDataSnapshotFullRefresh(message);
      // The view is valid during this call only: what is needed later is copied here.
      const price = (type: MDEntryType): string =>
        snapshot.NoMDEntries.find((entry) => entry.MDEntryType === type)?.MDEntryPx ?? 'none';
      console.log(`${snapshot.Symbol} ${price(MDEntryType.BID)} / ${price(MDEntryType.OFFER)}`);
      left -= 1;
      if (left !== 0) return;
      request(session, SubscriptionRequestType.DISABLE_PREVIOUS_SNAPSHOT);
      void initiator.stop();
    },
    onLogout: (_, reason) => console.log(`logged out: ${reason}`),
  },
});
initiator.start();

function request(session: Session, type: SubscriptionRequestType): void {
  const fields = buildMarketDataRequest({
    MDReqID: 'stream-1',
    SubscriptionRequestType: type,
    MarketDepth: 1,
    NoMDEntryTypes: [{ MDEntryType: MDEntryType.BID }, { MDEntryType: MDEntryType.OFFER }],
    NoRelatedSym: [{ Symbol: values.symbol }],
  });
  session.send(MsgType.MarketDataRequest, fields);
}
