/** Requests as they go to the process that sends them: text with places that it fills in. */

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** A member of the answer's body that stands for ANSWER in the next request. */
  readonly keep?: string;
}

/** In a path or a body: a number that no other request of any run has. */
export const UNIQUE = '$unique';
export const ANSWER = '$answer';

/** bare-express.ts answers it. */
export const BARE: HttpRequest = { method: 'GET', path: '/bare' };

export const get = (token: string, path: string): HttpRequest => ({
  method: 'GET',
  path,
  headers: { authorization: `Bearer ${token}` },
});

export const post = (token: string, path: string, body: object): HttpRequest => ({
  method: 'POST',
  path,
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body,
});

export const bookFx = (token: string): HttpRequest =>
  post(token, '/api/v1/bookfx/currency/create', {
    request_id: UNIQUE,
    description: 'benchmark',
    buy_amount: 1000,
    buy_currency: 'EUR',
    sell_currency: 'USD',
  });
