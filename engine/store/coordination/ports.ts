/**
 * The mode of each port: sandbox, or manual, where an operator decides. The store keeps it. The first program writes it; a program with
 * another mode does not start. Every engine and sidecar is registered while it runs, so that a mode changes only when none does.
 */
import type { FeedKind } from '../../domain/system/feed-kind.js';
import { PORT_MODES, PORTS, type Port, type PortMode, type PortModes } from '../../domain/system/port-mode.js';
import type { Connection } from '../connection/connection.js';
import { StoreStartError, StoreUnavailable } from '../connection/errors.js';
import { step } from '../connection/scripts.js';
import { mustMatch } from '../keys/redis-keys.js';

export interface JoinOptions {
  /** For display: `engine host:pid`. */
  readonly program: string;
  /** As this program is configured; absent: it adopts the store's mode. */
  readonly modes: PortModes;
  /** Ports that become a sandbox where neither the program nor the store has a mode. */
  readonly sandboxes: readonly Port[];
  /** What the prices of its own feeds are; empty: it has none. Where funding or payout is manual they are a market's. */
  readonly feed?: readonly FeedKind[];
  /** The store's mode has changed: this program must end, with this line as the reason. Called at most once. */
  onOther(line: string): void;
}

export interface Ports {
  /**
   * Registers this program until the store is closed. Throws StoreStartError, with both modes, where the store has another; and where money is
   * decided manually at prices that are no market's.
   */
  join(options: JoinOptions): Promise<PortModes>;
  /** The store's modes, as this program last read them; empty before it has joined. */
  readonly modes: PortModes;
  read(): Promise<PortModes>;
  /** Empty when done; else the running programs, and nothing was changed. A killed program counts as running for another 30 seconds. */
  change(modes: PortModes): Promise<readonly string[]>;
  close(): Promise<void>;
}

const MODES = '{ports}:modes';
const PROGRAMS = '{ports}:programs';
/** A program that is suspended for longer counts as ended. */
const REGISTERED_MS = 30_000;
const RENEW_MS = 5_000;
export const JOIN_PORTS = step(import.meta.url, 'join-ports', {
  inReserve: true,
  keys: ['modes', 'programs'],
  // The feed is that of FEED where its prices are no market's, else ''.
  args: ['program', 'registeredMs', 'feed'],
  // For each port its name, the program's mode or '', and the mode to store where both are absent or ''.
  rest: 'ports',
});
/** Port and mode, for each that changes. */
export const CHANGE_PORTS = step(import.meta.url, 'change-ports', { keys: ['modes', 'programs'], rest: 'changes' });
const KEYS = { modes: MODES, programs: PROGRAMS };
/** Of join-ports: registered, another mode, a feed that is no market's, another program's feed that is none. */
const OTHER_MODE = 0;
const OWN_FEED = 2;
const OTHER_FEED = 3;
const PROGRAM = /^[\x20-\x7e]{1,300}$/;

export function ports(connection: Connection, engineId: string): Ports {
  let modes: PortModes = {};
  let member: string | undefined;
  let renewal: NodeJS.Timeout | undefined;
  let unwatch = (): void => {};

  const read = async (): Promise<PortModes> => modesOf(await connection.read((redis) => redis.hmget(MODES, ...PORTS)));
  /** A text: why it is not registered. */
  const register = async (wanted: PortModes, sandboxes: readonly Port[], feed: string): Promise<PortModes | string> => {
    const ofEach = PORTS.flatMap((port) => [port, wanted[port] ?? '', sandboxes.includes(port) ? 'sandbox' : '']);
    const args = { program: member!, registeredMs: REGISTERED_MS, feed, ports: ofEach };
    const [result, ...kept] = (await connection.step(JOIN_PORTS, KEYS, args)) as [number, ...string[]];
    const found = modesOf(kept.slice(0, PORTS.length));
    if (result === OTHER_MODE) return differs(wanted, found);
    if (result === OWN_FEED) return noMarket(feed, { ...wanted, ...found });
    if (result === OTHER_FEED) return noMarketElsewhere(kept[PORTS.length]!, { ...wanted, ...found });
    return found;
  };

  return {
    async join({ program, modes: wanted, sandboxes, feed: kinds = [], onOther }) {
      const feed = kinds.filter((kind) => kind !== 'market').join();
      member = `${engineId} ${mustMatch(PROGRAM, 'program', program)}${feed && ` FEED=${feed}`}`;
      const kept = await register(wanted, sandboxes, feed).catch(async (error: unknown) => {
        // A store without free memory can still be opened by a program that agrees with its modes.
        if (!(error instanceof StoreUnavailable) || !connection.isFull()) throw error;
        const found = await read();
        if (PORTS.some((port) => wanted[port] !== undefined && found[port] === undefined)) throw error;
        if (others(wanted, found).length > 0) return differs(wanted, found);
        return feed !== '' && manualOf(found) !== undefined ? noMarket(feed, found) : found;
      });
      if (typeof kept === 'string') throw new StoreStartError(kept);
      modes = kept;
      const renew = async (): Promise<void> => {
        try {
          const now = await register(modes, [], feed);
          if (typeof now !== 'string') modes = now;
          else if (renewal !== undefined) {
            stop();
            onOther(now);
          }
        } catch {
          // An unavailable store is logged elsewhere; the registration is retried when it is back.
        }
      };
      const stop = (): void => {
        clearInterval(renewal);
        renewal = undefined;
        unwatch();
      };
      renewal = setInterval(renew, RENEW_MS).unref();
      unwatch = connection.onUpChange((up) => {
        if (up) void renew();
      });
      return modes;
    },
    get modes() {
      return modes;
    },
    read,
    async change(wanted) {
      const named = PORTS.flatMap((port) => (wanted[port] === undefined ? [] : [port, wanted[port]]));
      const running = (await connection.step(CHANGE_PORTS, KEYS, { changes: named })) as string[];
      return running.map((registered) => registered.slice(registered.indexOf(' ') + 1));
    },
    async close() {
      clearInterval(renewal);
      renewal = undefined;
      unwatch();
      // Where the store is unavailable the registration expires.
      const ended = member;
      if (ended !== undefined && connection.isUp())
        await connection.write((redis) => redis.zrem(PROGRAMS, ended)).catch(() => {});
    },
  };
}

const isMode = (text: string | null | undefined): text is PortMode => PORT_MODES.some((mode) => mode === text);

/** In the order of PORTS. An unknown mode counts as manual: nothing is decided automatically then. */
function modesOf(kept: readonly (string | null | undefined)[]): PortModes {
  const found = PORTS.flatMap((port, i) => (kept[i] ? [[port, isMode(kept[i]) ? kept[i] : 'manual'] as const] : []));
  return Object.fromEntries(found);
}

const others = (wanted: PortModes, kept: PortModes): Port[] =>
  PORTS.filter((port) => wanted[port] !== undefined && kept[port] !== undefined && wanted[port] !== kept[port]);

/** The port whose money is real, so that prices must be a market's. */
const manualOf = (modes: PortModes): string | undefined =>
  (['payout', 'funding'] as const).find((port) => modes[port] === 'manual')?.toUpperCase();

const noMarket = (feed: string, modes: PortModes): string =>
  `FEED is ${feed} here, whose prices are no market's, and ${manualOf(modes)} is manual in this store: set FEED to your providers, or to relay`;

function noMarketElsewhere(program: string, modes: PortModes): string {
  const port = manualOf(modes);
  return `${port} is manual here, and ${program} runs, whose prices are no market's: stop it and set its FEED to your providers, or set ${port}=sandbox`;
}

function differs(wanted: PortModes, kept: PortModes): string {
  const differing = others(wanted, kept);
  const setting = (port: Port) => port.toUpperCase();
  const each = differing.map((port) => `${setting(port)} is ${wanted[port]} here and ${kept[port]} in this store`);
  const settings = differing.map((port) => `${setting(port)}=${kept[port]}`).join(' ');
  const options = differing.map((port) => `--${port} ${wanted[port]}`).join(' ');
  return `${each.join(', ')}: set ${settings}, or stop every engine and sidecar and change the store with \`ratewire store ports ${options} --reason <why>\``;
}
