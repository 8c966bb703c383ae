/**
 * The part of the risk role that hands the room under the house's limits to the shards, so that a booking stays one step in one slot. A shard's
 * room and what is open in it are read at one moment; a deal moves as much from one to the other, so that the sum over all shards bounds what
 * the house can have open, whatever is booked meanwhile. It publishes how far the limits are used.
 */
import type { LimitFigures } from '../../domain/risk/figures.js';
import { worthOf } from '../../domain/risk/figures.js';
import { limitMark } from '../../domain/risk/limits.js';
import { dealsByPair, netBase, netByCurrency, totalPosition, valueIn } from '../../domain/risk/position.js';
import { planRoom } from '../../domain/risk/room.js';
import type { Services } from '../../service/core/services.js';
import { houseLimitsOf, isReducing } from '../../service/risk/index.js';
import { SHARDS } from '../../store/keys/redis-keys.js';
import type { SharedRoom } from '../../store/risk/rooms.js';
import { ClientLimits } from './client-limits.js';
import type { RiskPart, RiskRound } from './risk-role.js';

interface Shard extends SharedRoom {
  /** Minor units by currency, and of base by pair. */
  readonly net: ReadonlyMap<string, bigint>;
  readonly netOfPairs: ReadonlyMap<string, bigint>;
}

/** Rounds that one call for room may need: what others hold comes back in one, and is handed out in the next. */
const ROUNDS_MAX = 4;
/** The longest time for which a deal waits for room: it finds what was given to it, also where others ask meanwhile. */
const RESERVED_MS = 200;
/** All shards are read again for those that lack room at most this often. */
const READ_AGAIN_MS = 20;
const OVER = 'over';
/** Processes may still judge a limit of the house, or a state, that was just removed. */
const REMOVED_MS = 2_000;

export function limitSlices(services: Services): RiskPart {
  const { store, limits, states } = services;
  const shards: Shard[] = [];
  const asking = new Set<number>();
  /** What a shard has asked for and was given, by number and field: its room then, and until when it is left to it, by performance.now. */
  const reserved = new Map<string, { readonly room: number; readonly untilMs: number }>();
  let allReadAtMs = Number.NEGATIVE_INFINITY;
  let of: { readonly term: string; readonly base: string } | undefined;
  let round: RiskRound | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let removedAtMs: number | undefined;

  /** One at a time: what is handed out is planned on what was read last. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const share = async (shard: number, deltas: ReadonlyMap<string, number>, begins = false): Promise<void> => {
    if (of === undefined) return;
    const shared = await store.rooms.share(shard, { ...of, begins }, deltas);
    // The role of another engine has begun.
    if (shared === undefined) of = undefined;
    else shards[shard] = shardOf(shared, shards[shard]!);
  };
  /** Whether the step of a deal asks for room at all. */
  const isBounded = (): boolean => houseLimitsOf(services) !== undefined || states.reducesPairs;
  /** Values of what is open, by currency; a currency that never had a price is left out, and nothing more is handed out for it. */
  const open = (): Map<string, number> => {
    const values = new Map<string, number>();
    for (const [currency, minor] of sumsOf(shards.map(({ net }) => net))) {
      const worth = worthOf(currency, limits.base, round!.midOf)?.worth;
      if (worth) values.set(currency, valueIn(minor, currency, limits.base, worth).round().toNumber());
      else if (minor !== 0n) values.set(currency, Number.NaN);
    }
    return values;
  };
  /** What all shards together may have of each field: NaN where that is not known. */
  const mostOf = (values: ReadonlyMap<string, number>): Map<string, number> => {
    const { nop, nopOf } = houseLimitsOf(services) ?? { nopOf: {} };
    const most = new Map<string, number>();
    for (const [pair, net] of sumsOf(shards.map(({ netOfPairs }) => netOfPairs))) {
      if (!isReducing(services, pair)) continue;
      most.set(`free+${pair}`, Math.max(0, -Number(net)));
      most.set(`free-${pair}`, Math.max(0, Number(net)));
    }
    for (const [currency, limit] of Object.entries(nopOf)) {
      most.set(`+${currency}`, limit - (values.get(currency) ?? 0));
      most.set(`-${currency}`, limit + (values.get(currency) ?? 0));
    }
    if (nop === undefined) return most;
    // What shards may still count as making a sum smaller is in it, also where other deals have lowered the position meanwhile.
    const out = (field: string): number => shards.reduce((sum, { room }) => sum + (room.get(field) ?? 0), 0);
    let [long, short] = [0, 0];
    for (const [currency, value] of values) {
      if (currency === limits.base) continue;
      const counted = Math.max(value, 0, out(`free-${currency}`), value + out(`free+${currency}`));
      long += counted;
      short += counted - value;
      most.set(`free+${currency}`, Math.max(0, -value));
      most.set(`free-${currency}`, Math.max(0, value));
    }
    most.set('long', nop - long);
    most.set('short', nop - short);
    return most;
  };
  /**
   * Hands out and takes back, and reads all shards if `every`. True where it is to be repeated: what came back can be handed out, or what other
   * shards gave back since they were read may be what one lacks.
   */
  const divide = async (every: boolean, isLast: boolean): Promise<boolean> => {
    const now = performance.now();
    for (const [name, { untilMs }] of reserved) if (untilMs < now) reserved.delete(name);
    const most = mostOf(open());
    const bounds = [...most.keys()].filter((field) => !field.startsWith('free'));
    const marks = bounds.filter((field) => most.get(field)! < 0).map((field) => OVER + field);
    const fields = new Set([
      ...most.keys(),
      ...marks,
      ...shards.flatMap(({ room, wants }) => [...room.keys(), ...wants.keys()]),
    ]);
    const deltas = shards.map(() => new Map<string, number>());
    let isShort = false;
    for (const field of fields) {
      const rooms = shards.map(({ room }) => room.get(field) ?? 0);
      // Of one that is exceeded each shard has the mark: `over+EUR`, `overlong`.
      if (field.startsWith(OVER)) {
        const isOver = Number((most.get(field.slice(OVER.length)) ?? 0) < 0);
        for (const [shard, mark] of rooms.entries()) if (mark !== isOver) deltas[shard]!.set(field, isOver - mark);
        continue;
      }
      const limit = most.get(field) ?? 0;
      // Without a valuation what is out stays out.
      if (Number.isNaN(limit)) continue;
      const wants = shards.map((shard) => shard.wants.get(field) ?? 0);
      // A deal that has taken its room needs no more.
      const isReserved = (shard: number): boolean =>
        rooms[shard]! >= (reserved.get(`${shard} ${field}`)?.room ?? Number.POSITIVE_INFINITY);
      const plan = planRoom(limit, rooms, wants, isReserved);
      isShort ||= plan.isShort;
      for (const [shard, delta] of plan.deltas.entries()) if (delta !== 0) deltas[shard]!.set(field, delta);
    }
    const roomOf = (shard: number, field: string): number =>
      (shards[shard]!.room.get(field) ?? 0) + (deltas[shard]!.get(field) ?? 0);
    const lacking = shards.map(({ wants }, shard) => [...wants].some(([field, want]) => want > roomOf(shard, field)));
    const lacks = lacking.includes(true);
    for (const [shard, { wants }] of shards.entries())
      for (const field of lacking[shard] ? [] : wants.keys())
        reserved.set(`${shard} ${field}`, { room: roomOf(shard, field), untilMs: now + RESERVED_MS });
    const readsAll = every || (lacks && !isShort && !isLast && now - allReadAtMs >= READ_AGAIN_MS);
    const repeats = !isLast && (isShort || (lacks && readsAll));
    for (const [shard, known] of shards.entries())
      shards[shard] = { ...known, wants: repeats && lacking[shard] ? known.wants : new Map() };
    if (readsAll) allReadAtMs = now;
    await Promise.all(
      deltas.map((changes, shard) => (readsAll || changes.size > 0 ? share(shard, changes) : undefined)),
    );
    return repeats;
  };
  const divideUntilGiven = async (every: boolean): Promise<void> => {
    for (let rounds = 0; rounds < ROUNDS_MAX && of !== undefined; rounds++)
      if (!(await divide(every && rounds === 0, rounds === ROUNDS_MAX - 1))) break;
  };
  const serve = async (): Promise<void> => {
    if (of === undefined || asking.size === 0 || !isBounded()) return;
    const asked = [...asking];
    asking.clear();
    await Promise.all(asked.map((shard) => share(shard, new Map())));
    await divideUntilGiven(false);
  };
  let stopListening = (): void => {};
  const clients = new ClientLimits(services);
  const begin = async (term: string): Promise<void> => {
    of = { term, base: limits.base };
    stopListening();
    stopListening = store.rooms.onWant((shard) => {
      asking.add(shard);
      // A round follows in any case.
      inTurn(serve).catch(() => {});
    });
    shards.length = 0;
    reserved.clear();
    for (let shard = 0; shard < SHARDS; shard++) shards.push(NOTHING);
    await Promise.all(shards.map((_, shard) => share(shard, new Map(), true)));
  };
  const remove = async (): Promise<void> => {
    removedAtMs ??= performance.now();
    if (of === undefined || performance.now() - removedAtMs < REMOVED_MS) return;
    of = undefined;
    await Promise.all(Array.from({ length: SHARDS }, (_, shard) => store.rooms.remove(shard)));
  };

  return {
    async round(now) {
      const ofHouse = await inTurn(async () => {
        round = now;
        if (!isBounded()) {
          await remove();
          return [];
        }
        removedAtMs = undefined;
        if (of?.term !== now.holding) await begin(now.holding);
        await divideUntilGiven(true);
        return of === undefined ? [] : figures(services, open());
      });
      return { limits: [...ofHouse, ...clients.round(now)] };
    },
    ended() {
      of = undefined;
      stopListening();
      return clients.end();
    },
  };
}

const NOTHING: Shard = {
  room: new Map(),
  wants: new Map(),
  position: { lines: [], closeOuts: [], folded: undefined },
  net: new Map(),
  netOfPairs: new Map(),
};

/** What was asked for before is still asked for, until it is given or given up. */
function shardOf(shared: SharedRoom, before: Shard): Shard {
  const wants = new Map([...before.wants, ...shared.wants]);
  const { net, netOfPairs: ofPairs } = before;
  if (shared.position === before.position) return { ...shared, wants, net, netOfPairs: ofPairs };
  const deals = dealsByPair(shared.position.lines);
  const netOfPairs = new Map([...deals].map(([{ symbol }, sums]) => [symbol, netBase(sums)] as const));
  return { ...shared, wants, net: netByCurrency(deals), netOfPairs };
}

function sumsOf(all: readonly ReadonlyMap<string, bigint>[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const one of all) for (const [name, minor] of one) sums.set(name, (sums.get(name) ?? 0n) + minor);
  return sums;
}

/** How much of the limits of the house is used. */
function figures({ limits }: Services, values: ReadonlyMap<string, number>): LimitFigures[] {
  const { nop, nopOf = {}, warnPercent } = limits.house ?? {};
  const shown = (of: string | undefined, used: number, most: number): LimitFigures[] =>
    Number.isNaN(used)
      ? []
      : [{ subject: 'house', limit: 'nop', of, used, most, mark: limitMark(used, most, warnPercent) }];
  return [
    ...Object.entries(nopOf).flatMap(([currency, most]) => shown(currency, Math.abs(values.get(currency) ?? 0), most)),
    ...(nop === undefined ? [] : shown(undefined, totalPosition(values, limits.base).total, nop)),
  ];
}
