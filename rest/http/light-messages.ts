/**
 * Requests and responses that are created with Express's prototypes. Express else replaces the prototype of each message, which costs five
 * times as much as the rest of Express, and moves the garbage of a request to the old generation.
 */
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/** Whether an upgrade is considered, by the address; some clients offer one with every request. */
type TakesOffer = (url: string) => boolean;

/** Options for createServer, once for each application. */
export function lightMessages(app: Express, takesOffer: TakesOffer) {
  class OwnRequest extends IncomingMessage {
    declare private offered: boolean;

    /** Node reads it once the address is known; where it is true the application does not get the request. */
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
