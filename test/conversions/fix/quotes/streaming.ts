/** Streams of quotes over the wire: a gateway for the tests of a file, and for each of them a desk that may deal. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type Rig, startRig } from '../../../fix/rig.js';
import { startTrader, type Trader } from '../../../fix/trader.js';
import type { Fields, Received } from '../../../support/desk.js';
import { faultsOf, quote } from './quoting.js';

// A Friday; spot is Tuesday the 21st. It is to come, since the store forgets by its own clock.
export const NOW = Date.parse('2028-11-17T08:00:00.004Z');
/** A stream of both sides. */
export const BOTH = { 54: undefined, 20018: 'Y' };

type Sent = Readonly<Record<number, string | number | undefined>>;

export class Streaming {
  rig!: Rig;
  acme!: Trader;
  isOpen = true;
  #clients = 0;
  #cents = 0;

  /** To be called at the top of a file. */
  static begin(): Streaming {
    const on = new Streaming();
    beforeAll(async () => {
      on.rig = await startRig({ now: () => NOW, isOpen: () => on.isOpen });
    });
    beforeEach(async () => {
      on.isOpen = true;
      on.rig.tick('EUR/USD', '1.08158', '1.08164');
      on.acme = await startTrader(on.rig, `acme${++on.#clients}`);
    });
    afterEach(() => expect(faultsOf(on.acme.desk)).toEqual([]));
    afterAll(() => on.rig.stop());
    return on;
  }

  /** A client of its own for this test. */
  nameOf(client: string): string {
    return `${client}${this.#clients}`;
  }

  /** Asks for a stream, and waits for what answers the request. */
  stream(id: string, changes: object = {}, more: Fields = [], of = this.acme): Promise<Received> {
    return quote(of.desk, id, of.token, { ...BOTH, ...changes }, more);
  }

  nextOf(id: string, of = this.acme): Promise<Received> {
    return of.desk.next(['S', 'Z', 'AI', 'AG'], (message) => message.get(131) === id);
  }

  /** Another price. */
  move(): void {
    this.rig.tick('EUR/USD', `1.08${150 + ++this.#cents}`, `1.09${150 + this.#cents}`);
  }

  /** Sends a QuoteCancel(Z). */
  cancel(fields: Sent, more: Fields = [], of = this.acme): void {
    const values: Sent = { 298: 1, 20001: of.token, ...fields };
    const given = [131, 117, 298, 295, 20001].filter((tag) => values[tag] !== undefined);
    of.desk.send(
      'Z',
      given.map((tag) => [tag, values[tag]!] as const),
      { more },
    );
  }

  /** The answers to what was sent before, in order. */
  async answers(type: string): Promise<Received[]> {
    await this.acme.desk.settle();
    return this.acme.desk.received.filter((message) => message.get(35) === type);
  }
}

export const pick = (message: Received, ...tags: number[]) => tags.map((tag) => message.get(tag));
