import type { ConnectionFailedEvent } from '../events.js';

/** Name or IP address of a host, and its TCP port, 1 to 65,535. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Doubled from the first wait up to the longest, each shortened by up to half at random; or exactly these, the last one again and again. ms.
 */
export type ReconnectWaits =
  | { readonly firstMs: number; readonly maxMs: number }
  | { readonly waitsMs: readonly [number, ...number[]] };

/** The waits between attempts to connect. */
export class Reconnect {
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly waits: ReconnectWaits,
    private readonly attempt: () => void,
    private readonly random: () => number = Math.random,
  ) {}

  get longestMs(): number {
    return 'waitsMs' in this.waits ? Math.max(...this.waits.waitsMs) : this.waits.maxMs;
  }

  in(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.attempt, ms);
  }

  /** The session was up: the next wait is the first one again. */
  succeeded(): void {
    this.failures = 0;
  }

  cancel(): void {
    clearTimeout(this.timer);
  }

  nextMs(): number {
    const failed = this.failures++;
    if ('waitsMs' in this.waits) {
      const { waitsMs } = this.waits;
      return waitsMs[Math.min(failed, waitsMs.length - 1)]!;
    }
    const wholeMs = Math.min(this.waits.maxMs, this.waits.firstMs * 2 ** Math.min(failed, 30));
    // The clients of a restarted server must not all reconnect in the same moment.
    return wholeMs * (1 - this.random() / 2);
  }
}

type Cause = ConnectionFailedEvent['detail'];

const CAUSES: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  CERT_HAS_EXPIRED: 'certificate',
  CERT_NOT_YET_VALID: 'certificate',
  CERT_REVOKED: 'certificate',
  CERT_UNTRUSTED: 'certificate',
  CERT_SIGNATURE_FAILURE: 'certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate',
  HOSTNAME_MISMATCH: 'certificate',
};

/** The event of a connection that was not made, or has failed; `failure` undefined: the peer closed it without a session. */
export function connectionFailed(address: Address, failure: NodeJS.ErrnoException | undefined): ConnectionFailedEvent {
  const code = failure?.code ?? (failure === undefined ? 'CLOSED' : 'UNKNOWN');
  const text = failure === undefined ? 'closed by the peer' : failure.message || code;
  return { kind: 'connection-failed', detail: causeOf(code), ...address, code, text };
}

function causeOf(code: string): Cause {
  if (code === 'CLOSED') return 'closed';
  if (/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/.test(code)) return 'dns';
  if (/^UNABLE_TO_/.test(code)) return 'certificate';
  if (/^(ERR_SSL_|ERR_TLS_|EPROTO)/.test(code)) return CAUSES[code] ?? 'tls';
  return CAUSES[code] ?? 'other';
}
