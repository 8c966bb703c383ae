import { MAX_PROVIDERS } from './quote-origins.js';

/** What is known of a provider, for the metrics. */
export interface ProviderStatus {
  readonly name: string;
  readonly up: boolean;
  readonly ticks: number;
  /** Since its last good tick; undefined before the first. */
  readonly ageMs: number | undefined;
  /** How often a connection to it has ended or could not be made, and the last reason; absent before the first. */
  readonly losses: number;
  readonly lastLoss?: string;
}

const REASON_MAX = 200;

/** The providers by number, and what is known of each. */
export class ProviderStates {
  readonly names: string[] = [];
  readonly up = new Uint8Array(MAX_PROVIDERS);
  readonly ticks = new Float64Array(MAX_PROVIDERS);
  readonly lastTickAtMs = new Float64Array(MAX_PROVIDERS);

  /** Of feeds that run: a feed that has ended has no status. */
  readonly #listed = new Uint8Array(MAX_PROVIDERS);
  readonly #losses = new Float64Array(MAX_PROVIDERS);
  readonly #reasons: (string | undefined)[] = [];

  /** The provider is away; without a reason it was our own end. */
  down(provider: number, reason: string | undefined): void {
    this.up[provider] = 0;
    if (reason === undefined) return;
    this.#losses[provider]++;
    // A line of its own in a log and in /ready: a provider's text may have any byte.
    this.#reasons[provider] = reason.replace(/[^\x20-\x7e]/g, '?').slice(0, REASON_MAX);
  }

  /** The number of this provider; the same name gives the same number. Throws RangeError above MAX_PROVIDERS. */
  register(name: string): number {
    let provider = this.names.indexOf(name);
    if (provider < 0) {
      if (this.names.length === MAX_PROVIDERS) throw new RangeError(`more than ${MAX_PROVIDERS} providers`);
      provider = this.names.push(name) - 1;
    }
    this.#listed[provider] = 1;
    return provider;
  }

  /** All feeds have ended: their providers have no status until they are registered again. */
  end(): void {
    this.#listed.fill(0);
    this.lastTickAtMs.fill(0);
  }

  /** `nowMs` is monotonic, the clock of the book. */
  status(nowMs: number): readonly ProviderStatus[] {
    const all = this.names.map((name, provider) => ({
      name,
      up: this.up[provider] === 1,
      ticks: this.ticks[provider],
      ageMs: this.lastTickAtMs[provider] === 0 ? undefined : nowMs - this.lastTickAtMs[provider],
      losses: this.#losses[provider],
      ...(this.#reasons[provider] !== undefined && { lastLoss: this.#reasons[provider] }),
    }));
    return all.filter((_, provider) => this.#listed[provider] === 1);
  }
}
