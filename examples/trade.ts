/**
 * A desk in one file: logs on, streams a price, locks a rate, books it, and logs out. Start `npm start` in another terminal first; then:
 * `npm run trade`. The FIX engine is `node-quickfix-ts`; with QuickFIX the messages are the same.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Dictionary,
  formatUtcTimestamp,
  Initiator,
  type MessageView,
  memoryStoreFactory,
  profile,
  type Session,
} from 'node-quickfix-ts';

const demo = JSON.parse(readFileSync(join(process.env.DATA_DIR ?? 'data', 'demo-client.json'), 'utf8'));
const [host, port] = demo.fix.split(/:(?=\d+$)/);
const AUTH_TOKEN = 20001;
let token = '';
let isAsked = false;
let order: string | undefined;
let refused = false;

const desk = new Initiator({
  ...{ host, port: Number(port), beginString: 'FIX.4.4', heartBtInt: 30 },
  ...{ senderCompId: demo.sender_comp_id, targetCompId: demo.target_comp_id },
  // A desk that trades every day keeps its sequence numbers instead: then no report is ever lost.
  ...{ resetOnLogon: true, store: memoryStoreFactory() },
  // Username(553) and Password(554) on the Logon(A): the client key and its secret.
  logonFields: [
    [553, demo.client_key],
    [554, demo.client_secret],
  ],
  dictionary: Dictionary.parse(readFileSync(new URL('../fix-config/FIX44-ratewire.xml', import.meta.url), 'utf8')),
  profile: profile({ supported: new Set(['W', 'S', '8', 'Y', 'AG', 'AI', 'BF', 'j', 'h', 'f']) }),
  application: {
    onLogon(session, logon) {
      token = logon.string(AUTH_TOKEN) ?? '';
      console.log('logged on');
      // MarketDataRequest(V): both sides of EUR/USD, and every change.
      const sides = [
        [267, 2],
        [269, 0],
        [269, 1],
      ] as const;
      session.send('V', [
        [262, 'prices'],
        [263, 1],
        [264, 1],
        [265, 0],
        ...sides,
        [146, 1],
        [55, 'EUR/USD'],
        [AUTH_TOKEN, token],
      ]);
    },
    onMessage: answer,
    onLogout: (_, reason) => console.log(`logged out: ${reason}`),
  },
});
desk.start();

/** Each answer leads to the next request. */
function answer(session: Session, message: MessageView): void {
  const all = (tag: number) => message.string(tag) ?? '';
  switch (message.msgType) {
    // MarketDataSnapshotFullRefresh(W): unsubscribe, and request a hold of 250,000 EUR for half a minute.
    case 'W': {
      // The first entry of the group that NoMDEntries(268) counts is the bid.
      const [bid] = message.groups(268);
      // A price may still be under way behind the one that was enough.
      if (isAsked || bid === undefined || bid.string(271) === '0') break;
      isAsked = true;
      console.log(`price   ${all(55)} ${bid.string(270)}`);
      session.send('V', [
        [262, 'prices'],
        [263, 2],
        [264, 1],
        [267, 1],
        [269, 0],
        [146, 1],
        [55, 'EUR/USD'],
      ]);
      session.send('R', [
        [131, `ask-${Date.now()}`],
        [146, 1],
        [55, 'EUR/USD'],
        [537, 1],
        [54, 1],
        [38, 250_000],
        [15, 'EUR'],
        [AUTH_TOKEN, token],
      ]);
      break;
    }
    // Quote(S): the rate is firm until ValidUntilTime(62). Book it.
    case 'S':
      console.log(`held    ${all(117)} at ${all(133)} until ${all(62)}`);
      order = `order-${Date.now()}`;
      session.send('D', [
        ...([
          [11, order],
          [55, 'EUR/USD'],
          [54, 1],
          [60, formatUtcTimestamp(Date.now())],
        ] as const),
        ...([
          [38, 250_000],
          [40, 'D'],
          [15, 'EUR'],
          [59, 4],
          [117, all(117)],
          [58, 'Invoice 8841'],
          [AUTH_TOKEN, token],
        ] as const),
      ]);
      break;
    // ExecutionReport(8): booked, or rejected with the reason in ErrorCode(20011). Pending New only says that the outcome follows; a report of
    // another ClOrdID(11) is that of an earlier order, or the copy of a conversion over REST.
    case '8':
      if (all(11) !== order || all(150) === 'A') break;
      refused = all(150) !== 'F';
      if (refused) console.log(`refused ${all(20011)} ${all(58)}`);
      else console.log(`booked  ${all(37)}: bought ${all(20015)} ${all(20013)} for ${all(20016)} ${all(20014)}`);
      void end();
      break;
    // SecurityStatus(f): temporarily no price, as when the provider is late; the next price follows on the stream.
    case 'f':
      break;
    default:
      refused = true;
      console.log(`refused ${message.msgType} ${all(20011)} ${all(58)}`);
      void end();
  }
}

async function end(): Promise<void> {
  await desk.stop('done');
  process.exitCode = refused ? 1 : 0;
}
