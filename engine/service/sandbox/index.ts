import { advanceClientClock, advanceSandboxClock, readClientClock, sandboxClock } from './client-clock.js';
import {
  decideConversion,
  decideFunding,
  decidePayment,
  sandboxConversion,
  sandboxFunding,
  sandboxPayment,
} from './outcomes.js';

/** Of a client, for its own records and its own clock. */
export const SANDBOX_OPERATIONS = {
  sandboxPayment,
  sandboxFunding,
  sandboxConversion,
  sandboxClock,
  advanceSandboxClock,
};

/** The same of the operator, for those of any client. */
export const SANDBOX_DECISIONS = {
  decidePayment,
  decideFunding,
  decideConversion,
  readClientClock,
  advanceClientClock,
};
