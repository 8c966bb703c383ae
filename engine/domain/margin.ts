/** Margin of 100 percent in parts per million; a margin is always below it. */
export const WHOLE_PPM = 1_000_000;

/**
 * A margin percent as parts per million: '0.25' is 2500. From 0 to below 100, at most 4 decimals, no sign, no
 * exponent; undefined when the text is not such a margin.
 */
export function marginPpmFromText(text: string): number | undefined {
  const parts = /^(\d{1,2})(?:\.(\d{1,4}))?$/.exec(text);
  if (!parts) return undefined;
  return Number(parts[1]) * 10_000 + Number((parts[2] ?? '').padEnd(4, '0'));
}

/** The percent of a margin in parts per million, as MarginPercent(20003) and REST show it: 2500 is '0.25'. */
export function formatMargin(ppm: number): string {
  const whole = Math.floor(ppm / 10_000);
  const decimals = String(ppm % 10_000)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return decimals ? `${whole}.${decimals}` : String(whole);
}
