/** Requests as given to the process that sends them: text with placeholders that it fills in. */

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** A member of the answer's body that replaces ANSWER in the next request. */
  readonly keep?: string;
}

/** In a path or a body: a number that no other request of any run has. */
export const UNIQUE = '$unique';
export const ANSWER = '$answer';

type Part = readonly [text: string, times: number];

/** In a body: a long text, in a short form for the process that sends it. */
export const repeated = (...parts: readonly Part[]) => ({ $repeated: parts });

/** The body's text. */
export function bodyText(body: object): string {
  return JSON.stringify(body, (_name, value) => {
    const parts = (value as { readonly $repeated?: readonly Part[] } | null)?.$repeated;
    return parts === undefined ? value : parts.map(([text, times]) => text.repeat(times)).join('');
  });
}

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
