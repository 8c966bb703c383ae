/** The REST door with a few routes of the test's own, all to one operation, and what that was given of the body. */
import { z } from 'zod';
import type { Route } from '../../../rest/features/routes.js';
import type { Body } from '../../../rest/http/body.js';
import { REPLAYED } from '../../../rest/http/responses.js';
import { startTestStore, type TestStore } from '../../support/store.js';
import { openRestDoor, type RestDoor } from '../rest-door.js';

export const JSON_TYPE = { 'content-type': 'application/json' };
export const FORM_TYPE = { 'content-type': 'multipart/form-data; boundary=cut' };
export const CHUNKED = { 'transfer-encoding': 'chunked' };
/** Fields that requests of the tests have without `post`. */
const FIELDS = Object.fromEntries(['t', 'n', 'x'].map((name) => [name, z.unknown().optional().describe(name)]));
const A_RATE = { sellCurrency: 'EUR', buyCurrency: 'USD' };

export interface EchoDoor extends Pick<RestDoor, 'ask' | 'port' | 'services' | 'stop'> {
  readonly opened: TestStore;
  readonly authorization: string;
  /** What the operation was given of the last body; `not-asked` when it was not, and after each look. */
  seen(): Body | undefined | 'not-asked';
  /** With JSON to /forms, unless said otherwise. Fields may have any name: that alone is no fault here, and the status is 200. */
  post(body: string | Buffer, headers?: Record<string, string>, path?: string): ReturnType<RestDoor['ask']>;
}

export async function openEchoDoor(): Promise<EchoDoor> {
  const opened = await startTestStore();
  await opened.store.clients.create({ id: 'acme', name: 'Acme', defaultType: 'PREFUNDING' });
  await opened.store.margins.set({ clientId: 'acme', pair: '*', type: '*', marginPpm: 2_500 });
  const authorization = `Bearer ${(await opened.store.tokens.issue('acme', 'CK_X', ['rates'])).token}`;

  let seen: ReturnType<EchoDoor['seen']> = 'not-asked';
  const input: Route['input'] = (_request, body) => {
    seen = body;
    return A_RATE;
  };
  const door = await openRestDoor(opened.store, {}, { getRate: echoRoutes(input) });
  const freshPrices = () => {
    door.price('EUR/USD', '1.08431', '1.08433');
    door.price('EUR/GBP', '0.85', '0.86');
  };
  return {
    ...door,
    opened,
    authorization,
    seen() {
      const last = seen;
      seen = 'not-asked';
      return last;
    },
    ask(...asked) {
      seen = 'not-asked';
      freshPrices();
      return door.ask(...asked);
    },
    async post(body, headers = JSON_TYPE, path = '/forms') {
      seen = 'not-asked';
      freshPrices();
      const answer = await door.ask('POST', path, { authorization, ...headers }, body);
      const errors = (answer.body.errors ?? []) as { readonly code: string }[];
      const isRead = errors.length > 0 && errors.every(({ code }) => code === 'unsupported_field');
      return isRead ? { ...answer, status: 200 } : answer;
    },
    async stop() {
      await door.stop();
      await opened.stop();
    },
  };
}

const echoRoutes = (input: Route['input']): readonly Route<'getRate'>[] => [
  // The parameter first, to see that a path without one is found before it.
  echoRoute('get', '/rate/:currency', {
    input: ({ params }) => ({ ...A_RATE, buyCurrency: params.currency }),
    body: ({ buyCurrency }) => ({ buy: buyCurrency }),
    names: { buyCurrency: 'currency' },
  }),
  echoRoute('get', '/rate/mine', { input }),
  echoRoute('post', '/rate/mine', { input }),
  echoRoute('post', '/forms', {
    input,
    numbers: ['amount', 'options.deduct'],
    booleans: ['sure', 'options.sure'],
    headers: ({ sellCurrency }) => [...REPLAYED, 'x-sold', sellCurrency],
  }),
  echoRoute('post', '/named', {
    input: (_request, body) => ({ sellCurrency: body?.sell, buyCurrency: body?.buy, type: body?.type }),
    names: { sellCurrency: 'sell', buyCurrency: 'buy' },
  }),
];

export function echoRoute(
  method: 'get' | 'post',
  path: string,
  rest: Partial<Route<'getRate'>> = {},
): Route<'getRate'> {
  return {
    method,
    path,
    limit: 'writes',
    input: () => A_RATE,
    response: z.looseObject({}),
    reference: { tag: 'Reference', summary: 'Echo', description: 'Of this test alone.', example: {}, schemas: FIELDS },
    body: () => ({ done: true }),
    names: {},
    ...rest,
  };
}
