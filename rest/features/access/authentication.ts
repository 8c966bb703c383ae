/** Tokens of clients: shapes, reference texts and routes. */
import type { Request } from 'express';
import { z } from 'zod';
import { bearer } from '../../handler.js';
import type { Reference } from '../../openapi/reference.js';
import type { Routes } from '../routes.js';
import { oneOf, textField, utc, utcField } from '../shapes.js';

const TOKEN_RESPONSE = z
  .strictObject({
    token: textField('To be sent as `authorization: Bearer <token>`', 'the-token-that-you-were-given'),
    expires_at: utcField('When the token expires, 24 hours after it was issued', '2026-11-21T08:01:00.000Z'),
  })
  .meta({ id: 'Token', description: 'A token of the client' });

function tokenBody({
  token,
  expiresAtMs,
}: {
  readonly token: string;
  readonly expiresAtMs: number;
}): z.infer<typeof TOKEN_RESPONSE> {
  return { token, expires_at: utc(expiresAtMs) };
}

const REVOKED_RESPONSE = z
  .strictObject({
    status: textField('Always `revoked`', 'revoked'),
    tokens_revoked: z
      .int()
      .min(0)
      .meta({ description: 'Number of tokens revoked', examples: [1] }),
  })
  .meta({ id: 'RevokedTokens', description: 'What was revoked' });

/** `authorization: Basic <key:secret in base64>`, as RFC 7617 has it. */
function basicOf(authorization: string | undefined): readonly [key?: string, secret?: string] {
  const [, sent] = /^basic +([\w+/=-]+) *$/i.exec(authorization ?? '') ?? [];
  if (sent === undefined) return [];
  const text = Buffer.from(sent, 'base64').toString();
  const end = text.indexOf(':');
  return end < 0 ? [text] : [text.slice(0, end), text.slice(end + 1)];
}

/** A proxy such as nginx drops headers with underscores: so each has a name without, and Basic has both. */
function credentialsOf({ headers }: Request) {
  const [key, secret] = basicOf(headers.authorization);
  return {
    clientKey: oneOf(oneOf(headers.client_key, headers['client-key']), key),
    clientSecret: oneOf(oneOf(headers.client_secret, headers['client-secret']), secret),
  };
}

/** Basic is no token. */
const tokenOf = (request: Request): string | undefined =>
  /^basic\b/i.test(request.headers.authorization ?? '') ? undefined : bearer(request);

const ALSO =
  'Instead of `client_key` and `client_secret`, whose underscores some proxies drop, send `client-key` and `client-secret`, or HTTP Basic.';

const OF_CREDENTIALS = {
  tag: 'Authentication',
  example: { client_key: 'CK_YOUR_CLIENT_KEY', client_secret: 'your-client-secret' },
  fields: { client_key: 'Client key, as issued', client_secret: 'Secret of this key' },
  place: 'header',
} as const;

const AUTHENTICATE_REFERENCE: Reference = {
  ...OF_CREDENTIALS,
  summary: 'Get a token',
  description: `Issues a token of 24 hours for a client key and its secret. Earlier tokens remain valid. Five wrong secrets from one address lock the key there for 15 minutes. ${ALSO}`,
  hidden: ['address', 'clientId', 'admit'],
};

const REVOKE_REFERENCE: Reference = {
  ...OF_CREDENTIALS,
  summary: 'Revoke a token, or all tokens of a key',
  description: `With \`authorization: Bearer <token>\`: revokes that token. With a client key and its secret instead: revokes all live tokens of that key, which stays valid. The tokens are rejected everywhere within two seconds, and the FIX streams that use them end. ${ALSO}`,
  hidden: ['address', 'admit', 'token'],
  security: 'token or none',
};

export const AUTHENTICATION_ROUTES = {
  authenticate: {
    method: 'post',
    path: '/api/v1/authentication',
    limit: 'authentication',
    input: credentialsOf,
    response: TOKEN_RESPONSE,
    reference: AUTHENTICATE_REFERENCE,
    body: tokenBody,
    names: { clientKey: 'client_key', clientSecret: 'client_secret' },
  },
  revokeTokens: {
    method: 'post',
    path: '/api/v1/authentication/revoke',
    limit: 'authentication',
    input: (request) => ({ token: tokenOf(request), ...credentialsOf(request) }),
    response: REVOKED_RESPONSE,
    reference: REVOKE_REFERENCE,
    body: ({ tokensRevoked }) => ({ status: 'revoked', tokens_revoked: tokensRevoked }),
    names: { token: 'authorization', clientKey: 'client_key', clientSecret: 'client_secret' },
  },
} satisfies Partial<Routes>;
