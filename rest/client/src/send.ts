/** How a request gets its answer: a token that is renewed, attempts that are bounded, and repeats only where a repeat is safe. */
import { withTexts } from './decimals.js';
import { isProblem, NoAnswerError, ProblemError } from './problem.js';

/** Waits between attempts without Retry-After, ms: doubled each time, and a random part of them. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** A token is renewed so long before its end. */
const RENEWED_BEFORE_MS = 300_000;
/** After a renewal that failed, while the token is still valid. */
const RENEWAL_WAIT_MS = 10_000;

export interface SendOptions {
  readonly baseUrl: string;
  /** With `clientSecret`: the client authenticates, and renews its token. Not for a browser: its users could read the secret. */
  readonly clientKey?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** Instead: returns the token for each request. `refused` is the one that was answered with 401. */
  readonly token?: ((refused: string | undefined) => string | Promise<string>) | undefined;
  /** A request without an answer is given up after so long, ms. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** A call, with all its attempts and waits, ends within so long, ms. Default 60,000. */
  readonly totalMs?: number | undefined;
  /** Attempts of a call, the first included. Default 4. */
  readonly attempts?: number | undefined;
  /** Sends one request. Default: the global fetch. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: ArrayBuffer | undefined;
  /** Whether it may have been executed already: a read, or a command with a request_id. */
  readonly isRepeatable: boolean;
}

/** For all calls of a client, and of those that act on behalf of others with its token. */
export class Sender {
  readonly #options: SendOptions;
  readonly #timeoutMs: number;
  readonly #totalMs: number;
  readonly #attempts: number;
  #token: { readonly text: string; readonly endsMs: number; renewMs: number } | undefined;
  #renewal: Promise<string> | undefined;

  constructor(
    options: SendOptions,
    private readonly hasTextDecimals: boolean,
  ) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? 10_000;
    this.#totalMs = options.totalMs ?? 60_000;
    this.#attempts = options.attempts ?? 4;
    if (options.token === undefined && (options.clientKey === undefined || options.clientSecret === undefined))
      throw new TypeError('ratewire-client needs clientKey and clientSecret, or token');
  }

  /** The answer, where it is no refusal; otherwise it rejects. */
  async send(request: Request): Promise<Response> {
    const { url, method, headers, signal } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    const body = isRead ? undefined : await request.arrayBuffer();
    const isRepeatable = isRead || (body !== undefined && hasRequestId(body));
    return this.#call({ url, method, headers, body, isRepeatable }, signal, !headers.has('authorization'));
  }

  #call(sent: Sent, outer: AbortSignal | undefined, needsToken: boolean): Promise<Response> {
    const endMs = Date.now() + this.#totalMs;
    return within(this.#totalMs, outer, async (signal) => {
      let refused: string | undefined;
      for (let attempt = 1; ; attempt++) {
        const token = needsToken ? await unlessAborted(this.#tokenFor(refused), signal) : undefined;
        try {
          return await this.#attempt(sent, token, signal);
        } catch (error) {
          if (signal.aborted) throw error;
          if (isOfToken(error) && refused === undefined && needsToken) {
            // Authentication precedes the command: nothing was executed.
            refused = token;
            attempt--;
            continue;
          }
          if (attempt >= this.#attempts || !mayRepeat(error, sent.isRepeatable)) throw error;
          const waitMs = waitBefore(attempt, error);
          if (Date.now() + waitMs >= endMs) throw error;
          await sleep(waitMs, signal);
        }
      }
    });
  }

  #attempt({ url, method, headers, body }: Sent, token: string | undefined, outer: AbortSignal): Promise<Response> {
    return within(this.#timeoutMs, outer, async (signal) => {
      const own = new Headers(headers);
      if (token !== undefined) own.set('authorization', `Bearer ${token}`);
      const send = this.#options.fetch ?? fetch;
      const init: RequestInit = { method, headers: own, signal, redirect: 'error', ...(body?.byteLength && { body }) };
      let response: Response;
      let bytes: ArrayBuffer;
      try {
        response = await send(url, init);
        // Here, so that the time is bounded until the last byte.
        bytes = await response.arrayBuffer();
      } catch (cause) {
        throw new NoAnswerError(`no answer to ${method} ${pathOf(url)}: ${(cause as Error).message}`, { cause });
      }
      return this.#answer(response, bytes, `${method} ${pathOf(url)}`);
    });
  }

  #answer({ status, statusText, headers }: Response, bytes: ArrayBuffer, what: string): Response {
    const type = headers.get('content-type') ?? '';
    const isJson = /^application\/(problem\+)?json/i.test(type);
    const text = isJson ? new TextDecoder().decode(bytes) : undefined;
    const content = text !== undefined && this.hasTextDecimals ? withTexts(text) : (text ?? bytes);
    if (status < 300 || status === 304) {
      const hasBody = bytes.byteLength > 0 && status !== 204 && status !== 304;
      return new Response(hasBody ? content : null, { status, statusText, headers });
    }
    const problem: unknown = typeof content === 'string' ? parsed(content) : undefined;
    const after = retryAfter(headers.get('retry-after'));
    if (isProblem(problem)) throw new ProblemError(problem, after);
    throw new NoAnswerError(`${what} was answered with ${status}, and not by ratewire`, undefined, status, after);
  }

  /** The token for the next request: another one than `refused`, and not one that is about to end. */
  async #tokenFor(refused: string | undefined): Promise<string> {
    if (this.#options.token) return this.#options.token(refused);
    const known = this.#token?.text === refused ? undefined : this.#token;
    if (known && Date.now() < known.renewMs) return known.text;
    this.#renewal ??= this.#authenticate().finally(() => {
      this.#renewal = undefined;
    });
    if (known === undefined || Date.now() >= known.endsMs) return this.#renewal;
    return this.#renewal.catch(() => {
      known.renewMs = Date.now() + RENEWAL_WAIT_MS;
      return known.text;
    });
  }

  /** One for all calls that need it; a call that is aborted does not end it for the others. */
  async #authenticate(): Promise<string> {
    const { baseUrl, clientKey, clientSecret } = this.#options;
    const headers = new Headers({ 'client-key': clientKey!, 'client-secret': clientSecret! });
    const url = `${baseUrl.replace(/\/$/, '')}/api/v1/authentication`;
    const sent: Sent = { url, method: 'POST', headers, body: undefined, isRepeatable: true };
    const answer = await this.#call(sent, undefined, false);
    const { token, expires_at } = (await answer.json()) as { readonly token: string; readonly expires_at: string };
    const endsMs = Date.parse(expires_at);
    const renewMs = endsMs - RENEWED_BEFORE_MS;
    // A new token that seems to have ended: the clock here is wrong, and the answers alone say when it ends.
    const isKnown = renewMs > Date.now();
    const never = Number.POSITIVE_INFINITY;
    this.#token = { text: token, endsMs: isKnown ? endsMs : never, renewMs: isKnown ? renewMs : never };
    return token;
  }
}

function hasRequestId(body: ArrayBuffer): boolean {
  const fields = parsed(new TextDecoder().decode(body)) as { readonly request_id?: unknown } | null | undefined;
  return typeof fields?.request_id === 'string' && fields.request_id !== '';
}

/** A token that has ended is invalid some time later: its record is gone then. */
const isOfToken = (error: unknown): boolean =>
  error instanceof ProblemError && ['TOKEN_EXPIRED', 'TOKEN_REVOKED', 'TOKEN_INVALID'].includes(error.code);

/** Whether the same request may be sent again: what failed is over in a moment, and the request is executed once. */
function mayRepeat(error: unknown, isRepeatable: boolean): boolean {
  if (error instanceof ProblemError) {
    if (error.status !== 429 && error.status !== 503) return false;
    return isRepeatable || error.status === 429 || error.outcome === 'none';
  }
  if (!isRepeatable || !(error instanceof NoAnswerError)) return false;
  return error.status === undefined || error.status === 429 || error.status >= 500;
}

function waitBefore(attempt: number, error: unknown): number {
  const { retryAfter } = error as ProblemError | NoAnswerError;
  if (retryAfter !== undefined) return retryAfter * 1_000;
  return Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
}

/** Seconds, of a number or of a date. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

const pathOf = (url: string): string => new URL(url).pathname;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Runs `work` with a signal that is aborted after `ms`, or by `outer`, whose reason the call then rejects with. */
async function within<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const stop = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(new NoAnswerError(`no answer within ${ms} ms`)), ms);
  outer?.addEventListener('abort', stop);
  if (outer?.aborted) stop();
  try {
    return await work(signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', stop);
  }
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await unlessAborted(wait, signal).finally(() => clearTimeout(timer));
}
