import { deniedRight } from './redis-rights.js';

/** The store cannot be started or used as configured: one line that names the remedy. */
export class StoreStartError extends Error {
  override readonly name = 'StoreStartError';
}

/**
 * Redis did not answer. `outcome` is `none` when nothing was sent, and `unknown` when a command was sent and its answer lost: then the same
 * command, with the same id, may be retried. A server that has died is found out for each connection to it, so that both occur at once.
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

const CLOCK_TURNED =
  "The clock of the store's server has jumped: nothing was done. Correct it (NTP), or accept it: ratewire store clock --accept";

/** The clock of the store's server was turned: no step that uses the time is executed until it is right again, or accepted. */
export class StoreClockTurned extends StoreUnavailable {
  constructor() {
    super('none');
    this.message = CLOCK_TURNED;
  }
}

/** The memory of a server is full: nothing was written. */
export class StoreFull extends StoreUnavailable {
  constructor() {
    super('none');
    this.message = 'The memory of the store is full: nothing was done. Raise maxmemory of Redis';
  }
}

/** AUDIT_LOG cannot be written: then the change is not made. The message names the file or the server, and the remedy. */
export class AuditLogUnavailable extends StoreUnavailable {
  constructor(message: string) {
    super('none');
    this.message = message;
  }
}

/** The step that threw this has written nothing, for certain. */
export const wroteNothing = (error: unknown): boolean =>
  error instanceof StoreKeyFault || (error instanceof StoreUnavailable && error.outcome === 'none');

/** Redis replied with an error that no caller expects. Contains the reply only, never the arguments of the command. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

/**
 * A key has another type than ratewire writes: nothing was written. A step names the role of the key; a read names the key itself, for the
 * operator and the log, never for a client.
 */
export class StoreKeyFault extends Error {
  override readonly name = 'StoreKeyFault';

  constructor(
    readonly role: string | undefined,
    readonly key?: string | undefined,
  ) {
    super(
      `The key ${key ?? `of ${role ?? 'one of its records'}`} holds another type than ratewire writes: ${key === undefined ? 'the step wrote nothing' : 'nothing was done'}. ` +
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
const TURNED = /\bCLOCK_TURNED\b/;
const NEVER_SENT = /isn't writeable|^Connection is closed/;

/** The word by which a server refuses all writes; undefined for any other error. One of a cluster that names another node refuses none. */
export function refusalOf(error: unknown): string | undefined {
  const [word = ''] = AWAY.exec(replyOf(error)) ?? [];
  return ['', 'MOVED', 'ASK', 'TRYAGAIN', 'UNKILLABLE'].includes(word) ? undefined : word;
}

/** Converts an error of ioredis to one of the errors above. The original is dropped on purpose: it contains the command's arguments. */
export function storeError(error: unknown): Error {
  if (error instanceof StoreFault || error instanceof StoreUnavailable || error instanceof StoreKeyFault) return error;
  const text = replyOf(error);
  const role = KEY_TYPE.exec(text)?.[1];
  if (role !== undefined || WRONG_TYPE_IN_STEP.test(text)) return new StoreKeyFault(role);
  if (text.startsWith('WRONGTYPE')) return new StoreKeyFault(undefined, keyOf(error));
  if (TURNED.test(text)) return new StoreClockTurned();
  if (NEVER_SENT.test(text)) return new StoreUnavailable('none');
  if (error instanceof Error && error.name === 'ReplyError') {
    if (/^OOM\b/.test(text)) return new StoreFull();
    if (AWAY.test(text)) return new StoreUnavailable('none');
    const denied = deniedRight(text);
    return new StoreFault(
      denied === undefined ? text : `${text}: allow the user of REDIS_URL ${denied}, and start again.`,
    );
  }
  return new StoreUnavailable('unknown');
}

/** Of a refused command. Tokens and client keys are named by kind only. */
function keyOf(error: unknown): string | undefined {
  const [key] = (error as { readonly command?: { readonly args?: readonly unknown[] } }).command?.args ?? [];
  if (typeof key !== 'string') return undefined;
  return /^(?:\{|clients?\b|account:|payment:|funding:|audit$)/.test(key) ? key : `${key.split(':', 1)[0]}:...`;
}

/** What Redis said; a MULTI says in its first refused command why nothing of it was done. */
export function replyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first] = (error as Error & { readonly previousErrors?: readonly Error[] }).previousErrors ?? [];
  return error.message.startsWith('EXECABORT') && first ? first.message : error.message;
}
