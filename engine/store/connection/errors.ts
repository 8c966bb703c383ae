import { deniedRight } from './redis-rights.js';

/** The store cannot be started or used as configured: one line that names the remedy. */
export class StoreStartError extends Error {
  override readonly name = 'StoreStartError';
}

/**
 * Redis did not answer. `outcome` is `none` when nothing was sent, and `unknown` when a command was sent and its answer lost: then the same
 * command, with the same id, may be retried.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';

  constructor(readonly outcome: 'none' | 'unknown') {
    super(
      outcome === 'none'
        ? 'The store is away: nothing was sent. It reconnects by itself; check that Redis runs.'
        : 'The store did not answer in time: the outcome is unknown. Send the same request again.',
    );
  }
}

/** The step that threw this has certainly written nothing. */
export const wroteNothing = (error: unknown): boolean =>
  error instanceof StoreKeyFault || (error instanceof StoreUnavailable && error.outcome === 'none');

/** Redis replied with an error that no caller expects. Contains the reply only, never the arguments of the command. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

/** A key that a step would write has another type: nothing was written. Names the role of the key, never the key. */
export class StoreKeyFault extends Error {
  override readonly name = 'StoreKeyFault';

  constructor(readonly role: string | undefined) {
    super(
      `The key of ${role ?? 'one of its records'} holds another type than ratewire writes: the step wrote nothing. ` +
        'Find out what else writes to this Redis, rename or restore the key (docs/operations.md), then run: ratewire reconcile',
    );
  }
}

/** Another process has claimed this FIX session: further writes of this one are rejected. */
export class SessionTakenOver extends Error {
  override readonly name = 'SessionTakenOver';

  constructor() {
    super('This FIX session has been taken over by another engine: end it here.');
  }
}

// Replies by which Redis states that it cannot serve now, although it is reachable.
const AWAY =
  /^(LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|READONLY|MISCONF|NOREPLICAS|OOM|UNKILLABLE|BUSY|NOAUTH|WRONGPASS)\b/;
// From must_be of prelude.lua, or from a command of a step, which reads before it writes. Redis names the script in both.
const KEY_TYPE = /\bKEY_TYPE ([a-z ]+): /;
const WRONG_TYPE_IN_STEP = /\bWRONGTYPE\b.*\bscript\b/is;
const NEVER_SENT = /isn't writeable|^Connection is closed/;

/** Converts an error of ioredis to one of the errors above. The original is dropped on purpose: it contains the command's arguments. */
export function storeError(error: unknown): Error {
  if (error instanceof StoreFault || error instanceof StoreUnavailable || error instanceof StoreKeyFault) return error;
  const text = replyOf(error);
  const role = KEY_TYPE.exec(text)?.[1];
  if (role !== undefined || WRONG_TYPE_IN_STEP.test(text)) return new StoreKeyFault(role);
  if (NEVER_SENT.test(text)) return new StoreUnavailable('none');
  if (error instanceof Error && error.name === 'ReplyError') {
    if (AWAY.test(text)) return new StoreUnavailable('none');
    const denied = deniedRight(text);
    return new StoreFault(
      denied === undefined ? text : `${text}: allow the user of REDIS_URL ${denied}, and start again.`,
    );
  }
  return new StoreUnavailable('unknown');
}

/** The reply of Redis; of a MULTI that of the first rejected command, which is the reason why nothing was executed. */
export function replyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first] = (error as Error & { readonly previousErrors?: readonly Error[] }).previousErrors ?? [];
  return error.message.startsWith('EXECABORT') && first ? first.message : error.message;
}
