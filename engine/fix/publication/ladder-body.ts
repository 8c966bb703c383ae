import { SharedBody } from 'node-quickfix-ts';
import * as Tag from '../../domain/fix/tags.js';
import { formatScaled } from '../../domain/money/money.js';
import { writeScaled } from '../../domain/money/rate.js';
import { Bands, type BookLadders, MAX_BANDS } from './book-ladders.js';
import { writeSourceTime } from './price-batch.js';
import { appendMargin, NOT_TRADEABLE, SOURCE_TIME_IS, SOURCE_TIME_LENGTH, TRADEABLE_AS } from './price-body.js';
import { type PriceTier, shownMargin } from './price-shape.js';

const SOH = '\x01';
const NEW = 0;
const CHANGE = 1;
const DELETE = 2;
const SYMBOL = `${Tag.Symbol}=`;
const CURRENCIES = `${SOH}${Tag.Product}=4${SOH}`;
const ENTRIES = `${Tag.NoMDEntries}=`;
const ACTION = `${Tag.MDUpdateAction}=`;
const CURRENCY = `${SOH}${Tag.Currency}=`;
const SIZE = `${SOH}${Tag.MDEntrySize}=`;
const POSITION = `${SOH}${Tag.MDEntryPositionNo}=`;

/** How many bands of each side a desk has from us: an incremental refresh says what is new and what is gone. */
export interface BandsOut {
  bids: number;
  offers: number;
}

/**
 * The body of a tier's ladder: W with every band, or X with every band that a desk is to have or to give up. All sessions of the tier that have
 * the same bands get the same bytes. Nothing is allocated per ladder.
 */
export class LadderBody {
  private readonly shared = new SharedBody(1_024);
  private readonly bids = new Bands();
  private readonly offers = new Bands();
  private readonly heads: Record<'W' | 'X', readonly (readonly string[])[]>;
  private version = -1;
  private form: 'W' | 'X' = 'W';
  private bidsOut = -1;
  private offersOut = -1;
  private readonly priceText = new Uint8Array(32);
  private readonly time = new Uint8Array(SOURCE_TIME_LENGTH);

  constructor(private readonly tier: PriceTier) {
    const { pair } = tier.terms;
    const band = (head: (side: 0 | 1, position: number) => string) =>
      ([0, 1] as const).map((side) => Array.from({ length: MAX_BANDS }, (_, k) => head(side, k + 1)));
    this.heads = {
      W: band((side) => `${Tag.MDEntryType}=${side}${SOH}${Tag.MDEntryPx}=`),
      // Behind the action.
      X: band((side, k) => {
        const id = `${Tag.MDEntryID}=${pair.symbol}.${'BO'[side]}.${k}`;
        return `${SOH}${Tag.MDEntryType}=${side}${SOH}${id}${SOH}${SYMBOL}${pair.symbol}${SOH}${Tag.MDEntryPx}=`;
      }),
    };
  }

  /** The newest ladder, for a desk that has `out` bands from us; sets `out` to what it has then. Valid until the next call. */
  encode(form: 'W' | 'X', ladders: BookLadders, out: BandsOut): SharedBody {
    const { pair, sides } = this.tier.terms;
    const version = ladders.versions[pair.index]!;
    const isSame =
      version === this.version &&
      form === this.form &&
      (form === 'W' || (out.bids === this.bidsOut && out.offers === this.offersOut));
    if (version !== this.version) {
      const ladder = ladders.ladder(pair.index);
      const { bands } = this.tier.terms;
      this.bids.fill(ladder, true, bands, Number(pair.maxAmount));
      this.offers.fill(ladder, false, bands, Number(pair.maxAmount));
      // As of one price: without one side there is no price.
      if (this.bids.count === 0 || this.offers.count === 0) {
        this.bids.count = 0;
        this.offers.count = 0;
      }
      if (sides === 'offer') this.bids.count = 0;
      if (sides === 'bid') this.offers.count = 0;
    }
    if (!isSame) {
      this.version = version;
      this.form = form;
      this.bidsOut = out.bids;
      this.offersOut = out.offers;
      if (this.tier.terms.sourceTime) writeSourceTime(this.time, ladders.sourceTimeUs(pair.index));
      this.write(form, out, version);
    }
    out.bids = this.bids.count;
    out.offers = this.offers.count;
    return this.shared;
  }

  /** The value date has changed. */
  forget(): void {
    this.version = -1;
  }

  private write(form: 'W' | 'X', out: BandsOut, version: number): void {
    const { shared, bids, offers } = this;
    const { pair, sides } = this.tier.terms;
    const isWithdrawn = bids.count + offers.count === 0;
    const bidEntries = this.entriesOf(form, bids.count, out.bids, isWithdrawn && sides !== 'offer');
    const offerEntries = this.entriesOf(form, offers.count, out.offers, isWithdrawn && sides !== 'bid');
    shared.clear();
    if (form === 'W') {
      shared.text(SYMBOL);
      shared.text(pair.symbol);
      shared.text(CURRENCIES);
    }
    shared.text(ENTRIES);
    shared.uint(bidEntries + offerEntries);
    shared.byte(1);
    for (let k = 0; k < bidEntries; k++) this.entry(form, 0, k, bids, out.bids, version);
    for (let k = 0; k < offerEntries; k++) this.entry(form, 1, k, offers, out.offers, version);
    if (!isWithdrawn) this.tail(form);
  }

  // A withdrawal names each band that the desk has, and at least one.
  private entriesOf(form: 'W' | 'X', count: number, out: number, isWithdrawn: boolean): number {
    if (isWithdrawn) return form === 'W' ? 1 : Math.max(1, out);
    return form === 'W' ? count : Math.max(count, out);
  }

  private entry(form: 'W' | 'X', side: 0 | 1, k: number, bands: Bands, out: number, version: number): void {
    const { shared } = this;
    const { pair } = this.tier.terms;
    const isGone = k >= bands.count;
    if (form === 'X') {
      shared.text(ACTION);
      shared.uint(isGone ? DELETE : k < out ? CHANGE : NEW);
    }
    shared.text(this.heads[form][side]![k]!);
    if (isGone) shared.byte(0x30);
    else {
      const end = writeScaled(this.priceText, 0, bands.price[k]!, pair.priceDigits);
      shared.append(this.priceText, 0, end);
    }
    shared.text(CURRENCY);
    shared.text(pair.base);
    shared.text(SIZE);
    shared.uint(isGone ? 0 : bands.size[k]!);
    if (isGone) shared.text(NOT_TRADEABLE);
    else {
      shared.text(TRADEABLE_AS);
      shared.append(this.tier.epoch, 0, this.tier.epoch.length);
      shared.byte(0x2e);
      this.base36(version);
      shared.byte(0x2e);
      shared.uint(k + 1);
    }
    shared.text(POSITION);
    shared.uint(k + 1);
    shared.byte(1);
  }

  private tail(form: 'W' | 'X'): void {
    const { shared, tier } = this;
    const { sides, discloseMargin, discloseProviderRate, pair, sourceTime } = tier.terms;
    if (form === 'W') {
      shared.text(tier.shape.tail);
      const { bids, offers } = this;
      if (discloseMargin) appendMargin(shared, shownMargin(sides, bids.marginPpm[0]!, offers.marginPpm[0]!));
    }
    if (form === 'W' && discloseProviderRate) {
      const rate = (sides === 'bid' ? this.bids : this.offers).providerPrice[0]!;
      shared.text(`${Tag.ProviderRate}=${formatScaled(rate, pair.priceDigits)}\x01`);
    }
    if (!sourceTime) return;
    shared.text(SOURCE_TIME_IS);
    shared.append(this.time, 0, SOURCE_TIME_LENGTH);
    shared.byte(1);
  }

  private base36(value: number): void {
    let power = 1;
    while (power * 36 <= value) power *= 36;
    for (let rest = value; power >= 1; power = Math.floor(power / 36)) {
      const digit = Math.floor(rest / power);
      rest -= digit * power;
      this.shared.byte(digit < 10 ? 48 + digit : 87 + digit);
    }
  }
}
