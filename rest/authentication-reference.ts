import type { Reference } from './openapi/reference.js';

export const AUTHENTICATE_REFERENCE: Reference = {
  tag: 'Authentication',
  summary: 'Get a token',
  description:
    'Gives a token of 24 hours for a client key and its secret. An earlier token stays as it is. Five wrong secrets from one address lock the key there for 15 minutes.',
  example: { client_key: 'CK_YOUR_CLIENT_KEY', client_secret: 'your-client-secret' },
  fields: { client_key: 'Client key, as issued', client_secret: 'Secret of this key' },
  hidden: ['address', 'clientId'],
  place: 'header',
};
