/** One attempt to deliver: a POST on a connection of its own, to an address that was checked, within 20 seconds in all. */
import { type ClientRequest, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { AttemptReason } from '../../domain/webhooks/webhook.js';
import { checkedAddresses, endpointUrl, type Resolve } from './addresses.js';

export interface Sent {
  /** 0: no answer came. */
  readonly httpStatus: number;
  /** '': the endpoint has accepted it. */
  readonly reason: AttemptReason | '';
  /** 0: the answer names none. */
  readonly retryAfterMs: number;
  /** The body of an answer, where the options ask for it; of a longer one its beginning. */
  readonly text: string;
}

export interface SendOptions {
  readonly loopback: boolean;
  readonly resolve: Resolve;
  readonly timeoutMs?: number;
  /** The attempt ends with the body of the answer, not with its status. */
  readonly readsAnswer?: boolean;
}

const SEND_MS = 20_000;
/** What is read of the body of an answer: then its connection is closed. */
const ANSWER_MAX = 16_384;
const ANSWER_MS = 1_000;
const HEADERS_MAX = 16_384;
/** All bytes of an answer: what comes before it begins, informational answers, headers, body. */
const BYTES_MAX = ANSWER_MAX + 2 * HEADERS_MAX;
/** Informational answers (1xx) before the answer. */
const INFORMATIONAL_MAX = 8;

/** Never rejects. */
export async function send(
  target: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  { loopback, resolve, timeoutMs = SEND_MS, readsAnswer = false }: SendOptions,
): Promise<Sent> {
  const signal = AbortSignal.timeout(timeoutMs);
  // The settings may have changed since the endpoint was registered.
  const read = endpointUrl(target, loopback);
  if ('fault' in read) return failed('address');
  const found = await checkedAddresses(read.url, loopback, resolve);
  if (typeof found === 'string') return failed(found);
  const bytes = Buffer.from(body);
  const options: RequestOptions = {
    method: 'POST',
    // A connection that is kept could be of an address that is not allowed any more.
    agent: false,
    lookup: onlyTo(found),
    signal,
    maxHeaderSize: HEADERS_MAX,
    headers: {
      'content-type': 'application/json',
      'content-length': bytes.length,
      'user-agent': 'ratewire-webhooks',
      ...headers,
    },
  };
  try {
    const { response, body } = await answerOf(read.url, options, bytes);
    const httpStatus = response.statusCode ?? 0;
    const retryAfterMs = httpStatus === 429 || httpStatus === 503 ? retryAfter(response) : 0;
    return { httpStatus, reason: reasonOf(httpStatus), retryAfterMs, text: readsAnswer ? await body : '' };
  } catch (error) {
    return failed(signal.aborted ? 'timeout' : reasonOfFault(error));
  }
}

const failed = (reason: AttemptReason): Sent => ({ httpStatus: 0, reason, retryAfterMs: 0, text: '' });

/** The name is not resolved again: a connection is made to the checked addresses alone. */
function onlyTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, found) => {
    if (options.all) found(null, all);
    else found(null, all[0]!.address, all[0]!.family);
  };
}

interface Answer {
  readonly response: IncomingMessage;
  readonly body: Promise<string>;
}

function answerOf(url: URL, options: RequestOptions, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, (response) => {
      resolve({ response, body: bodyOf(response) });
    });
    // Also behind the answer: an abort closes the connection that is still read.
    request.on('error', reject);
    // A connection that is closed without an answer or an error: one that was to change to another protocol (101), which no abort ends either.
    request.on('close', () => reject(noAnswer()));
    bound(request);
    request.end(body);
  });
}

const noAnswer = (): Error => Object.assign(new Error('no answer'), { code: 'HPE_NO_ANSWER' });

/** Ends an attempt whose receiver sends more than an answer may have. */
function bound(request: ClientRequest): void {
  let [informational, length] = [0, 0];
  request.on('information', () => {
    if (++informational > INFORMATIONAL_MAX) request.destroy(noAnswer());
  });
  request.on('socket', (socket) =>
    socket.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > BYTES_MAX) request.destroy(noAnswer());
    }),
  );
}

/** Of one that is too long, or comes too slowly, what has come. Never rejects. */
function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const late = setTimeout(() => response.destroy(), ANSWER_MS);
  response.on('error', () => {});
  response.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > ANSWER_MAX) response.destroy();
    else chunks.push(chunk);
  });
  return new Promise((resolve) => {
    response.on('close', () => {
      clearTimeout(late);
      resolve(Buffer.concat(chunks).toString());
    });
  });
}

function reasonOf(status: number): AttemptReason | '' {
  if (status >= 200 && status < 300) return '';
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

/** Seconds, or a time. */
function retryAfter({ headers }: IncomingMessage): number {
  const text = headers['retry-after']?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : 0;
}

function reasonOfFault(error: unknown): AttemptReason {
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  if (/^(ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/.test(code))
    return 'tls';
  return code.startsWith('HPE_') ? 'protocol' : 'connection';
}
