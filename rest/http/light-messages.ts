/**
 * Requests and responses that are Express's own from the start. Express else gives each one that comes another prototype, which takes V8
 * five times as long as all the rest that Express does, and leaves what a request has made to the slow garbage collection.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** Whether an offer to speak another protocol is looked at, by the address; some clients make one with every request. */
type TakesOffer = (url: string) => boolean;

/** For createServer, once for each application: what it finds is of its prototype already. */
export function messagesOf(app: Express, takesOffer: TakesOffer) {
  class OwnRequest extends IncomingMessage {
    declare private offered: boolean;

    /** Node reads it once the address is known, and takes a request for which it holds away from the application. */
    get upgrade(): boolean {
      return this.offered;
    }
    set upgrade(offered: boolean | null) {
      this.offered = offered === true && takesOffer(this.url ?? '');
    }
  }
  class OwnResponse extends ServerResponse<OwnRequest> {}
  const { request, response } = app as unknown as Readonly<Record<'request' | 'response', object>>;
  Object.setPrototypeOf(OwnRequest.prototype, request);
  Object.setPrototypeOf(OwnResponse.prototype, response);
  Object.assign(app, { request: OwnRequest.prototype, response: OwnResponse.prototype });
  return { IncomingMessage: OwnRequest, ServerResponse: OwnResponse };
}
