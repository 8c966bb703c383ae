/** The OpenAPI document of the REST interface, from the routes and the schemas of their operations. */
import { createDocument, type oas31, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { ID_MAX } from '../../engine/domain/core/text.js';
import { operationNamed } from '../../engine/service/operations.js';
import { EVENT_BODY } from '../features/events/events.js';
import { type RestOperation, ROUTES, type Route, type Routes } from '../features/routes.js';
import { ON_BEHALF_OF } from '../features/shapes.js';
import { TAGS } from './reference.js';
import { requestPart } from './request.js';
import { HEADERS, problemResponses, responses, SCHEMAS } from './responses.js';
import { shared } from './shared.js';

const DESCRIPTION = `International payments, Book FX and funding for a client with accounts in several currencies.

Get a token with your client key and its secret, and send it with every other request as \`authorization: Bearer <token>\`.

A POST takes JSON or a form (\`multipart/form-data\`, nested fields as \`beneficiary[name]\`), 64 KiB at most. A GET answers HEAD too.
A number is a plain decimal of at most 15 significant digits. A member or form field that is sent twice is refused,
and so is a field or parameter that the operation does not have. No text has control
characters, bidirectional controls or private-use characters.

Every refusal is \`application/problem+json\`. An unknown path is answered with 404, another method with 405 and \`Allow\`.
After a 503, or no answer at all, send the same request again: the same id never executes a command twice.`;

export function openApiDocument(routes: Partial<Routes> = ROUTES): oas31.OpenAPIObject {
  const whole = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Ratewire: cross-border payments and FX',
      version: '2020-04-14',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'Where this document comes from' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{ token: [] }],
    paths: paths(routes),
    webhooks: WEBHOOKS,
    components: {
      schemas: SCHEMAS,
      headers: HEADERS,
      responses: problemResponses(),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token that authentication issues; it is valid for 24 hours',
        },
      },
    },
  });
  return shared(whole);
}

const header = (name: string, description: string, example: string): oas31.ParameterObject => ({
  name,
  in: 'header',
  description,
  required: true,
  schema: { type: 'string', maxLength: 512 },
  example,
});

/** What endpoints are sent. Standard Webhooks has the headers. */
const WEBHOOKS: ZodOpenApiPathsObject = {
  event: {
    post: {
      operationId: 'receiveEvent',
      tags: ['Webhooks'],
      summary: 'An event is delivered',
      description:
        'Sent to each active endpoint whose types include it, signed, and of one resource in order. A challenge has the type `webhook.challenge`, the sequence 0 and `challenge`, which the answer must have: as it is, or as `{"challenge":"..."}`. Any other answer than 2xx within 20 seconds, or none, is followed by further attempts, ten in three days. The same event may come twice, with the same webhook-id.',
      security: [],
      parameters: [
        header('webhook-id', 'Id of the event, the same at each attempt', 'EVT0123456789ABCDEFGH'),
        header('webhook-timestamp', 'Unix seconds of the attempt', '1795161660'),
        header(
          'webhook-signature',
          'Signatures of `{id}.{timestamp}.{body}` with blanks between them: `v1,` HMAC-SHA256 or `v1a,` ed25519, in base64',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: { required: true, content: { 'application/json': { schema: EVENT_BODY } } },
      responses: {
        '2XX': { description: 'It is delivered' },
        '410': { description: 'The endpoint is disabled' },
        default: { description: 'It is delivered again later' },
      },
    },
  },
};

function paths(routes: Partial<Routes>): ZodOpenApiPathsObject {
  const found: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const [name, route] of routesOf(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    found[path] = { ...found[path], [route.method]: operation(name, route) };
  }
  return found;
}

/** Each route with the operation behind it. */
export function routesOf(routes: Partial<Routes>): (readonly [RestOperation, Route])[] {
  return (Object.keys(routes) as RestOperation[]).flatMap((name) => {
    // What a route does with its operation's output is of no concern here.
    const given = routes[name] as Route | readonly Route[];
    return ('path' in given ? [given] : given).map((route) => [name, route] as const);
  });
}

const IF_NONE_MATCH: oas31.ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an earlier answer: where it is unchanged, the answer is 304 without a body',
  required: false,
  schema: { type: 'string', maxLength: 1_024 },
};

/** Not what is a matter of a key, nor what a platform does with its sub-clients. */
const isForSubClients = ({ limit, path }: Route): boolean =>
  limit !== 'authentication' && !path.startsWith('/api/v1/sub-clients');

const ON_BEHALF_OF_PARAMETER: oas31.ParameterObject = {
  name: ON_BEHALF_OF,
  in: 'header',
  description:
    'Of a platform: the id of the sub-client that the request is for. Any id that is not one of its own live sub-clients is answered by 403 NOT_ENTITLED',
  required: false,
  schema: { type: 'string', maxLength: ID_MAX },
};

function operation(name: RestOperation, route: Route): ZodOpenApiOperationObject {
  const { tag, summary, description, security, operationId = name } = route.reference;
  const { parameters, requestBody } = requestPart(operationNamed(name).input, route);
  const all = [
    ...parameters,
    ...(route.isReferenceData ? [IF_NONE_MATCH] : []),
    ...(isForSubClients(route) ? [ON_BEHALF_OF_PARAMETER] : []),
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(route.limit === 'authentication' && { security: security ? [{ token: [] }, {}] : [] }),
    ...(all.length > 0 && { parameters: all }),
    ...(requestBody && { requestBody: requestBody as NonNullable<ZodOpenApiOperationObject['requestBody']> }),
    responses: responses(route),
  };
}
