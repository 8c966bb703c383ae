/** The measured requests, a row each: an added row is measured. */
import { ANSWER, get, type HttpRequest, post, UNIQUE } from '../load/requests.js';
import type { Asker } from './askers.js';

export interface Row {
  readonly name: string;
  readonly kind: 'read' | 'command';
  /** The requests of one caller in turn; all of them count. */
  requests(of: Asker): readonly HttpRequest[];
}

const EUR_USD = 'source_currency=EUR&destination_currency=USD';
const EUR_USD_RATE = '/api/v1/bookfx/rate?sell_currency=EUR&buy_currency=USD';

const read = (name: string, path: (of: Asker) => string): Row => ({
  name,
  kind: 'read',
  requests: (of) => [get(of.token, path(of))],
});

const command = (name: string, path: string, body: (of: Asker) => object): Row => ({
  name,
  kind: 'command',
  requests: (of) => [post(of.token, path, body(of))],
});

export const bookFxByAccount = ({ eurAccount, usdAccount }: Asker) => ({
  request_id: UNIQUE,
  description: 'benchmark',
  buy_amount: 1000,
  from_account: eurAccount,
  to_account: usdAccount,
});

const bookFxByCurrency = () => ({
  request_id: UNIQUE,
  description: 'benchmark',
  buy_amount: 1000,
  buy_currency: 'EUR',
  sell_currency: 'USD',
});

export const funding = ({ eurAccount }: Asker) => ({
  account_number: eurAccount,
  amount: 1000,
  instarem_deposit_account: 'DBS Bank-0012345678-EUR',
  payment_reference: 'benchmark',
});

export const payment = ({ eurAccount }: Asker) => ({
  request_id: UNIQUE,
  transaction_number: UNIQUE,
  account_number: eurAccount,
  destination_currency: 'EUR',
  destination_amount: 10,
  statement_narrative: 'Invoice 8841',
  deposit_method: 'BANK',
  remitter_account_type: 'Individual',
  remitter_name: 'Aiko Tanaka',
  remitter_country_code: 'JP',
  remitter_address: '1-2-3 Marunouchi',
  remitter_city: 'Tokyo',
  beneficiary_name: 'Erika Mustermann',
  beneficiary_address: 'Heidestrasse 17',
  beneficiary_city: 'Koeln',
  beneficiary_country_code: 'DE',
  beneficiary_account_type: 'Individual',
  beneficiary_account_number: 'DE89370400440532013000',
});

const payout = ({ eurAccount }: Asker) => ({
  request_id: UNIQUE,
  transaction_number: UNIQUE,
  source_account: eurAccount,
  destination_currency: 'EUR',
  destination_amount: 10,
  fee_payer: 'OUR',
  statement_narrative: 'Invoice 8841',
  deposit_method: 'BANK',
  remitter: {
    name: 'Aiko Tanaka',
    account_type: 'Individual',
    country_code: 'JP',
    address: '1-2-3 Marunouchi',
    city: 'Tokyo',
  },
  beneficiary: {
    name: 'Erika Mustermann',
    address: 'Heidestrasse 17',
    city: 'Koeln',
    country_code: 'DE',
    account_type: 'Individual',
    account_number: 'DE89370400440532013000',
  },
});

export const ROWS: readonly Row[] = [
  read('rate', () => EUR_USD_RATE),
  read('account', () => '/api/v1/account'),
  read('balance/all', () => '/api/v1/balance/all'),
  read('balance/currency', () => '/api/v1/balance/currency/EUR'),
  read('balance/account', ({ eurAccount }) => `/api/v1/balance/account/${eurAccount}`),
  read('balance/account/entries', ({ eurAccount }) => `/api/v1/balance/account/${eurAccount}/entries`),
  read('bookfx read', ({ bookingId }) => `/api/v1/bookfx/${bookingId}`),
  read('bookfx list', () => '/api/v1/bookfx'),
  read('fund read', ({ fundingId }) => `/api/v1/fund/reference/${fundingId}`),
  read('fund list', () => '/api/v1/fund'),
  read('payments by id', ({ paymentId }) => `/api/v1/payments/id/${paymentId}`),
  read('payments by reference', ({ reference }) => `/api/v1/payments/reference/${reference}`),
  read('payments list', () => '/api/v1/payments'),
  read(
    'required-details',
    () => '/api/v1/reference/required-details?country=DE&currency=EUR&method=BANK&party=Individual',
  ),
  read('lockFx/getFxRate', () => `/api/v1/lockFx/getFxRate?${EUR_USD}`),
  {
    name: 'authentication',
    kind: 'command',
    requests: ({ key, secret }) => [
      { method: 'POST', path: '/api/v1/authentication', headers: { client_key: key, client_secret: secret } },
    ],
  },
  command('bookfx/currency', '/api/v1/bookfx/currency/create', bookFxByCurrency),
  command('bookfx/account', '/api/v1/bookfx/account/create', bookFxByAccount),
  {
    name: 'lockFx: offer, lock and release in turn',
    kind: 'command',
    // For an amount, and released: the open holds of a client stay below its limit however long the run is.
    requests: ({ token }) => [
      { ...get(token, `/api/v1/lockFx/getFxRate?${EUR_USD}&sell_amount=1000`), keep: 'rate_signature' },
      { ...get(token, `/api/v1/lockFx/lockFxRate?rate_signature=${ANSWER}`), keep: 'fx_hold_id' },
      post(token, '/api/v1/lockFx/releaseFxRate', { fx_hold_id: ANSWER }),
    ],
  },
  command('fund/create', '/api/v1/fund/create', funding),
  command('payments/validate', '/api/v1/payments/validate', payment),
  command('payments/create', '/api/v1/payments/create', payment),
  command('payouts', '/api/v2/payouts', payout),
];
