/**
 * Requests and responses that are Express's own from the start. Express else gives each one that comes another prototype, which takes V8
 * five times as long as all the rest that Express does, and leaves what a request has made to the slow garbage collection.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** For createServer: what the application finds is of its prototype already. */
export function messagesOf(app: Express) {
  class OwnRequest extends IncomingMessage {}
  class OwnResponse extends ServerResponse<OwnRequest> {}
  const { request, response } = app as unknown as Readonly<Record<'request' | 'response', object>>;
  Object.setPrototypeOf(OwnRequest.prototype, request);
  Object.setPrototypeOf(OwnResponse.prototype, response);
  Object.assign(app, { request: OwnRequest.prototype, response: OwnResponse.prototype });
  return { IncomingMessage: OwnRequest, ServerResponse: OwnResponse };
}
