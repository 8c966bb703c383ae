/** The client: openapi-fetch with our types, tokens and attempts, where a call that is refused rejects; and lists as async iteration. */
import createFetchClient, { type FetchResponse, type ParamsOption, type RequestBodyOption } from 'openapi-fetch';
import { withNumbers } from './decimals.js';
import type { paths } from './openapi/document.js';
import { Sender, type SendOptions } from './send.js';

/** How decimals, such as amounts and rates, are handed over. */
export type Decimals = 'number' | 'string';

export interface ClientOptions<D extends Decimals = 'number'> extends SendOptions {
  /** `string`: the digits of the answer as they are, and amounts of requests as strings too. Default `number`. */
  readonly decimals?: D | undefined;
  /** Id of the sub-client that every call acts for. */
  readonly onBehalfOf?: string;
}

/** The paths of the OpenAPI document, with decimals of this type. */
export type Paths<D extends Decimals> = paths<D extends 'string' ? string : number>;
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
/** Paths that have the method. */
type PathsWith<All, M extends Method> = {
  [Path in keyof All]: All[Path] extends Record<M, object> ? Path : never;
}[keyof All];
type At<All, Path extends keyof All, M extends Method> =
  All[Path] extends Record<M, infer Operation> ? Operation : never;

/** Parameters and body as the document has them, headers beside them, and a signal that ends the call. */
export type Init<Operation> = (Operation extends { parameters: object }
  ? ParamsOption<Operation>
  : { params?: never }) &
  RequestBodyOption<Operation> & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
    /** For an answer that is no JSON. */
    readonly parseAs?: 'json' | 'text';
  };
type Arguments<I> = object extends I ? [init?: I] : [init: I];

/** The body of an answer; undefined where If-None-Match may be answered by 304. */
export type Data<Operation> =
  Operation extends Record<string | number, unknown>
    ?
        | NonNullable<FetchResponse<Operation, object, `${string}/${string}`>['data']>
        | (Operation extends { responses: { 304: unknown } } ? undefined : never)
    : never;

/** `data` is the body; `response` has status and headers, such as ETag. */
export interface Answer<Body> {
  readonly data: Body;
  readonly response: Response;
}

type Call<All, M extends Method> = <Path extends PathsWith<All, M>>(
  path: Path,
  ...init: Arguments<Init<At<All, Path, M>>>
) => Promise<Answer<Data<At<All, Path, M>>>>;

/** A page of a list, the newest first; and one of events, the oldest first. */
type Page<One> =
  | { readonly data: readonly One[]; readonly next_cursor: string }
  | { readonly data: readonly One[]; readonly next_after: number; readonly newest_sequence: number };
type Item<Body> = Body extends Page<infer One> ? One : never;
/** Paths whose GET answers with a page. */
type Lists<All> = {
  [Path in PathsWith<All, 'get'>]: Item<Data<At<All, Path, 'get'>>> extends never ? never : Path;
}[PathsWith<All, 'get'>];

export interface Client<D extends Decimals = 'number'> {
  readonly GET: Call<Paths<D>, 'get'>;
  readonly POST: Call<Paths<D>, 'post'>;
  readonly PUT: Call<Paths<D>, 'put'>;
  readonly PATCH: Call<Paths<D>, 'patch'>;
  readonly DELETE: Call<Paths<D>, 'delete'>;
  /** All items of a list, page after page as they are needed; `limit` is the size of a page. */
  list<Path extends Lists<Paths<D>>>(
    path: Path,
    ...init: Arguments<Init<At<Paths<D>, Path, 'get'>>>
  ): AsyncGenerator<Item<Data<At<Paths<D>, Path, 'get'>>>, void, undefined>;
  /** A client that acts for this sub-client, with the same token. Throws a TypeError without an id: its calls would be the platform's own. */
  onBehalfOf(subClientId: string): Client<D>;
}

/** Throws a TypeError where the options have no credentials, or `onBehalfOf` without an id. */
export function createClient<D extends Decimals = 'number'>(options: ClientOptions<D>): Client<D> {
  if ('onBehalfOf' in options) subClientIdOf(options.onBehalfOf);
  return clientOf(options, new Sender(options, options.decimals === 'string'));
}

/** What openapi-fetch has for each method, by any path. */
type AnyCall = (path: string, init?: object) => Promise<Answer<unknown>>;

function clientOf<D extends Decimals>(options: ClientOptions<D>, sender: Sender): Client<D> {
  const { baseUrl, decimals, onBehalfOf } = options;
  const calls = createFetchClient<Record<string, never>>({
    baseUrl,
    fetch: (request) => sender.send(request),
    headers: { 'x-on-behalf-of': onBehalfOf },
    bodySerializer: (body: unknown) => {
      // Of another type than JSON, which a header names.
      if (typeof body === 'string') return body;
      const json = JSON.stringify(body);
      return decimals === 'string' ? withNumbers(json) : json;
    },
  });
  const { GET, POST, PUT, PATCH, DELETE } = calls as unknown as Record<Uppercase<Method>, AnyCall>;
  return {
    ...({ GET, POST, PUT, PATCH, DELETE } as unknown as Pick<Client<D>, Uppercase<Method>>),
    list: (path, ...[init]) => itemsOf(GET, String(path), init),
    onBehalfOf: (subClientId) => clientOf({ ...options, onBehalfOf: subClientIdOf(subClientId) }, sender),
  };
}

function subClientIdOf(id: unknown): string {
  if (typeof id === 'string' && id.trim() !== '') return id;
  throw new TypeError('onBehalfOf needs the id of a sub-client: without one the call would be the platform’s own');
}

interface Listed {
  readonly params?: { readonly query?: object };
}

async function* itemsOf<One>(
  get: AnyCall,
  path: string,
  init: Listed | undefined,
): AsyncGenerator<One, void, undefined> {
  let query = init?.params?.query;
  for (;;) {
    const { data } = await get(path, { ...init, params: { ...init?.params, query } });
    const page = data as Page<One>;
    yield* page.data;
    if ('next_cursor' in page) {
      if (page.next_cursor === '') return;
      query = { ...query, cursor: page.next_cursor };
    } else {
      if (page.next_after >= page.newest_sequence) return;
      query = { ...query, after: page.next_after };
    }
  }
}
