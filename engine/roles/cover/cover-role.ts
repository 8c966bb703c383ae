/**
 * Cover, by the holder of the risk lease: each round of the risk role it compares the net position of each pair with its rule, and plans and
 * sends an order, or says why it does not.
 */
import type { CoverRule } from '../../domain/cover/cover.js';
import { COVER_BLOCKS, type CoverBlock, type CoverStatus } from '../../domain/cover/cover-words.js';
import { coverSettings } from '../../rates/cover/cover-session.js';
import type { Services } from '../../service/core/services.js';
import type { RiskPart, RiskRound, RiskTables } from '../risk/risk-role.js';
import { REPORT_OUTCOMES, type ReportOutcome } from './cover-books.js';
import { type CoverParts, CoverTerm } from './cover-term.js';

/** What metrics read. */
export interface CoverCounts {
  /** Orders by the status that they ended in, since the start. */
  readonly orders: ReadonlyMap<string, number>;
  /** Pairs outside their band without an order, by reason. */
  readonly blocked: ReadonlyMap<CoverBlock, number>;
  /** Orders whose outcome is not known. */
  readonly unknown: number;
  /** Orders of which a provider says otherwise than what is booked. */
  readonly disputed: number;
  /** What became of providers' reports, since the start. */
  readonly reports: ReadonlyMap<ReportOutcome, number>;
  /** By provider. */
  readonly sessions: readonly (readonly [provider: string, isUp: boolean])[];
  /** For how long a pair has been outside its band without a break, the longest of them, seconds. */
  readonly uncoveredS: number;
}

/** Statuses in which an order ends. */
const ENDS: readonly CoverStatus[] = ['filled', 'partly-filled', 'rejected', 'resolved', 'withdrawn'];

/** With COVER=off orders of before are looked for this often. */
const OFF_MS = 10_000;

export class CoverRole implements RiskPart {
  readonly #services: Services;
  readonly #parts: CoverParts;
  readonly #ended = new Map<string, number>(ENDS.map((status) => [status, 0]));
  readonly #reports = new Map(REPORT_OUTCOMES.map((outcome) => [outcome, 0]));
  readonly #stopRules: () => void;
  #rules: readonly CoverRule[] = [];
  #term: CoverTerm | undefined;
  #offAtMs = 0;
  readonly #now: () => number;

  constructor(services: Services, parts: CoverParts) {
    this.#services = services;
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
    this.#stopRules = services.store.cover.rules.onChange((rules) => {
      this.#rules = [...rules.values()];
    });
  }

  /** False: COVER=off. */
  get isOn(): boolean {
    return this.#parts.mode !== 'off';
  }

  get counts(): CoverCounts {
    const term = this.#term;
    const blocked = new Map(COVER_BLOCKS.map((reason) => [reason, 0]));
    for (const { reason } of term?.blocked.values() ?? []) blocked.set(reason, (blocked.get(reason) ?? 0) + 1);
    return {
      orders: this.#ended,
      blocked,
      unknown: term?.count('unknown') ?? 0,
      disputed: term?.count('disputed') ?? 0,
      reports: this.#reports,
      sessions: this.#parts.sessions.map(({ provider }) => [provider, term?.isUp(provider) ?? false]),
      uncoveredS: term?.uncoveredS ?? 0,
    };
  }

  async round(round: RiskRound): Promise<RiskTables> {
    if (this.#term?.holding !== round.holding) {
      await this.ended();
      this.#term = new CoverTerm(this.#services, this.#parts, round.holding, {
        onEnded: (status) => addOne(this.#ended, status),
        onReport: (outcome) => addOne(this.#reports, outcome),
      });
    }
    if (this.isOn) this.#term.take(round, this.#rules);
    else if (this.#now() >= this.#offAtMs) {
      this.#offAtMs = this.#now() + OFF_MS;
      this.#term.take(round, []);
    }
    return { covers: this.#term.figures };
  }

  async ended(): Promise<void> {
    const term = this.#term;
    this.#term = undefined;
    this.#offAtMs = 0;
    await term?.end();
  }

  stop = (): Promise<void> => {
    this.#stopRules();
    return this.ended();
  };
}

const addOne = <Name>(counts: Map<Name, number>, name: Name): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

/** Throws CoverSettingError. */
export function coverRole(
  services: Services,
  { COVER: mode, COVER_SESSIONS }: { readonly COVER: CoverParts['mode']; readonly COVER_SESSIONS?: string | undefined },
  messageLog: CoverParts['messageLog'],
): CoverRole {
  const sessions = coverSettings(COVER_SESSIONS);
  return new CoverRole(services, { mode, sessions: mode === 'off' ? [] : sessions, messageLog });
}
