/**
 * Bookings and payments as they move: a growing journal sends a notification, and what its new entries are about is read once for all pages
 * that show it. Since a notification may be lost, the journals of clients with a page open are also polled.
 */
import type { Row } from './page/messages.js';
import type { LiveSource } from './source.js';

/** Delay behind a notification, so that entries of one moment are read together. */
const TOGETHER_MS = 50;
const POLL_MS = 1_000;
/** The client of a page is read with every third poll. */
const POLLS_TO_READ = 3;
/** While an operator has a page open, so many of all clients are polled each time, in turn. */
const CLIENTS_PER_POLL = 50;
/** Journals whose last entry is remembered; of another one a notification makes the last few entries be read. */
const SEEN_MAX = 10_000;
/** Journals queued to be read; the polls find any others. */
const QUEUED_MAX = 2_000;

export type OnRows = (clientId: string, rows: readonly Row[]) => void;

export class BlotterWatch {
  readonly #seen = new Map<string, string>();
  readonly #queued = new Set<string>();
  #unlisten: (() => void) | undefined;
  readonly #timer: NodeJS.Timeout;
  #reading: NodeJS.Timeout | undefined;
  #isReading = false;
  #polls = 0;
  #after: string | undefined;
  #stopped = false;

  /** `watched`: the clients of open pages, and whether a page sees all. */
  constructor(
    private readonly source: LiveSource,
    private readonly watched: () => { readonly clientIds: ReadonlySet<string>; readonly all: boolean },
    private readonly onRows: OnRows,
  ) {
    this.#timer = setInterval(() => void this.#poll(), POLL_MS);
    this.#timer.unref();
  }

  /** While a page is open: each step of any client sends a notification, which takes some microseconds of this process. */
  listen(): void {
    this.#unlisten ??= this.source.blotter.onMoved((clientId) => {
      const { all, clientIds } = this.watched();
      if (all || clientIds.has(clientId)) this.schedule(clientId);
    });
  }

  pause(): void {
    this.#unlisten?.();
    this.#unlisten = undefined;
    this.#seen.clear();
  }

  /** Reads the client's journal soon. */
  schedule(clientId: string): void {
    if (this.#stopped || this.#queued.size >= QUEUED_MAX) return;
    this.#queued.add(clientId);
    if (!this.#isReading) this.#reading ??= setTimeout(() => void this.#read(), TOGETHER_MS);
  }

  stop(): void {
    this.#stopped = true;
    this.pause();
    clearInterval(this.#timer);
    clearTimeout(this.#reading);
  }

  async #read(): Promise<void> {
    this.#reading = undefined;
    this.#isReading = true;
    const clientIds = [...this.#queued];
    this.#queued.clear();
    for (const clientId of clientIds) await this.#readOne(clientId).catch((error) => this.#failed(error));
    this.#isReading = false;
    if (this.#queued.size > 0 && !this.#stopped) this.#reading = setTimeout(() => void this.#read(), TOGETHER_MS);
  }

  async #readOne(clientId: string): Promise<void> {
    const moved = await this.source.blotter.moved(clientId, this.#seen.get(clientId));
    if (moved === undefined || this.#stopped) return;
    this.#seen.delete(clientId);
    if (moved.seen !== undefined) this.#seen.set(clientId, moved.seen);
    if (this.#seen.size > SEEN_MAX) this.#seen.delete(this.#seen.keys().next().value!);
    if (moved.rows.length > 0) this.onRows(clientId, moved.rows);
  }

  async #poll(): Promise<void> {
    if (!this.source.isStoreUp()) return;
    const { clientIds, all } = this.watched();
    if (++this.#polls % POLLS_TO_READ === 0) for (const clientId of clientIds) this.schedule(clientId);
    if (!all) return;
    try {
      const ids = await this.source.blotter.clientIds(CLIENTS_PER_POLL, this.#after);
      this.#after = ids.length < CLIENTS_PER_POLL ? undefined : ids.at(-1)!;
      for (const id of ids) this.schedule(id);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    const fault = error instanceof Error ? error.name : 'unknown';
    if (!this.#stopped) this.source.log.warn({ fault }, 'the blotter could not be read: retrying in a second');
  }
}
