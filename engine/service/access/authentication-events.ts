/**
 * Authentication events: FIX and REST log and count them here. Log lines are throttled, and contain no secret, no token and no hash of one.
 */
import type { RefusalCode } from '../../domain/core/refusal.js';
import { networkOf } from '../core/caller.js';
import type { Services } from '../core/services.js';

const OUTCOMES = ['succeeded', 'failed', 'locked', 'forbidden', 'revoked'] as const;
type Outcome = (typeof OUTCOMES)[number];

export interface AuthenticationEvent {
  readonly door: 'fix' | 'rest' | 'live';
  readonly outcome: Outcome;
  readonly address: string;
  readonly requestId: string;
  /** As sent. Logged only where a client has a key of that name: anything else may be a secret in the wrong field. */
  readonly clientKey: string | undefined;
  /** Absent where it is not known. */
  readonly clientId?: string | undefined;
  /** The refusal code, or what ended a token. */
  readonly code?: RefusalCode | undefined;
  readonly compId?: string | undefined;
  /** How many tokens a revocation ended. */
  readonly tokens?: number | undefined;
}

/** Log lines per minute for one address and key, by outcome, and in total: a flood of one outcome must not hide the others. */
const LINES_EACH = 5;
const LINES_OF_OUTCOME = 120;
const MINUTE_MS = 60_000;

const MESSAGES: Readonly<Record<Outcome, string>> = {
  succeeded: 'authentication succeeded',
  failed: 'authentication failed',
  locked: 'authentication refused: the key is locked for this address',
  forbidden: 'request refused: not entitled',
  revoked: 'token revoked',
};

/** KEY_LOCKED is a lock and NOT_ENTITLED a 403; any other refusal is a failure. */
export function outcomeOf(code: RefusalCode): Outcome {
  if (code === 'KEY_LOCKED') return 'locked';
  return code === 'NOT_ENTITLED' ? 'forbidden' : 'failed';
}

/** One instance for FIX and one for REST in each process. */
export class AuthenticationEvents {
  readonly #counts = new Map<string, number>();
  readonly #lines = new Map<string, number>();
  readonly #suppressed = new Map<Outcome, number>();
  #minuteEnds: NodeJS.Timeout | undefined;

  constructor(private readonly services: Pick<Services, 'store' | 'log'>) {}

  /**
   * Counts an event, and logs it unless the limit of this minute is reached. Never rejects; waits only for the lookup of the key's owner.
   */
  async note(event: AuthenticationEvent): Promise<void> {
    const { door, outcome } = event;
    countUp(this.#counts, `${door} ${outcome}`);
    if (!this.#mayLog(event)) {
      countUp(this.#suppressed, outcome);
      return;
    }
    const { keyId, clientId } = await this.#ownerOf(event);
    const { address, requestId, code, compId, tokens } = event;
    const fields = {
      event: outcome === 'revoked' ? 'token.revoked' : `authentication.${outcome}`,
      door,
      key_id: keyId,
      client: clientId,
      address,
      request_id: requestId,
      code,
      compId,
      tokens,
    };
    const isNoFault = outcome === 'succeeded' || outcome === 'revoked';
    this.services.log[isNoFault ? 'info' : 'warn'](fields, MESSAGES[outcome]);
  }

  *read(): Generator<readonly [labels: { door: string; outcome: string }, count: number]> {
    for (const [name, count] of this.#counts) {
      const [door, outcome] = name.split(' ') as [string, string];
      yield [{ door, outcome }, count];
    }
  }

  #mayLog({ outcome, address, clientKey = '' }: AuthenticationEvent): boolean {
    const each = `${outcome} ${networkOf(address)} ${clientKey.slice(0, 128)}`;
    if ((this.#lines.get(outcome) ?? 0) >= LINES_OF_OUTCOME || (this.#lines.get(each) ?? 0) >= LINES_EACH) return false;
    countUp(this.#lines, outcome);
    countUp(this.#lines, each);
    this.#minuteEnds ??= setTimeout(() => this.#endMinute(), MINUTE_MS).unref();
    return true;
  }

  #endMinute(): void {
    if (this.#suppressed.size > 0) {
      const suppressed = Object.fromEntries(this.#suppressed);
      const fields = { event: 'authentication.suppressed', suppressed };
      this.services.log.warn(fields, 'more such events in the last minute than were logged: the metrics count all');
    }
    this.#minuteEnds = undefined;
    this.#lines.clear();
    this.#suppressed.clear();
  }

  async #ownerOf({ clientKey, clientId, code }: AuthenticationEvent) {
    if (clientKey === undefined || clientId !== undefined) return { keyId: clientKey, clientId };
    // The lookup of the owner would fail too.
    if (code === 'STORE_UNAVAILABLE') return { keyId: 'unknown', clientId };
    try {
      const key = await this.services.store.keys.cached(clientKey);
      return { keyId: key?.keyId ?? 'unknown', clientId: key?.clientId };
    } catch {
      return { keyId: 'unknown', clientId };
    }
  }
}

function countUp<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
