/**
 * `npm run test:exhaustive` runs every loop at full size; `npm test` runs the same loops over fewer cases. No rule is left out: the cases
 * are drawn from the same seeds, so the short run is the beginning of the long one.
 */
export const IS_EXHAUSTIVE = process.env.RATEWIRE_TESTS === 'exhaustive';

export const cases = (usual: number, exhaustive: number): number => (IS_EXHAUSTIVE ? exhaustive : usual);
