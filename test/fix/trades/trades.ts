/** Requests for trades, and stores with many of them. */

import { ledgerKeys } from '../../../engine/store/keys/redis-keys.js';
import { storedBooking } from '../../../engine/store/ledger/records.js';
import type { Fields } from '../../support/desk.js';
import { redisAt } from '../../support/redis-client.js';
import { memberText } from '../../support/stored.js';
import type { Rig } from '../rig.js';
import type { Trader } from '../trader.js';

/** TradeCaptureReportRequest(AD): `more` follows TradeRequestType(569), the token comes last. */
export function requestTrades(
  trader: Pick<Trader, 'desk' | 'token'>,
  id: string,
  type: number,
  more: Fields = [],
): void {
  trader.desk.send('AD', [[568, id], [569, type], ...more, [20001, trader.token]]);
}

/** OrderMassStatusRequest(AF) for all orders, or those of a pair. */
export function requestOrders(trader: Pick<Trader, 'desk' | 'token'>, id: string, symbol?: string): void {
  const of: Fields =
    symbol === undefined
      ? [[585, 7]]
      : [
          [585, 1],
          [55, symbol],
        ];
  trader.desk.send('AF', [[584, id], ...of, [20001, trader.token]]);
}

/** Adds so many conversions behind the newest one of the client, each like it; only their records, without a journal. */
export async function addTrades(rig: Rig, clientId: string, count: number): Promise<void> {
  const keys = ledgerKeys((await rig.services.store.clients.get(clientId))!);
  const redis = redisAt(rig.redisUrl);
  try {
    const [newest] = await redis.zrange(keys.bookings, '-1', '-1');
    const { booking, entry, facts } = storedBooking(newest!);
    for (let from = 0; from < count; from += 1_000) {
      const members: (string | number)[] = [];
      for (let i = from; i < Math.min(count, from + 1_000); i++)
        members.push(
          0,
          memberText({ ...booking, id: `${booking.id.slice(0, 12)}Z${String(i).padStart(7, '0')}` }, { entry, facts }),
        );
      await redis.zadd(keys.bookings, ...(members as [number, string]));
    }
  } finally {
    redis.disconnect();
  }
}
