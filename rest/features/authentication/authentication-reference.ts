import type { Reference } from '../../openapi/reference.js';

const HEADERS = { client_key: 'Client key, as issued', client_secret: 'Secret of this key' };

export const AUTHENTICATE_REFERENCE: Reference = {
  tag: 'Authentication',
  summary: 'Get a token',
  description:
    'Gives a token of 24 hours for a client key and its secret. An earlier token stays as it is. Five wrong secrets from one address lock the key there for 15 minutes.',
  example: { client_key: 'CK_YOUR_CLIENT_KEY', client_secret: 'your-client-secret' },
  fields: HEADERS,
  hidden: ['address', 'clientId', 'admit'],
  place: 'header',
};

export const REVOKE_REFERENCE: Reference = {
  tag: 'Authentication',
  summary: 'Revoke a token, or all tokens of a key',
  description:
    'With `authorization: Bearer <token>`: revokes that token. With a client key and its secret instead: revokes all live tokens of that key, which stays valid. The tokens are refused everywhere within two seconds, and the FIX streams that use them end.',
  example: { client_key: 'CK_YOUR_CLIENT_KEY', client_secret: 'your-client-secret' },
  fields: HEADERS,
  hidden: ['address', 'admit', 'token'],
  place: 'header',
  security: 'token or none',
};
