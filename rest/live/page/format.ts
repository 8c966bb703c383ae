/** Prices, ages and amounts as people read them. Prices are whole numbers scaled by the pair's digits. */

export interface PriceParts {
  /** `1.08`: what a dealer takes for granted. */
  readonly lead: string;
  /** `54`: the pips. */
  readonly pips: string;
  /** `3`: what the market quotes beyond the pips. */
  readonly beyond: string;
  /** What a margin adds beyond that. */
  readonly own: string;
}

export interface PriceDigits {
  readonly priceDigits: number;
  readonly pipDigits: number;
  readonly marketDigits: number;
}

/** `0.0002` has its pips where `1.0002` has them: nothing is left out. */
export function priceParts(scaled: number, { priceDigits, pipDigits, marketDigits }: PriceDigits): PriceParts {
  const digits = String(scaled).padStart(priceDigits + 1, '0');
  const point = digits.length - priceDigits;
  const big = point + pipDigits - 2;
  const own = digits.slice(point + marketDigits);
  const lead = big <= point ? `${digits.slice(0, point)}.` : `${digits.slice(0, point)}.${digits.slice(point, big)}`;
  return { lead, pips: digits.slice(big, big + 2), beyond: digits.slice(big + 2, point + marketDigits), own };
}

/** The whole price, as a booking would name it. */
export function priceText(scaled: number, digits: PriceDigits): string {
  const { lead, pips, beyond, own } = priceParts(scaled, digits);
  return lead + pips + beyond + own.replace(/^0+$/, '');
}

/** Offer above bid in pips, with one decimal; without from a hundred on. */
export function spreadText(bid: number, offer: number, { priceDigits, pipDigits }: PriceDigits): string {
  const pips = (offer - bid) / 10 ** (priceDigits - pipDigits);
  return pips >= 100 ? Math.round(pips).toLocaleString('en') : pips.toFixed(1);
}

/** `<1 s`, `12 s`, `3 min`, `2 h`. */
export function ageText(ms: number): string {
  const s = Math.floor(ms / 1_000);
  if (s < 1) return '<1 s';
  if (s < 60) return `${s} s`;
  if (s < 3_600) return `${Math.floor(s / 60)} min`;
  return s < 86_400 ? `${Math.floor(s / 3_600)} h` : `${Math.floor(s / 86_400)} d`;
}

/** `14:03:07`, UTC. */
export function clockText(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

/** `14:03:07`, with the day in front of it when that is another one. */
export function timeText(ms: number, nowMs: number): string {
  const iso = new Date(ms).toISOString();
  const isToday = iso.slice(0, 10) === new Date(nowMs).toISOString().slice(0, 10);
  return isToday ? iso.slice(11, 19) : `${iso.slice(5, 10)} ${iso.slice(11, 19)}`;
}

/** `25 Nov` of `2026-11-25`. */
export function dayText(date: string): string {
  const options = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  return new Date(`${date}T00:00:00Z`).toLocaleDateString('en-GB', options);
}

/** `1,000,000.00` of `1000000.00`: as text, so that no digit is lost. */
export function groupedText(amount: string): string {
  const [whole = '', decimals] = amount.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? grouped : `${grouped}.${decimals}`;
}

/** `48 µs`, `1.2 ms`, `3.4 s`. */
export function microsText(us: number): string {
  if (us < 1_000) return `${Math.round(us)} µs`;
  if (us < 1_000_000) return `${(us / 1_000).toFixed(us < 10_000 ? 1 : 0)} ms`;
  return `${(us / 1_000_000).toFixed(1)} s`;
}

/** `0 B`, `14 kB`, `2.1 MB`. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A margin in percent: 2500 is `0.25 %`. */
function marginText(ppm: number): string {
  return `${(ppm / 10_000).toFixed(4).replace(/\.?0+$/, '')} %`;
}

/** The margins of a price: of both sides where they are not the same. */
export function marginsText({
  bidMarginPpm,
  offerMarginPpm,
}: Record<'bidMarginPpm' | 'offerMarginPpm', number>): string {
  const bid = marginText(bidMarginPpm);
  return bidMarginPpm === offerMarginPpm ? bid : `${bid} bid, ${marginText(offerMarginPpm)} offer`;
}

/** `COMPLIANCE_APPROVED` as `Compliance approved`. */
export function wordsText(code: string): string {
  const words = code.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
