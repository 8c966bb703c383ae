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

/** A list of so many equal items, and an object of so many members with names of their own: short forms likewise. */
export const listOf = (count: number, item: unknown) => ({ $list: [count, item] as const });
export const membersOf = (count: number, value: unknown) => ({ $members: [count, value] as const });

interface ShortForm {
  readonly $repeated?: readonly Part[];
  readonly $list?: ReturnType<typeof listOf>['$list'];
  readonly $members?: ReturnType<typeof membersOf>['$members'];
}

/** The body's text. */
export function bodyText(body: object): string {
  const whole = (value: unknown): unknown => {
    const { $repeated, $list, $members } = (value ?? {}) as ShortForm;
    if ($repeated) return $repeated.map(([text, times]) => text.repeat(times)).join('');
    if ($list) return Array($list[0]).fill($list[1]);
    if ($members) return Object.fromEntries(Array.from({ length: $members[0] }, (_, n) => [`n${n}`, $members[1]]));
    return value;
  };
  return JSON.stringify(whole(body), (_name, value) => whole(value));
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
