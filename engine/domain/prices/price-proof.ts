/**
 * Why a price was what it was: stored with every booking and every hold, in the step that writes it and under the hash of its facts, as text of at
 * most PROOF_BYTES. What the facts have beside it (pair, prices, margin, amounts) is not repeated.
 */
import { type Pair, pairOf } from '../money/pair.js';
import { clientBid, clientOffer, crossBid, crossLegs, crossOffer } from '../money/rate.js';
import { PROOF_RULE } from '../platforms/platform-share.js';
import { marginWithin } from './effective-margin.js';

export const PROOF_BYTES = 150;

/** The price was that of the moment, one that had been streamed, or a quote of a stream. */
export const PRICE_WAYS = ['market', 'streamed', 'quote'] as const;
export type PriceWay = (typeof PRICE_WAYS)[number];

/** A provider's quote that a price was made of: the only leg, or one of the two of a cross. */
export interface ProofLeg {
  readonly pair: Pair;
  /** The side of the leg that was hit. */
  readonly isBid: boolean;
  readonly provider: string;
  /** As the rate book keeps it (QuoteId): at most 20 characters, or `#` and a hash; '': the provider gave none. */
  readonly quoteId: string;
  /** The provider's own time, epoch microseconds. */
  readonly sourceTimeUs: number;
  /** Raw, scaled by the leg's price digits. */
  readonly price: number;
  /** The second best fresh provider price of that side at that moment. */
  readonly runnerUp: { readonly provider: string; readonly price: number } | undefined;
}

/** Which parts of the margin rule named the client, the pair and the type, and were not `*`. */
export interface RuleScope {
  readonly client: boolean;
  readonly pair: boolean;
  readonly type: boolean;
  /** The rule was for amounts above so many whole units of base; 0: for every amount. */
  readonly above: number;
}

export interface PriceProof {
  readonly way: PriceWay;
  /** One, of a cross two; none where the quotes were no longer known. */
  readonly legs: readonly ProofLeg[];
  /** How many levels of the book the amount takes. Above 1 the provider's price is their volume-weighted price, and a leg is the first of them. */
  readonly levels: number;
  /** Of the oldest quote, when the price was made or, of a streamed one, when it was booked, ms. */
  readonly ageMs: number;
  /** The provider's best offer less its best bid at that moment, units of the scaled price: for the mid. Undefined: not known. */
  readonly spread: number | undefined;
  /** The amount that the price was made for, whole units of base; of a streamed price or without an amount the most that it was for, 0: any. */
  readonly size: number;
  readonly isMost: boolean;
  readonly scope: RuleScope | undefined;
  /** Parts of the margin, parts per million: max(0, rule + skew + widening) + spread + add-on + floor. */
  readonly rulePpm: number;
  /** Of the rule's part what the platform of a sub-client has set; 0 for any other client. */
  readonly platformPpm: number;
  readonly skewPpm: number;
  readonly wideningPpm: number;
  /** What the floor or the ceiling of the client's spread has changed. */
  readonly spreadPpm: number;
  /** What the period of a hold adds, and what its value as an option adds to that. */
  readonly addOnPpm: number;
  readonly floorPpm: number;
  /** Decimals that the client's price was rounded to, half-even. */
  readonly priceDigits: number;
  /** The process that made the price: the first eight digits of its id, and when it had started, epoch seconds. */
  readonly engine: string;
  readonly epoch: number;
}

const WAY_LETTERS = { market: 'm', streamed: 's', quote: 'q' } as const satisfies Record<PriceWay, string>;
const WAYS = new Map(PRICE_WAYS.map((way) => [WAY_LETTERS[way] as string, way]));
const VIA = { U: 'USD', E: 'EUR' } as const;
const RADIX = 36;

/**
 * Parts apart by a blank: `<way><price digits><U or E: crossed through USD or EUR>`, engine, epoch, age with the
 * spread behind `:`, levels, size with `<` before the
 * most and decimals as they are, scope as a digit (client 4, pair 2, type 1) with the rule's parts per million, behind `+` those of a platform and behind `>` its `above`, then skew, widening, spread,
 * add-on and floor apart by `,`, and of each leg provider, id, source time, price, the runner-up's provider and its price less the leg's. Numbers have the
 * radix 36, 0 is ''; the second leg's time is what it is more than the first's, and `=` names the first's provider. Where that is longer than PROOF_BYTES, names of providers are cut, then ids are,
 * to hashes marked by `~`; last, runners-up are left out.
 */
export function proofText(proof: PriceProof): string {
  for (const cut of CUTS) {
    const text = textOf(proof, cut);
    if (text.length <= PROOF_BYTES) return text;
  }
  return textOf({ ...proof, legs: proof.legs.map((leg) => ({ ...leg, runnerUp: undefined })) }, CUTS.at(-1)!);
}

interface Cut {
  readonly name: number;
  readonly id: number;
}

/** Most characters of a provider's name, and of an id. */
const CUTS: readonly Cut[] = [
  { name: 32, id: 20 },
  { name: 12, id: 20 },
  { name: 8, id: 20 },
  { name: 5, id: 20 },
  { name: 5, id: 9 },
];

function textOf(proof: PriceProof, cut: Cut): string {
  const { way, legs, levels, ageMs, spread, size, isMost, scope, rulePpm, priceDigits, engine, epoch } = proof;
  const { platformPpm, skewPpm, wideningPpm, spreadPpm, addOnPpm, floorPpm } = proof;
  const places = (scope?.client ? 4 : 0) + (scope?.pair ? 2 : 0) + (scope?.type ? 1 : 0);
  const ofPlatform = platformPpm === 0 ? '' : `+${digits(platformPpm)}`;
  const above = scope?.above ? `>${digits(scope.above)}` : '';
  const rule = (scope === undefined ? '-' : places) + digits(rulePpm) + ofPlatform + above;
  const ages = digits(Math.round(ageMs)) + (spread === undefined ? '' : `:${digits(spread)}`);
  const sized = (isMost && size !== 0 ? '<' : '') + sizeText(size);
  const isPlain = skewPpm === 0 && wideningPpm === 0 && spreadPpm === 0 && addOnPpm === 0 && floorPpm === 0;
  const parts = [skewPpm, wideningPpm, spreadPpm, addOnPpm, floorPpm];
  const shifts = isPlain ? '' : withoutEnd(parts.map(digits).join(','), ',');
  const head = `${WAY_LETTERS[way]}${priceDigits}${viaOf(legs)} ${engine} ${digits(epoch)} ${ages}`;
  let text = `${head} ${levels === 1 ? '' : digits(levels)} ${sized} ${rule} ${shifts}`;
  let before = FIRST;
  for (const { provider, quoteId, sourceTimeUs, price, runnerUp } of legs) {
    const by = shortened(provider, cut.name);
    const second = runnerUp === undefined ? '' : shortened(runnerUp.provider, cut.name);
    text += ` ${by === before.by ? SAME : by} ${shortened(quoteId, cut.id)} ${digits(sourceTimeUs - before.sourceTimeUs)}`;
    text += ` ${digits(price)} ${second !== '' && second === before.second ? SAME : second}`;
    text += ` ${runnerUp === undefined ? '' : digits(runnerUp.price - price)}`;
    before = { by, second, sourceTimeUs };
  }
  return withoutEnd(text, ' ');
}

// Sizes have at most three decimals, which stay decimal.
function sizeText(size: number): string {
  const whole = Math.floor(size);
  const decimals = Math.round((size - whole) * 1_000);
  return digits(whole) + (decimals === 0 ? '' : `.${String(decimals).padStart(3, '0').replace(/0+$/, '')}`);
}

function sizeOf(text: string): number {
  const [whole, decimals = ''] = text.replace('<', '').split('.');
  return number(whole) + Number(decimals.padEnd(3, '0')) / 1_000;
}

const digits = (value: number): string => (value === 0 ? '' : value.toString(RADIX));
const number = (text = ''): number => (text === '' ? 0 : Number.parseInt(text, RADIX));

/** What is left out at the end is ''. */
function withoutEnd(text: string, between: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === between) end--;
  return text.slice(0, end);
}

function viaOf([first, second]: readonly ProofLeg[]): string {
  if (first === undefined || second === undefined) return '';
  const { base, quote } = first.pair;
  return [second.pair.base, second.pair.quote].includes('USD') && (base === 'USD' || quote === 'USD') ? 'U' : 'E';
}

/** What is longer keeps its beginning, and has behind `~` the last three digits of the FNV-1a hash (32 bits) of all of it. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return `${text.slice(0, most - 4)}~${hash.toString(RADIX).padStart(7, '0').slice(-3)}`;
}

/** From proofText, of a price of this pair and side. Throws TypeError for another text. */
export function priceProof(text: string, pair: Pair, isBid: boolean): PriceProof {
  const [head = '', engine = '', epoch, ages = '', levels, size = '', rule = '', margin = '', ...rest] =
    text.split(' ');
  const [, letter = '', priceDigits = '', via = ''] = HEAD.exec(head) ?? [];
  const [, places = '', rulePpm, platformPpm, above] = PROOF_RULE.exec(rule) ?? [];
  const way = WAYS.get(letter);
  if (way === undefined || places === '') throw new TypeError('not the proof of a price');
  const [skewPpm, wideningPpm, spreadPpm, addOnPpm, floorPpm] = margin.split(',');
  const [ageMs, spread] = ages.split(':');
  const scope = {
    client: (Number(places) & 4) !== 0,
    pair: (Number(places) & 2) !== 0,
    type: (Number(places) & 1) !== 0,
    above: number(above),
  };
  return {
    way,
    legs: legsOf(rest, pair, isBid, via),
    levels: number(levels) || 1,
    ageMs: number(ageMs),
    spread: spread === undefined ? undefined : number(spread),
    size: sizeOf(size),
    isMost: size === '' || size.startsWith('<'),
    scope: places === '-' ? undefined : scope,
    rulePpm: number(rulePpm),
    platformPpm: number(platformPpm),
    skewPpm: number(skewPpm),
    wideningPpm: number(wideningPpm),
    spreadPpm: number(spreadPpm),
    addOnPpm: number(addOnPpm),
    floorPpm: number(floorPpm),
    priceDigits: Number(priceDigits),
    engine,
    epoch: number(epoch),
  };
}

const HEAD = /^([a-z])(\d)([UE]?)$/;
const LEG_PARTS = 6;
// A provider of the second leg is that of the first. No name has this character.
const SAME = '=';
const FIRST = { by: '', second: '', sourceTimeUs: 0 };

function legsOf(parts: readonly string[], pair: Pair, isBid: boolean, via: string): ProofLeg[] {
  const legs: ProofLeg[] = [];
  const cross = via === '' ? undefined : crossLegs(pair, VIA[via as keyof typeof VIA]);
  const pairs = cross === undefined ? [pair] : [cross.first, cross.second];
  const hits = cross === undefined ? [isBid] : [isBid !== cross.firstInverse, isBid !== cross.secondInverse];
  let before = FIRST;
  for (let i = 0; i < pairs.length && i * LEG_PARTS < parts.length; i++) {
    const [name = '', quoteId = '', time, scaled, other = '', distance] = parts.slice(i * LEG_PARTS);
    const by = name === SAME ? before.by : name;
    const second = other === SAME ? before.second : other;
    const sourceTimeUs = before.sourceTimeUs + number(time);
    const price = number(scaled);
    const runnerUp = second === '' ? undefined : { provider: second, price: price + number(distance) };
    legs.push({ pair: pairs[i]!, isBid: hits[i]!, provider: by, quoteId, sourceTimeUs, price, runnerUp });
    before = { by, second, sourceTimeUs };
  }
  return legs;
}

export interface RecomputedPrice {
  /** Of the raw prices of the legs; undefined: it is volume-weighted over levels that the proof does not have, or the quotes were not known. */
  readonly providerPrice: number | undefined;
  readonly marginPpm: number;
  /** The client's, scaled; undefined: there is no provider price to make it of. */
  readonly price: number | undefined;
}

/**
 * The provider's price, the margin and the client's price again, from what the proof has. `weighted` is the provider's volume-weighted price where
 * the proof has more than one level, or no leg: then the client's price is made of it. Pure: also for records that are priced again later.
 */
export function recomputePrice(pair: Pair, isBid: boolean, proof: PriceProof, weighted?: number): RecomputedPrice {
  const { rulePpm, skewPpm, wideningPpm, spreadPpm, addOnPpm, floorPpm } = proof;
  const providerPrice = proof.levels > 1 ? undefined : providerPriceOf(pair, isBid, proof.legs);
  const marginPpm = marginWithin(rulePpm + skewPpm + wideningPpm, rulePpm) + spreadPpm + addOnPpm + floorPpm;
  const from = providerPrice ?? weighted;
  return { providerPrice, marginPpm, price: from && (isBid ? clientBid : clientOffer)(from, marginPpm) };
}

/** Twice the mid of the provider's best prices of that moment, scaled, so that it is whole; undefined: not known. */
export function mid2Of(pair: Pair, isBid: boolean, { legs, spread }: PriceProof): number | undefined {
  const best = providerPriceOf(pair, isBid, legs);
  return best === undefined || spread === undefined ? undefined : 2 * best + (isBid ? spread : -spread);
}

function providerPriceOf(pair: Pair, isBid: boolean, [first, second]: readonly ProofLeg[]): number | undefined {
  if (first === undefined || second === undefined) return first?.pair === pair ? first.price : undefined;
  const via = [first.pair.base, first.pair.quote].find((currency) => currency !== pair.base);
  const legs = via === undefined ? undefined : crossLegs(pair, via);
  if (legs === undefined) return undefined;
  const [one, other] = [first.price, second.price];
  const price = isBid ? crossBid(legs, one, one, other, other) : crossOffer(legs, one, one, other, other);
  return Number.isNaN(price) ? undefined : price;
}

/** Whether a rate of this pair sells base, and so hits the bid. */
export const hitsBid = (rate: { readonly sellCurrency: string; readonly buyCurrency: string }): boolean =>
  pairOf(rate.sellCurrency, rate.buyCurrency)?.inverse === false;
