/** The live page's server on a real store: clients with keys and money, prices that the test sets, open pages. */

import { OPERATE, RIGHTS, type Right } from '../../engine/domain/core/rights.js';
import { pairBySymbol } from '../../engine/domain/money/pair.js';
import { liveSource } from '../../rest/features/live-page/live-source.js';
import { Live } from '../../rest/live/live.js';
import type { ViewerLimits } from '../../rest/live/viewer.js';
import { application, listen } from '../../rest/server.js';
import { type Client, type MoneyDoor, openMoneyDoor } from '../rest/money-door.js';
import { cookieOf, logIn, openStream, type Stream } from './page-client.js';

export interface LiveRig {
  readonly money: MoneyDoor;
  readonly live: Live;
  /** Where the page is served; the API is there too. */
  readonly port: number;
  /** Clients with margins, by the money door. */
  readonly acme: Client;
  readonly other: Client;
  key(clientId: string, rights?: readonly Right[]): Promise<{ clientKey: string; clientSecret: string }>;
  /** Logged in as this client, or with the right to operate. */
  cookie(clientId: string, rights?: readonly Right[]): Promise<string>;
  stream(clientId: string, rights?: readonly Right[]): Promise<Stream>;
  operator(): Promise<Stream>;
  stop(): Promise<void>;
}

export const indexOf = (symbol: string): number => pairBySymbol(symbol)!.index;

export async function startLive(
  options: {
    readonly limits?: Parameters<typeof openMoneyDoor>[0];
    readonly viewer?: ViewerLimits;
    /** Pages at once. */
    readonly most?: number;
    readonly isDeaf?: boolean;
    /** When a price is stale. */
    readonly maxAgeMs?: number;
  } = {},
): Promise<LiveRig> {
  const money = await openMoneyDoor(options.limits, { maxAgeMs: options.maxAgeMs });
  const acme = await money.client('acme');
  const other = await money.client('other');
  await money.opened.store.clients.create({ id: 'house', name: 'House', defaultType: 'PREFUNDING' });
  const { store } = money.services;
  // As if every bell were lost on its way.
  const deaf = { ...store, journal: { ...store.journal, onGrown: () => () => {} } };
  const live = new Live(
    liveSource(options.isDeaf ? { ...money.services, store: deaf } : money.services),
    options.viewer,
    options.most,
  );
  const server = await listen(application({ ...money.door, live }), { host: '127.0.0.1', port: 0 });
  const streams: Stream[] = [];
  const key: LiveRig['key'] = async (clientId, rights = RIGHTS) =>
    (await money.opened.store.keys.issue(clientId, rights))!;
  const cookie: LiveRig['cookie'] = async (clientId, rights) => {
    const { clientKey, clientSecret } = await key(clientId, rights);
    return cookieOf(await logIn(server.port, clientKey, clientSecret));
  };
  const stream: LiveRig['stream'] = async (clientId, rights) => {
    const opened = await openStream(server.port, await cookie(clientId, rights));
    streams.push(opened);
    return opened;
  };
  return {
    money,
    live,
    port: server.port,
    acme,
    other,
    key,
    cookie,
    stream,
    operator: () => stream('house', [OPERATE]),
    async stop() {
      for (const { socket } of streams) socket.terminate();
      live.stop();
      await server.stop();
      await money.stop();
    },
  };
}
