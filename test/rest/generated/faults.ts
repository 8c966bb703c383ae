/** What can be wrong with a request beside its fields: body, path, query, headers, and HTTP itself. */
import type { Sent } from './wire.js';

/** `n` chooses among the ways in which it can be wrong. */
type Fault = (sent: Sent, n: number) => Sent;

const LIMIT = 65_536;
const one = <T>(from: readonly T[], n: number): T => from[n % from.length]!;
const body = (sent: Sent, bytes: string | Buffer): Sent => ({
  ...sent,
  body: Buffer.from(bytes as string),
  framing: sent.framing === 'none' ? 'length' : sent.framing,
});
const without = ({ headers }: Sent, name: string) => headers.filter(([own]) => own.toLowerCase() !== name);
const withHeader = (sent: Sent, name: string, value: string): Sent => ({
  ...sent,
  headers: [...without(sent, name), [name, value]],
});
const added = (sent: Sent, ...more: (readonly [string, string])[]): Sent => ({
  ...sent,
  headers: [...sent.headers, ...more],
});
const text = ({ body: bytes }: Sent) => bytes?.toString() ?? '{}';

const CONTENT_TYPES = [
  ...['text/plain', 'application/xml', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded', ''],
  ...[
    'application/jsonx',
    'APPLICATION/JSON',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/mixed',
  ],
  ...['multipart/form-data; boundary=other', 'application/json, multipart/form-data', 'application/json;;;', 'json'],
];
const NOT_JSON = [
  ...['', ' ', '{', '}', '{"a"', '{"a":}', '{a:1}', "{'a':1}", '{"a":1,}', '{"a":1}x', '{"a":1}{"a":2}', '/**/{}', '"'],
  ...[
    'null',
    'true',
    '1',
    '"text"',
    '[]',
    '[{}]',
    '[[]]',
    '{"a":01}',
    '{"a":+1}',
    '{"a":NaN}',
    '{"a":"\t"}',
    '\ufeff{}',
  ],
  ...['{"a":"\\x"}', '{"a":"\\u12"}', '{"__proto__":{"a":1}}', '{"a":1,"a":2}', '\0', '{}\0', '<a/>', 'a=1&b=2'],
];
const PART = '--cut\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n';
const FORMS = [
  ...[
    '',
    '--cut--\r\n',
    '--cut',
    PART,
    PART.replace('cut', 'tear'),
    `${PART}--cut--`,
    `${PART.repeat(201)}--cut--\r\n`,
  ],
  PART.replace('name="a"', 'filename="a.txt"; name="f"').concat('--cut--\r\n'),
  PART.replace('; name="a"', '').concat('--cut--\r\n'),
  PART.replace('"a"', '"__proto__[a]"').concat('--cut--\r\n'),
  PART.replace('"a"', `"${'a['.repeat(200)}"`).concat('--cut--\r\n'),
  PART.replace('\r\n\r\n', '\r\ncontent-type: text/plain; charset=klingon\r\n\r\n').concat('--cut--\r\n'),
  PART.replace('\r\n\r\n', `\r\n${'x'.repeat(20_000)}: 1\r\n\r\n`).concat('--cut--\r\n'),
  PART.replaceAll('\r\n', '\n').concat('--cut--\n'),
  '--cut\r\nnonsense\r\n\r\n1\r\n--cut--\r\n',
];
const TOKENS = [
  ...[
    '',
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Basic YTpi',
    'bearer',
    'Bearer a b',
    `Bearer ${'x'.repeat(43)}`,
    'Bearer ,',
  ],
  ...[`Bearer ${'x'.repeat(129)}`, `Bearer ${'x'.repeat(9_000)}`, 'Bearer \u00e9', 'token', 'Bearer __proto__'],
];
const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'get',
  'FOO',
];
const TAILS = [
  '/',
  '//',
  '/.',
  '/..',
  '/%2e%2e',
  ';x=1',
  '%00',
  '%ff',
  '%',
  '%zz',
  '%2F',
  '%20',
  '/x',
  '.json',
  '\\',
  '~',
  'é',
];
const QUERIES = [
  ...['?', '??', '&', '?&&&=', '?=x', '?__proto__=1', '?__proto__[a]=1', '?a[b][c]=1', '?constructor[prototype][x]=1'],
  ...[
    '?limit=1&limit=2',
    '?cursor[]=1',
    '?from=%',
    '?from=%ff',
    '?%zz=1',
    '?x=%00',
    '?a=1#b',
    `?${'a=1&'.repeat(2_000)}`,
  ],
  ...[
    '?sell_currency=EUR&sell_currency=USD',
    '?sell_currency[]=EUR',
    '?rate_signature[a]=1',
    `?x=${'y'.repeat(15_000)}`,
  ],
];
const HEADERS: readonly (readonly [string, string])[] = [
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-for', '10.0.0.1'],
  ['x-request-id', 'mine'],
  ['expect', '100-continue'],
  ['expect', 'the-unexpected'],
  ['upgrade', 'websocket'],
  ['connection', 'upgrade, close'],
  ['accept', 'text/html'],
  ['accept-encoding', 'br;q=1'],
  ['content-encoding', 'gzip'],
  ['if-none-match', '*'],
  ['range', 'bytes=0-1'],
  ['origin', 'http://evil.example'],
  ['cookie', 'a=b'],
  ['te', 'trailers'],
  ['host', ''],
  ['client_key', 'CK_X'],
  ['client_secret', '\u00ff'],
  ['__proto__', 'x'],
  ['bad name', 'x'],
  ['x-control', 'a\u0001b'],
  ['x-long', 'x'.repeat(17_000)],
  ['content-length', '-1'],
  ['content-length', '1, 1'],
  ['content-length', '99999999999999999999'],
  ['transfer-encoding', 'gzip'],
  ['transfer-encoding', 'chunked, chunked'],
];

export const FAULTS = {
  contentType: (sent, n) => withHeader(sent, 'content-type', one(CONTENT_TYPES, n)),
  noContentType: (sent) => ({ ...sent, headers: without(sent, 'content-type') }),
  packed: (sent, n) => withHeader(sent, 'content-encoding', one(['gzip', 'identity', ''], n)),
  notJson: (sent, n) => body(withHeader(sent, 'content-type', 'application/json'), one(NOT_JSON, n)),
  cutOff: (sent, n) => body(sent, text(sent).slice(0, n % (text(sent).length + 1))),
  garbled: (sent, n) => {
    const at = n % (text(sent).length + 1);
    return body(
      sent,
      text(sent).slice(0, at) + one(['"', '\\', '{', ']', ',', '\0', '\ud800', '1e9'], n) + text(sent).slice(at),
    );
  },
  notUtf8: (sent, n) =>
    body(sent, Buffer.concat([Buffer.from(text(sent).slice(0, n % 40)), Buffer.from([0xff, 0xc0, n & 255])])),
  notAForm: (sent, n) => body(withHeader(sent, 'content-type', 'multipart/form-data; boundary=cut'), one(FORMS, n)),
  // Blanks behind the last brace are JSON too: at the limit it is the same request.
  size: (sent, n) => body(sent, text(sent).padEnd(one([LIMIT, LIMIT + 1, LIMIT - 1, 3 * LIMIT], n))),
  deep: (sent, n) => body(sent, `{"a":${one(['[', '{"a":'], n).repeat(10_000)}`),
  deepAndWhole: (sent, n) =>
    body(sent, `{"beneficiary":${'['.repeat(1 + (n % 30_000))}${']'.repeat(1 + (n % 30_000))}}`),
  manyFields: (sent) => body(sent, `{${Array.from({ length: 5_000 }, (_, i) => `"f${i}":1`).join(',')}}`),
  noBody: (sent) => ({ ...sent, body: undefined }),
  chunks: (sent) => ({ ...sent, framing: 'chunked' }),
  aBodyAllTheSame: (sent, n) => body(sent, one(['{}', '{', 'x'.repeat(100), ' '.repeat(LIMIT + 1)], n)),
  method: (sent, n) => ({ ...sent, method: one(METHODS, n) }),
  tail: (sent, n) => ({ ...sent, target: sent.target.replace(/(\?|$)/, `${one(TAILS, n)}$1`) }),
  query: (sent, n) => ({ ...sent, target: sent.target + one(QUERIES, n) }),
  elsewhere: (sent, n) => ({
    ...sent,
    target: one(
      ['*', '/', '//', '', '/api', `/${'x'.repeat(20_000)}`, '/api/v3/payouts', '/%', '/__proto__', '/docs/x', 'x'],
      n,
    ),
  }),
  absolute: (sent, n) => ({ ...sent, target: one(['http://x', 'http://[', 'ftp://x', '//x', '/'], n) + sent.target }),
  escaped: (sent, n) => ({
    ...sent,
    target: sent.target.replace(
      /[a-zA-Z](?=[^/]*$)/,
      (letter) => `%${(letter.charCodeAt(0) + (n % 3) * 128).toString(16)}`,
    ),
  }),
  otherCase: (sent) => ({ ...sent, target: sent.target.toUpperCase() }),
  noToken: (sent) => ({ ...sent, headers: without(sent, 'authorization') }),
  wrongToken: (sent, n) => withHeader(sent, 'authorization', one(TOKENS, n)),
  twoTokens: (sent) => added(sent, ['authorization', 'Bearer x']),
  header: (sent, n) => added(sent, one(HEADERS, n)),
  manyHeaders: (sent) => added(sent, ...Array.from({ length: 500 }, (_, i) => [`x-${i}`, '1'] as const)),
  noHost: (sent) => ({ ...sent, headers: without(sent, 'host') }),
  version: (sent, n) => ({ ...sent, version: one(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'HTTP', ''], n) }),
  bothLengths: (sent) => added({ ...sent, framing: 'chunked' }, ['content-length', '3']),
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;
