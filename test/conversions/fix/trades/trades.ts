/** Requests for trades, and stores with many of them. */

import { afterAll, beforeAll } from 'vitest';
import { perform } from '../../../../engine/service/perform.js';
import { ledgerKeys } from '../../../../engine/store/keys/redis-keys.js';
import { storedBooking } from '../../../../engine/store/ledger/records.js';
import { type Rig, startRig } from '../../../fix/rig.js';
import { type Order, startTrader, type Trader } from '../../../fix/trader.js';
import type { Fields } from '../../../support/desk.js';
import { redisAt } from '../../../support/redis-client.js';
import { memberText } from '../../../support/stored.js';

// A Thursday, before and after 17:00 in New York: two trade dates.
const AFTERNOON = Date.parse('2026-11-19T21:00:00Z');
const EVENING = Date.parse('2026-11-19T23:00:00Z');

/** A gateway for the tests of a file: two trade dates, and clients of whom one trades on both. */
export class TwoDays {
  now = AFTERNOON;
  rig!: Rig;
  acme!: Trader;
  other!: Trader;

  /** To be called at the top of a file; `book` books what its client has on the second date. */
  static begin(book: (on: TwoDays) => Promise<void>): TwoDays {
    const on = new TwoDays();
    beforeAll(async () => {
      on.rig = await startRig({ now: () => on.now });
      on.#tick();
      on.acme = await startTrader(on.rig, 'acme', { money: { EUR: '1000000', USD: '1000000', GBP: '1000000' } });
      on.other = await startTrader(on.rig, 'other');
      await on.order({ 11: 'THU-1', 58: 'Invoice 1' });
      await on.turn(EVENING);
      await book(on);
    });
    afterAll(() => on.rig.stop());
    return on;
  }

  /** Orders, and waits for the report. */
  async order(order: Order): Promise<void> {
    this.acme.order(order);
    await this.acme.report(String(order[11]));
  }

  async bookByRest(requestId: string): Promise<void> {
    const { id: clientId, clientKey: keyId } = this.acme;
    const caller = { clientId, keyId, rights: new Set(['trade'] as const) };
    const command = { requestId, description: 'by REST', sellCurrency: 'USD', buyCurrency: 'EUR', buyAmount: 10 };
    await perform(this.rig.services, 'bookFxByCurrency', caller, command);
  }

  /** Turns the clock; the prices are those of before. */
  async turn(now: number): Promise<void> {
    this.now = now;
    await this.rig.turn();
    this.#tick();
  }

  #tick(): void {
    this.rig.tick('EUR/USD', '1.08158', '1.08164');
    this.rig.tick('GBP/USD', '1.28158', '1.28164');
  }
}

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
