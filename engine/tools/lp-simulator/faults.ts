/** The faults of a simulated provider, and the commands that set them. */
import { ORDER_COMMANDS } from './order-faults.js';
import type { LpSimulator } from './simulator.js';

/** The present faults of a simulated provider. */
export class Faults {
  /** Connected, but silent. */
  isStalled = false;
  /** So many ticks to come have their bid above their offer. */
  crossedTicks = 0;
  /** Every price is this many percent off. */
  offPercent = 0;
  /** Only the next tick is this many percent off. */
  spikePercent = 0;

  /** The price with the faults applied, scaled; undefined: it is not sent. */
  apply(bid: number, offer: number): { bid: number; offer: number } | undefined {
    if (this.isStalled) return undefined;
    const factor = (1 + this.offPercent / 100) * (1 + this.spikePercent / 100);
    this.spikePercent = 0;
    const low = Math.round(bid * factor);
    const high = Math.round(offer * factor);
    if (this.crossedTicks === 0) return { bid: low, offer: high };
    this.crossedTicks--;
    return { bid: high + 1, offer: low };
  }
}

export const COMMANDS = `stall, resume, disconnect, logout <reason>, cancel (quotes), expire (quotes), cross [ticks, 10], jump <percent, 0 ends it>, spike <percent>, ${ORDER_COMMANDS}`;

/** Carries out one line. Returns the reply to print. */
export function runCommand(simulator: LpSimulator, line: string): string {
  const [word = '', argument, ...more] = line.trim().split(/\s+/);
  if (word === 'logout') {
    const reason = [argument ?? '', ...more].join(' ').slice(0, 100);
    simulator.disconnect(reason || undefined);
    return `every connection ended: ${reason || 'simulated disconnect'}`;
  }
  if (word === 'orders') return orderCommand(simulator, argument === undefined ? more : [argument, ...more]);
  const number = argument === undefined ? undefined : Number(argument);
  if (Number.isNaN(number)) return `'${argument}' is no number; commands: ${COMMANDS}`;
  switch (word) {
    case 'stall':
      simulator.faults.isStalled = true;
      return 'stalled: connected, but silent until resume';
    case 'resume':
      simulator.faults.isStalled = false;
      return 'resumed';
    case 'cancel':
      simulator.cancelQuotes();
      return 'every quote cancelled; the next ones follow';
    case 'expire':
      simulator.expireQuotes();
      return 'every stream of quotes has run out';
    case 'disconnect':
      simulator.disconnect();
      return 'every connection cut';
    case 'cross':
      simulator.faults.crossedTicks = Math.max(0, Math.floor(number ?? 10));
      return `the next ${simulator.faults.crossedTicks} ticks are crossed`;
    case 'jump':
    case 'spike':
      if (number === undefined || number <= -100) return `${word} needs percent above -100, as in ${word} 3`;
      simulator.faults[word === 'jump' ? 'offPercent' : 'spikePercent'] = number;
      return word === 'jump' ? `every price is ${number} % off` : `the next tick is ${number} % off`;
    default:
      return `commands: ${COMMANDS}`;
  }
}

function orderCommand({ orders }: LpSimulator, words: readonly string[]): string {
  if (orders === undefined) return 'orders need the FIX server: start with --fix PORT';
  if (words[0] === 'list') return [orders.summary, ...orders.orders.map((order) => JSON.stringify(order))].join('\n');
  return orders.faults.command(words) ?? `commands: ${ORDER_COMMANDS}`;
}
