import { type Session, SharedBody } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import { PAIRS, type Pair } from '../../domain/money/pair.js';
import type { BookFxType } from '../../domain/money/value-date.js';
import type { BandsOut } from './ladder-body.js';
import type { PriceTier } from './price-shape.js';

/** A MarketDataRequest(V) that has been accepted. */
export interface StreamRequest {
  readonly mdReqId: string;
  readonly clientId: string;
  readonly pairs: readonly Pair[];
  readonly type: BookFxType;
  readonly bid: boolean;
  readonly offer: boolean;
  /** Every band of each side, and not the first alone. */
  readonly isLadder: boolean;
  /** MDUpdateType(265) 1: X after the first W. */
  readonly incremental: boolean;
  /** SubscriptionRequestType(263) 0: one W per pair and no more. */
  readonly snapshotOnly: boolean;
  readonly discloseMargin: boolean;
  readonly discloseProviderRate: boolean;
  readonly sourceTime: boolean;
  /** YYYYMMDD that the request named; absent is spot. */
  readonly valueDate?: string;
}

/** One pair of one request of one desk. */
export interface Subscription {
  readonly request: StreamRequest;
  readonly pair: number;
  /** `262=<MDReqID>`, one for all pairs of the request. */
  readonly prefix: SharedBody;
  tier: PriceTier;
  /** The tier of the W of an incremental stream, the first and those that catch up; otherwise the tier itself. */
  snapshotTier: PriceTier;
  /** Number of the price sent last within its pair; -1 before the first. A stream of ladders takes no price of a batch: Infinity. */
  sent: number;
  /** A W is due: the first, or a price was skipped while the desk was congested. */
  dirty: boolean;
  /** Bands that the desk has from us, of a stream of ladders. */
  readonly out: BandsOut;
  /** The next one of the same desk and pair: two requests may ask for one pair. */
  next: Subscription | undefined;
}

/** Everything one desk streams. */
export class DeskStreams {
  readonly subscriptions: Subscription[] = [];
  dirtyCount = 0;
  /** Prices replaced before the desk could take them. */
  conflated = 0;
  /** Trading of its client is halted: it is sent no price. */
  isHalted = false;
  private rotation = 0;
  /** Index into `subscriptions` of the first of each pair, or -1. */
  private readonly byPair = new Int16Array(PAIRS.length).fill(-1);

  constructor(
    readonly session: Session,
    readonly clientId: string,
  ) {}

  first(pair: number): Subscription | undefined {
    const at = this.byPair[pair]!;
    return at < 0 ? undefined : this.subscriptions[at];
  }

  /** Whether one of the desk's streams shows, or has begun with, the prices of this tier. */
  streams(tier: PriceTier): boolean {
    let subscription = this.first(tier.terms.pair.index);
    while (subscription !== undefined) {
      if (subscription.tier === tier || subscription.snapshotTier === tier) return true;
      subscription = subscription.next;
    }
    return false;
  }

  add(subscription: Subscription): void {
    this.subscriptions.push(subscription);
    if (subscription.dirty) this.dirtyCount++;
    this.link();
  }

  /** Removes the subscriptions of one request, or all, and returns them. */
  remove(mdReqId?: string): Subscription[] {
    const gone = this.subscriptions.filter((s) => mdReqId === undefined || s.request.mdReqId === mdReqId);
    const kept = this.subscriptions.filter((s) => mdReqId !== undefined && s.request.mdReqId !== mdReqId);
    this.subscriptions.splice(0, this.subscriptions.length, ...kept);
    this.dirtyCount = kept.filter((s) => s.dirty).length;
    this.link();
    return gone;
  }

  mark(subscription: Subscription): void {
    if (subscription.dirty) return;
    subscription.dirty = true;
    this.dirtyCount++;
  }

  /** The next message of the subscription is a W. */
  markAnew(subscription: Subscription): void {
    subscription.out.bids = -1;
    this.mark(subscription);
  }

  markAll(): void {
    for (const subscription of this.subscriptions) this.markAnew(subscription);
  }

  /** A change is sent as a W of each subscription. */
  setHalted(isHalted: boolean): void {
    if (isHalted === this.isHalted) return;
    this.isHalted = isHalted;
    this.markAll();
  }

  clean(subscription: Subscription): void {
    if (!subscription.dirty) return;
    subscription.dirty = false;
    this.dirtyCount--;
  }

  /** Where catching up starts: it rotates, so that a desk that is always congested still gets every pair. */
  nextStart(): number {
    const start = this.rotation % Math.max(1, this.subscriptions.length);
    this.rotation = start + 1;
    return start;
  }

  private link(): void {
    this.byPair.fill(-1);
    for (let i = this.subscriptions.length - 1; i >= 0; i--) {
      const subscription = this.subscriptions[i]!;
      subscription.next = this.first(subscription.pair);
      this.byPair[subscription.pair] = i;
    }
  }
}

export function mdReqIdPrefix(mdReqId: string): SharedBody {
  const prefix = new SharedBody();
  prefix.text(`${Tag.MDReqID}=${mdReqId}\x01`);
  return prefix;
}

/** Every desk with streams, by session and by client. */
export class Desks {
  readonly all: DeskStreams[] = [];
  private readonly bySession = new Map<Session, DeskStreams>();
  private readonly byClient = new Map<string, Set<DeskStreams>>();

  of(session: Session): DeskStreams | undefined {
    return this.bySession.get(session);
  }

  open(session: Session, clientId: string): DeskStreams {
    const known = this.bySession.get(session);
    if (known !== undefined) return known;
    const desk = new DeskStreams(session, clientId);
    this.all.push(desk);
    this.bySession.set(session, desk);
    const ofClient = this.byClient.get(clientId) ?? new Set();
    this.byClient.set(clientId, ofClient.add(desk));
    return desk;
  }

  close(desk: DeskStreams): void {
    this.all.splice(this.all.indexOf(desk), 1);
    this.bySession.delete(desk.session);
    const ofClient = this.byClient.get(desk.clientId);
    ofClient?.delete(desk);
    if (ofClient?.size === 0) this.byClient.delete(desk.clientId);
  }

  /** Whether any desk of the client streams the tier: one session may show the prices that another trades on. */
  stream(clientId: string, tier: PriceTier): boolean {
    for (const desk of this.byClient.get(clientId) ?? []) if (desk.streams(tier)) return true;
    return false;
  }
}
