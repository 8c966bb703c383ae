/** Settings of what every client may do and is kept for it: request limits, events, holds. A part of SETTINGS. */
import {
  HOLD_LIMIT_USD,
  HOLD_MAXIMUM_USD,
  OFFER_TOLERANCE_PPM,
  PLATFORM_HOLD_LIMIT_USD,
} from '../domain/conversions/hold-period.js';
import { DOORS, ENGINE, oneOf, perMinute, SIDECAR, wholeNumber } from './setting-forms.js';

export const CLIENT_SETTINGS = {
  Limits: {
    RATE_LIMIT_AUTHENTICATION: perMinute(60).meta({
      readBy: SIDECAR,
      description: 'Attempts to authenticate, for each client key and for each address.',
    }),
    RATE_LIMIT_READS: perMinute(600).meta({
      readBy: SIDECAR,
      description: 'Reads of a client over all sidecars, unless the client has its own limit.',
    }),
    RATE_LIMIT_WRITES: perMinute(300).meta({
      readBy: SIDECAR,
      description: 'The same for all other requests.',
    }),
  },
  Events: {
    EVENTS_KEPT_DAYS: wholeNumber(1, 30, 'days').default(30).meta({
      readBy: ENGINE,
      description:
        'How long the events of a client are kept, undelivered ones included. The same for every engine on one store.',
    }),
    EVENTS_KEPT_MAX: wholeNumber(1_000, 100_000, 'events').default(100_000).meta({
      readBy: ENGINE,
      description:
        'How many events of a client are kept, and up to a hundred more. The same for every engine on one store.',
    }),
    WEBHOOKS: oneOf(['on', 'off'])
      .default('on')
      .meta({ readBy: SIDECAR, description: 'Whether this sidecar may deliver events; one at a time does.' }),
    WEBHOOK_LOOPBACK: oneOf(['on', 'off']).optional().meta({
      readBy: SIDECAR,
      description:
        'Whether endpoints may be on this machine, by http too: for trials. Where it is `on`, every client with the right `manage` can send requests to what listens on a loopback address of the sidecar.',
      fallback:
        '`on` where the store is its own (no `REDIS_URL`), `HOST` is a loopback address and fundings, compliance and payout are a sandbox; else `off`',
    }),
  },
  Holds: {
    OFFER_TOLERANCE_PPM: wholeNumber(0, 100_000, 'parts per million').default(OFFER_TOLERANCE_PPM).meta({
      readBy: DOORS,
      description:
        'By how much a price may have moved, in either direction, when its offer is locked, or when the quote of a cancellation is executed. Beyond it the answer is RATE_MOVED with a new offer. The same for every process on one store.',
    }),
    HOLD_LIMIT_USD: wholeNumber(0, 1_000_000_000, 'US dollars').default(HOLD_LIMIT_USD).meta({
      readBy: DOORS,
      description:
        "Maximum value of a client's open holds, unless the client has its own limit (`ratewire clients change --hold-limit-usd`). 0: no rate is held. A sub-client has it besides that of its platform.",
    }),
    PLATFORM_HOLD_LIMIT_USD: wholeNumber(0, 1_000_000_000, 'US dollars').default(PLATFORM_HOLD_LIMIT_USD).meta({
      readBy: DOORS,
      description:
        'Maximum value of the open holds of a platform and all its sub-clients together, unless the platform has its own limit (`ratewire clients change --hold-limit-usd`). They may be 5,000 at most.',
    }),
    HOLD_MAXIMUM_USD: wholeNumber(0, 1_000_000_000, 'US dollars').default(HOLD_MAXIMUM_USD).meta({
      readBy: DOORS,
      description:
        'Maximum of a hold without an amount, unless the client has its own maximum (`--hold-maximum-usd`). For more, the lock must name the amount.',
    }),
  },
};
