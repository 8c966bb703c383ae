/** Every rule that can apply to acme's EUR/USD by SCHEDULED1, the most specific first, with its position as margin. */
export const NEAREST_FIRST: readonly (readonly [
  clientId: string,
  pair: string,
  type: 'SCHEDULED1' | '*',
  ppm: number,
])[] = [
  ['acme', 'EUR/USD', 'SCHEDULED1', 1],
  ['acme', 'EUR/USD', '*', 2],
  ['acme', '*', 'SCHEDULED1', 3],
  ['acme', '*', '*', 4],
  ['*', 'EUR/USD', 'SCHEDULED1', 5],
  ['*', 'EUR/USD', '*', 6],
  ['*', '*', 'SCHEDULED1', 7],
  ['*', '*', '*', 8],
];
