/**
 * Bookings and payments as they move: a journal that grows rings a bell, and what its new entries are about is read once, however many
 * pages show it. Since a bell may get lost, the journals of those who look on are also looked at from time to time.
 */
import { type BlotterRow, movedRows } from '../../engine/service/bookings/blotter.js';
import type { Services } from '../../engine/service/core/services.js';
import { rowOf } from '../features/live-page/rows.js';
import type { Row } from './page/messages.js';

/** After a bell, so that what happens together is read together. */
const TOGETHER_MS = 50;
const POLL_MS = 1_000;
/** Each client of a page is looked at every so many polls. */
const POLLS_TO_LOOK = 3;
/** Where somebody sees all clients, so many of them are looked at with each poll, in turn. */
const CLIENTS_PER_POLL = 50;
/** Journals whose last entry is remembered; of others a bell makes the last few entries be read. */
const SEEN_MAX = 10_000;
/** Bells that wait to be answered; of more, the polls will know. */
const RUNG_MAX = 2_000;

export type Tell = (clientId: string, rows: readonly Row[]) => void;

export class BlotterWatch {
  readonly #seen = new Map<string, string>();
  readonly #rung = new Set<string>();
  readonly #unlisten: () => void;
  readonly #timer: NodeJS.Timeout;
  #reading: NodeJS.Timeout | undefined;
  #isReading = false;
  #polls = 0;
  #after: string | undefined;
  #stopped = false;

  /** `watched`: the clients of pages, and whether somebody sees all. */
  constructor(
    private readonly services: Services,
    private readonly watched: () => { readonly clientIds: ReadonlySet<string>; readonly all: boolean },
    private readonly tell: Tell,
  ) {
    this.#unlisten = services.store.journal.onGrown((clientId) => {
      const { all, clientIds } = watched();
      if (all || clientIds.has(clientId)) this.ring(clientId);
    });
    this.#timer = setInterval(() => void this.#poll(), POLL_MS);
    this.#timer.unref();
  }

  /** Looks at the client's journal soon. */
  ring(clientId: string): void {
    if (this.#stopped || this.#rung.size >= RUNG_MAX) return;
    this.#rung.add(clientId);
    if (!this.#isReading) this.#reading ??= setTimeout(() => void this.#read(), TOGETHER_MS);
  }

  stop(): void {
    this.#stopped = true;
    this.#unlisten();
    clearInterval(this.#timer);
    clearTimeout(this.#reading);
  }

  async #read(): Promise<void> {
    this.#reading = undefined;
    this.#isReading = true;
    const clientIds = [...this.#rung];
    this.#rung.clear();
    for (const clientId of clientIds) await this.#readOne(clientId).catch((error) => this.#failed(error));
    this.#isReading = false;
    if (this.#rung.size > 0 && !this.#stopped) this.#reading = setTimeout(() => void this.#read(), TOGETHER_MS);
  }

  async #readOne(clientId: string): Promise<void> {
    const client = await this.services.store.clients.believed(clientId);
    if (client === undefined || this.#stopped) return;
    const moved = await movedRows(this.services, client, this.#seen.get(clientId));
    this.#seen.delete(clientId);
    if (moved.seen !== undefined) this.#seen.set(clientId, moved.seen);
    if (this.#seen.size > SEEN_MAX) this.#seen.delete(this.#seen.keys().next().value!);
    if (moved.rows.length > 0 && !this.#stopped)
      this.tell(
        clientId,
        moved.rows.map((row: BlotterRow) => rowOf(row)),
      );
  }

  async #poll(): Promise<void> {
    if (!this.services.store.isUp()) return;
    const { clientIds, all } = this.watched();
    if (++this.#polls % POLLS_TO_LOOK === 0) for (const clientId of clientIds) this.ring(clientId);
    if (!all) return;
    try {
      const after = this.#after === undefined ? {} : { after: this.#after };
      const page = await this.services.store.clients.list({ limit: CLIENTS_PER_POLL, ...after });
      this.#after = page.length < CLIENTS_PER_POLL ? undefined : page.at(-1)!.id;
      for (const { id } of page) this.ring(id);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    const fault = error instanceof Error ? error.name : 'unknown';
    if (!this.#stopped) this.services.log.warn({ fault }, 'the blotter could not be read: looking again in a moment');
  }
}
