/** What can be wrong with a request beside its fields: body, path, query, headers, and HTTP itself. */
import { CONTENT_TYPES, FORMS, HEADERS, METHODS, NOT_JSON, OTHER_TOKENS, QUERIES, TAILS, TOKENS } from './oddities.js';
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
  otherToken: (sent, n) => withHeader(sent, 'authorization', one(Object.values(OTHER_TOKENS), n)),
  twoTokens: (sent) => added(sent, ['authorization', 'Bearer x']),
  header: (sent, n) => added(sent, one(HEADERS, n)),
  manyHeaders: (sent) => added(sent, ...Array.from({ length: 500 }, (_, i) => [`x-${i}`, '1'] as const)),
  noHost: (sent) => ({ ...sent, headers: without(sent, 'host') }),
  version: (sent, n) => ({ ...sent, version: one(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'HTTP', ''], n) }),
  bothLengths: (sent) => added({ ...sent, framing: 'chunked' }, ['content-length', '3']),
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;
